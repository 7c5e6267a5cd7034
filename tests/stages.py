"""Runs the stages up to areas and keeps all their records for tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import assume
from numpy.typing import NDArray

from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.bsp.tree import root_cell
from aascompile.csr import starts_of
from aascompile.errors import MapError
from aascompile.geometry.planes import PlaneTable
from aascompile.model.areas import Areas
from aascompile.model.compiled import Compiled
from aascompile.model.mapdata import Planes
from aascompile.model.tree import Portals, Tree
from aascompile.model.understood import Understood
from aascompile.model.volumes import Surface, Volumes
from aascompile.pipeline import Divided, gather, make_areas, understand
from aascompile.report import Records, Report
from aascompile.settings import QUAKE3, Settings
from tests.builders import Layout
from tests.reference.tree import paths


@dataclass(frozen=True)
class Shapes:
    """Copy of the mesh of areas."""

    planes: Planes
    plane: NDArray[np.int32]
    """(f,) of the faces: plane, areas on both sides, marks."""
    front: NDArray[np.int32]
    back: NDArray[np.int32]
    marks: NDArray[np.int32]
    start: NDArray[np.int64]
    xyz: NDArray[np.float64]
    key: NDArray[np.int64]
    """(a,) areas with different values must not be merged."""
    wet: NDArray[np.bool_]
    into: NDArray[np.int32]
    """(a,) area that each was merged into; itself if it was not."""

    @classmethod
    def of(cls, mesh: AreaMesh, into: NDArray[np.int32] | None = None) -> Shapes:
        """A copy."""
        planes = Planes(np.array(mesh.normal)[: mesh.plane_count], np.array(mesh.dist)[: mesh.plane_count])
        wet = np.array(mesh.area_liquid)[: mesh.area_count] != 0
        key = np.array(mesh.keys())
        into = np.arange(len(key), dtype=np.int32) if into is None else into
        copied = mesh.faces()
        return cls(
            planes, copied.plane, copied.front, copied.back, copied.marks, copied.start, copied.xyz, key, wet, into
        )

    def polygon(self, face: int) -> NDArray[np.float64]:
        """(n, 3) corners, counter-clockwise seen from the front."""
        return self.xyz[self.start[face] : self.start[face + 1]]

    def faces_of(self, area: int) -> list[tuple[int, float]]:
        """The faces of an area, each with 1 if its normal points into the area, else −1."""
        into = [(int(face), 1.0) for face in np.flatnonzero(self.front == area)]
        return into + [(int(face), -1.0) for face in np.flatnonzero(self.back == area)]


@dataclass(frozen=True)
class Run:
    """The records of one run."""

    understood: Understood
    settings: Settings
    report: Report
    planes: Planes
    """As they were when the tree was made."""
    volumes: Volumes
    surface: Surface
    rough: Tree
    """Of everything."""
    rough_portals: Portals
    reached: NDArray[np.bool_]
    """The rough tree's leaves that entities reach."""
    tree: Tree
    """Of what was reached."""
    portals: Portals
    split: Shapes
    """After subdivision."""
    merged: Shapes
    areas: Areas

    @property
    def compiled(self) -> Compiled:
        """Contents of the compiled file."""
        return gather(self.understood, Divided(self.areas, np.zeros((0, 3))), None, None, self.settings, self.report)

    def counts(self, stage: str) -> dict[str, int]:
        """The counters of a stage."""
        return next(report.counts for report in self.report.stages if report.name == stage)


EXACT = replace(QUAKE3, areas=replace(QUAKE3.areas, walkable=False))
"""Settings with which every area is convex."""


def run(path: str, settings: Settings = QUAKE3, threads: int = 1) -> Run:
    """Compile a map and keep everything."""
    seen: dict[str, dict[str, Any]] = {}

    def observe(name: str, records: Records) -> None:
        seen[name] = {"shapes": Shapes.of(**records)} if name in ("gravity", "merge") else dict(records)

    report = Report(path, observe=observe)
    understood = understand(path, report, settings)
    areas = make_areas(understood, settings, report, threads, allow_leak=True).areas
    return Run(
        understood=understood,
        settings=settings,
        report=report,
        **seen["surface"],
        rough=seen["flood"]["tree"],
        rough_portals=seen["flood"]["portals"],
        reached=seen["flood"]["reached"],
        tree=seen["tree"]["tree"],
        portals=seen["portals"]["portals"],
        split=seen["gravity"]["shapes"],
        merged=seen["merge"]["shapes"],
        areas=areas,
    )


def run_layout(layout: Layout, settings: Settings = EXACT, threads: int = 1) -> Run:
    """Compile a generated map; skip it if no player fits in it."""
    with layout.file() as path:
        try:
            return run(path, settings, threads)
        except MapError as error:
            assume("no entity stands" not in str(error))
            raise


def cells(run: Run, tree: Tree) -> tuple[Planes, NDArray[np.integer], NDArray[np.integer]]:
    """Planes with those of the root cell behind them, and the leaves' plane lists (CSR)."""
    table = PlaneTable()
    face = root_cell(table, run.volumes).plane
    planes = Planes(
        np.vstack([run.planes.normal, table.normal[face]]), np.concatenate([run.planes.dist, table.dist[face]])
    )
    own = list(range(len(run.planes), len(planes)))
    lists = [own + path for path in paths(tree)]
    return planes, starts_of(np.array([len(rows) for rows in lists])), np.concatenate(lists).astype(np.int32)
