"""Guesses at a pair's code: nobody guesses it, and guessing does not keep the pair out."""

from __future__ import annotations

import pytest
from werkzeug.exceptions import TooManyRequests

from assistant.hall.page_tournaments import DEVICE_FREE, PAIR_FREE, PAIR_LONGEST, Guesses
from assistant.page.door import LONGEST, REMEMBERED


class Hall:
    """Guesses, with a clock that the test moves on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.guesses = Guesses(lambda: self.now)

    def wait(self, address: str, pair: str, right: bool = False) -> float:
        """Send a code; returns the seconds to wait, or 0 if the code was checked."""
        try:
            assert self.guesses.proved(address, pair, right) == right
        except TooManyRequests as error:
            return float(str(error.retry_after))
        return 0.0


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_ones_own_code_does_not_forgive_guesses_at_anothers(hall: Hall) -> None:
    heard = 0
    while hall.now < 3600:
        heard += hall.wait("thief", "1/2") == 0
        hall.wait("thief", "1/1", right=True)
        hall.now += 1
    assert heard == 3
    assert hall.guesses._each._tries["thief 1/2"].wrong < 3600 / LONGEST + 10


def test_mistyping_ones_own_code_is_forgiven_by_the_right_one(hall: Hall) -> None:
    for _ in range(20):
        for _ in range(3):
            assert hall.wait("phone", "1/1") == 0
        assert hall.wait("phone", "1/1", right=True) == 0


def test_a_device_that_tries_pair_after_pair_has_to_wait(hall: Hall) -> None:
    told = [hall.wait("thief", f"1/{pair}") for pair in range(100)]
    assert told.count(0) == DEVICE_FREE
    assert hall.wait("thief", "1/1", right=True) > 0
    assert hall.wait("phone", "1/1", right=True) == 0


def test_many_devices_that_guess_at_one_pair_wait_together(hall: Hall) -> None:
    told = [hall.wait(f"thief-{n}", "1/2") for n in range(100)]
    assert told.count(0) == PAIR_FREE
    heard = 0
    for n in range(3600):
        hall.now += 1
        before = hall.guesses._pair._tries["1/2"].wrong
        hall.wait(f"thief-{n}", "1/2")
        heard += hall.guesses._pair._tries["1/2"].wrong - before
    assert heard <= 3600 / PAIR_LONGEST + 10


def test_nobody_keeps_a_pair_out_for_long(hall: Hall) -> None:
    assert hall.wait("known", "1/2", right=True) == 0
    for n in range(500):
        hall.wait(f"thief-{n}", "1/2")
        hall.now += 1
    hall.wait("thief", "1/2")
    assert hall.wait("known", "1/2", right=True) == 0  # it has sent the code before
    assert 0 < hall.wait("new", "1/2", right=True) <= PAIR_LONGEST
    hall.now += PAIR_LONGEST
    assert hall.wait("new", "1/2", right=True) == 0
    assert hall.wait("other", "1/3", right=True) == 0


def test_one_device_that_never_stops_blocks_the_pair_half_the_time_at_most(hall: Hall) -> None:
    shut = 0
    for second in range(1200):
        hall.now += 1
        hall.wait("thief", "1/2")
        shut += second >= 600 and hall.guesses._pair.left("1/2") > 0
    assert shut <= 600 / 2


def test_codes_from_many_addresses_take_bounded_memory(hall: Hall) -> None:
    for number in range(2 * REMEMBERED):
        hall.wait(f"thief-{number}", f"1/{number}")
        hall.wait(f"phone-{number}", f"2/{number}", right=True)
    kept = hall.guesses
    for waits in (kept._each, kept._device, kept._pair):
        assert len(waits._tries) == REMEMBERED
    assert len(kept._known) == REMEMBERED
