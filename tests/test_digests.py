"""SHA-256 is that of hashlib, whatever computes it."""

import hashlib

import pytest

from aascompile import digests


@pytest.mark.parametrize("size", [0, 1, 64, digests.SMALL - 1, digests.SMALL, digests.SMALL + 1])
def test_digests_are_those_of_hashlib(size):
    data = bytes(range(256)) * (size // 256 + 1)
    parts = (data[: size // 3], b"", data[size // 3 : size])
    assert digests.sha256(*parts) == hashlib.sha256(data[:size]).hexdigest()


def test_pythons_own_modules_are_not_needed(monkeypatch):
    def gone(name):
        raise ImportError(name)

    monkeypatch.setattr(digests, "import_module", gone)
    monkeypatch.setattr(digests, "_maker", digests._maker.__wrapped__)
    assert digests.sha256(b"abc") == hashlib.sha256(b"abc").hexdigest()
