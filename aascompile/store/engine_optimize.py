"""Strips an engine file of the geometry that the game does not use, as shipped files are.

The engine finds areas through the tree and travels by the ends of links. Of all faces it looks only at ladders: a bot
that climbs asks whether it touches one. Other faces, their edges and their vertices serve debugging alone.
"""

from __future__ import annotations

import numpy as np

from aascompile.csr import ranges, starts_of
from aascompile.distinct import distinct
from aascompile.errors import StoreError
from aascompile.model.areas import FaceFlag
from aascompile.model.links import RIDES, Travel
from aascompile.model.mapdata import Index
from aascompile.store.engine_links import KIND_BITS, ranges_within
from aascompile.store.engine_lumps import Lump, pack, unpack, version_of

KEPT = FaceFlag.LADDER
"""Faces with these flags stay."""

OWN_NUMBERS = (*RIDES, Travel.JUMP_PAD)
"""Travel types whose face and edge hold other numbers, which must stay."""


def optimize_engine_file(data: bytes, name: str) -> bytes:
    """An engine file without the geometry that only debugging needs. Raise a StoreError if the file is damaged."""
    try:
        lumps, checksum = unpack(data)
        return pack(optimized(lumps), checksum, version_of(data))
    except StoreError as error:
        raise StoreError(f"{name}: {error}") from None


def optimized(lumps: dict[str, Lump]) -> dict[str, Lump]:
    """The lumps of an engine file, without all faces but ladders. Areas, links, tree and clusters are unchanged."""
    faces, edges, signed = lumps["faces"], lumps["edges"], lumps["edge_index"]["edge"]
    first, size = faces["first"].astype(np.int64), faces["edges"].astype(np.int64)
    ranges_within(first, size, len(signed), "edges of faces")
    ladders = np.flatnonzero((faces["flags"] & int(KEPT)) != 0)
    ladders = ladders[ladders > 0]
    corner = signed[ranges(first[ladders], size[ladders])].astype(np.int64)
    new_face = _numbers(ladders, len(faces), "faces")
    new_edge = _numbers(np.abs(corner), len(edges), "edges")

    made = dict(lumps)
    kept = np.flatnonzero(new_edge)
    ends = edges["vertex"][kept].astype(np.int64)
    if len(ends) and not 0 <= ends.min() <= ends.max() < len(lumps["vertices"]):
        raise StoreError("is damaged (its vertices are out of range)")
    vertices = distinct(ends)
    made["vertices"] = lumps["vertices"][vertices]
    made["edges"] = np.concatenate([edges[:1], edges[kept]])
    made["edges"]["vertex"][1:] = np.searchsorted(vertices, ends)
    made["edge_index"] = np.zeros(len(corner), lumps["edge_index"].dtype)
    made["edge_index"]["edge"] = np.sign(corner) * new_edge[np.abs(corner)]
    made["faces"] = np.concatenate([faces[:1], faces[ladders]])
    made["faces"]["first"][1:] = starts_of(size[ladders])[:-1]
    made["areas"], made["face_index"] = _area_faces(lumps, new_face)
    made["links"] = _links(lumps["links"], new_face, new_edge)
    return made


def _numbers(kept: Index, rows: int, what: str) -> Index:
    """New number of each row, from 1 on in the old order; 0 for rows that are dropped."""
    if len(kept) and not 0 < kept.min() <= kept.max() < rows:
        raise StoreError(f"is damaged (its {what} are out of range)")
    stays = np.zeros(max(rows, 1), np.int64)
    stays[kept] = 1
    return stays * np.cumsum(stays)


def _area_faces(lumps: dict[str, Lump], new_face: Index) -> tuple[Lump, Lump]:
    """Areas with the faces that stay, and the list of these faces."""
    areas, index = lumps["areas"].copy(), lumps["face_index"]
    count = areas["faces"].astype(np.int64)
    index = index[ranges_within(areas["first"].astype(np.int64), count, len(index), "faces of areas")]
    face = index["face"].astype(np.int64)
    if len(face) and np.abs(face).max() >= len(new_face):
        raise StoreError("is damaged (an area has a face that does not exist)")
    stays = new_face[np.abs(face)] > 0
    left = np.bincount(np.repeat(np.arange(len(areas)), count)[stays], minlength=len(areas))
    areas["faces"], areas["first"] = left, starts_of(left)[:-1]
    made = index[stays].copy()
    made["face"] = np.sign(face[stays]) * new_face[np.abs(face[stays])]
    return areas, made


def _links(links: Lump, new_face: Index, new_edge: Index) -> Lump:
    """Links with the new numbers of their faces and edges."""
    made = links.copy()
    plain = ~np.isin(links["kind"] & KIND_BITS, OWN_NUMBERS)
    for name, number in (("face", new_face), ("edge", new_edge)):
        old = links[name].astype(np.int64)
        known = plain & (np.abs(old) < len(number))
        made[name][plain] = 0
        made[name][known] = np.sign(old[known]) * number[np.abs(old[known])]
    return made
