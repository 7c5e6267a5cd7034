"""SHA-256, without OpenSSL for what is small: importing that takes as long as hashing half a megabyte without it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

SMALL: Final = 1 << 19
"""Bytes that Python's own code hashes in the time that OpenSSL takes to be imported."""


def sha256(*parts: bytes) -> str:
    """SHA-256 of parts that follow each other, hexadecimal."""
    digest = _maker(sum(map(len, parts)) < SMALL)()
    for part in parts:
        digest.update(part)
    made: str = digest.hexdigest()
    return made


@cache  # looking for a module that is not there takes as long as hashing a small map
def _maker(small: bool) -> Callable[[], Any]:
    """What makes digests of few bytes, or of many. The names of Python's own modules are not promised, but the module
    that promises them imports all kinds of digests."""
    own = (("_sha2", "sha256"), ("_sha256", "sha256"))
    for module, name in own if small else (("_hashlib", "openssl_sha256"),):
        try:
            made: Callable[[], Any] = getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
        return made
    from hashlib import sha256 as made_by_hashlib

    return made_by_hashlib
