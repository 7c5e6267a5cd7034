"""A view of a compiled file for VTK programs: /VTKHDF, three blocks of polygons and lines.

Points, corners and most cell data are hard links to our own datasets; only what VTK counts itself is written again.
ParaView opens the file as it is, Python with ``pyvista.read("map.aas.hdf")``. Links in a group are found in the order
in which they were made, which VTK insists on for arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from aascompile.store.schema import Column

VERSION = (2, 3)
"""Of the VTKHDF format: the first with blocks."""

Write = Callable[[Any, str, Column], None]


def add_view(file: Any, columns: Mapping[str, Column], write: Write) -> None:
    """Add the view to an open file that has our tables already."""
    root = file.create_group("VTKHDF", track_order=True)
    _describe(root, "MultiBlockDataSet")
    view = _View(file, root, write)
    front, back = columns["faces/front"], columns["faces/back"]
    faces = {"front": "faces/front", "back": "faces/back", "flags": "faces/flags", "plane": "faces/plane"}
    area = np.where(front >= 0, front, back)
    made = {"area": area, "contents": columns["areas/contents"][area], "presence": columns["areas/presence"][area]}
    view.add("areas", "Polygons", "vertices/xyz", "faces/corner_vertex", "faces/corner_start", faces, made)
    if "links/point" in columns:
        links = {name: f"links/{name}" for name in ("source", "target", "kind", "time")}
        view.add("links", "Lines", "links/point", "", "", links, {})
    parts = {name: f"context/{name}" for name in ("kind", "contents", "flags", "brush", "patch")}
    view.add("context", "Polygons", "context/vertex", "context/corner", "context/corner_start", parts, {})


def _describe(group: Any, kind: str) -> None:
    """What VTK looks for first; it takes texts of fixed length and nothing else."""
    import h5py

    group.attrs.create("Version", np.array(VERSION, np.int64))
    group.attrs.create("Type", np.array(kind.encode("ascii"), h5py.string_dtype("ascii", len(kind))))


class _View:
    """Adds blocks to a /VTKHDF group."""

    def __init__(self, file: Any, root: Any, write: Write) -> None:
        self._tables = file["aas"]
        self._root = root
        self._write = write
        self._assembly = root.create_group("Assembly", track_order=True)
        self._nothing: Any = None

    def add(
        self,
        name: str,
        cells: str,
        points: str,
        corner: str,
        start: str,
        linked: Mapping[str, str],
        made: Mapping[str, Column],
    ) -> None:
        """A block of polygons or lines; corners without a column are the points themselves, two a line."""
        import h5py

        block = self._root.create_group(name, track_order=True)
        _describe(block, "PolyData")
        block.attrs.create("Index", np.int64(len(self._assembly)))
        block["Points"] = self._tables[points]
        point_count = len(block["Points"])
        self._count(block, "NumberOfPoints", point_count)
        group = block.create_group(cells)
        if corner:
            group["Connectivity"], group["Offsets"] = self._tables[corner], self._tables[start]
        else:
            self._write(group, "Connectivity", np.arange(point_count))
            self._write(group, "Offsets", np.arange(0, point_count + 1, 2))
        self._count(group, "NumberOfConnectivityIds", len(group["Connectivity"]))
        self._count(group, "NumberOfCells", len(group["Offsets"]) - 1)
        for other in ("Vertices", "Lines", "Polygons", "Strips"):
            if other != cells:
                self._nothing_in(block, other)
        data = block.create_group("CellData", track_order=True)
        for array, path in linked.items():
            data[array] = self._tables[path]
        for array, column in made.items():
            self._write(data, array, column)
        self._assembly[name] = h5py.SoftLink(f"/VTKHDF/{name}")

    def _count(self, group: Any, name: str, number: int) -> None:
        self._write(group, name, np.array([number], np.int64))

    def _nothing_in(self, block: Any, name: str) -> None:
        """A group of no cells; all blocks share one."""
        if self._nothing is not None:
            block[name] = self._nothing
            return
        self._nothing = block.create_group(name)
        for count in ("NumberOfCells", "NumberOfConnectivityIds", "Offsets"):
            self._count(self._nothing, count, 0)
        self._write(self._nothing, "Connectivity", np.zeros(0, np.int64))
