# mypy: ignore-errors
"""The block function of MD4 (RFC 1320). Python's hashlib has MD4 only where OpenSSL still provides it."""

import cython

MASK = cython.declare(cython.uint, 0xFFFFFFFF)
ROUND2 = cython.declare(cython.uint, 0x5A827999)
ROUND3 = cython.declare(cython.uint, 0x6ED9EBA1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rotate(x: cython.uint, by: cython.int) -> cython.uint:
    """Rotate a 32-bit word to the left."""
    return ((x << by) & MASK) | (x >> (32 - by))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def choose(
    a: cython.uint, b: cython.uint, c: cython.uint, d: cython.uint, x: cython.uint, by: cython.int
) -> cython.uint:
    """A step of the first round."""
    return rotate((a + ((b & c) | (~b & MASK & d)) + x) & MASK, by)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def vote(a: cython.uint, b: cython.uint, c: cython.uint, d: cython.uint, x: cython.uint, by: cython.int) -> cython.uint:
    """A step of the second round."""
    return rotate((a + ((b & c) | (b & d) | (c & d)) + x + ROUND2) & MASK, by)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def parity(
    a: cython.uint, b: cython.uint, c: cython.uint, d: cython.uint, x: cython.uint, by: cython.int
) -> cython.uint:
    """A step of the third round."""
    return rotate((a + (b ^ c ^ d) + x + ROUND3) & MASK, by)


def digest_blocks(words: cython.const[cython.uint][::1], state: cython.uint[::1]):
    """Update the four words of ``state`` with complete blocks of 16 words."""
    at: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    n: cython.Py_ssize_t = words.shape[0] - words.shape[0] % 16
    a: cython.uint = state[0]
    b: cython.uint = state[1]
    c: cython.uint = state[2]
    d: cython.uint = state[3]
    a0: cython.uint
    b0: cython.uint
    c0: cython.uint
    d0: cython.uint
    with cython.nogil:
        for at in range(0, n, 16):
            a0 = a
            b0 = b
            c0 = c
            d0 = d
            for i in range(at, at + 16, 4):
                a = choose(a, b, c, d, words[i], 3)
                d = choose(d, a, b, c, words[i + 1], 7)
                c = choose(c, d, a, b, words[i + 2], 11)
                b = choose(b, c, d, a, words[i + 3], 19)
            for i in range(at, at + 4):
                a = vote(a, b, c, d, words[i], 3)
                d = vote(d, a, b, c, words[i + 4], 5)
                c = vote(c, d, a, b, words[i + 8], 9)
                b = vote(b, c, d, a, words[i + 12], 13)
            for j in range(4):
                i = at + 2 * (j & 1) + (j >> 1)
                a = parity(a, b, c, d, words[i], 3)
                d = parity(d, a, b, c, words[i + 8], 9)
                c = parity(c, d, a, b, words[i + 4], 11)
                b = parity(b, c, d, a, words[i + 12], 15)
            a = (a + a0) & MASK
            b = (b + b0) & MASK
            c = (c + c0) & MASK
            d = (d + d0) & MASK
    state[0] = a
    state[1] = b
    state[2] = c
    state[3] = d
