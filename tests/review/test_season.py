"""``mus season``: players and pairs across evenings, their ranking, and the next pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.main import main
from assistant.files.profile_files import rules_named
from assistant.files.resources import languages
from assistant.page import BoardError
from assistant.review.evening import read_match, report_words, text_of
from assistant.review.history import JournalSeason
from assistant.review.mus_season import season_words
from assistant.review.season import (
    Season,
    SeasonRow,
    match_played,
    name_key,
    next_pairs,
    season,
    season_blocks,
)
from assistant.rules.calls import Accept, Call, Cut, NextDeal, Ordago, SetStones, ShowHand
from assistant.rules.cards import parse_hand
from assistant.rules.engine import decide, open_game
from assistant.rules.history import Record, fold, number
from assistant.rules.profile import Profile, Sides
from assistant.table.journal import SqliteJournal
from tests.tables import each_row

LANGUAGES = ("en", "es", "eu")
ONE_JUEGO = Profile(juegos=1)
HOUR = 3600.0
AUTUMN = datetime(2026, 9, 1, 20).timestamp()
BEST, POOR = "R R R 1", "C S 7 4"
FOUR = ("Ana", "Luis", "Eva", "Jon")


def played(
    names: tuple[str, ...] = FOUR,
    winners: Sequence[int] = (1,),
    at: float = AUTUMN,
    rules: Profile = ONE_JUEGO,
) -> list[Record]:
    """A match of which each juego is won by the órdago of one seat, who has the best cards."""
    records = list(number(open_game(rules, names), 0, at))
    for place, winner in enumerate(winners):
        if place:
            call(records, NextDeal())
        state = fold(records)
        assert state
        mano = state.mano
        call(records, SetStones(stones=(3, 7, 0, 0, 0, 0)[: state.sides]))
        call(records, Cut(seat=mano), Ordago(seat=mano))
        while (state := fold(records)) and state.pending:
            call(records, Accept(seat=state.answerers()[0]))
        for seat in range(1, len(names) + 1):
            hand = parse_hand(BEST if seat == winner else POOR)
            state = fold(records)
            assert state
            if state.juego_won is None:
                call(records, ShowHand(seat=seat, cards=hand))
    return records


def call(records: list[Record], *calls: Call) -> None:
    for one in calls:
        state = fold(records)
        assert state
        last = records[-1]
        records += number(decide(state, one).events, last.seq, last.at)


def season_of(matches: Iterable[Sequence[Record]]) -> Season:
    return season(one for one in map(match_played, matches) if one)


def row(rows: Sequence[SeasonRow], *names: str) -> SeasonRow:
    return next(one for one in rows if set(one.names) == set(names))


def ranking(rows: Sequence[SeasonRow]) -> list[tuple[int, str]]:
    return [(one.rank, " ".join(one.names)) for one in rows]


# ---- Counting -----------------------------------------------------------------------------------


def test_matches_juegos_stones_and_evenings_are_added_up_by_name() -> None:
    best_of_three = Profile(juegos=2)
    found = season_of(
        [
            played(winners=(1, 2, 3), rules=best_of_three),  # Ana and Eva win 2 to 1
            played(("Eva", "Ana", "Luis", "Jon"), (2,), AUTUMN + HOUR),  # Ana and Jon win
            played(("Luis", "Ana", "Jon", "Eva"), (1,), AUTUMN + 24 * HOUR),  # Luis and Jon win
        ]
    )
    assert (found.evenings, found.matches, found.unfinished) == (2, 3, 0)
    ana = row(found.players, "Ana")
    assert (ana.matches, ana.won, ana.juegos_won, ana.juegos_lost) == (3, 2, 3, 2)
    assert ana.evenings == 2
    assert ana.percent == 67
    pair = row(found.pairs, "Ana", "Eva")
    assert (pair.matches, pair.won, pair.juegos_won, pair.juegos_lost) == (
        2,
        1,
        2,
        2,
    )
    assert pair.evenings == 2
    assert row(found.pairs, "Ana", "Jon").percent == 100
    assert len(found.pairs) == 4


def test_the_stones_of_a_pair_are_those_of_each_of_its_players() -> None:
    found = season_of([played(winners=(1, 2, 1), rules=Profile(juegos=2))])
    for pair in found.pairs:
        for name in pair.names:
            assert row(found.players, name).stones == pair.stones
    assert sum(pair.stones for pair in found.pairs) > 0


def test_the_same_name_is_the_same_player_without_case_and_accents() -> None:
    found = season_of(
        [
            played(("José", "Luis", "Iñaki", "Jon")),
            played(("jose", "Ana", "INAKI", "Eva"), at=AUTUMN + HOUR),
            played(("  José ", "Ana", "Iñaki", "Eva"), at=AUTUMN + 2 * HOUR),
        ]
    )
    assert row(found.players, "José").matches == 3  # as it was written last
    assert row(found.pairs, "José", "Iñaki").won == 3
    assert len(found.players) == 6


@each_row(
    "one, other, same",
    [
        ("Ana", "ANA", True),
        ("Íñigo", "inigo", True),
        ("Ana  Mari", "ana mari", True),
        ("Ana", "Anne", False),
        ("Ana B.", "Ana", False),
    ],
)
def test_name_key(one: str, other: str, same: bool) -> None:
    assert (name_key(one) == name_key(other)) is same


def test_a_pair_is_written_as_its_players_are() -> None:
    found = season_of([played(("Éva", "Luis", "Ana", "jon")), played(at=AUTUMN + HOUR)])
    assert {name for pair in found.pairs for name in pair.names} == set(FOUR)
    found = season_of([played(at=AUTUMN), played(("Ana", "Luis", "jon", "Bea"), at=AUTUMN + HOUR)])
    assert {name for pair in found.pairs for name in pair.names} == {*FOUR[:3], "jon", "Bea"}


def test_what_was_not_finished_or_not_begun_is_left_out() -> None:
    begun = played()[:-3]
    assert fold(begun) is not None
    found = season_of([begun, played(), played()[:1], []])
    assert (found.matches, found.unfinished) == (1, 1)
    assert row(found.players, "Ana").matches == 1


def test_two_players_of_one_name_are_left_out_and_counted() -> None:
    found = season_of([played(("José", "Luis", "Jose", "Jon")), played()])
    assert (found.matches, found.namesakes) == (1, 1)
    assert {one.names for one in found.players} == {(name,) for name in FOUR}


def test_a_match_each_for_himself_has_no_pairs() -> None:
    each = replace(ONE_JUEGO, sides=Sides.EACH)
    found = season_of([played(("Ana", "Luis", "Eva"), (2,), rules=each)])
    assert ranking(found.players) == [(1, "Luis"), (2, "Ana"), (2, "Eva")]
    assert found.pairs == ()
    assert found.together == {}


def test_an_evening_lasts_until_the_next_day() -> None:
    late = AUTUMN + 5 * HOUR  # past midnight
    found = season_of([played(at=AUTUMN), played(at=late), played(at=AUTUMN + 22 * HOUR)])
    assert found.evenings == 2
    assert row(found.players, "Jon").evenings == 2


# ---- The ranking --------------------------------------------------------------------------------


def test_the_share_of_matches_won_ranks_and_equal_shares_are_level() -> None:
    two = ("Ana", "Luis"), ("Ana", "Eva"), ("Luis", "Eva"), ("Jon", "Ana"), ("Jon", "Luis")
    winners = (1, 1, 1, 1, 2)
    found = season_of(
        played(names, (winner,), AUTUMN + place * HOUR)
        for place, (names, winner) in enumerate(zip(two, winners, strict=True))
    )
    # Ana won two of three, Luis two of three, Jon one of two, Eva none of two.
    assert ranking(found.players) == [(1, "Ana"), (1, "Luis"), (3, "Jon"), (4, "Eva")]


def test_of_level_players_the_one_with_more_matches_stands_first() -> None:
    found = season_of(
        [
            played(("Ana", "Zoe"), (2,)),
            played(("Luis", "Zoe"), (2,)),
            played(("Bea", "Luis"), (1,)),
        ]
    )
    assert ranking(found.players) == [(1, "Zoe"), (1, "Bea"), (3, "Luis"), (3, "Ana")]


# ---- The next pairs -----------------------------------------------------------------------------


def test_whoever_played_together_least_plays_together() -> None:
    found = season_of(
        [
            played(("Ana", "Luis", "Eva", "Jon")),  # Ana and Eva, Luis and Jon
            played(("Ana", "Luis", "Jon", "Eva"), at=AUTUMN + HOUR),  # Ana and Jon
        ]
    )
    assert next_pairs(FOUR, found) == (("Ana", "Luis"), ("Eva", "Jon"))


def test_the_pairs_rotate_through_all_arrangements() -> None:
    matches: list[list[Record]] = []
    seen = []
    for evening in range(6):
        one, other = next_pairs(FOUR, season_of(matches))
        seen.append(frozenset((frozenset(one), frozenset(other))))
        names = (one[0], other[0], one[1], other[1])
        matches.append(played(names, at=AUTUMN + evening * 24 * HOUR))
    assert len(set(seen[:3])) == 3
    assert seen[3:] == seen[:3]


def test_eight_players_meet_everybody_once_in_seven_evenings() -> None:
    names = ("Ana", "Luis", "Eva", "Jon", "Bea", "Iker", "Nora", "Unai")
    matches: list[list[Record]] = []
    partners: set[frozenset[str]] = set()
    for evening in range(7):
        pairs = next_pairs(names, season_of(matches))
        assert sorted(name for pair in pairs for name in pair) == sorted(names)
        partners |= {frozenset(pair) for pair in pairs}
        for one, other in zip(pairs[::2], pairs[1::2], strict=True):
            seats = (one[0], other[0], one[1], other[1])
            matches.append(played(seats, at=AUTUMN + evening * 24 * HOUR))
    assert len(partners) >= 24  # of 28: the best of one evening need not be the best of all


def test_somebody_new_is_paired_like_everybody() -> None:
    found = season_of([played(("Ana", "Luis", "Eva", "Jon"))])
    assert next_pairs(("Ana", "EVA", "Luis", "Nuevo"), found)[0] != ("Ana", "EVA")


# ---- The command --------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two evenings, a month apart, and a match that was not finished."""
    path = tmp_path / "table.sqlite3"
    write(path, "game-1", played(("Ana", "Luis", "Eva", "Jon")))
    write(path, "game-2", played(("Ana", "Luis", "Eva", "Jon"), (2,), AUTUMN + 30 * 24 * HOUR))
    write(path, "game-3", played(("Ana", "Eva", "Jon", "Luis"), (1,), AUTUMN + 30 * 24 * HOUR + 9))
    write(path, "game-4", played()[:-3])
    return path


