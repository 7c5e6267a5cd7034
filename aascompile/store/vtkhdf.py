"""View of a compiled file for VTK programs: /VTKHDF, three blocks of polygons and lines.

Points, corners and most cell data are hard links to our own datasets; only the counts that VTK needs are added.
ParaView opens the file directly, Python with ``pyvista.read("map.aas.hdf")``. The groups record the order in which
their members are created, as VTK requires for arrays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aascompile.store.hdf_writer import HdfWriter, Node
from aascompile.store.schema import Column

VERSION = (2, 3)
"""Version of the VTKHDF format: the first with blocks."""
CELLS = ("Vertices", "Lines", "Polygons", "Strips")


def add_view(writer: HdfWriter, tables: Node, columns: Mapping[str, Column]) -> None:
    """Add the view to a file whose group ``tables`` already has these columns."""
    view = _View(writer, tables, columns)
    front, back = columns["faces/front"], columns["faces/back"]
    faces = {"front": "faces/front", "back": "faces/back", "flags": "faces/flags", "plane": "faces/plane"}
    area = np.where(front >= 0, front, back)
    made = {"area": area, "contents": columns["areas/contents"][area], "presence": columns["areas/presence"][area]}
    view.add("areas", "Polygons", "vertices/xyz", ("faces/corner_vertex", "faces/corner_start"), faces, made)
    if "links/point" in columns:
        links = {name: f"links/{name}" for name in ("source", "target", "kind", "time", "needed_speed", "tier")}
        view.add("links", "Lines", "links/point", None, links, {})
    parts = {name: f"context/{name}" for name in ("kind", "contents", "flags", "brush", "patch")}
    view.add("context", "Polygons", "context/vertex", ("context/corner", "context/corner_start"), parts, {})


class _View:
    """The /VTKHDF group under construction."""

    def __init__(self, writer: HdfWriter, tables: Node, columns: Mapping[str, Column]) -> None:
        self._writer = writer
        self._tables = tables
        self._columns = columns
        self._root = writer.group(writer.root, "VTKHDF", ordered=True)
        self._describe(self._root, "MultiBlockDataSet")
        self._assembly = writer.group(self._root, "Assembly", ordered=True)
        self._blocks = 0
        self._empty: tuple[Node, str] | None = None

    def _describe(self, group: Node, kind: str) -> None:
        """Add the version and type, which VTK reads first. It accepts only text of fixed length."""
        self._writer.number(group, "Version", VERSION)
        self._writer.text(group, "Type", kind, ascii_only=True)

    def add(
        self,
        name: str,
        cells: str,
        points: str,
        corners: tuple[str, str] | None,
        linked: Mapping[str, str],
        made: Mapping[str, Column],
    ) -> None:
        """Add a block of polygons or lines. ``linked`` are existing columns, ``made`` are new ones.

        ``corners``: columns of the cells' corners and starts. Without them, every two successive points are a cell.
        """
        writer = self._writer
        block = writer.group(self._root, name, ordered=True)
        self._describe(block, "PolyData")
        writer.number(block, "Index", self._blocks)
        self._blocks += 1
        count = len(self._columns[points])
        writer.link(block, "Points", self._tables, points)
        self._count(block, "NumberOfPoints", count)
        group = writer.group(block, cells)
        if corners is not None:
            corner, start = (self._columns[path] for path in corners)
            writer.link(group, "Connectivity", self._tables, corners[0])
            writer.link(group, "Offsets", self._tables, corners[1])
        else:
            corner, start = np.arange(count), np.arange(0, count + 1, 2)
            writer.column(group, "Connectivity", corner)
            writer.column(group, "Offsets", start)
        self._count(group, "NumberOfConnectivityIds", len(corner))
        self._count(group, "NumberOfCells", len(start) - 1)
        for kind in CELLS:
            if kind != cells:
                self._no_cells(block, kind)
        data = writer.group(block, "CellData", ordered=True)
        for array, path in linked.items():
            writer.link(data, array, self._tables, path)
        for array, column in made.items():
            writer.column(data, array, column)
        writer.soft_link(self._assembly, name, f"/VTKHDF/{name}")

    def _count(self, group: Node, name: str, number: int) -> None:
        self._writer.column(group, name, np.array([number], np.int64))

    def _no_cells(self, block: Node, name: str) -> None:
        """Add a group without cells. All blocks share a single one."""
        if self._empty is not None:
            self._writer.link(block, name, *self._empty)
            return
        empty = self._writer.group(block, name)
        self._count(empty, "NumberOfCells", 0)
        for count in ("NumberOfConnectivityIds", "Offsets"):
            self._writer.link(empty, count, empty, "NumberOfCells")
        self._writer.column(empty, "Connectivity", np.zeros(0, np.int64))
        self._empty = (block, name)
