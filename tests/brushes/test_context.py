"""Solid faces of the map."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.brushes.context import solid_faces
from aascompile.csr import owners_of
from aascompile.model.compiled import Context
from aascompile.model.contents import Kind
from aascompile.model.understood import Understood
from aascompile.pipeline import understand
from aascompile.report import Report
from tests.conftest import ROOT

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))


def of(path) -> tuple[Understood, Context]:
    found = understand(str(path), Report(str(path)))
    return found, solid_faces(found)


def vectors(context: Context) -> tuple[np.ndarray, np.ndarray]:
    """Area vector of each polygon, and six times the volume of its cone from the origin."""
    area, volume = np.zeros((len(context), 3)), np.zeros(len(context))
    for row in range(len(context)):
        point = context.vertex[context.corner[context.start[row] : context.start[row + 1]]]
        for k in range(1, len(point) - 1):
            cross = np.cross(point[k] - point[0], point[k + 1] - point[0])
            area[row] += cross / 2
            volume[row] += point[0] @ cross
    return area, volume


@pytest.mark.parametrize("name", SAMPLES)
def test_polygons_enclose_the_solid_brushes(samples, name):
    found, context = of(samples / f"{name}.bsp")
    area, volume = vectors(context)
    solid = np.flatnonzero(found.meaning.kind & np.uint32(Kind.SOLID))
    assert set(context.brush[context.patch < 0].tolist()) == set(found.map.brushes.number[solid].tolist())
    for brush in solid:
        rows = context.brush == found.map.brushes.number[brush]
        np.testing.assert_allclose(area[rows].sum(axis=0), 0.0, atol=1e-6)
        assert volume[rows].sum() / 6 == pytest.approx(found.hulls.volume[brush])
        assert (context.kind[rows] == found.meaning.kind[brush]).all()
        assert (context.contents[rows] == found.map.brushes.contents[brush]).all()
    assert len(np.unique(context.vertex, axis=0)) == len(context.vertex)
    assert np.diff(context.start).min() >= 3
    assert ((context.brush < 0) != (context.patch < 0)).all()


def test_facets_of_patches_are_included(samples):
    found, context = of(samples / "arch.bsp")
    rows = np.flatnonzero(context.patch >= 0)
    assert len(rows) == len(found.facets) > 0
    corner = context.corner[np.isin(owners_of(context.start), rows)]
    assert np.array_equal(context.vertex[corner], found.facets.vertex)
    assert np.array_equal(context.patch[rows], found.facets.brushes.number)


def test_only_what_blocks_is_shown(samples):
    for name in ("door", "elevator", "swim", "hurt", "jumppad"):
        found, context = of(samples / f"{name}.bsp")
        assert (context.kind & np.uint32(Kind.SOLID)).all()
        assert len(np.unique(context.brush)) < len(found.map.brushes)


def test_statics_stand_where_their_entity_stands(samples):
    found, context = of(samples / "static.bsp")
    moved = np.flatnonzero(found.meaning.offset.any(axis=1) & (found.meaning.kind != 0))
    for brush in moved:
        rows = context.brush == found.map.brushes.number[brush]
        point = context.vertex[context.corner[rows[owners_of(context.start)]]]
        expected = found.hulls.bounds[brush].reshape(2, 3) + found.meaning.offset[brush]
        np.testing.assert_allclose([point.min(axis=0), point.max(axis=0)], expected)
