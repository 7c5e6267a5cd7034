"""Files of our HDF5 writer, read by the HDF5 library."""

from __future__ import annotations

import io

import h5py
import numpy as np
import pytest

from aascompile.errors import StoreError
from aascompile.store.hdf_writer import CHUNK_ROWS, SMALL, HdfWriter
from aascompile.store.lookup3_kernel import lookup3


def opened(writer: HdfWriter) -> h5py.File:
    return h5py.File(io.BytesIO(writer.finish()), "r")


def columns() -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {
        "empty": np.zeros((0, 3)),
        "small": np.arange(SMALL, dtype=np.uint8),
        "larger": np.arange(SMALL + 1, dtype=np.uint8),
        "negative": np.array([-1, 2**62], np.int64),
        "special": np.array([np.nan, -np.inf, 5e-324, -0.0]),
        "points": random.random((2 * CHUNK_ROWS + 7, 3)),
        "one_chunk": random.integers(-9, 9, CHUNK_ROWS).astype(np.int32),
        "a_row_more": random.integers(0, 9, CHUNK_ROWS + 1).astype(np.uint32),
        "many_chunks": np.arange(CHUNK_ROWS * 1030, dtype=np.uint8),
        "foreign": np.arange(300, dtype=">i4"),
    }


def test_columns_are_read_as_they_were_written():
    writer = HdfWriter()
    group = writer.group(writer.root, "table")
    for name, column in columns().items():
        writer.column(group, name, column)
    with opened(writer) as file:
        for name, column in columns().items():
            found = file["table"][name]
            assert found.dtype == column.dtype.newbyteorder("<")
            assert found.shape == column.shape
            assert found[()].tobytes() == column.astype(found.dtype).tobytes()
            packed = column.nbytes > SMALL
            assert (found.compression, found.shuffle) == (("gzip", True) if packed else (None, False))


def test_attributes():
    writer = HdfWriter()
    writer.number(writer.root, "one", -7)
    writer.number(writer.root, "two", (2, 3))
    writer.text(writer.root, "text", "Größe")
    writer.text(writer.root, "plain", "PolyData", ascii_only=True)
    writer.text(writer.root, "nothing", "")
    with opened(writer) as file:
        assert file.attrs["one"] == -7
        assert file.attrs["two"].tolist() == [2, 3]
        assert file.attrs["text"].decode() == "Größe"
        assert file.attrs["plain"] == b"PolyData"
        assert file.attrs["nothing"] == b""
        assert h5py.h5a.open(file.id, b"plain").get_type().get_cset() == h5py.h5t.CSET_ASCII


def test_links_and_their_order():
    writer = HdfWriter()
    names = [f"z{9 - k}" for k in range(10)] + [f"a{k}" for k in range(10)]
    ordered, plain = writer.group(writer.root, "ordered", ordered=True), writer.group(writer.root, "plain")
    for group in (ordered, plain):
        for name in names:
            writer.column(group, name, np.arange(3))
    inner = writer.group(plain, "inner")
    writer.column(inner, "x", np.arange(500))
    writer.link(ordered, "again", writer.root, "plain/inner/x")
    writer.soft_link(writer.root, "soft", "/plain/inner")
    with opened(writer) as file:
        assert [name.decode() for name in _by_creation(file["ordered"])] == [*names, "again"]
        assert sorted(file["plain"]) == sorted([*names, "inner"])
        assert file["ordered/again"] == file["plain/inner/x"]
        assert h5py.h5o.get_info(file["ordered/again"].id).rc == 2
        assert file.get("soft", getlink=True).path == "/plain/inner"
        assert file["soft/x"][()].tolist() == list(range(500))


def _by_creation(group: h5py.Group) -> list[bytes]:
    found: list[bytes] = []
    group.id.links.visit(found.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
    return [name for name in found if b"/" not in name]


def test_the_library_can_change_such_a_file(tmp_path):
    writer = HdfWriter()
    writer.column(writer.group(writer.root, "table"), "x", np.arange(3000))
    path = tmp_path / "x.hdf"
    path.write_bytes(writer.finish())
    with h5py.File(path, "r+") as file:
        file["table/x"][5] = -1
        file["table"].create_dataset("y", data=np.arange(4000))
        for k in range(20):
            file["table"].attrs[f"note{k}"] = "x" * 300
    with h5py.File(path, "r") as file:
        assert file["table/x"][4:7].tolist() == [4, -1, 6]
        assert len(file["table"].attrs) == 20
        assert file["table/y"][-1] == 3999


def test_an_attribute_that_fits_no_header_is_an_error():
    writer = HdfWriter()
    with pytest.raises(StoreError, match="header"):
        writer.text(writer.root, "settings", "x" * 70_000)


def test_a_damaged_header_is_noticed():
    writer = HdfWriter()
    writer.column(writer.root, "x", np.arange(10))
    data = bytearray(writer.finish())
    data[-20] ^= 1
    with pytest.raises((OSError, KeyError)), h5py.File(io.BytesIO(bytes(data)), "r") as file:
        file["x"][()]


def test_the_checksum_of_known_text():
    """A test vector of its author."""
    assert lookup3(bytearray(b"Four score and seven years ago")) == 0x17770551
