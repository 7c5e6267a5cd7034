"""A slow reader of the engine's .aas file with the engine's own queries: the area of a point, whether a point is on a
face, the volume of an area, and its links."""

from __future__ import annotations

import struct

import numpy as np

RECORDS = ("ii6f", "3f", "4fi", "2i", "i", "6i", "i", "3i9f", "7i", "3i6fiHxx", "3i", "5i", "i", "4i")
BOXES, VERTICES, PLANES, EDGES, EDGE_INDEX, FACES, FACE_INDEX, AREAS, SETTINGS, LINKS, NODES = range(11)
SLACK = 0.1


class Reader:
    """An engine file, lump by lump."""

    def __init__(self, data: bytes) -> None:
        assert data[:4] == b"EAAS"
        (self.version,) = struct.unpack_from("<i", data, 4)
        header = bytearray(data[:124])
        if self.version == 5:
            for i in range(116):
                header[8 + i] ^= (119 * i) & 255
        self.checksum, *words = struct.unpack_from("<29i", header, 8)
        self.lumps = []
        self.size = len(data)
        self.end = 124
        for record, at, size in zip(RECORDS, words[0::2], words[1::2], strict=True):
            assert at == self.end
            self.end = at + size
            self.lumps.append(list(struct.iter_unpack("<" + record, data[at : at + size])))

    def ends_with_its_last_lump(self) -> bool:
        """Whether the file ends exactly where its last lump ends."""
        return self.end == self.size

    def plane(self, row: int) -> tuple[np.ndarray, float]:
        x, y, z, dist, _ = self.lumps[PLANES][row]
        return np.array((x, y, z)), dist

    def area_of(self, point: np.ndarray) -> int:
        """Area of a point; 0: solid."""
        node = 1
        while node > 0:
            plane, front, back = self.lumps[NODES][node]
            normal, dist = self.plane(plane)
            node = front if normal @ point - dist > 0 else back
        return -node

    def edges(self, face: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Start and end of the edges of a face."""
        _, _, count, first, _, _ = self.lumps[FACES][face]
        found = []
        for (index,) in self.lumps[EDGE_INDEX][first : first + count]:
            begin, end = self.lumps[EDGES][abs(index)]
            if index < 0:
                begin, end = end, begin
            found.append((np.array(self.lumps[VERTICES][begin]), np.array(self.lumps[VERTICES][end])))
        return found

    def loops_are_closed(self) -> bool:
        """Whether every edge of a face starts where the previous edge ends."""
        return all(
            np.array_equal(edges[k - 1][1], edges[k][0])
            for face in range(1, len(self.lumps[FACES]))
            for edges in [self.edges(face)]
            for k in range(len(edges))
        )

    def inside_face(self, face: int, point: np.ndarray) -> bool:
        """Whether a point on a face's plane is inside all its edges."""
        normal, dist = self.plane(self.lumps[FACES][face][0])
        assert abs(normal @ point - dist) < SLACK
        return all(np.cross(end - begin, normal) @ (point - begin) > -SLACK for begin, end in self.edges(face))

    def volume(self, area: int) -> float:
        """Volume of an area: the sum of the cones from one of its corners to its faces."""
        _, count, first, *_ = self.lumps[AREAS][area]
        faces = [index for (index,) in self.lumps[FACE_INDEX][first : first + count]]
        apex = self.edges(abs(faces[0]))[0][0]
        total = 0.0
        for index in faces:
            plane, _, _, _, front, back = self.lumps[FACES][abs(index)]
            assert (front if index > 0 else back) == area
            normal, dist = self.plane(plane if back == area else plane ^ 1)
            edges = self.edges(abs(index))
            fan = sum(np.linalg.norm(np.cross(a - edges[0][0], b - edges[0][0])) / 2 for a, b in edges)
            total += (dist - normal @ apex) * fan / 3
        return total

    def links_of(self, area: int) -> list[tuple]:
        """Links from an area: target, face, edge, start, end, kind, time."""
        *_, count, first = self.lumps[SETTINGS][area]
        return self.lumps[LINKS][first : first + count]
