"""The interned plane table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile import tolerances as tol
from aascompile.geometry.planes import PlaneTable
from tests.reference.planes import SlowPlaneTable


def nasty_planes(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Axial, tied, nearly equal, opposite, float32 and non-unit planes."""
    normal = rng.normal(size=(count, 3))
    normal[rng.random(count) < 0.3] = [1.0, -1.0, 0.0]
    axial = rng.random(count) < 0.3
    normal[axial] = np.eye(3)[rng.integers(0, 3, axial.sum())]
    dist = np.round(rng.uniform(-40, 40, count))
    again = rng.random(count) < 0.5
    source = rng.integers(0, count, count)
    normal[again], dist[again] = normal[source[again]], dist[source[again]]
    sign = rng.choice([-1.0, 1.0], count)
    wobble = 10.0 ** rng.uniform(-8, -3, (count, 1)) * (rng.random((count, 1)) < 0.5)
    normal = normal * sign[:, None] / np.linalg.norm(normal, axis=1, keepdims=True)
    normal = (normal + wobble * rng.normal(size=(count, 3))) * rng.choice([1.0, 1.0, 3.0, 1e-3], (count, 1))
    length = np.linalg.norm(normal, axis=1)
    dist = (dist * sign + wobble[:, 0] * 100 * rng.normal(size=count)) * length
    return normal.astype(np.float32).astype(np.float64), dist.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize("seed", range(5))
def test_ids_match_the_slow_twin(seed: int) -> None:
    normal, dist = nasty_planes(np.random.default_rng(seed), 250)
    table, slow = PlaneTable(), SlowPlaneTable()
    ids = table.intern(normal, dist)
    assert ids.tolist() == [slow.intern(n, d) for n, d in zip(normal, dist, strict=True)]
    assert np.array_equal(table.normal, [row[0] for row in slow.rows])
    assert np.array_equal(table.dist, [row[1] for row in slow.rows])


@pytest.mark.parametrize("seed", range(3))
def test_interning_again_gives_the_same_ids(seed: int) -> None:
    normal, dist = nasty_planes(np.random.default_rng(seed), 2000)
    table = PlaneTable()
    ids = table.intern(normal, dist)
    size = len(table)
    assert np.array_equal(table.intern(normal, dist), ids)
    assert np.array_equal(table.intern(table.normal, table.dist), np.arange(size))
    assert np.array_equal(table.intern(-normal, -dist), ids ^ 1)
    assert len(table) == size


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_opposite_pairs_of_unit_normals(seed: int) -> None:
    normal, dist = nasty_planes(np.random.default_rng(seed), 500)
    table = PlaneTable()
    ids = table.intern(normal, dist)
    pairs = np.arange(len(table)) ^ 1
    assert np.array_equal(table.normal[pairs], -table.normal)
    assert np.array_equal(table.dist[pairs], -table.dist)
    assert np.allclose(np.linalg.norm(table.normal, axis=1), 1, atol=1e-15)
    assert not np.signbit(table.normal[table.normal == 0]).any()
    length = np.linalg.norm(normal, axis=1)
    assert (np.abs(table.normal[ids] - normal / length[:, None]) < 2 * tol.PLANE_NORMAL).all()
    assert (np.abs(table.dist[ids] - dist / length) < tol.PLANE_DIST + tol.PLANE_SNAP).all()


def test_axial_normals_and_integer_distances_are_exact() -> None:
    table = PlaneTable()
    ids = table.intern([[1e-6, -1e-5, 1.0], [0.0, -2.0, 0.0]], [63.99995, 31.9999])
    assert table.normal[ids].tolist() == [[0, 0, 1], [0, -1, 0]]
    assert table.dist[ids].tolist() == [64, 16]


def test_a_slightly_tilted_plane_is_not_axial() -> None:
    """A tilt of a thousandth moves a plane by a unit over a thousand units."""
    table = PlaneTable()
    tilted, level = table.intern([[1e-3, 0.0, 1.0], [0.0, 0.0, 1.0]], [64.0, 64.0])
    assert tilted != level
    assert table.normal[tilted, 0] == pytest.approx(1e-3)


def test_invalid_planes_have_no_id() -> None:
    table = PlaneTable()
    bad = [[0, 0, 0], [np.nan, 0, 1], [np.inf, 0, 0], [0, 0, 1], [1e-200, 0, 0], [1e200, 0, 0], [0, 0, 1]]
    assert (table.intern(bad, [1, 1, 1, np.nan, 1, 1, 1e30]) == -1).all()
    assert len(table) == 0


def test_a_table_that_starts_from_another_keeps_its_ids() -> None:
    normal, dist = nasty_planes(np.random.default_rng(5), 300)
    first = PlaneTable()
    ids = first.intern(normal, dist)
    second = PlaneTable.of(first.normal, first.dist)
    assert np.array_equal(second.intern(normal, dist), ids)
    assert len(second) == len(first)
    new = second.intern([[0.6, 0.8, 0.0]], [1234.5])
    assert new[0] // 2 == len(first) // 2


def test_a_table_that_starts_from_half_a_pair_is_rejected() -> None:
    with pytest.raises(ValueError, match="pairs"):
        PlaneTable.of([[0, 0, 1]], [5])


@given(
    normal=st.tuples(*(3 * [st.floats(allow_nan=True, allow_infinity=True)])),
    dist=st.floats(allow_nan=True, allow_infinity=True),
)
def test_any_floats_are_interned_or_rejected(normal: tuple[float, ...], dist: float) -> None:
    table = PlaneTable()
    first = int(table.intern([normal], [dist])[0])
    assert first == SlowPlaneTable().intern(np.array(normal), dist)
    assert int(table.intern([normal], [dist])[0]) == first
    assert len(table) in (0, 2)


def test_an_empty_batch_adds_no_planes() -> None:
    table = PlaneTable()
    assert table.intern(np.empty((0, 3)), np.empty(0)).tolist() == []
    assert len(table) == 0


def test_columns_read_earlier_do_not_change_while_the_table_grows():
    table = PlaneTable()
    table.intern(np.eye(3), np.arange(3.0))
    normal, dist = table.normal, table.dist
    before = normal.copy(), dist.copy()
    many = np.random.default_rng(3).normal(size=(500, 3))
    table.intern(many, np.arange(500.0))
    assert len(normal) == len(dist) == 6 < len(table)
    assert np.array_equal(normal, before[0])
    assert np.array_equal(dist, before[1])
    assert np.array_equal(table.normal[:6], normal)
