"""A message becomes a call, a question or a refusal. Nothing changes before the commit."""

from __future__ import annotations

import pytest

from assistant.language.lexicon import Lexicon
from assistant.messages import (
    Accepted,
    Ask,
    CardsSeen,
    Command,
    Heard,
    Ignored,
    Message,
    Outcome,
    Pressed,
    Refused,
    Told,
    Word,
    batches,
)
from assistant.rules.calls import Bet, Cut, Ordago, Pass, Raise
from assistant.rules.cards import parse_hand
from assistant.rules.engine import open_game
from assistant.rules.events import BetMade, Passed, SeatInferred
from assistant.rules.history import fold, number
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.table.table import Table


@pytest.fixture
def table(lexicon: Lexicon) -> Table:
    names = ("Norte", "Oeste", "Sur", "Este")
    return Table(lexicon, number(open_game(Profile(), names), 0, at=0.0))


def utterance(text: str, seat: int | None = None) -> Heard:
    """Words a tenth of a second apart; a "|" in the text is a pause of a second."""
    words, at = [], 0.0
    for word in text.split():
        if word == "|":
            at += 1.0
            continue
        words.append(Word(word, at, at + 0.3))
        at += 0.4
    return Heard(tuple(words), seat)


def handle(table: Table, message: Message) -> tuple[Outcome, ...]:
    """Propose and commit, as the application does."""
    outcomes = table.propose(message)
    table.commit(batches(outcomes, table.seq, at=0.0))
    assert fold(table.records) == table.state
    return outcomes


def play(table: Table, *lines: str) -> None:
    for line in lines:
        outcomes = handle(table, utterance(line))
        assert all(isinstance(outcome, Accepted) for outcome in outcomes), (line, outcomes)


def test_proposing_changes_nothing(table: Table) -> None:
    before, seq = table.state, table.seq
    assert isinstance(table.propose(utterance("no hay mus"))[0], Accepted)
    assert (table.state, table.seq) == (before, seq)


def test_one_utterance_holds_several_calls_by_several_people(table: Table) -> None:
    play(table, "no hay mus")
    outcomes = handle(table, utterance("paso paso envido quiero"))
    assert [type(outcome) for outcome in outcomes] == [Accepted] * 4
    assert table.state.phase is Phase.CHICA
    assert table.state.results[0].stones == 2


def test_each_call_of_an_utterance_is_a_batch_of_its_own(table: Table) -> None:
    play(table, "no hay mus", "paso paso envido")
    handle(table, Pressed(Command.UNDO))
    assert table.state.pending is None
    assert table.state.spoken == (1, 2)


def test_a_segment_that_is_not_understood_completely_changes_nothing(table: Table) -> None:
    play(table, "no hay mus")
    outcomes = handle(table, utterance("envido la cerveza"))
    assert [type(outcome) for outcome in outcomes] == [Ignored]
    assert table.state.pending is None


def test_talk_after_a_pause_does_not_undo_the_call(table: Table) -> None:
    play(table, "no hay mus")
    outcomes = handle(table, utterance("envido | la cerveza"))
    assert [type(outcome) for outcome in outcomes] == [Accepted, Ignored]
    assert table.state.pending is not None


def test_one_wrong_call_puts_the_whole_breath_in_doubt(table: Table) -> None:
    play(table, "no hay mus")
    outcomes = handle(table, utterance("paso quiero"))
    assert [type(outcome) for outcome in outcomes] == [Refused]
    assert table.state.spoken == ()


def test_a_question_keeps_the_calls_before_it(table: Table) -> None:
    play(table, "no hay mus", "envido")
    outcomes = handle(table, utterance("cinco"))
    assert isinstance(outcomes[0], Ask)
    assert outcomes[0].code == "bare_raise"
    assert outcomes[0].options == (Raise(stones=5), Raise(stones=3))
    assert table.state.pending is not None
    assert table.state.pending.stones == 2


def test_an_unknown_speaker_is_inferred_and_the_inference_recorded(table: Table) -> None:
    play(table, "no hay mus")
    (outcome,) = handle(table, utterance("envido"))
    assert isinstance(outcome, Accepted)
    assert outcome.events[0] == SeatInferred(1, "turn")
    assert isinstance(outcome.events[1], BetMade)


