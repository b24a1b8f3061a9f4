"""The apprentice's sentences: each event, call and mistake has one, and each one is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import (
    Filler,
    Lexicon,
    Reading,
    Spoken,
    TalkReason,
    context_of,
    words_of,
)
from assistant.language.sentences import SentenceError, wording_from
from assistant.messages import Ask, Ignored, Refused
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.changes import apply
from assistant.rules.engine import open_game
from assistant.rules.history import fold, number
from assistant.rules.legal import MESSAGES
from assistant.rules.phases import Lance
from assistant.rules.profile import BareRaise, Profile, Sides
from assistant.rules.state import State
from assistant.school.apprentice import apprentice_view
from assistant.school.apprentice.choices import kind_of, said
from assistant.school.apprentice.explained import FOLLOWS, key_of, means
from assistant.school.apprentice.page import load_tongue
from assistant.school.apprentice.shape import CALLS, EVENTS, NO_MISTAKE, SHAPE, TAUGHT, UNTRUE
from tests.language.phrases.test_codes import SPARE, codes_in
from tests.rules.listed import legal_calls
from tests.rules.play import PLAIN, Game, envido, mas, no_queremos, no_quiero, pares
from tests.rules.tables import Table
from tests.school.apprentice.tables import (
    GAMES,
    LANGUAGES,
    SPANISH,
    all_steps,
    records_of,
    texts_of,
    view_of,
)
from tests.tables import each_row

SENTENCE = re.compile(r"[¿¡«“]?[\wÁÉÍÓÚÑ%].*[.?!]$", re.DOTALL)
SEVERAL = r"[{}]|  |None|\.\.|, ?\."

RARE_EVENTS: tuple[e.Event, ...] = (
    e.OrdagoMade(1, Lance.GRANDE, both=True),
    e.LanceReopened(Lance.GRANDE),
    e.DeclarationDisproved(1, Lance.JUEGO, holds=False),
    e.DeclarationDisproved(1, Lance.JUEGO, holds=True),
    e.DeclarationDisproved(1, Lance.PARES, holds=False),
    e.DeclarationDisproved(1, Lance.PARES, holds=True),
    e.StonesSet((3, 4)),
    e.StonesAdjusted("A", 2, ""),
    e.StonesAdjusted("A", -2, ""),
    e.BetCorrected(Lance.GRANDE, 5),
    e.CountReopened(),
    e.VacaWon("A"),
    e.MatchWon("B"),
    e.StonesLost("A", 1, Lance.PARES, "5.2"),
    e.IrregularityReported(e.Irregularity.PEEKED, 2),
    e.Retracted(1),
    e.LanceClosed(Lance.PARES, e.How.VOID),
    e.StonesWon("A", 1, Lance.PARES, e.Why.PENALTY),
    e.PenaltyWaived("1.7", e.Remedy.REDEAL),
    e.LanceClaimed(Lance.GRANDE, "A"),
    e.LanceClaimed(Lance.GRANDE, "A", by_cards=True),
    e.ClaimDisproved(Lance.GRANDE, "B", "A"),
    e.ClaimDisproved(Lance.PARES, "A", "A", 4),
)
"""Events that are missing or rare in the golden games. They are explained all the same."""


def told_events() -> list[tuple[e.Event, State]]:
    """Every event of the golden games and the rare ones, with the state after it."""
    found: list[tuple[e.Event, State]] = []
    state: State | None = None
    for game in GAMES:
        state = None
        for record in records_of(game):
            if isinstance(record.event, e.Retracted):
                break
            state = apply(state, record.event)
            found.append((record.event, state))
    assert state is not None
    return [*found, *((event, state) for event in RARE_EVENTS)]


def test_every_kind_of_event_is_explained_in_every_language() -> None:
    kinds = {type(event) for event, _ in told_events()} - {e.SeatInferred}
    assert set(e.EVENTS) - kinds == {e.SeatInferred}, "no test has an event of this kind"
    for code in LANGUAGES:
        tongue = load_tongue(code, "es")
        for event, after in told_events():
            if not isinstance(event, e.SeatInferred):
                text = means(event, after, tongue)
                assert SENTENCE.fullmatch(text), (code, event, text)
                assert not re.search(SEVERAL, text), (code, event, text)


def test_every_sentence_about_an_event_is_used() -> None:
    told = {key_of(ev, after) for ev, after in told_events() if not isinstance(ev, e.SeatInferred)}
    assert set(EVENTS) - told == set()


def odd_tables() -> list[Game]:
    """Tables of other rules, and moments at which no golden game stops."""
    by = Profile(bare_raise=BareRaise.BY, pedrete=1)
    denied = Game().cut().all_pass(2).say(pares(1, holds=False))
    return [
        Game(by),
        Game(by).cut().say(envido(1, 3)),
        Game().cut().say(envido(1), mas(2), no_queremos(1)),
        denied,
        denied.say(*(pares(seat, holds=False) for seat in (2, 3, 4))),
    ]


def every_moment() -> list[State]:
    return [state for state, _ in all_steps()] + [game.state for game in odd_tables()]


def test_every_kind_of_call_is_explained_and_every_explanation_used() -> None:
    told: set[str] = set()
    for state in every_moment():
        for call in legal_calls(state):
            if not isinstance(call, c.ClaimLance | c.Verdict):
                told.add(kind_of(call, state))
    assert told <= set(CALLS)
    assert set(CALLS) - told <= {"mano"}, "a sentence for a call that is never made"


def test_before_the_first_deal_the_question_is_who_is_mano() -> None:
    records = number(open_game(PLAIN, ("Norte", "Oeste", "Sur", "Este"), None), 0, 0.0)
    state = fold(records)
    assert state is not None
    kinds = {kind_of(call, state) for call in legal_calls(state)}
    assert kinds == {"mano"}
    view = apprentice_view(state, records, (), 1, SPANISH)
    assert view["turn"]["text"] == "Falta decir quién es mano."
    assert view["now"] == "Todavía no se ha repartido."


def read_in_context(lexicon: Lexicon, text: str, state: State) -> Reading:
    """The reading of a text after a word like "perdón"."""
    words, context = words_of(text), context_of(state)
    reading = lexicon.read(words, context)
    while isinstance(reading, Filler):
        words = words[reading.taken :]
        reading = lexicon.read(words, context, reading.link)
    return reading


@pytest.mark.parametrize("calls", ["es", "eu"])
def test_the_table_understands_every_call_as_it_is_taught(calls: str) -> None:
    tongue, lexicon = load_tongue("es", calls), load_lexicon((calls,))
    checked = 0
    seen: set[tuple[str, str]] = set()
    for state in every_moment():
        for call in legal_calls(state):
            if isinstance(call, c.ClaimLance | c.Verdict | c.Reenvido):
                continue
            words = said(call, state, tongue)
            if (moment := f"{state.phase} {bool(state.pending)}", words) in seen:
                continue
            seen.add((moment, words))
            reading = read_in_context(lexicon, words.replace(",", ""), state)
            assert isinstance(reading, Spoken), (words, state.phase, reading)
            meant = reading.what
            if isinstance(call, c.Bet) and state.pending:
                assert isinstance(meant, c.Bet | c.Raise), (words, meant)
            else:
                assert type(meant) is type(call), (words, meant)
            for part in ("stones", "holds", "plural", "both"):
                if hasattr(call, part) and getattr(call, part) is not None:
                    assert getattr(meant, part) == getattr(call, part), (words, meant)
            checked += 1
    assert checked > 40


def test_every_code_is_explained_or_is_no_mistake(checkout: Path) -> None:
    sources = sorted((checkout / "assistant").rglob("*.py"))
    codes = {code for path in sources for code in codes_in(path.read_text("utf-8"))}
    raised = codes | set(MESSAGES) | {str(why) for why in TalkReason}
    assert raised - set(TAUGHT) - set(NO_MISTAKE) - set(SPARE) == set()
    assert set(TAUGHT) - raised <= set(SPARE), "a sentence for a code that is never given"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_mistake_has_a_kind_sentence(code: str) -> None:
    tongue, game = load_tongue(code, "es"), Game()
    for given in (*TAUGHT, "of tomorrow"):
        for outcome in (Refused(given), Ask(given), Ignored(given)):
            mistake = view_of(game, 1, outcome, tongue=tongue)["mistake"]
            assert mistake
            assert SENTENCE.fullmatch(mistake["text"]), mistake
            assert not re.search(SEVERAL, mistake["text"]), mistake


def test_table_talk_is_no_mistake() -> None:
    for code in NO_MISTAKE:
        assert view_of(Game(), 1, Ignored(code))["mistake"] is None


@each_row(
    "hand, said_pares, said_juego, code, words",
    [
        ("7 7 6 6", False, False, "denied_pares", "se dice «pares sí»"),
        ("7 6 5 4", True, False, "claimed_pares", "se dice «pares no»"),
        ("R C S 1", False, False, "denied_juego", "Con 31 sí hay juego: se dice «juego sí»"),
        ("R C 6 4", False, True, "claimed_juego", "Con 30 no hay juego: se dice «juego no»"),
    ],
)
def test_r47_a_false_declaration_is_explained_kindly(
    hand: str, said_pares: bool, said_juego: bool, code: str, words: str
) -> None:
    yes = {True: "sí", False: "no"}
    game = Game().to_pares(f"{yes[said_pares]} no no no")
    game.declare(f"{yes[said_juego]} no no no")
    game.all_pass(1) if game.state.lance else None
    game.say(c.ShowHand(seat=1, cards=parse_hand(hand)))
    mistake = view_of(game, 3)["mistake"]
    assert mistake
    assert code in UNTRUE
    assert mistake["code"] == code
    assert words in mistake["text"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_of_every_moment_is_a_sentence(code: str) -> None:
    tongue = load_tongue(code, "es")
    for place, (state, records) in enumerate(all_steps()):
        seat = place % state.players + 1
        view = apprentice_view(state, records, (), seat, tongue)
        for text in texts_of(view):
            assert text == text.strip() != ""
            assert not re.search(SEVERAL, text), text


def test_one_stone_takes_no_plural_verb() -> None:
    for text in SPANISH.texts.values():
        assert not re.search(r"(?i)\b(son|eran|van|quedan|(se )?juegan) \{(stones|cards)\}", text)


def test_a_missing_or_wrong_text_is_named() -> None:
    texts = dict(SPANISH.texts)
    with pytest.raises(SentenceError, match=r"turn\.you: this sentence is missing"):
        wording_from({k: v for k, v in texts.items() if k != "turn.you"}, SHAPE)
    with pytest.raises(SentenceError, match=r"turn\.me: there is no such sentence"):
        wording_from({**texts, "turn.me": "x"}, SHAPE)
    with pytest.raises(SentenceError, match=r"\{who\} is not known here"):
        wording_from({**texts, "turn.you": "Habla {who}."}, SHAPE)
    with pytest.raises(SentenceError, match="unpaired brace"):
        wording_from({**texts, "turn.you": "Habla {."}, SHAPE)


def test_every_kind_that_follows_by_itself_is_an_event() -> None:
    assert not [kind for kind in FOLLOWS if kind not in e.EVENTS]


@each_row(
    "players, sides, says",
    [
        (4, Sides.TWO, "No acepta el envite a la grande. Aún puede quererlo Este."),
        (6, Sides.TWO, "No acepta el envite a la grande. Aún pueden quererlo Este y Bruno."),
        (3, Sides.EACH, "No acepta el envite a la grande. Aún puede quererlo Sur."),
        (2, Sides.TWO, "No acepta el envite a la grande."),
    ],
)
def test_r35_after_one_no_the_players_who_may_still_accept_are_named(
    players: int, sides: Sides, says: str
) -> None:
    """At a table of four this is the partner alone, whatever the seat of the learner."""
    game = Table(players, sides=sides).cut().say(envido(1), no_quiero(2))
    for seat in range(1, players + 1):
        said_last = view_of(game, seat)["said"]
        assert said_last is not None
        assert said_last["means"] == says
