"""Requirements: compiled maps meet all of them, and each is violated by a map with exactly that fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest

from aascompile import tolerances
from aascompile.checks import check_compiled as checks
from aascompile.checks.check_structure import STRUCTURE, structure_faults
from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.compiled import Compiled, Rides
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.sampling.locate import areas_at
from aascompile.sampling.sample import tree_of
from aascompile.settings import QUAKE3
from aascompile.settings_file import text_to_store
from tests.conftest import ROOT
from tests.stages import EXACT
from tests.store.hand_made import with_links

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))
Break = Callable[[Compiled], Compiled]


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_meet_all_requirements(compiled_sample, name):
    assert [failure.sentence() for failure in checks.failures(compiled_sample(name))] == []
    assert [failure.sentence() for failure in checks.failures(with_links(compiled_sample(name)))] == []


def put(values: np.ndarray, row: object, value: object) -> np.ndarray:
    """A column with one value changed."""
    changed = values.copy()
    changed[row] = value
    return changed


def of(record: str, **changes: Callable[[object], np.ndarray]) -> Break:
    """Break columns of a record, each with a function of the record."""

    def broken(it: Compiled) -> Compiled:
        owner = getattr(it, record)
        return replace(it, **{record: replace(owner, **{name: change(owner) for name, change in changes.items()})})

    return broken


def planes(**changes: Callable[[object], np.ndarray]) -> Break:
    def broken(it: Compiled) -> Compiled:
        owner = it.areas.planes
        changed = replace(owner, **{name: change(owner) for name, change in changes.items()})
        return replace(it, areas=replace(it.areas, planes=changed))

    return broken


def open_face(it: object) -> int:
    """A face between two areas."""
    return int(np.flatnonzero((it.face_front >= 0) & (it.face_back >= 0))[0])


def solid_face(it: object) -> int:
    return int(np.flatnonzero((it.face_front < 0) | (it.face_back < 0))[0])


def wall(it: object) -> int:
    """A solid face that is vertical."""
    return int(np.flatnonzero((it.face_back < 0) & (it.planes.normal[it.face_plane, 2] == 0))[0])


def reversed_corners(name: str) -> Callable[[object], np.ndarray]:
    """Reverse the first face's corners. An edge moves with the corner that it now follows."""

    def change(it: object) -> np.ndarray:
        column = getattr(it, name).copy()
        end = it.face_start[1]
        column[:end] = np.roll(column[:end][::-1], -1) if name == "face_edge" else column[:end][::-1]
        return column

    return change


def out_of_line(it: object) -> np.ndarray:
    """Move a vertex of the first face along its plane, across the face."""
    corner = it.face_vertex[: it.face_start[1]]
    middle = it.vertex[corner].mean(axis=0)
    return put(it.vertex, corner[0], 2.5 * middle - 1.5 * it.vertex[corner[0]])


def joined(it: Compiled, area: int, into: int) -> Compiled:
    """Two floors as the ground of one area. In the doorway, a wall parts areas 1 and 5."""
    areas = it.areas
    front, back = (np.where(side == area, into, side).astype(np.int32) for side in (areas.face_front, areas.face_back))
    child = np.where(areas.node_child == -2 - area, -2 - into, areas.node_child).astype(np.int32)
    return replace(it, areas=replace(areas, face_front=front, face_back=back, node_child=child))