def test_a_known_speaker_is_not_inferred(table: Table) -> None:
    play(table, "no hay mus")
    (outcome,) = handle(table, utterance("paso", seat=3))
    assert isinstance(outcome, Accepted)
    assert [type(event) for event in outcome.events] == [Passed]
    assert table.state.spoken == (3,)


def test_undo_and_redo_work_by_voice(table: Table) -> None:
    play(table, "no hay mus", "envido")
    before = table.state
    play(table, "deshaz")
    assert table.state.pending is None
    play(table, "rehaz")
    assert table.state == before


def test_what_was_said_instead_may_follow_corrige_in_one_breath(table: Table) -> None:
    play(table, "no hay mus", "envido")
    undone, bet = handle(table, utterance("corrige cinco"))
    assert isinstance(undone, Accepted)
    assert undone.call is Command.UNDO
    assert isinstance(bet, Accepted)
    assert table.state.pending is not None
    assert table.state.pending.stones == 5


def test_corrige_takes_back_what_was_said_just_before_in_the_same_breath(table: Table) -> None:
    play(table, "no hay mus", "envido")
    before = table.state
    raised, undone = handle(table, utterance("cinco más corrige"))
    assert isinstance(raised, Accepted)
    assert isinstance(undone, Accepted)
    assert undone.call is Command.UNDO
    assert table.state == before


def test_corrige_counts_even_if_what_follows_it_is_not_allowed(table: Table) -> None:
    """Another player, who has not seen what was wrong, goes on at the same moment."""
    play(table, "no hay mus", "envido")
    (undone,) = handle(table, utterance("corrige quiero"))
    assert isinstance(undone, Accepted)
    assert undone.call is Command.UNDO
    assert table.state.pending is None


def test_undo_never_retracts_the_opening(table: Table) -> None:
    assert handle(table, Pressed(Command.UNDO)) == (
        Refused("undo_nothing", text="There is nothing to take back."),
    )


def test_redo_is_impossible_after_a_new_call(table: Table) -> None:
    play(table, "no hay mus", "envido", "deshaz", "paso")
    (outcome,) = handle(table, Pressed(Command.REDO))
    assert isinstance(outcome, Refused)
    assert outcome.code == "redo_nothing"


def test_a_button_on_an_old_page_is_refused(table: Table) -> None:
    seen = table.seq
    play(table, "no hay mus")
    (outcome,) = handle(table, Pressed(Bet(seat=1), seen=seen))
    assert isinstance(outcome, Refused)
    assert outcome.code == "old_page"
    assert table.state.pending is None


def test_buttons_and_words_make_the_same_events(lexicon: Lexicon) -> None:
    names = ("Norte", "Oeste", "Sur", "Este")
    spoken = Table(lexicon, number(open_game(Profile(), names), 0, at=0.0))
    pressed = Table(lexicon, number(open_game(Profile(), names), 0, at=0.0))
    for words, call in (
        ("no hay mus", Cut(seat=1)),
        ("paso", Pass(seat=1)),
        ("órdago", Ordago(seat=2)),
    ):
        seat = call.seat
        handle(spoken, utterance(words, seat))
        handle(pressed, Pressed(call))
    assert spoken.records == pressed.records


def test_a_paused_table_understands_only_that_it_may_go_on(table: Table) -> None:
    play(table, "no hay mus")
    table.paused = True
    (outcome,) = handle(table, utterance("envido"))
    assert isinstance(outcome, Refused)
    assert outcome.code == "paused"
    assert handle(table, utterance("asistente sigue")) == (Told(Command.RESUME),)


def test_commands_that_change_nothing_are_reported(table: Table) -> None:
    assert handle(table, utterance("cómo vamos")) == (Told(Command.SCORE),)


def test_showing_the_cards_counts_the_deal(table: Table) -> None:
    play(table, "no hay mus", "paso paso paso paso", "paso paso paso paso")
    play(table, "no", "no", "no", "no", "no", "no", "no", "no", "paso paso paso paso")
    hands = ("R C S 7", "C S 7 6", "S 7 6 5", "7 6 5 4")
    assert str(table.state.phase) == "showdown"
    seen = tuple((seat, parse_hand(text)) for seat, text in enumerate(hands, start=1))
    handle(table, CardsSeen(seen))
    assert table.state.phase is Phase.COUNT
