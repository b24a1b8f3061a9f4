"""Juegos that a referee gave before the first deal, and the stones of a whole match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.messages.codec import event_from_json, event_to_json
from assistant.review.chronicle import chronicle
from assistant.rules.changes import apply
from assistant.rules.engine import open_game
from assistant.rules.errors import HistoryError
from assistant.rules.events import GameOpened, JuegoWon, MatchWon, VacaWon
from assistant.rules.history import Record, fold, number
from assistant.rules.profile import Profile
from assistant.school.players import Novice
from scripts.lab.playing.juego import FORTY_STONES, moves
from tests.rules.play import SEATS
from tests.tables import each_row

TO_TWO = replace(FORTY_STONES, juegos=2)


def played(profile: Profile, seed: int, given: tuple[int, ...] = ()) -> list[Record]:
    """A whole match between computer players."""
    records: list[Record] = []
    for _, events in moves([Novice()] * 4, seed, profile=profile, given=given):
        records += number(events, len(records), 1000.0 + len(records))
    return records


def juegos_won(records: list[Record]) -> str:
    """The sides that won the juegos played, in order."""
    return "".join([r.event.side for r in records if isinstance(r.event, JuegoWon)])


@pytest.mark.parametrize("seed", range(6))
def test_a_side_with_a_juego_given_needs_one_juego_less(seed: int) -> None:
    plain = juegos_won(played(TO_TWO, seed))
    ahead = played(TO_TWO, seed, (1, 0))
    first = plain[: plain.index("A") + 1] if "A" in plain else plain
    assert juegos_won(ahead) == first
    state = fold(ahead)
    assert state is not None
    assert state.juegos == (1 + first.count("A"), first.count("B"))
    assert state.winner == ("A" if "A" in plain else "B")
    assert isinstance(ahead[-1].event, MatchWon)


def test_juegos_given_fill_vacas_and_the_rest_counts_in_the_next_one() -> None:
    profile = replace(FORTY_STONES, juegos=2, vacas=2)
    opened = apply(None, open_game(profile, SEATS, None, (3, 0))[0])
    assert (opened.vacas, opened.juegos) == ((1, 0), (1, 0))
    records = played(profile, 3, (3, 0))
    vacas = [record.event.side for record in records if isinstance(record.event, VacaWon)]
    state = fold(records)
    assert state is not None
    assert state.vacas == (1 + vacas.count("A"), vacas.count("B"))


@each_row(
    "given",
    [
        (3, 0),
        (0, 7),
        (1,),
        (1, 0, 0),
        (-1, 0),
    ],
)
def test_juegos_that_would_win_the_match_or_fit_no_side_are_refused(
    given: tuple[int, ...],
) -> None:
    with pytest.raises(HistoryError):
        apply(None, GameOpened(Profile(), SEATS, 2, given))


@pytest.mark.parametrize("seed", range(4))
def test_the_stones_of_a_whole_match_are_those_of_all_its_juegos(seed: int) -> None:
    records = played(replace(FORTY_STONES, juegos=2, vacas=2), seed)
    state = fold(records)
    assert state is not None
    totals = [juego.totals for juego in chronicle(records).juegos]
    assert len(totals) > 2
    assert state.whole == tuple(map(sum, zip(*totals, strict=True)))
    first = next(at for at, record in enumerate(records) if isinstance(record.event, JuegoWon))
    early = fold(records[: first + 1])
    assert early is not None
    assert early.whole == totals[0]


def test_the_chronicle_counts_the_juegos_given() -> None:
    told = chronicle(played(TO_TWO, 1, (1, 0)))
    ended = fold(played(TO_TWO, 1, (1, 0)))
    assert ended is not None
    assert tuple(side.juegos for side in told.sides) == ended.juegos


def test_a_game_without_juegos_given_is_written_as_before_there_were_any() -> None:
    """So a hub of an older version still reads it."""
    plain = GameOpened(Profile(), SEATS)
    assert "given" not in event_to_json(plain)
    ahead = replace(plain, given=(1, 0))
    assert '"given":[1,0]' in event_to_json(ahead)
    assert [event_from_json(event_to_json(event)) for event in (plain, ahead)] == [plain, ahead]