BREAKS: dict[str, Break] = {
    "R1": lambda it: replace(it, provenance=replace(it.provenance, name="maps/box.bsp")),
    "B1": of("boxes", presence=lambda it: put(it.presence, 1, it.presence[0])),
    "B2": of("boxes", mins=lambda it: put(it.mins, 0, it.maxs[0])),
    "P1": planes(dist=lambda it: put(it.dist, 2, np.nan)),
    "P2": planes(dist=lambda it: put(it.dist, 2, it.dist[2] + 1)),
    "P3": planes(normal=lambda it: 1.001 * it.normal),
    "V1": of("areas", vertex=lambda it: put(it.vertex, 0, np.inf)),
    "V2": of("areas", vertex=lambda it: put(it.vertex, 0, it.vertex[1] + 0.0002)),
    "E1": of("areas", edge=lambda it: put(it.edge, 0, len(it.vertex))),
    "E2": of("areas", edge=lambda it: it.edge[:, ::-1]),
    "E3": of("areas", edge=lambda it: put(it.edge, 1, it.edge[0])),
    "E4": of("areas", edge=lambda it: np.concatenate([it.edge, [[0, len(it.vertex) - 1]]]).astype(np.int32)),
    "F1": of("areas", face_start=lambda it: put(it.face_start, 1, it.face_start[2])),
    "F2": of("areas", face_vertex=lambda it: put(it.face_vertex, 0, -1)),
    "F3": of("areas", face_plane=lambda it: put(it.face_plane, 0, len(it.planes))),
    "F4": of("areas", face_back=lambda it: put(it.face_back, open_face(it), it.face_front[open_face(it)])),
    "F5": of("areas", face_edge=lambda it: put(it.face_edge, [0, 1], it.face_edge[[1, 0]])),
    "F6": of("areas", face_vertex=lambda it: put(it.face_vertex, 0, it.face_vertex[2])),
    "F7": of("areas", vertex=lambda it: it.vertex + 0.2),
    "F8": of("areas", face_vertex=reversed_corners("face_vertex"), face_edge=reversed_corners("face_edge")),
    "F9": of("areas", vertex=out_of_line),
    "F10": of("areas", face_plane=lambda it: it.face_plane ^ 1),
    "F11": of("areas", face_flags=lambda it: put(it.face_flags, solid_face(it), 0)),
    "F12": of("areas", face_flags=lambda it: it.face_flags ^ np.uint32(16)),
    "F13": of("areas", face_flags=lambda it: put(it.face_flags, wall(it), it.face_flags[wall(it)] | FaceFlag.GROUND)),
    "A1": of("areas", area_start=lambda it: put(it.area_start, 1, it.area_start[2] + 1)),
    "A2": of("areas", area_face=lambda it: put(it.area_face, 0, len(it.face_plane))),
    "A3": of("areas", area_volume=lambda it: put(it.area_volume, 0, np.inf)),
    "A4": of("areas", area_face=lambda it: put(it.area_face, [0, 1], it.area_face[[1, 0]])),
    "A5": of("areas", area_start=lambda it: put(it.area_start, 1, 3)),
    "A6": of("areas", area_presence=lambda it: put(it.area_presence, 0, 0)),
    "A7": of("areas", area_start=lambda it: put(it.area_start, 1, it.area_start[1] + 1)),
    "A8": of("areas", area_start=lambda it: put(it.area_start, 1, it.area_start[1] - 1)),
    "A9": of("areas", vertex=out_of_line),
    "A10": of("areas", area_volume=lambda it: it.area_volume * 1.01),
    "A11": of("areas", area_maxs=lambda it: it.area_maxs + 1),
    "A12": of("areas", area_flags=lambda it: it.area_flags ^ np.uint32(1)),
    "A13": of("areas", area_model=lambda it: put(it.area_model, 0, 3)),
    "A16": of("areas", area_cost=lambda it: put(it.area_cost, 0, 0.0)),
    "A15": of("areas", area_trigger=lambda it: put(it.area_trigger, 0, 3)),
    "A14": of("areas", face_flags=lambda it: it.face_flags | np.uint32(8 | 4)),
    "A17": lambda it: joined(it, 5, 1),
    "A18": of("areas", area_flags=lambda it: it.area_flags | np.uint32(AreaFlag.GROUNDED)),
    "T1": of("areas", node_child=lambda it: put(it.node_child, (1, 0), 0)),
    "T2": of("areas", node_child=lambda it: np.where(it.node_child == 1, -1, it.node_child).astype(np.int32)),
    "T3": of("areas", node_child=lambda it: np.where(it.node_child == -2, -1, it.node_child).astype(np.int32)),
    "T4": of("areas", area_centre=lambda it: it.area_centre[::-1].copy()),
    "T5": of("areas", node_child=lambda it: it.node_child[:, ::-1].copy()),
    "L1": of("links", face=lambda it: put(it.face, 0, 10**6)),
    "L2": of("links", source=lambda it: put(it.source, 0, it.source[-1])),
    "L3": of("links", start=lambda it: put(it.start, 0, np.nan)),
    "L4": of("links", target=lambda it: put(it.target, 0, it.source[0])),
    "L5": of("links", kind=lambda it: put(it.kind, it.area_start[np.argmax(np.diff(it.area_start) > 1)], 18)),
    "L6": of(
        "links",
        target=lambda it: it.target[np.maximum(np.arange(len(it)) - 1, 0)],
        start=lambda it: np.zeros_like(it.start),
    ),
    "L7": of("links", kind=lambda it: put(it.kind, 0, 1)),
    "L8": of("links", time=lambda it: put(it.time, 0, 0)),
    "L9": of("links", end=lambda it: put(it.end, 0, it.end[0] + 5000)),
    "L10": of("areas", area_contents=lambda it: it.area_contents | np.uint32(Kind.SLIME)),
    "L15": of("links", entity=lambda it: put(it.entity, 0, 0)),
    "L11": of("links", start=lambda it: it.start + np.array((3.0, 0.0, 20.5))),
    "L12": of("links", tier=lambda it: put(it.tier, 0, 1)),
    "L13": of(
        "links",
        kind=lambda it: np.full_like(it.kind, 5),
        tier=lambda it: np.full_like(it.tier, 1),
        needed_speed=lambda it: np.full_like(it.needed_speed, 330.0),
    ),
    "L14": of("links", dies=lambda it: put(it.dies, 0, 0.5)),
    "C1": of("clusters", cluster_areas=lambda it: put(it.cluster_areas, 0, -1)),
    "C2": of("clusters", portal_area=lambda it: it.portal_area + 10**6),
    "C3": of("clusters", cluster_portal=lambda it: it.cluster_portal + 1),
    "C4": of("clusters", area_cluster=lambda it: it.area_cluster + 2),
    "C5": of("clusters", portal_cluster=lambda it: np.zeros_like(it.portal_cluster)),
    "C6": of("clusters", area_portal=lambda it: np.full_like(it.area_portal, -1)),
    "C7": of("clusters", area_cluster=lambda it: put(it.area_cluster, np.argmax(it.area_cluster == 0), -1)),
    "C8": of("clusters", cluster_areas=lambda it: it.cluster_areas + 1),
    "C9": of("clusters", area_number=lambda it: np.maximum(it.area_number, 1)),
    "C10": of("clusters", portal_number=lambda it: np.zeros_like(it.portal_number)),
    "C11": of("clusters", portal_cluster=lambda it: put(it.portal_cluster, (0, 1), -1)),
    "C12": of(
        "clusters",
        cluster_areas=lambda it: np.append(it.cluster_areas, 1).astype(np.int32),
        cluster_routing=lambda it: np.append(it.cluster_routing, 1).astype(np.int32),
        cluster_portal_start=lambda it: np.append(it.cluster_portal_start, it.cluster_portal_start[-1]),
        portal_area=lambda it: np.append(it.portal_area, np.argmax(it.area_cluster == 0)).astype(np.int32),
        portal_cluster=lambda it: np.append(it.portal_cluster, [[0, 2]], axis=0).astype(np.int32),
        portal_number=lambda it: np.append(it.portal_number, [[0, 0]], axis=0).astype(np.int32),
        area_portal=lambda it: put(it.area_portal, np.argmax(it.area_cluster == 0), 1),
    ),
    "D1": lambda it: replace(it, rides=Rides.unknown(np.zeros(1, np.int32), np.zeros((1, 3)), np.full((1, 3), np.nan))),
    "X1": of("context", start=lambda it: put(it.start, -1, it.start[-1] + 1)),
    "X2": of("context", corner=lambda it: put(it.corner, 0, len(it.vertex))),
    "X3": of("context", vertex=lambda it: put(it.vertex, 0, np.nan)),
    "N1": of("entities", keys=lambda it: ('[["classname", 1]]', *it.keys[1:])),
    "O1": of("places", area=lambda it: put(it.area, 0, 1 << 20)),
    "O2": of("places", point=lambda it: put(it.point, 0, np.nan)),
    "O3": of("places", reason=lambda it: ("", "")),
    "S1": of("sight", start=lambda it: put(it.start, -1, len(it) + 1)),
    "S2": of("sight", share=lambda it: put(it.share, 0, 0)),
    "S3": of("sight", share=lambda it: put(it.share, 1, 7)),
    "K1": lambda it: replace(it, leak=np.full((2, 3), np.nan)),
}
"""A fault for each requirement."""


