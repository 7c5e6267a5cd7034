"""Our reader of HDF5 files, compared with the HDF5 library."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from aascompile.errors import StoreError
from aascompile.store.hdf import compiled_bytes, read_compiled
from aascompile.store.hdf_library import HdfFile
from aascompile.store.hdf_reader import FAULTS, HdfReader
from aascompile.store.hdf_writer import HdfWriter
from aascompile.store.schema import SPECS, Spec
from tests.store.hand_made import with_links
from tests.store.test_hdf_writer import columns

IN_BYTES = ("foreign",)
"""Columns of a byte order that no record has."""


def table_of(written: dict[str, np.ndarray]) -> bytes:
    writer = HdfWriter()
    writer.text(writer.root, "format", "Größe")
    writer.number(writer.root, "checksum", -7)
    table = writer.group(writer.group(writer.root, "aas"), "table")
    for name, column in written.items():
        writer.column(table, name, column)
    writer.soft_link(writer.root, "elsewhere", "/aas/table")
    return writer.finish()


def spec_of(name: str, column: np.ndarray) -> Spec:
    return Spec(f"table/{name}", column.dtype.name, "rows", column.shape[1] if column.ndim > 1 else 0)


def test_columns_of_every_size_are_read_as_they_were_written():
    written = {name: column for name, column in columns().items() if name not in IN_BYTES}
    reader = HdfReader(table_of(written))
    assert reader.has("table")
    assert not reader.has("sight")
    assert reader.attributes() == {"format": "Größe".encode(), "checksum": -7}
    for name, column in written.items():
        found = reader.column(spec_of(name, column))
        assert (found.dtype, found.shape, found.tobytes()) == (column.dtype, column.shape, column.tobytes())
        assert found.flags.writeable


def test_compiled_files_need_no_library(compiled_sample, tmp_path, monkeypatch):
    compiled = with_links(compiled_sample("slanted"))
    path = tmp_path / "x.aas.hdf"
    path.write_bytes(compiled_bytes(compiled))
    ours = HdfReader(path.read_bytes())
    with HdfFile(str(path), path.stat().st_size) as theirs:
        for name, value in theirs.attributes().items():
            assert ours.attributes()[name] == (value.encode() if isinstance(value, str) else value)
        for spec in SPECS:
            assert ours.has(spec.path.partition("/")[0]) == theirs.has(spec.path.partition("/")[0])
            a, b = ours.column(spec), theirs.column(spec)
            assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    monkeypatch.setitem(sys.modules, "h5py", None)
    assert compiled_bytes(read_compiled(str(path))) == path.read_bytes()


@pytest.mark.parametrize("seed", range(4))
def test_damage_is_left_to_the_library_or_changes_nothing(compiled_sample, seed):
    """Names, numbers and rows have checksums; bytes that nothing refers to do not matter."""
    data = compiled_bytes(with_links(compiled_sample("slanted")))
    whole = HdfReader(data)
    expected = {spec.path: whole.column(spec).tobytes() for spec in SPECS}
    dice, noticed = random.Random(seed), 0
    for _ in range(60):
        damaged = bytearray(data)
        damaged[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        try:
            reader = HdfReader(bytes(damaged))
            assert reader.attributes() == whole.attributes()
            assert {spec.path: reader.column(spec).tobytes() for spec in SPECS} == expected
        except FAULTS:
            noticed += 1
    assert noticed > 30
    for size in [*range(0, 200, 7), len(data) // 2, len(data) - 1]:
        with pytest.raises(FAULTS):
            HdfReader(data[:size])


def test_a_column_of_another_type_or_width_is_unfamiliar():
    reader = HdfReader(table_of({"x": np.zeros((500, 3)), "y": np.zeros(3, np.int32)}))
    for path, dtype, width in (("x", "float64", 0), ("x", "float64", 2), ("x", "int64", 3), ("y", "uint32", 0)):
        with pytest.raises(FAULTS):
            reader.column(Spec(f"table/{path}", dtype, "rows", width))
    with pytest.raises(FAULTS):
        reader.column(Spec("table/z", "int32", "rows"))


def test_rows_that_claim_too_much_are_not_unpacked(monkeypatch):
    """gzip shrinks zeros to a thousandth; a limit below that stands for a file that claims more."""
    reader = HdfReader(table_of({"x": np.zeros(200_000)}))
    monkeypatch.setattr("aascompile.store.hdf_reader.MAX_RATIO", 100)
    with pytest.raises(FAULTS):
        reader.column(Spec("table/x", "float64", "rows"))


def test_files_that_the_library_changed_are_read_by_it(compiled_sample, tmp_path):
    import h5py

    path = tmp_path / "x.aas.hdf"
    path.write_bytes(compiled_bytes(with_links(compiled_sample("slanted"))))
    with h5py.File(path, "r+") as file:
        file["aas/links/time"][0] = 77.0
        del file["aas/links/kind"]
    with pytest.raises(StoreError, match="it has no kind"):
        read_compiled(str(path))
