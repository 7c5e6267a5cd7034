# mypy: ignore-errors
"""Loops over patches and their facets: points on curves, straight columns, coplanar groups, outlines of groups.

Glossary
    piece     three control points of a row, of which neighbours share one: a quadratic curve.
    grid      points of a patch's surface, ``(rows, columns, 3)``.
    face      three or four points (a row of ``corner``; the fourth is −1 for a triangle), and its area vector:
              along its normal, with its area as length.
    group     neighbouring faces whose corners all lie within a tolerance of one plane, ``(nx, ny, nz, d)``.
    outline   the edges of a group that belong to only one of its faces.
"""

import cython
from cython.cimports.libc.math import fabs, sqrt


def halvings(
    control: cython.double[:, :, :], limit: cython.double[::1], spans: cython.longlong, out: cython.longlong[::1]
):
    """Fill ``out`` with the number of halvings of each piece, so that every curve stays close to its chord.

    ``limit``: distances from the chord from which on a curve is halved once, twice and so on. ``spans``: how many all
    pieces may have together, unless none is halved.
    """
    r: cython.Py_ssize_t
    p: cython.Py_ssize_t
    x: cython.double
    y: cython.double
    z: cython.double
    off: cython.double
    most: cython.longlong = 0
    count: cython.longlong
    with cython.nogil:
        for p in range(out.shape[0]):
            off = 0.0
            for r in range(control.shape[0]):
                x = control[r, 2 * p, 0] - 2.0 * control[r, 2 * p + 1, 0] + control[r, 2 * p + 2, 0]
                y = control[r, 2 * p, 1] - 2.0 * control[r, 2 * p + 1, 1] + control[r, 2 * p + 2, 1]
                z = control[r, 2 * p, 2] - 2.0 * control[r, 2 * p + 1, 2] + control[r, 2 * p + 2, 2]
                off = max(off, x * x + y * y + z * z)
            off = sqrt(off) / 4.0
            out[p] = 0
            while out[p] < limit.shape[0] and off >= limit[out[p]]:
                out[p] += 1
            most = max(most, out[p])
        while most > 0:
            count = 0
            for p in range(out.shape[0]):
                count += cython.cast(cython.longlong, 1) << out[p]
            if count <= spans:
                break
            most -= 1
            for p in range(out.shape[0]):
                out[p] = min(out[p], most)


