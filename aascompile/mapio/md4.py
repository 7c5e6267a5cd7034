"""The engine's checksum of a map file: MD4, folded to 32 bits."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from aascompile.mapio.md4_kernel import digest_blocks

BLOCK = 64
START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)


def md4_words(data: bytes) -> NDArray[np.uint32]:
    """MD4 digest of the data, as four 32-bit words."""
    state = np.array(START, np.uint32)
    size = len(data) // BLOCK * BLOCK
    tail = data[size:] + b"\x80"
    tail += bytes(-(len(tail) + 8) % BLOCK) + struct.pack("<Q", 8 * len(data) & (2**64 - 1))
    # Indexing a memoryview gives Python integers, which the kernel needs when it runs uncompiled.
    for part in (np.frombuffer(data, "<u4", size // 4), np.frombuffer(tail, "<u4")):
        digest_blocks(part.astype(np.uint32, copy=False).data, state.data)
    return state


def engine_checksum(data: bytes) -> int:
    """The map's ``bspchecksum`` as the engine computes it: the XOR of the digest's words, as a signed integer."""
    folded = int(np.bitwise_xor.reduce(md4_words(data)))
    return folded - 2**32 if folded >= 2**31 else folded