def write(path: Path, table: str, records: Sequence[Record]) -> None:
    with closing(SqliteJournal(path, table)) as kept:
        kept.append(records)


def run_season(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    status = main(["season", *map(str, words)])
    said = capsys.readouterr()
    return status, said.out, said.err


def figures(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    status, out, _ = run_season(capsys, *words, "--json")
    assert status == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_season_is_told_with_the_number_of_matches_beside_each_share(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run_season(capsys, "--journal", journal)
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "LA TEMPORADA"
    assert "Del 1 de septiembre de 2026 al 1 de octubre de 2026." in lines
    assert "Veladas: 2. Partidas acabadas: 3." in lines
    assert "Partidas sin acabar, que no cuentan: 1." in lines
    rows = [line.split("  ") for line in lines if line[:1].isdigit()]
    told = [[cell.strip() for cell in row if cell.strip()][:2] for row in rows]
    assert told[:4] == [
        ["1. Ana", "67 % (2 de 3)"],
        ["1. Jon", "67 % (2 de 3)"],
        ["3. Eva", "33 % (1 de 3)"],
        ["3. Luis", "33 % (1 de 3)"],
    ]
    assert told[4:] == [
        ["1. Ana y Jon", "100 % (1 de 1)"],
        ["2. Ana y Eva", "50 % (1 de 2)"],
        ["2. Jon y Luis", "50 % (1 de 2)"],
        ["4. Eva y Luis", "0 % (0 de 1)"],
    ]


def test_since_a_day_and_by_some_house_rules(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vasco = replace(rules_named("vasco"), juegos=1)
    write(journal, "game-5", played(rules=vasco, at=AUTUMN))
    assert figures(capsys, "--journal", journal)["matches"] == 4
    assert figures(capsys, "--journal", journal, "--since", "2026-09-15")["matches"] == 2
    status, _, error = run_season(capsys, "--journal", journal, "--profile", "vasco")
    assert status == 2  # they play to more juegos
    assert "--profile" in error
    write(journal, "game-6", played(winners=(1, 1, 1), rules=rules_named("vasco")))
    write(journal, "game-7", played(winners=(1, 1), rules=rules_named("vasco")))
    found = figures(capsys, "--journal", journal, "--profile", "vasco")
    assert (found["matches"], found["unfinished"]) == (1, 1)


def test_the_next_pairs_are_proposed(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, "--journal", journal, "--next", *FOUR)
    assert found["next"] == [
        {"names": ["Ana", "Luis"], "together": 0},
        {"names": ["Eva", "Jon"], "together": 0},
    ]
    _, out, _ = run_season(capsys, "--journal", journal, "--next", *FOUR)
    assert "- Ana y Luis (partidas juntos: 0)" in out.splitlines()


def test_pairs_can_be_asked_for_before_the_first_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = figures(capsys, "--next", *FOUR)
    assert found["matches"] == 0
    assert [pair["names"] for pair in found["next"]] == [["Ana", "Luis"], ["Eva", "Jon"]]


@each_row(
    "words, why",
    [
        (("--next", "Ana", "Luis", "Eva"), "an even number of names, 4 to 12, not 3"),
        (("--next", "Ana", "Luis"), "not 2"),
        (("--next", *map(str, range(14))), "not 14"),
        (("--next", "José", "Luis", "Eva", "JOSE"), "are one player"),
        (("--since", "2027-01-01"), "No match was played so"),
        (("--since", "yesterday"), "write a day as 2026-01-31"),
        (("--profile", "nobody"), "nobody"),
        (("--language", "fr"), "invalid choice"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    journal: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], why: str
) -> None:
    status, out, error = run_season(capsys, "--journal", journal, *words)
    assert (status, out) == (2, "")
    assert why in error
    assert error.count("\n") == 1


def test_a_missing_or_wrong_journal_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, none = tmp_path / "missing", tmp_path / "none"
    none.write_bytes(b"not a database at all, but some bytes" * 100)
    for path in (missing, none):
        for words in ((), ("--next", *FOUR)):
            status, out, error = run_season(capsys, "--journal", path, *words)
            assert (status, out) == (2, "")
            assert path.name in error


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_it(language: str) -> None:
    assert languages("season") == LANGUAGES
    found = season_of([played(), played(("Ana", "Luis", "ana", "Jon")), played()[:-3]])
    text = "\n".join(
        text_of(
            season_blocks(found, season_words(language), report_words(language), [("Ana", "Jon")])
        )
    )
    assert "{" not in text
    for key in ("title", "players.title", "pairs.title", "read.order", "next.title"):
        said = season_words(language)(key)
        assert said in text or said.upper() in text
    empty = "\n".join(
        text_of(season_blocks(season_of([]), season_words(language), report_words(language)))
    )
    assert season_words(language)("nothing") in empty


# ---- The page -----------------------------------------------------------------------------------


class Playing:
    """The part of a running table that the page needs."""

    def __init__(self, names: tuple[str, ...] = FOUR, rules: Profile = ONE_JUEGO) -> None:
        self.table = self
        self.state = fold(number(open_game(rules, names), 0, AUTUMN))


def page_of(journal: Path, playing: Playing | None = None) -> JournalSeason:
    return JournalSeason(playing or Playing(), journal)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "es", "eu"])
def test_the_page_is_in_the_language_that_is_asked_for(language: str, journal: Path) -> None:
    title, inside = page_of(journal).page(("xx", language))
    words = season_words(language)
    assert title == words("title")
    assert words("read.order") in inside


def test_the_page_tells_the_season_and_the_next_pairs_of_the_table(journal: Path) -> None:
    title, inside = page_of(journal).page()
    assert title == "La temporada"
    assert "67 % (2 de 3)" in inside
    assert "<li>Ana y Luis (partidas juntos: 0)</li>" in inside


@each_row(
    "names, rules",
    [
        (("Ana", "Luis"), ONE_JUEGO),
        (FOUR, replace(ONE_JUEGO, sides=Sides.EACH)),
        (("Ana", "Luis", "ana", "Jon"), ONE_JUEGO),
    ],
)
def test_only_four_players_in_two_pairs_are_paired_anew(
    names: tuple[str, ...], rules: Profile, journal: Path
) -> None:
    _, inside = page_of(journal, Playing(names, rules)).page()
    assert "67 % (2 de 3)" in inside
    assert "Las próximas parejas" not in inside


def test_the_page_reads_each_match_once_and_the_new_ones(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def reading(path: Path, table: str) -> list[Record]:
        seen.append(table)
        return read_match(path, table)

    monkeypatch.setattr("assistant.review.history.read_match", reading)
    page = page_of(journal)
    first = page.page()
    assert page.page() == first
    assert sorted(seen) == ["game-1", "game-2", "game-3", "game-4"]
    write(journal, "game-5", played(at=AUTUMN + 31 * 24 * HOUR))
    _, inside = page.page()
    assert "Partidas acabadas: 4." in inside
    assert seen[4:] == ["game-5"]


def test_names_are_plain_text_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    write(path, "game-1", played(("<b>Ana</b>", "{n}", "Eva & Co", "Jon")))
    _, inside = page_of(path).page()
    assert "&lt;b&gt;Ana&lt;/b&gt;" in inside
    assert "<b>Ana" not in inside
    assert "Eva &amp; Co" in inside


def test_a_damaged_journal_is_told_to_the_page(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    path.write_bytes(b"not a database at all, but some bytes" * 100)
    with pytest.raises(BoardError, match=r"table\.sqlite3"):
        page_of(path).page()


def test_an_empty_season_has_no_rows() -> None:
    found = season_of([])
    assert found == Season(None, None, 0, 0, 0, 0, (), (), {})