def test_every_requirement_is_broken_once_here():
    assert set(BREAKS) == {requirement.id for requirement in checks.REQUIREMENTS}
    assert len(BREAKS) == len(checks.REQUIREMENTS)


@pytest.fixture(scope="session")
def doorway(compiled_sample) -> Compiled:
    """Two rooms and the doorway between them, which is a portal. All areas are convex."""
    found = with_links(compiled_sample("doorway"))
    found = replace(found, provenance=replace(found.provenance, settings=text_to_store(EXACT)))
    assert found.clusters is not None
    assert len(found.clusters.portal_area) == 1
    return found


@pytest.mark.parametrize("name", BREAKS)
def test_each_broken_requirement_is_reported(doorway, name):
    failed = [failure.requirement.id for failure in checks.failures(BREAKS[name](doorway))]
    assert name in failed


@pytest.mark.parametrize("name", [requirement.id for requirement in STRUCTURE])
def test_a_broken_structure_is_reported_alone(doorway, name):
    broken = BREAKS[name](doorway)
    structure = {requirement.id for requirement in STRUCTURE}
    assert {failure.requirement.id for failure in checks.failures(broken)} <= structure
    assert any(clause.startswith(f"{name}: ") for clause in structure_faults(broken))


@pytest.mark.parametrize("name", [requirement.id for requirement in STRUCTURE])
def test_what_is_new_since_a_sound_map_is_checked(doorway, name):
    """Whatever is broken, in the same words as without the sound map. Of the sound map itself nothing is checked."""
    broken = BREAKS[name](doorway)
    assert list(structure_faults(broken, doorway)) == list(structure_faults(broken))
    assert list(structure_faults(broken, broken)) == []


