"""The record of a match: every stone with its reason, and a second count of all of them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.cli.mus_score import Play, play_script
from assistant.files.resources import load_phrases
from assistant.language.phrases import Phrases
from assistant.language.script import parse_script
from assistant.language.sentences import SentenceError, wording_from
from assistant.review.mus_record import load_words
from assistant.review.record import (
    SHAPE,
    MatchTold,
    NoSuchDealError,
    Note,
    as_json,
    build,
    clean,
    deal_script,
    markdown,
)
from assistant.review.record.build import moves
from assistant.review.record.recount import recount
from assistant.review.record.sections import RecordStep, Section, batches_of, sections
from assistant.review.record.shape import ROWS
from assistant.rules import events as e
from assistant.rules.history import Record, effective
from assistant.rules.phases import Lance
from assistant.rules.profile import Articles
from assistant.table.journal import MemoryJournal
from scripts.lab.bench_rules import matches, play_into
from tests.lexicons import spanish
from tests.tables import each_row

from .evening import GAMES, Evening, script

ALL = sorted(path.stem for path in GAMES.glob("*.mus"))
FOUR_JUEGOS = "rules: juegos=3 target=40\n" + "".join(
    f"mano: {mano}\n{mano}: no hay mus\n{mano}: órdago\n{mano % 4 + 1}: quiero\n"
    + "".join(
        f"cards {seat}: {'R R 5 4' if seat == best else '7 6 5 4'}\n" for seat in (1, 2, 3, 4)
    )
    for mano, best in ((1, 1), (2, 2), (3, 3), (4, 1))
)


@pytest.fixture(scope="module")
def phrases() -> Phrases:
    return load_phrases()


def play(text: str) -> Play:
    played = play_script(parse_script(text), spanish())
    assert played.failure is None
    return played


def game(name: str) -> str:
    return (GAMES / f"{name}.mus").read_text(encoding="utf-8")


def record_of_script(tmp_path: Path, phrases: Phrases, text: str) -> MatchTold:
    """The record of a script that was played at a real table."""
    read = parse_script(text)
    evening = Evening(tmp_path / "j.sqlite3", game=read)
    evening.play(read)
    heard = evening.journal.heard(10_000)
    notes = [Note(h.at, h.text, h.seat, h.outcome, h.detail) for h in heard]
    records = evening.journal.read()
    evening.close()
    return build("game-1", records, notes, phrases, zone=UTC)


def page(match: MatchTold, phrases: Phrases) -> str:
    return markdown(match, load_words(), phrases)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory, phrases: Phrases) -> dict[str, MatchTold]:
    """The record of each golden game by its name; playing them takes seconds."""
    return {
        name: record_of_script(tmp_path_factory.mktemp("golden"), phrases, game(name))
        for name in ALL
    }


@each_row("name", ALL)
def test_the_second_count_of_every_golden_game_agrees(
    golden: dict[str, MatchTold], phrases: Phrases, name: str
) -> None:
    read = script(name)
    match = golden[name]
    assert match.seats == read.seats
    for deal in match.deals:
        assert deal.agrees, [check for check in deal.checks if check.agrees is False]
        assert {check.code for check in deal.checks} >= {"sum"}
        if deal.moves:
            assert deal.moves[-1].score == deal.after
    text = page(match, phrases)
    assert "NO CUADRA" not in text
    assert json.loads(json.dumps(as_json(match)))["deals"]


@each_row("name", ALL)
def test_every_stone_of_a_golden_game_has_its_reason(
    golden: dict[str, MatchTold], name: str
) -> None:
    match = golden[name]
    for deal in match.deals:
        for move in deal.moves:
            assert move.why != "other"
            assert move.rows
        for side in match.sides:
            moved = sum(move.stones for move in deal.moves if move.side == side)
            assert deal.before.stones[side] + moved == deal.after.stones[side]


@each_row(
    "name, lance, why, rows",
    [
        ("a_plain_deal", "pares", "deje_first", "R24"),
        ("a_plain_deal", "pares", "pares_refused", "R28"),
        ("a_plain_deal", "chica", "paso", "R20"),
        ("a_plain_deal", "grande", "bet", "R27"),
        ("a_plain_deal", "punto", "punto_accepted", "R29"),
        ("raises_refused_pay_what_stood", "grande", "deje_raise", "R25"),
        ("ordago_refused_pays_what_stood", None, "deje_ordago", "R34"),
        ("unknown_voices", "pares", "pares_uncontested", "R17"),
        ("ordago_accepted_at_grande", None, "juego_ordago", "R32"),
        ("a_deje_ends_the_juego", None, "juego_deje", "R60"),
        ("juegos_and_match", None, "match", "R41"),
        ("early_stop_at_38_38", None, "juego_target", "R30"),
    ],
)
def test_a_reason_cites_its_rule(
    tmp_path: Path, phrases: Phrases, name: str, lance: str | None, why: str, rows: str
) -> None:
    moves = [
        move
        for deal in record_of_script(tmp_path, phrases, game(name)).deals
        for move in deal.moves
    ]
    found = [move for move in moves if move.why == why and lance in (None, move.lance)]
    assert found
    assert all(rows in move.rows for move in found)


def test_every_reason_cites_a_row_of_the_rules(checkout: Path) -> None:
    rules = (checkout / "docs" / "rules.md").read_text(encoding="utf-8")
    cited = {row for rows in ROWS.values() for row in rows}
    assert cited
    assert {row for row in cited if f"| {row} |" not in rules} == set()


def test_a_deje_is_paid_at_once_and_the_rest_at_the_count(tmp_path: Path, phrases: Phrases) -> None:
    (deal,) = record_of_script(tmp_path, phrases, game("a_plain_deal")).deals
    told_as = [(m.when, m.lance, m.stones, m.score.stones) for m in deal.moves]
    assert told_as == [
        ("at_once", "pares", 1, {"A": 1, "B": 0}),
        ("count", "grande", 5, {"A": 6, "B": 0}),
        ("count", "chica", 1, {"A": 6, "B": 1}),
        ("count", "pares", 1, {"A": 7, "B": 1}),
        ("count", "punto", 2, {"A": 9, "B": 1}),
        ("count", "punto", 1, {"A": 10, "B": 1}),
    ]


def test_an_undone_call_is_struck_through_with_the_words_that_undid_it(
    tmp_path: Path, phrases: Phrases
) -> None:
    match = record_of_script(tmp_path, phrases, game("corrige_and_rehaz"))
    text = page(match, phrases)
    assert "~~Sur envida 2 a chica~~ (deshecho a las 20:27:01 con «corrige»)" in text
    assert "«rehaz» → Rehecho: envido 2 a la chica, de Sur" in text
    assert "Este quiere la grande\n" in text  # said after the undo, so it counts
    (deal,) = match.deals
    gone = [call for message in deal.messages for call in message.calls if call.taken_back]
    assert [call.taken_back.words for call in gone if call.taken_back] == ["corrige", "rehaz"]


def test_an_inferred_player_is_named_with_the_reason(tmp_path: Path, phrases: Phrases) -> None:
    text = page(record_of_script(tmp_path, phrases, game("several_voices_in_one_breath")), phrases)
    assert "?: «paso paso envido quiero»\n    - Norte, paso *(a Norte, porque le tocaba)*" in text
    assert "Este quiere la grande *(a Este, porque solo podía su pareja)*" in text
    assert "Sur no quiere (se entiende)" in text


def test_talk_refusals_and_questions_are_listed_in_their_place(
    tmp_path: Path, phrases: Phrases
) -> None:
    lines = [
        "mano: 1",
        "1: no hay mus",
        "1: envido",
        "2: cinco",
        "3: quiero",
        "3: qué calor hace",
    ]
    text = page(record_of_script(tmp_path, phrases, "\n".join(lines)), phrases)
    at = [text.index(f"«{words}»") for words in ("envido", "cinco", "quiero", "qué calor hace")]
    assert at == sorted(at)
    assert "Oeste: «cinco» → *se preguntó: " in text
    assert "Sur: «quiero» → *no valió: " in text
    assert "Sur: «qué calor hace» → *no se tuvo en cuenta: " in text


def test_talk_is_counted_and_not_printed(tmp_path: Path, phrases: Phrases) -> None:
    talk = "".join(f"3: qué calor hace hoy {'ya ' * n}\n" for n in range(1, 41))
    match = record_of_script(tmp_path, phrases, f"mano: 1\n1: no hay mus\n{talk}1: paso\n")
    text = page(match, phrases)
    assert text.count("qué calor hace") == 3
    assert "... y más frases que no eran jugadas: 37" in text
    assert len(match.deals[0].messages) == 43


def test_four_juegos_are_listed_deal_by_deal(tmp_path: Path, phrases: Phrases) -> None:
    match = record_of_script(tmp_path, phrases, FOUR_JUEGOS)
    assert [deal.after.juegos for deal in match.deals] == [
        {"A": 1, "B": 0},
        {"A": 1, "B": 1},
        {"A": 2, "B": 1},
        {"A": 3, "B": 1},
    ]
    assert match.winner == "A"
    assert [deal.before.stones for deal in match.deals] == [{"A": 0, "B": 0}] * 4
    assert "Partida para Norte y Sur" in page(match, phrases)


def test_a_deal_that_began_by_mistake_is_listed_with_its_repetition(
    tmp_path: Path, phrases: Phrases
) -> None:
    text = game("a_deje_ends_the_juego") + "\n1: corrige\n2: no hay mus\n"
    match = record_of_script(tmp_path, phrases, text)
    assert [deal.deal for deal in match.deals] == [1, 2]
    words = [message.words for message in match.deals[1].messages]
    assert words == ["mus", "corrige", "no hay mus"]
    assert match.deals[1].messages[0].calls[0].taken_back is not None


def test_a_shortened_heard_log_is_mentioned(phrases: Phrases) -> None:
    records = play(game("a_plain_deal")).table.records
    late = [Note(records[-1].at + 1.0, "mus", 1, "ignored", "talk")]
    said = "ya no se conserva todo lo que se oyó"
    assert said in page(build("x", records, late, phrases, forgotten=True), phrases)
    assert said not in page(build("x", records, late, phrases), phrases)


def test_the_second_count_of_random_matches_agrees(phrases: Phrases) -> None:
    for said in matches(30):
        journal = MemoryJournal()
        play_into(journal, said)
        match = build("x", journal.read(), [], phrases)
        assert sum(len(deal.moves) for deal in match.deals) > 90
        assert [c for deal in match.deals for c in deal.checks if c.agrees is False] == []


def decided(*events: tuple[e.Event, tuple[int, ...]]) -> Section:
    """A plain deal, followed by decisions of the table and the stones they led to."""
    records = play(game("a_plain_deal")).table.records
    (section,) = sections(records, batches_of(records), ())
    steps = list(section.steps)
    for event, stones in events:
        last = steps[-1]
        record = Record(last.record.seq + 1, last.record.seq + 1, last.record.at, event)
        steps.append(RecordStep(record, last.after, replace(last.after, stones=stones)))
    return Section(tuple(steps))


def test_decisions_of_the_table_are_summed_up_and_not_counted_again() -> None:
    article = e.PenaltyApplied("5.2", e.Remedy.DENIED, 1, Lance.PARES)
    checks = recount(decided((article, (10, 1))))
    assert [check.code for check in checks] == ["sum", "sum", "skipped"]
    assert [check.agrees for check in checks] == [True, True, None]


@each_row(
    "event, stones, agrees",
    [
        (e.StonesAdjusted("A", 2, "una chica mal contada"), (12, 1), True),
        (e.StonesAdjusted("B", -1, "iba de más"), (10, 0), True),
        (e.StonesAdjusted("A", 2, "y no llegaron"), (11, 1), False),
        (e.StonesLost("A", 3, Lance.PARES, "5.2"), (7, 1), True),
        (e.StonesSet((4, 6)), (4, 6), True),
        (e.StonesSet((4, 6)), (4, 5), False),
    ],
)
def test_stones_given_by_the_table_are_listed_with_their_reason(
    event: e.Event, stones: tuple[int, ...], agrees: bool
) -> None:
    section = decided((event, stones))
    sums = [check.agrees for check in recount(section) if check.code == "sum"]
    assert all(sums) is agrees
    new = [
        m for m in moves(section, lambda at: datetime.fromtimestamp(at, UTC)) if m.when == "table"
    ]
    assert {move.why for move in new} <= {"adjusted", "lost", "set"}
    assert new
    # The table's own regulations have no article: none is named.
    assert {move.note for move in new} == {getattr(event, "reason", "")}


def test_the_article_that_takes_stones_back_is_named_where_the_tables_regulations_have_it() -> None:
    section = decided((e.StonesLost("A", 3, Lance.PARES, "5.2"), (7, 1)))
    by_interpenas = [
        replace(
            step,
            after=replace(
                step.after, profile=replace(step.after.profile, articles=Articles.INTERPENAS)
            ),
        )
        for step in section.steps
    ]
    section = Section(tuple(by_interpenas))
    [lost] = [
        m for m in moves(section, lambda at: datetime.fromtimestamp(at, UTC)) if m.why == "lost"
    ]
    assert lost.note == "5.2"


@each_row(
    "was, now, code",
    [
        (e.StonesWon("A", 5, Lance.GRANDE, e.Why.BET), {"stones": 6}, "prize"),
        (e.StonesWon("A", 1, Lance.PARES, e.Why.DEJE), {"stones": 2}, "prize"),
        (e.StonesWon("B", 1, Lance.CHICA, e.Why.PASO), {"side": "A"}, "prize"),
        (e.LanceDecided(Lance.GRANDE, 1, "A"), {"seat": 3}, "winner"),
    ],
)
def test_the_second_count_finds_a_wrong_number_in_the_journal(
    phrases: Phrases, was: e.Event, now: dict[str, object], code: str
) -> None:
    records = play(game("a_plain_deal")).table.records
    assert was in [record.event for record in records]
    doctored = [r._replace(event=replace(was, **now)) if r.event == was else r for r in records]
    match = build("game-1", doctored, [], phrases, zone=UTC)
    (deal,) = match.deals
    assert not deal.agrees
    assert [check.code for check in deal.checks if check.agrees is False] == [code]
    assert "**NO CUADRA**" in page(match, phrases)
    assert as_json(match)["deals"][0]["agrees"] is False


def test_the_second_count_finds_missing_stones(phrases: Phrases) -> None:
    records: list[Record] = list(play(game("a_plain_deal")).table.records)
    gone = next(r for r in records if isinstance(r.event, e.StonesWon) and r.event.stones == 5)
    match = build("x", [r for r in records if r is not gone], [], phrases, zone=UTC)
    assert not match.deals[0].agrees


# A single deal does not tell who was mano in the deal before it.
ALONE = [name for name in ALL if "articulo_1_6" not in name]


@each_row("name", ALONE)
def test_a_single_deal_plays_to_the_same_stones(phrases: Phrases, name: str) -> None:
    records = play(game(name)).table.records
    match = build(name, records, [], phrases)
    for deal in match.deals:
        again = play(deal_script(records, deal.deal))
        (alone,) = build("alone", again.table.records, [], phrases).deals
        assert alone.after.stones == deal.after.stones
        assert alone.finished == deal.finished
        won = [(m.side, m.stones, m.lance, m.why) for m in alone.moves if m.when != "table"]
        # The juegos before it are not in its script, so a match may end in one and not in the
        # other.
        ends = {"match", "vaca"}
        assert [m for m in won if m[3] not in ends] == [
            (m.side, m.stones, m.lance, m.why)
            for m in deal.moves
            if m.when != "table" and m.why not in ends
        ]


def test_a_deal_that_was_not_played_is_refused(phrases: Phrases) -> None:
    records = play(game("a_plain_deal")).table.records
    with pytest.raises(NoSuchDealError, match="choose 1 to 1"):
        build("x", records, [], phrases, deal=2)
    with pytest.raises(NoSuchDealError):
        deal_script(records, 2)


def test_names_and_words_cannot_inject_markup_or_control_characters() -> None:
    assert clean("a|b*c\x1b[2J~<x>") == "a\\|b\\*c \\[2J\\~\\<x\\>"


def test_a_time_outside_the_calendar_is_no_error(phrases: Phrases) -> None:
    records = [r._replace(at=1e300) for r in play(game("a_plain_deal")).table.records]
    match = build("x", records, [], phrases, zone=UTC)
    assert match.began.year == 1970
    assert len(match.deals) == 1
    assert effective(records)


@each_row(
    "change, said",
    [
        ({"page": {}}, "page.title: this sentence is missing"),
        ({"jokes": "ha"}, "jokes: there is no such sentence"),
        ({"how": {"passed": 3}}, "how.passed: a sentence is a text in quotes"),
        ({"deal": {"title": "Mano {dela}"}}, "{dela} is not known here; it may hold {deal}"),
        ({"deal": {"title": "Mano {deal"}}, "unpaired brace"),
    ],
)
def test_a_wrong_sentence_is_named(change: dict[str, object], said: str) -> None:
    texts = load_words().texts
    nested: dict[str, object] = {}
    for key, text in texts.items():
        room, _, name = key.partition(".")
        table = nested.setdefault(room, {})
        assert isinstance(table, dict)
        table[name] = text
    wording_from(nested, SHAPE)
    for room, value in change.items():
        whole = nested.get(room)
        merged = value and isinstance(whole, dict) and isinstance(value, dict)
        nested[room] = {**whole, **value} if merged else value  # type: ignore[dict-item]
    with pytest.raises(SentenceError) as raised:
        wording_from(nested, SHAPE)
    assert said in str(raised.value)
