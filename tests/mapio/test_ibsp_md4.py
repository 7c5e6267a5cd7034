"""The engine's checksum, compared with the digests of RFC 1320 and with the .aas files of real maps."""

from __future__ import annotations

import importlib.util
import random
import struct
from pathlib import Path

import numpy as np
import pytest

from aascompile.mapio import md4, md4_kernel
from aascompile.mapio.md4 import engine_checksum, md4_words

RFC_1320 = {
    b"": "31d6cfe0d16ae931b73c59d7e0c089c0",
    b"a": "bde52cb31de33e46245e05fbdbd6fb24",
    b"abc": "a448017aaf21d8525fc10ae87aa6729d",
    b"message digest": "d9130a8164549fe818874806e1c7014b",
    b"abcdefghijklmnopqrstuvwxyz": "d79e1c308aa5bbcdeea8ed63df412da9",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789": "043f8582f241db351ce627e153e7f0e4",
    b"1234567890" * 8: "e33b4ddc9c38f2199c3e7b164fcc0536",
}


@pytest.mark.parametrize(("data", "digest"), RFC_1320.items())
def test_digests_match_the_standard(data: bytes, digest: str) -> None:
    assert md4_words(data).astype("<u4").tobytes().hex() == digest


def test_the_uncompiled_kernel_gives_the_same_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(md4.__file__).with_name("md4_kernel.py")
    spec = importlib.util.spec_from_file_location("md4_uncompiled", source)
    assert spec is not None
    assert spec.loader is not None
    uncompiled = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(uncompiled)
    data = random.Random(5).randbytes(1000)
    want = [md4_words(data[:size]).tolist() for size in range(0, 1000, 37)]
    assert md4_kernel.digest_blocks is not uncompiled.digest_blocks
    monkeypatch.setattr(md4, "digest_blocks", uncompiled.digest_blocks)
    assert [md4_words(data[:size]).tolist() for size in range(0, 1000, 37)] == want


def test_the_checksum_is_the_signed_xor_of_the_words() -> None:
    for data in RFC_1320:
        want = int(np.bitwise_xor.reduce(md4_words(data)))
        assert engine_checksum(data) & 0xFFFFFFFF == want
        assert -(2**31) <= engine_checksum(data) < 2**31


@pytest.mark.corpus
def test_checksums_match_the_aas_files_of_real_maps(corpus: Path) -> None:
    """The engine rejects an .aas file whose checksum differs from the map's, and it loads these pairs."""
    pairs = [(path, path.with_suffix(".bsp")) for path in sorted(corpus.glob("*.aas"))]
    pairs = [(compiled, bsp) for compiled, bsp in pairs if bsp.exists()]
    if not pairs:
        pytest.skip("no .aas file beside the real maps")
    for compiled, bsp in pairs:
        head = bytearray(compiled.read_bytes()[:12])
        if struct.unpack_from("<i", head, 4)[0] == 5:
            head[8:] = bytes(byte ^ (119 * i & 255) for i, byte in enumerate(head[8:]))
        assert struct.unpack_from("<i", head, 8)[0] == engine_checksum(bsp.read_bytes()), bsp.name
