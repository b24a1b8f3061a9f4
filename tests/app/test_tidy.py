"""What the C library keeps free goes back to the system once a deal was counted."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from assistant.app.resources import load_lexicon
from assistant.app.runner import News, Update
from assistant.app.tidy import Tidy
from assistant.messages import Command, Pressed
from assistant.rules.events import DealCounted, Event, Passed
from assistant.rules.history import Record
from assistant.rules.phases import Lance
from scripts.rendering.dealing import new_table

PIECES, SIZE = 8_000, 4_096


def tell(event: Event) -> None:
    table = new_table(load_lexicon())
    update = Update(None, (Record(1, 1, 0.0, event),), table.state, table.state)
    Tidy().told(News(Pressed(Command.SCORE), (), (update,)), table)


def resident() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


@pytest.fixture
def freed() -> int:
    """Memory in use after 32 MB were taken in pieces and freed; one piece at the end stays."""
    try:
        libc = ctypes.CDLL("libc.so.6")
    except OSError:
        pytest.skip("glibc alone keeps what is free")
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    pieces = [libc.malloc(SIZE) for _ in range(PIECES)]
    for piece in pieces:
        ctypes.memset(piece, 1, SIZE)
    for piece in pieces[:-1]:
        libc.free(piece)
    return resident()


def test_what_is_free_is_given_back_when_a_deal_was_counted(freed: int) -> None:
    tell(DealCounted())
    assert freed - resident() > PIECES * SIZE // 2


def test_in_the_middle_of_a_deal_nobody_waits_for_it(freed: int) -> None:
    tell(Passed(1, Lance.GRANDE))
    assert freed - resident() < PIECES * SIZE // 8
