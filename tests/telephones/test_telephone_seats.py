"""The seats of telephones: one microphone for each seat, and a seat that stays reserved."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.telephones.seats import (
    SILENT_S,
    Closing,
    Hello,
    SeatedTelephone,
    SeatHeld,
    TelephoneError,
    TelephoneSeats,
)
from tests.telephones.stand_in import Figures, KeptLines

SOUND = np.zeros(640, np.int16)


class Table:
    """Four seats, a clock, and who was told that another telephone took over."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines = KeptLines()
        self.seats = TelephoneSeats(self.lines, 4, lambda: self.now)
        self.told: list[tuple[str, str]] = []

    def sit(self, seat: int, key: str, take: bool = False) -> SeatedTelephone:
        hello = Hello(seat, key, f"móvil {key}", take)
        return self.seats.sit(hello, lambda name: self.told.append((key, name)))

    def states(self) -> dict[int, str]:
        return {view["seat"]: view["state"] for view in self.seats.views()}


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_seat_has_one_microphone_and_the_second_is_told_whose(table: Table) -> None:
    table.sit(1, "a")
    with pytest.raises(SeatHeld) as held:
        table.sit(1, "b")
    assert (held.value.name, held.value.closing) == ("móvil a", Closing.TAKEN)
    assert table.told == []
    assert list(table.lines.there) == [1]


def test_a_second_one_may_take_the_seat_over_and_the_first_is_told(table: Table) -> None:
    first = table.sit(1, "a")
    table.sit(1, "b", take=True)
    assert table.told == [("a", "móvil b")]
    assert table.lines.all[0].left
    assert table.lines.there[1].name == "móvil b"
    table.seats.leave(first)  # its connection ends a moment later
    assert table.states() == {1: "there"}


def test_a_telephone_that_comes_back_has_its_seat_at_once(table: Table) -> None:
    table.sit(1, "a")
    table.sit(1, "a")
    assert len(table.lines.all) == 2
    assert table.lines.all[0].left
    assert table.states() == {1: "there"}


def test_a_telephone_has_one_seat(table: Table) -> None:
    table.sit(1, "a")
    table.sit(2, "a")
    assert table.states() == {2: "there"}


def test_who_chose_another_seat_is_not_missed_at_the_first(table: Table) -> None:
    seated = table.sit(1, "a")
    table.seats.leave(seated, missed=False)
    assert table.lines.all[0].left
    assert table.states() == {}


@pytest.mark.parametrize("seat", [0, -1, 5, 10**9])
def test_there_are_as_many_seats_as_players(table: Table, seat: int) -> None:
    with pytest.raises(TelephoneError) as refused:
        table.sit(seat, "a")
    assert refused.value.closing is Closing.NO_SEAT


def test_a_telephone_is_heard_there_silent_or_gone(table: Table) -> None:
    seated = table.seats.sit(Hello(3, "a", "móvil", take=False), lambda _name: None)
    line = table.lines.there[3]
    assert table.states() == {3: "there"}
    line.figures = Figures(heard=1.0)
    assert table.states() == {3: "heard"}
    line.figures = Figures(level=-100.0)
    assert table.states() == {3: "silent"}
    line.figures = Figures()
    table.now = SILENT_S + 1
    assert table.states() == {3: "silent"}
    seated.hear(SOUND, 0.0, 0, table.now)
    assert table.states() == {3: "there"}
    table.seats.leave(seated)
    assert table.states() == {3: "gone"}
    table.sit(3, "b")
    assert table.states() == {3: "there"}


def test_an_empty_battery_is_shown_unless_it_is_charged(table: Table) -> None:
    seated = table.seats.sit(Hello(1, "a", "móvil", take=False), lambda _name: None)
    for battery, charging, low in ((None, False, False), (0.9, False, False), (0.1, False, True),
                                   (0.1, True, False)):  # fmt: skip
        seated.battery, seated.charging = battery, charging
        assert table.seats.views()[0]["low"] is low
