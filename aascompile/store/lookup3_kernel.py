# mypy: ignore-errors
"""The checksum of HDF5's own structures: lookup3 by Bob Jenkins (public domain), with 0 as its start."""

import cython


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rotate(x: cython.uint, by: cython.int) -> cython.uint:
    """Rotate a 32-bit word to the left."""
    return (x << by) | (x >> (32 - by))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def word(data: cython.uchar[::1], at: cython.Py_ssize_t) -> cython.uint:
    """Four bytes as a number, the lowest first; bytes beyond the end count as 0."""
    value: cython.uint = 0
    k: cython.Py_ssize_t
    for k in range(4):
        if at + k < data.shape[0]:
            value |= cython.cast(cython.uint, data[at + k]) << cython.cast(cython.uint, 8 * k)
    return value


def lookup3(data: cython.uchar[::1]):
    """Checksum of some bytes, at least one."""
    size: cython.Py_ssize_t = data.shape[0]
    at: cython.Py_ssize_t = 0
    a: cython.uint = 0xDEADBEEF + cython.cast(cython.uint, size)
    b: cython.uint = a
    c: cython.uint = a
    with cython.nogil:
        while size - at > 12:
            a += word(data, at)
            b += word(data, at + 4)
            c += word(data, at + 8)
            a -= c
            a ^= rotate(c, 4)
            c += b
            b -= a
            b ^= rotate(a, 6)
            a += c
            c -= b
            c ^= rotate(b, 8)
            b += a
            a -= c
            a ^= rotate(c, 16)
            c += b
            b -= a
            b ^= rotate(a, 19)
            a += c
            c -= b
            c ^= rotate(b, 4)
            b += a
            at += 12
        a += word(data, at)
        b += word(data, at + 4)
        c += word(data, at + 8)
        c ^= b
        c -= rotate(b, 14)
        a ^= c
        a -= rotate(c, 11)
        b ^= a
        b -= rotate(a, 25)
        c ^= b
        c -= rotate(b, 16)
        a ^= c
        a -= rotate(c, 4)
        b ^= a
        b -= rotate(a, 14)
        c ^= b
        c -= rotate(b, 24)
    return c
