"""Damaged inputs: valid ones with bytes flipped, cut, doubled or mixed, and with known traps."""

from __future__ import annotations

import random
from collections.abc import Sequence

LONGEST = 200_000
"""The most bytes of a damaged input."""
DREADED = (
    b"",
    b"\0",
    b"\xff" * 9,
    b"\xef\xbb\xbf",
    b"[" * 5_000,
    b"{" * 5_000,
    b'{"a":' * 5_000,
    b"(" * 999,
    b"9" * 5_000,
    b"-1",
    b"0",
    b"1e999",
    b"NaN",
    b"-Infinity",
    b"18446744073709551616",
    b"2147483648",
    b"\xed\xa0\x80",
    "ñ\u202e\u0301".encode(),
    b"null",
    b"true",
    b'""',
    b"[]",
    b"{}",
    b"'''",
    b'"""',
    b"\n",
    b"\r\n",
    b" " * 999,
    b"../../etc/passwd",
    b"/dev/zero",
    b"%s%n",
    b"{0}",
    b"#",
    b":",
    b"=",
    b"a" * 9_999,
    b"[[a]]\n" * 999,
    b"a.b.c.d.e.f.g.h=1\n",
    b"mus " * 999,
    b"1: paso\n" * 99,
)


def spoilt(seeds: Sequence[bytes], dice: random.Random) -> bytes:
    """One of the valid inputs, damaged one to six times. The same seed gives the same damage."""
    data = bytearray(dice.choice(seeds))
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(data) + 1)
        until = min(len(data), at + dice.choice((1, 2, 4, 16, 256, 4_096)))
        match dice.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << dice.randrange(8)
            case 1 if data:
                data[at % len(data)] = dice.choice((0, 1, 127, 128, 255, dice.randrange(256)))
            case 2:
                del data[at:until]
            case 3:
                data[at:at] = data[at:until] * dice.choice((1, 2, 50))
            case 4:
                data[at:until] = dice.choice(DREADED)
            case 5:
                other = dice.choice(seeds)
                begin = dice.randrange(len(other) + 1)
                data[at:until] = other[begin : begin + dice.choice((4, 64, 1_024))]
            case _:
                data[at:until] = dice.randbytes(until - at)
        del data[LONGEST:]
    return bytes(data)
