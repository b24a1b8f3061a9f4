"""The chronicle: counted by hand for one game, and compared with the table for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli.mus_score import play_script
from assistant.files.paths import data_dir
from assistant.files.profile_files import rules_named
from assistant.files.resources import languages, load_lexicon, load_toml
from assistant.language.lexicon import Lexicon
from assistant.language.script import parse_script
from assistant.language.sentences import SentenceError, wording_from
from assistant.review.chronicle import (
    SHAPE,
    as_json,
    chronicle,
    deal_told,
    told,
)
from assistant.review.mus_chronicle import load_words
from assistant.rules.cards import format_hand
from assistant.rules.errors import HistoryError
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from tests.tables import each_row

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.mus"))


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def played(path: Path, lexicon: Lexicon) -> tuple[list[Record], State]:
    table = play_script(parse_script(path.read_text("utf-8"), rules_named), lexicon).table
    return list(table.records), table.state


def game(name: str, lexicon: Lexicon) -> list[Record]:
    return played(GAMES[0].with_name(f"{name}.mus"), lexicon)[0]


def test_the_chronicle_of_a_plain_deal_equals_a_count_by_hand(lexicon: Lexicon) -> None:
    """A: grande 5, accepted; punto 2 + 1; pares 1 by deje and 1 by hand. B: chica 1."""
    found = chronicle(game("a_plain_deal", lexicon))
    ours, theirs = found.sides
    assert (ours.stones, theirs.stones) == (10, 1)
    assert {why: n for why, n in ours.by_why.items() if n} == {
        "deje": 1, "bet": 7, "pares": 1, "punto": 1,
    }  # fmt: skip
    assert {why: n for why, n in theirs.by_why.items() if n} == {"paso": 1}
    assert [ours.lances(one) for one in ("grande", "chica", "pares", "punto")] == [1, 0, 1, 1]
    assert (ours.closed("accepted"), ours.closed("refused"), theirs.closed("passed")) == (2, 1, 1)
    assert found.highest
    assert (found.highest.stones, found.highest.lance, found.highest.side) == (5, "grande", "A")
    assert found.longest is None
    assert found.ordagos == ()
    (deal,) = found.deals
    assert (deal.after, deal.mano, deal.finished) == ((10, 1), 1, True)
    assert [lance.lance for lance in deal.lances] == ["grande", "chica", "pares", "punto"]
    hand = deal.hands[0]
    assert hand
    assert (hand.pares, hand.points, hand.juego) == ("pareja", 29, False)
    assert [(point.side, point.stones, point.totals) for point in found.points] == [
        ("A", 1, (1, 0)), ("A", 5, (6, 0)), ("B", 1, (6, 1)), ("A", 1, (7, 1)),
        ("A", 2, (9, 1)), ("A", 1, (10, 1)),
    ]  # fmt: skip


def test_each_ordago_that_wins_a_juego_is_listed(lexicon: Lexicon) -> None:
    found = chronicle(game("juegos_and_match", lexicon))
    assert [(one.side, one.by) for one in found.juegos] == [
        ("A", "ordago"), ("B", "ordago"), ("A", "ordago"),
    ]  # fmt: skip
    assert [(one.seat, one.accepted, one.winner) for one in found.ordagos] == [
        (1, True, "A"), (2, True, "B"), (3, True, "A"),
    ]  # fmt: skip
    assert found.winner == "A"
    lines = deal_told(found.deals[1], load_words()).splitlines()
    assert lines[-2:] == ["Grande: Oeste y Este: el juego", "Juego para Oeste y Este: de órdago"]


@each_row("path", GAMES, name=lambda path: path.stem)
def test_the_chronicle_of_every_golden_game_has_the_tables_own_stones(
    path: Path, lexicon: Lexicon
) -> None:
    records, state = played(path, lexicon)
    found = chronicle(records)
    assert found.totals == state.stones
    assert tuple(side.vacas for side in found.sides) == state.vacas
    assert found.winner == state.winner
    for deal in found.deals:
        moved = [0] * state.sides
        for point in deal.points:
            moved[found.table.letters.index(point.side)] += point.stones
        assert tuple(n + m for n, m in zip(deal.before, moved, strict=True)) == deal.after
    for side in found.sides:
        assert side.stones == sum(point.stones for point in found.points if point.side == side.side)


@each_row("path", GAMES, name=lambda path: path.stem)
def test_every_golden_game_is_told_in_every_language(path: Path, lexicon: Lexicon) -> None:
    records, _ = played(path, lexicon)
    found = chronicle(records)
    for language in languages("phrases"):
        words = load_words(language)
        texts = [told(found, words, lambda _event: "…")]
        texts += [deal_told(deal, words) for deal in found.deals]
        for text in texts:
            assert text.strip()
            assert not {"{", "}", "None"} & set(text.replace("{", " { ").split())
    assert as_json(found)["winner"] == found.winner


def test_an_undone_call_is_listed_as_a_dispute_of_its_deal(lexicon: Lexicon) -> None:
    kinds = [one.kind for one in chronicle(game("corrige_and_rehaz", lexicon)).disputes]
    assert kinds == ["retracted"]


@pytest.mark.parametrize(("kings", "laid"), [(8, "R 3 4 1"), (4, "R 4 3 1")])
def test_a_hand_shows_its_best_card_at_grande_first(
    kings: int, laid: str, lexicon: Lexicon
) -> None:
    text = (GAMES[0].with_name("a_plain_deal.mus")).read_text("utf-8")
    text = text.replace("kings=8", f"kings={kings}").replace("4: S 7 5 4", "4: 4 3 1 R")
    play = play_script(parse_script(text), lexicon)
    hand = chronicle(play.table.records).deals[0].hands[3]
    assert hand
    assert format_hand(hand.cards) == laid


def test_totals_stand_above_their_parts(lexicon: Lexicon) -> None:
    text = told(chronicle(game("a_plain_deal", lexicon)), load_words(), str)
    rows = {line[:22].rstrip(): line.split()[-2:] for line in text.splitlines()}
    assert rows["piedras en total"] == ["10", "1"]
    assert rows["  envite"] == ["7", "0"]
    assert rows["lances ganados"] == ["3", "1"]
    assert rows["  Grande"] == ["1", "0"]


def test_a_journal_without_records_has_no_match() -> None:
    with pytest.raises(HistoryError):
        chronicle([])


def test_an_unfinished_record_is_told_up_to_its_end(lexicon: Lexicon) -> None:
    records = game("a_plain_deal", lexicon)
    for end in range(len(records)):
        if fold(records[: end + 1]):
            found = chronicle(records[: end + 1])
            assert told(found, load_words(), str)


@each_row(
    "change, said",
    [
        ({"score": {"titel": "x"}}, "no such sentence"),
        ({"score": {"title": 3}}, "a text in quotes"),
        ({"deal": {"title": "{number}"}}, "not known here"),
        ({"deal": {"title": "{n"}}, "unpaired brace"),
    ],
)
def test_a_wrong_text_is_named(change: dict[str, dict[str, object]], said: str) -> None:
    table = load_toml(data_dir("models") / "es" / "chronicle.toml")
    for section, texts in change.items():
        table[section] = {**table[section], **texts}
    with pytest.raises(SentenceError, match=said):
        wording_from(table, SHAPE)


def test_a_missing_text_is_named() -> None:
    table = load_toml(data_dir("models") / "es" / "chronicle.toml")
    del table["score"]["title"]
    with pytest.raises(SentenceError, match=r"score\.title: this sentence"):
        wording_from(table, SHAPE)
