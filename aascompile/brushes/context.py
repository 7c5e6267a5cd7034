"""Solid faces of the map as drawn, for viewers: polygons of brushes and of the facets of patches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import joined, owners_of, rows_of, starts_of
from aascompile.model.compiled import Context
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.meaning import Meaning
from aascompile.model.understood import Understood


def solid_faces(understood: Understood) -> Context:
    """Polygons of everything that blocks a player, moved to where its entity stands."""
    brushes, patches, hulls = understood.map.brushes, understood.map.patches, understood.hulls
    meaning, patch_meaning, facets = understood.meaning, understood.patch_meaning, understood.facets
    owner = owners_of(brushes.side_start)
    side = np.flatnonzero((np.diff(hulls.vertex_start) > 0) & _blocks(meaning)[owner])
    brush = owner[side]
    facet = np.flatnonzero(_blocks(patch_meaning)[facets.patch])
    patch = facets.patch[facet]
    start = joined([_starts(hulls.vertex_start, side), _starts(facets.vertex_start, facet)])
    xyz = np.concatenate(
        [
            hulls.xyz[rows_of(hulls.vertex_start, side)],
            facets.vertex[rows_of(facets.vertex_start, facet)],
        ]
    )
    offset = np.concatenate([meaning.offset[brush], patch_meaning.offset[patch]])
    vertex, corner = _shared(xyz + np.repeat(offset, np.diff(start), axis=0))
    none = np.full(len(side) + len(facet), -1, np.int32)
    number, patch_number = none.copy(), none
    number[: len(side)] = brushes.number[brush]
    patch_number[len(side) :] = patches.number[patch]
    return Context(
        vertex=vertex,
        start=start,
        corner=corner,
        kind=np.concatenate([meaning.kind[brush], patch_meaning.kind[patch]]),
        contents=np.concatenate([brushes.contents[brush], patches.contents[patch]]),
        flags=np.concatenate([brushes.side_flags[side], patches.flags[patch]]),
        brush=number,
        patch=patch_number,
    )


def _blocks(meaning: Meaning) -> NDArray[np.bool_]:
    """(n,) whether each row blocks a player."""
    blocks: NDArray[np.bool_] = (meaning.kind & np.uint32(Kind.SOLID)) != 0
    return blocks


def _starts(start: Index, rows: Index) -> Index:
    """CSR start column of the selected rows."""
    return starts_of(np.diff(start)[rows])


def _shared(xyz: Float) -> tuple[Float, Int]:
    """Distinct points, and for each input point its row among them."""
    order = np.lexsort(xyz.T)
    ordered = xyz[order]
    new = np.ones(len(xyz), np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    row = np.empty(len(xyz), np.int32)
    row[order] = np.cumsum(new) - 1
    return ordered[new], row