def evaluate(control: cython.double[:, :, :], halved: cython.longlong[::1], out: cython.double[:, :, ::1]):
    """Fill ``out`` with points along the rows of control points: each piece in equal steps, then the last point."""
    r: cython.Py_ssize_t
    p: cython.Py_ssize_t
    at: cython.Py_ssize_t
    i: cython.longlong
    k: cython.int
    spans: cython.longlong
    t: cython.double
    a: cython.double
    b: cython.double
    c: cython.double
    with cython.nogil:
        for r in range(control.shape[0]):
            at = 0
            for p in range(halved.shape[0]):
                spans = cython.cast(cython.longlong, 1) << halved[p]
                for i in range(spans):
                    t = cython.cast(cython.double, i) / spans
                    a = (1.0 - t) * (1.0 - t)
                    b = 2.0 * t * (1.0 - t)
                    c = t * t
                    for k in range(3):
                        out[r, at, k] = (
                            a * control[r, 2 * p, k] + b * control[r, 2 * p + 1, k] + c * control[r, 2 * p + 2, k]
                        )
                    at += 1
            for k in range(3):
                out[r, at, k] = control[r, control.shape[1] - 1, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _off_chord(
    grid: cython.double[:, :, ::1], row: cython.int, start: cython.int, end: cython.int, column: cython.int
) -> cython.double:
    """Squared distance of a point from the segment between two other points of its row."""
    bx: cython.double = grid[row, end, 0] - grid[row, start, 0]
    by: cython.double = grid[row, end, 1] - grid[row, start, 1]
    bz: cython.double = grid[row, end, 2] - grid[row, start, 2]
    px: cython.double = grid[row, column, 0] - grid[row, start, 0]
    py: cython.double = grid[row, column, 1] - grid[row, start, 1]
    pz: cython.double = grid[row, column, 2] - grid[row, start, 2]
    length: cython.double = bx * bx + by * by + bz * bz
    t: cython.double = 0.0
    if length > 0.0:
        t = (px * bx + py * by + pz * bz) / length
        t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
    px -= t * bx
    py -= t * by
    pz -= t * bz
    return px * px + py * py + pz * pz


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_plain(
    grid: cython.double[:, :, ::1], row: cython.int, start: cython.int, end: cython.int, tolerance: cython.double
) -> cython.int:
    """Whether the quad between two rows and two columns is planar and convex, or has no area."""
    ax: cython.double = grid[row + 1, end, 0] - grid[row, start, 0]
    ay: cython.double = grid[row + 1, end, 1] - grid[row, start, 1]
    az: cython.double = grid[row + 1, end, 2] - grid[row, start, 2]
    bx: cython.double = grid[row + 1, start, 0] - grid[row, end, 0]
    by: cython.double = grid[row + 1, start, 1] - grid[row, end, 1]
    bz: cython.double = grid[row + 1, start, 2] - grid[row, end, 2]
    cx: cython.double = grid[row, end, 0] - grid[row, start, 0]
    cy: cython.double = grid[row, end, 1] - grid[row, start, 1]
    cz: cython.double = grid[row, end, 2] - grid[row, start, 2]
    nx: cython.double = ay * bz - az * by
    ny: cython.double = az * bx - ax * bz
    nz: cython.double = ax * by - ay * bx
    length: cython.double = sqrt(nx * nx + ny * ny + nz * nz)
    if length <= tolerance * tolerance:
        return 1
    # The diagonals a and b pass each other at twice the corners' distance from their common plane.
    if fabs(cx * nx + cy * ny + cz * nz) > 2.0 * tolerance * length:
        return 0
    # Convex: the diagonals cross, so b starts and ends on different sides of a, and a on different sides of b.
    s: cython.double = nx * (ay * cz - az * cy) + ny * (az * cx - ax * cz) + nz * (ax * cy - ay * cx)
    t: cython.double = nx * (cy * bz - cz * by) + ny * (cz * bx - cx * bz) + nz * (cx * by - cy * bx)
    square: cython.double = length * length
    return -s >= 0.0 and -s <= square and t >= 0.0 and t <= square


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_straight(
    grid: cython.double[:, :, ::1], start: cython.int, end: cython.int, tolerance: cython.double
) -> cython.int:
    """Whether the columns between two columns can be removed: rows are straight there and quads are plain."""
    row: cython.int
    column: cython.int
    for row in range(grid.shape[0]):
        for column in range(start + 1, end):
            if _off_chord(grid, row, start, end, column) > tolerance * tolerance:
                return 0
    for row in range(grid.shape[0] - 1):
        if not _is_plain(grid, row, start, end, tolerance):
            return 0
    return 1


def bent_columns(grid: cython.double[:, :, ::1], tolerance: cython.double, keep: cython.uchar[::1]):
    """Mark in ``keep (columns,)`` the columns to keep: the first, the last, and those where the surface bends."""
    start: cython.int = 0
    end: cython.int
    columns: cython.int = grid.shape[1]
    with cython.nogil:
        for end in range(columns):
            keep[end] = 0
        keep[0] = 1
        while start < columns - 1:
            end = start + 1
            while end + 1 < columns and _is_straight(grid, start, end + 1, tolerance):
                end += 1
            keep[end] = 1
            start = end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _lies_on(
    point: cython.double[:, ::1],
    corner: cython.int[:, ::1],
    face: cython.int,
    plane: cython.double[::1],
    tolerance: cython.double,
) -> cython.int:
    """Whether all corners of a face lie on a plane."""
    k: cython.int
    v: cython.int
    for k in range(4):
        v = corner[face, k]
        if (
            v >= 0
            and fabs(point[v, 0] * plane[0] + point[v, 1] * plane[1] + point[v, 2] * plane[2] - plane[3]) > tolerance
        ):
            return 0
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fit(
    point: cython.double[:, ::1],
    corner: cython.int[:, ::1],
    area: cython.double[:, ::1],
    faces: cython.int[::1],
    count: cython.int,
    plane: cython.double[::1],
) -> cython.void:
    """Plane fitted to faces: the normal is the sum of their area vectors, the distance that of their mean corner."""
    nx: cython.double = 0.0
    ny: cython.double = 0.0
    nz: cython.double = 0.0
    d: cython.double = 0.0
    corners: cython.int = 0
    i: cython.int
    k: cython.int
    v: cython.int
    for i in range(count):
        nx += area[faces[i], 0]
        ny += area[faces[i], 1]
        nz += area[faces[i], 2]
    length: cython.double = sqrt(nx * nx + ny * ny + nz * nz)
    nx /= length
    ny /= length
    nz /= length
    for i in range(count):
        for k in range(4):
            v = corner[faces[i], k]
            if v >= 0:
                d += point[v, 0] * nx + point[v, 1] * ny + point[v, 2] * nz
                corners += 1
    plane[0] = nx
    plane[1] = ny
    plane[2] = nz
    plane[3] = d / corners


def coplanar_groups(
    point: cython.double[:, ::1],
    corner: cython.int[:, ::1],
    area: cython.double[:, ::1],
    neighbour: cython.int[:, ::1],
    order: cython.int[::1],
    tolerance: cython.double,
    most: cython.int,
    group: cython.int[::1],
    plane: cython.double[:, ::1],
    queue: cython.int[::1],
):
    """Group neighbouring faces on one plane, starting at faces in ``order``, and return the number of groups.

    ``group`` (−1 on entry) is filled with each face's group, ``plane`` with each group's plane. A group has at most
    ``most`` faces. It keeps the plane of its first face unless a plane fitted to all its faces works too.
    """
    groups: cython.int = 0
    i: cython.int
    with cython.nogil:
        for i in range(order.shape[0]):
            if group[order[i]] < 0:
                queue[0] = order[i]
                _gather(point, corner, area, neighbour, tolerance, most, groups, group, plane, queue)
                groups += 1
    return groups


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gather(
    point: cython.double[:, ::1],
    corner: cython.int[:, ::1],
    area: cython.double[:, ::1],
    neighbour: cython.int[:, ::1],
    tolerance: cython.double,
    most: cython.int,
    name: cython.int,
    group: cython.int[::1],
    plane: cython.double[:, ::1],
    queue: cython.int[::1],
) -> cython.void:
    """Flood a group from the first face in the queue."""
    k: cython.int
    f: cython.int
    done: cython.int = 0
    count: cython.int = 1
    px: cython.double
    py: cython.double
    pz: cython.double
    pd: cython.double
    group[queue[0]] = name
    _fit(point, corner, area, queue, 1, plane[name])
    while done < count:
        for k in range(4):
            f = neighbour[queue[done], k]
            if (
                f >= 0
                and group[f] < 0
                and count < most
                and area[f, 0] * plane[name, 0] + area[f, 1] * plane[name, 1] + area[f, 2] * plane[name, 2] > 0.0
                and _lies_on(point, corner, f, plane[name], tolerance)
            ):
                group[f] = name
                queue[count] = f
                count += 1
        done += 1
    px = plane[name, 0]
    py = plane[name, 1]
    pz = plane[name, 2]
    pd = plane[name, 3]
    _fit(point, corner, area, queue, count, plane[name])
    for k in range(count):
        if not _lies_on(point, corner, queue[k], plane[name], tolerance):
            plane[name, 0] = px
            plane[name, 1] = py
            plane[name, 2] = pz
            plane[name, 3] = pd
            return


def convex_outlines(
    point: cython.double[:, ::1],
    plane: cython.double[:, ::1],
    edge_start: cython.longlong[::1],
    tail: cython.int[::1],
    after: cython.longlong[::1],
    eps: cython.double,
    most: cython.int,
    convex: cython.uchar[::1],
    loop: cython.int[::1],
):
    """Find the groups with a single convex outline of at most ``most`` edges. ``loop`` gets a point for each edge.

    Outline edges of group g are ``edge_start[g]:edge_start[g + 1]``; ``tail`` is the start point of an edge,
    ``after`` the next edge, or −1 if there are several.
    """
    g: cython.int
    with cython.nogil:
        for g in range(convex.shape[0]):
            convex[g] = _trace(edge_start[g], edge_start[g + 1], tail, after, most, loop) and _is_convex(
                point, plane[g], loop, edge_start[g], edge_start[g + 1], eps
            )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _trace(
    first: cython.longlong,
    stop: cython.longlong,
    tail: cython.int[::1],
    after: cython.longlong[::1],
    most: cython.int,
    loop: cython.int[::1],
) -> cython.int:
    """Whether outline edges form a single loop."""
    i: cython.longlong
    edge: cython.longlong = first
    if stop - first < 3 or stop - first > most:
        return 0
    for i in range(first, stop):
        if edge < 0 or (i > first and edge == first):
            return 0
        loop[i] = tail[edge]
        edge = after[edge]
    return edge == first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_convex(
    point: cython.double[:, ::1],
    plane: cython.double[::1],
    loop: cython.int[::1],
    first: cython.longlong,
    stop: cython.longlong,
    eps: cython.double,
) -> cython.int:
    """Whether a loop turns exactly once, counter-clockwise, with every point inside every edge."""
    i: cython.longlong
    j: cython.longlong
    a: cython.int
    b: cython.int
    v: cython.int
    ex: cython.double
    ey: cython.double
    ez: cython.double
    inx: cython.double
    iny: cython.double
    inz: cython.double
    length: cython.double
    along: cython.double
    ux: cython.double = point[loop[first + 1], 0] - point[loop[first], 0]
    uy: cython.double = point[loop[first + 1], 1] - point[loop[first], 1]
    uz: cython.double = point[loop[first + 1], 2] - point[loop[first], 2]
    sign: cython.int = 1
    turns: cython.int = 0
    for i in range(first, stop):
        a = loop[i]
        b = loop[i + 1 if i + 1 < stop else first]
        ex = point[b, 0] - point[a, 0]
        ey = point[b, 1] - point[a, 1]
        ez = point[b, 2] - point[a, 2]
        length = sqrt(ex * ex + ey * ey + ez * ez)
        if length <= eps:
            continue
        # A convex loop first runs along its first edge's direction and then back: the direction changes twice.
        along = (ex * ux + ey * uy + ez * uz) / length
        if (along > eps and sign < 0) or (along < -eps and sign > 0):
            sign = -sign
            turns += 1
        inx = plane[1] * ez - plane[2] * ey
        iny = plane[2] * ex - plane[0] * ez
        inz = plane[0] * ey - plane[1] * ex
        for j in range(first, stop):
            v = loop[j]
            if (
                (point[v, 0] - point[a, 0]) * inx
                + (point[v, 1] - point[a, 1]) * iny
                + (point[v, 2] - point[a, 2]) * inz
            ) < -eps * length:
                return 0
    return turns <= 2