def test_every_number_of_a_ride_must_be_finite(doorway):
    """Infinite angles were not noticed, and the replay of a ride computed with them."""
    ride = Rides.unknown(np.zeros(1, np.int32), np.zeros((1, 3)), np.zeros((1, 3)))
    assert list(structure_faults(replace(doorway, rides=ride))) == []
    numbers = [field.name for field in fields(Rides) if getattr(ride, field.name).dtype.kind == "f"]
    assert len(numbers) == 7
    for name in numbers:
        broken = replace(doorway, rides=replace(ride, **{name: put(getattr(ride, name), 0, np.inf)}))
        assert [clause[:3] for clause in structure_faults(broken)] == ["D1:"], name


def test_sentence_names_the_first_rows(doorway):
    wrong = [failure for failure in checks.failures(BREAKS["L8"](doorway)) if failure.requirement.id == "L8"]
    assert [failure.sentence() for failure in wrong] == ["L8: time is 1 to 65,535; not so: links 0"]
    many = checks.Failure(wrong[0].requirement, np.arange(1200))
    assert many.sentence(3) == "L8: time is 1 to 65,535; not so: links 0, 1, 2 and 1,197 more"


def test_a_swim_may_start_just_past_the_face_in_its_target(samples):
    found = compile_map(str(samples / "shaft.bsp"), QUAKE3, Report("shaft"))
    assert found.links is not None
    assert not checks.failures(found)
    tree, start, target = tree_of(found.areas), found.links.start.copy(), found.links.target
    ahead = np.sign(found.links.end - start) * (0.0, 0.0, tolerances.SWIM_PAST + 4)
    past = (found.links.kind == Travel.SWIM) & (areas_at(tree, start - ahead) == found.links.source)
    row = int(np.flatnonzero(past & (areas_at(tree, start + ahead) == target))[0])
    start[row] += ahead[row]
    far = replace(found, links=replace(found.links, start=start))
    assert [(failure.requirement.id, failure.rows.tolist()) for failure in checks.failures(far)] == [("L9", [row])]


def test_samples_have_doors_with_models_and_hurt_areas(compiled_sample):
    door, hurt = compiled_sample("door").areas, compiled_sample("hurt").areas
    assert (door.area_model >= 0).any()
    assert (hurt.area_contents & np.uint32(Kind.HURT)).any()
