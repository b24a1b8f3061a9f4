"""One tap puts right the last call that was heard, or a hand that was typed wrongly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.cli.mus_score import play_script
from assistant.files.resources import load_phrases
from assistant.language.phrases import Level
from assistant.language.script import ScriptError, parse_script, write_script
from assistant.messages import (
    Accepted,
    Ask,
    CardsSeen,
    Command,
    Heard,
    Narrowed,
    Outcome,
    Pressed,
    Refused,
    batches,
)
from assistant.messages.codec import call_from_dict
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.engine import decide, open_game
from assistant.rules.history import effective, fold, number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Penalty, Profile
from assistant.rules.state import State
from assistant.table.snapshot import snapshot
from assistant.table.table import Table
from tests.lexicons import spanish
from tests.table.sounds import later, sounding, take, words

CHEAP = ("R R C 1", "4 4 5 6", "7 7 4 1", "5 5 S S")
"""Hands with pares for everybody; the third has 26 points, and nobody has juego."""


class Corrected:
    """A table whose calls are heard, and put right with a tap."""

    def __init__(self, profile: Profile | None = None) -> None:
        opening = number(open_game(profile or Profile(), ("N", "O", "S", "E")), 0, at=0.0)
        self.table = Table(spanish(), opening)
        self.now = 0.0

    def hear(self, *said: str) -> None:
        """Hear clear utterances."""
        for text in said:
            self.sound(**{text.replace(" ", "_"): 1.0})

    def sound(self, **ways: float) -> tuple[Outcome, ...]:
        """Hear an utterance with these ways to hear it; "_" stands for a space."""
        self.now += 3.0
        return take(self.table, later(sounding(**ways), self.now))

    def press(
        self, what: c.Call | Command, *, seen: int | None = None, instead: bool = False
    ) -> Outcome:
        """Tap; what is accepted is committed."""
        seen = self.table.seq if seen is None else seen
        outcomes = self.table.propose(Pressed(what, seen, instead=instead))
        self.table.commit(batches(outcomes, self.table.seq, at=0.0))
        return outcomes[0]

    def show(self, *hands: str) -> None:
        """Type one hand after the other, from seat 1."""
        for seat, hand in enumerate(hands, start=1):
            seen = CardsSeen(((seat, parse_hand(hand)),))
            self.table.commit(batches(self.table.propose(seen), self.table.seq, at=0.0))

    def offered(self) -> list[str]:
        """The other calls as the page shows them."""
        shown = snapshot(
            self.state, self.table.records, load_phrases(), version=1, others=self.table.other_calls
        )["others"]
        return [] if shown is None else [option["label"] for option in shown["options"]]

    @property
    def options(self) -> tuple[c.Call, ...]:
        others = self.table.other_calls
        return others.options if others else ()

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def stones_bet(self) -> int:
        assert self.state.pending is not None
        return self.state.pending.stones


@pytest.fixture
def heard() -> Corrected:
    table = Corrected()
    table.hear("no hay mus")
    return table


# ---- which calls are offered -------------------------------------------------------------------


def test_what_the_ear_considered_is_offered_the_likeliest_first(heard: Corrected) -> None:
    heard.sound(envido=0.93, envido_doce=0.02, envido_tres=0.04, órdago=0.01)
    assert heard.offered() == ["Envido 3", "Envido 12", "Órdago"]


def test_the_second_hearing_counts_as_considered(heard: Corrected) -> None:
    said = later(sounding(envido_seis=1.0), 9.0)
    again = later(sounding(envido_seis=0.8, envido_siete=0.2), 9.0).hypotheses
    take(heard.table, replace(said, narrowed=Narrowed(again, 0.0, 0.8)))
    assert heard.offered() == ["Envido 7"]


def test_only_what_is_legal_before_the_call_is_offered(heard: Corrected) -> None:
    heard.sound(paso=0.8, quiero=0.1, pares_sí=0.05, envido=0.05)
    assert heard.offered() == ["Envido 2"]


def test_where_the_ear_considered_nothing_else_the_calls_that_people_confuse_are_offered(
    heard: Corrected,
) -> None:
    heard.hear("envido")
    assert heard.offered() == ["Envido 3", "Envido 4", "Órdago"]
    heard.hear("quiero")
    assert [type(call) for call in heard.options] == [c.Refuse, c.Refuse, c.Raise]


@pytest.mark.parametrize(
    ("before", "said", "offered"),
    [
        ((), "mus", ["No hay mus"]),
        ((), "no hay mus", ["Mus"]),
        (("no hay mus", "envido"), "cinco más", ["4 más", "6 más", "Quiero"]),
        (("no hay mus",), "órdago", ["Envido 2", "Paso"]),
        (("no hay mus", "envido"), "órdago", ["Quiero", "No quiero"]),
        (("no hay mus", *["paso"] * 8), "sí", ["Pares no"]),
    ],
)
def test_every_kind_of_call_has_another_that_it_is_taken_for(
    before: tuple[str, ...], said: str, offered: list[str]
) -> None:
    table = Corrected()
    table.hear(*before)
    table.hear(said)
    assert table.offered() == offered


def test_every_offer_is_legal_where_the_call_was_made_and_makes_something_else(
    heard: Corrected,
) -> None:
    for said in ("envido cinco", "ocho más", "quiero", "paso", "envido", "no queremos"):
        heard.hear(said)
        others = heard.table.other_calls
        assert others is not None, said
        assert isinstance(others.made.call, c.Call)
        calls = (others.made.call, *others.options)
        made = [decide(others.state, call).events for call in calls]
        assert all(one not in made[:at] for at, one in enumerate(made)), said


@pytest.mark.parametrize("said", ["deshaz", "cómo vamos"])
def test_a_command_offers_no_other_call(heard: Corrected, said: str) -> None:
    heard.hear("envido", said)
    if said == "deshaz":
        assert heard.offered() == []
    else:
        assert heard.offered()  # the score was told, and the bet is still the last call


def test_the_answer_to_a_question_is_not_doubted_again(heard: Corrected) -> None:
    outcomes = heard.sound(envido=0.5, sota=0.5)
    assert isinstance(outcomes[-1], Ask)
    heard.hear("sí")
    assert heard.state.pending is not None
    assert heard.offered() == []


# ---- the tap -----------------------------------------------------------------------------------


def test_one_tap_puts_another_call_in_the_place_of_the_last_as_one_correction(
    heard: Corrected,
) -> None:
    before = heard.table.seq
    heard.hear("envido")
    outcome = heard.press(heard.options[0], instead=True)
    assert isinstance(outcome, Accepted)
    assert heard.stones_bet == 3
    batch = {record.batch for record in heard.table.records[before:]}
    assert len(batch) == 2  # the call as it was heard, and its correction
    assert isinstance(outcome.events[0], e.Retracted)
    assert fold(heard.table.records) == heard.state


def test_the_state_after_the_tap_is_as_if_it_had_been_heard_so(heard: Corrected) -> None:
    other = Corrected()
    other.hear("no hay mus", "envido tres", "quiero")
    heard.hear("envido")
    heard.press(heard.options[0], instead=True)
    heard.hear("quiero")
    assert heard.state == other.state
    assert write_script(heard.table.records) == write_script(other.table.records)


def test_stones_that_the_misheard_call_won_are_given_back(heard: Corrected) -> None:
    heard.hear("envido")
    heard.sound(no_queremos=0.8, queremos=0.16, UNK=0.04)
    assert heard.state.stones == (1, 0)
    heard.press(heard.options[0], instead=True)
    assert heard.state.stones == (0, 0)
    result = heard.state.result(Lance.GRANDE)
    assert result is not None
    assert (result.how, result.stones) == ("accepted", 2)


def test_undo_takes_the_correction_back_and_the_call_stands_as_it_was_heard(
    heard: Corrected,
) -> None:
    heard.hear("envido")
    before = heard.state
    heard.press(heard.options[0], instead=True)
    assert heard.state != before
    heard.press(Command.UNDO)
    assert heard.state == before


def test_of_two_calls_in_one_breath_the_last_is_put_right(heard: Corrected) -> None:
    heard.hear("envido ... quiero")
    assert heard.state.phase is Phase.CHICA
    heard.press(c.Refuse(plural=True), instead=True)
    assert (heard.state.phase, heard.state.stones) == (Phase.CHICA, (1, 0))


def test_a_tap_that_comes_too_late_gets_a_sentence_and_moves_no_stone(heard: Corrected) -> None:
    heard.hear("envido")
    seen, late = heard.table.seq, heard.options[0]
    heard.hear("quiero")
    before, records = heard.state, len(heard.table.records)
    for tapped in (seen, heard.table.seq):
        outcome = heard.press(late, seen=tapped, instead=True)
        assert isinstance(outcome, Refused)
        assert load_phrases().answer(outcome, heard.state) == (
            "Ya ha contado otra cosa: no se cambia nada."
        )
    assert (heard.state, len(heard.table.records)) == (before, records)


def test_a_later_call_by_tap_an_undo_and_a_pause_take_the_offer_away(heard: Corrected) -> None:
    for what in (c.Accept(), Command.UNDO):
        heard.hear("envido")
        assert heard.options
        heard.press(what)
        assert heard.options == ()
    heard.hear("envido")
    heard.table.paused = True
    assert heard.options == ()


def test_table_talk_leaves_the_offer_where_it_is(heard: Corrected) -> None:
    heard.hear("envido")
    heard.hear("qué calor hace hoy")
    assert heard.offered() == ["Envido 3", "Envido 4", "Órdago"]


@pytest.mark.parametrize("call", [c.Bet(stones=40), c.Accept(), c.ShowHand(seat=1)])
def test_only_what_is_offered_can_be_put_in_the_place_of_a_call(
    heard: Corrected, call: c.Call
) -> None:
    heard.hear("envido")
    before = heard.state
    assert isinstance(heard.press(call, instead=True), Refused)
    assert heard.state == before


def test_a_call_that_was_tapped_is_offered_no_other(heard: Corrected) -> None:
    heard.press(c.Bet(seat=1, stones=5))
    assert heard.options == ()


# ---- cards that were typed wrongly ---------------------------------------------------------------


def at_the_showdown(penalty: Penalty = Penalty.WARN, *, denies: int = 1) -> Corrected:
    """A table at the showdown, with pares passed; one player has said that he has none."""
    table = Corrected(Profile(penalty=penalty))
    table.press(c.Cut(seat=1))
    for _ in range(8):
        table.press(c.Pass())
    for seat in (1, 2, 3, 4):
        table.press(c.Declare(seat=seat, holds=seat != denies))
    while table.state.phase is Phase.PARES:
        table.press(c.Pass())
    for seat in (1, 2, 3, 4):
        table.press(c.Declare(seat=seat, holds=False))
    while table.state.phase is Phase.PUNTO:
        table.press(c.Pass())
    assert table.state.phase is Phase.SHOWDOWN
    return table


def contradicted(table: Corrected) -> list[tuple[int, str, bool, str | None]]:
    shown = snapshot(table.state, table.table.records, load_phrases(), version=1)
    return [(c["seat"], c["lance"], c["said"], c["article"]) for c in shown["contradictions"]]


def test_cards_against_what_was_declared_are_marked_at_the_seat_as_soon_as_they_are_typed() -> None:
    table = at_the_showdown()
    assert contradicted(table) == []
    table.show("R R C 1")
    assert contradicted(table) == [(1, "pares", False, None), (1, "juego", False, None)]


def test_the_right_cards_take_an_article_back_that_wrong_ones_have_proposed() -> None:
    table = at_the_showdown()
    table.show("R R 5 1", *CHEAP[1:])
    assert contradicted(table) == [(1, "pares", False, "5.3")]
    outcome = table.press(c.ShowHand(seat=1, cards=parse_hand("R C 5 1")), instead=True)
    assert isinstance(outcome, Accepted)
    assert table.state.proposals == ()
    assert table.state.phase is Phase.COUNT
    assert contradicted(table) == []
    assert fold(table.table.records) == table.state


def test_cards_are_put_right_after_an_article_was_applied_and_the_deal_counted() -> None:
    table = at_the_showdown(Penalty.INTERPENAS)
    table.show("R R 5 1", *CHEAP[1:])
    assert table.state.phase is Phase.COUNT
    assert table.state.incidents.applied
    table.press(c.ShowHand(seat=1, cards=parse_hand("R C 5 1")), instead=True)
    honest = at_the_showdown(Penalty.INTERPENAS)
    honest.show("R C 5 1", *CHEAP[1:])
    assert table.state == honest.state
    assert write_script(table.table.records) == write_script(honest.table.records)


@pytest.mark.parametrize("penalty", Penalty)
def test_an_article_is_told_only_by_a_profile_that_has_it(penalty: Penalty) -> None:
    table = at_the_showdown(penalty)
    table.show("R R 5 1", *CHEAP[1:])
    shown = snapshot(table.state, table.table.records, load_phrases(), version=1)
    [only] = shown["contradictions"]
    if penalty is Penalty.OFF:
        assert (only["article"], only["text"]) == (None, "")
        return
    assert only["article"] == "5.3"
    assert only["text"] == "N negó los pares, y los pares y la negada son para O y E."
    cited = only["cited"]
    if penalty is Penalty.WARN:
        assert cited is None, "a table without regulations shows those of another"
        assert shown["proposal"] is not None
        assert shown["proposal"]["cited"] is None
        assert "rtículo" not in shown["proposal"]["text"]
    else:
        assert cited is not None
        assert (cited["number"], cited["source"]) == ("5.3", "Reglamento de Mus Interpeñas 1996")
        assert cited["text"].startswith("Si uno o dos compañeros negasen los pares")


def test_cards_are_put_right_twice_and_an_undo_restores_each_time() -> None:
    table = at_the_showdown()
    table.show("R R 5 1", *CHEAP[1:])
    states = [table.state]
    for hand in ("R C 5 1", "R S 5 1"):
        table.press(c.ShowHand(seat=1, cards=parse_hand(hand)), instead=True)
        assert table.state.hands[0] == parse_hand(hand)
        states.append(table.state)
    for state in reversed(states[:-1]):
        table.press(Command.UNDO)
        assert table.state == state


def test_what_was_put_right_after_the_count_stays_when_cards_are_given_anew() -> None:
    table = at_the_showdown()
    table.show("R C 5 1", *CHEAP[1:])
    stones = table.state.stones
    table.press(c.AdjustStones(side="B", stones=2, reason="se contó mal"))
    table.press(c.ShowHand(seat=2, cards=parse_hand("4 4 5 7")), instead=True)
    assert table.state.stones[1] == stones[1] + 2


def test_cards_of_a_deal_that_is_over_are_not_put_right() -> None:
    table = at_the_showdown()
    table.show("R C 5 1", *CHEAP[1:])
    table.press(c.NextDeal())
    before = table.state
    outcome = table.press(c.ShowHand(seat=1, cards=parse_hand("R C 5 4")), instead=True)
    assert isinstance(outcome, Refused)
    assert table.state == before


def test_cards_that_nobody_can_hold_are_refused_when_given_anew() -> None:
    table = at_the_showdown()
    table.show("R C 5 1", "4 4 5 6", "4 4 7 1", "5 5 S S")
    before = table.state
    outcome = table.press(c.ShowHand(seat=1, cards=parse_hand("4 5 5 1")), instead=True)
    assert outcome == Refused("cards_wrong", text=getattr(outcome, "text", ""))
    assert table.state == before


# ---- stones by agreement -------------------------------------------------------------------------


def phases() -> list[Corrected]:
    """Tables in the phases of a second deal, at which claims are closed without a reason."""
    tables = []
    for said in ((), ("no hay mus",), ("no hay mus", "envido"), ("no hay mus", *["paso"] * 8)):
        table = at_the_showdown()
        table.show("R C 5 1", *CHEAP[1:])
        table.press(c.NextDeal())
        table.hear(*said)
        tables.append(table)
    return tables


def test_stones_are_put_right_with_a_reason_in_every_phase_and_undone() -> None:
    for table in phases():
        before = table.state
        for claim in (
            c.AdjustStones(side="A", stones=1),
            c.AdjustStones(side="A", stones=1, agreed=True),
            c.AdjustStones(side="A", stones=1, reason="se contó mal"),
        ):
            bare = table.press(claim)
            assert isinstance(bare, Refused), (before.phase, claim)
            assert bare.code == "claim_closed"
        outcome = table.press(
            c.AdjustStones(side="A", stones=1, reason="se contó mal", agreed=True)
        )
        assert isinstance(outcome, Accepted), before.phase
        assert table.state.stones == (before.stones[0] + 1, before.stones[1])
        assert table.state.phase is before.phase
        assert table.state.pending == before.pending
        table.press(Command.UNDO)
        assert table.state == before


def test_stones_put_right_by_hand_stand_in_the_script_and_play_again() -> None:
    for table in phases():
        table.press(c.AdjustStones(side="B", stones=2, reason="se contó mal", agreed=True))
        text = write_script(table.table.records)
        assert "agreed: B=+2 se contó mal" in text
        play = play_script(parse_script(text), spanish())
        assert play.failure is None
        assert play.table.state == table.state
        assert write_script(play.table.records) == text


@pytest.mark.parametrize("wrong", ["A=1", "A=-1", "G=-1 x", "se contó mal", "A=+1000 x"])
def test_a_script_refuses_stones_by_hand_without_side_stones_and_reason(wrong: str) -> None:
    with pytest.raises(ScriptError):
        parse_script(f"mano: 1\nagreed: {wrong}\n")


def test_the_page_is_told_that_a_reason_is_needed_where_claims_are_closed() -> None:
    def offers(table: Corrected) -> set[bool]:
        shown = snapshot(table.state, table.table.records, load_phrases(), version=1)
        assert [offer["side"] for offer in shown["incidents"]["stones"]] == ["A", "B"]
        for offer in shown["incidents"]["stones"]:
            assert isinstance(call_from_dict(offer["call"]), c.AdjustStones)
        return {offer["needs_reason"] for offer in shown["incidents"]["stones"]}

    assert offers(at_the_showdown()) == {False}
    assert [offers(table) for table in phases()] == [{True}] * 4


def test_stones_put_right_are_said_aloud_and_stand_in_the_log_with_their_reason() -> None:
    phrases = load_phrases()
    table = phases()[1]
    before = table.state
    outcome = table.press(c.AdjustStones(side="A", stones=-1, reason="piedra de más", agreed=True))
    assert isinstance(outcome, Accepted)
    said = phrases.say(outcome.events, before, table.state, level=Level.ESSENTIAL)
    assert said is not None
    assert said.startswith("Una menos para N y S.")
    line = phrases.log_line(outcome.events[0], table.state, table.table.records)
    assert "piedra de más" in line
    assert effective(table.table.records)[-1].event == e.StonesAdjusted("A", -1, "piedra de más")


def test_a_typed_call_is_offered_the_calls_that_people_confuse(heard: Corrected) -> None:
    take(heard.table, Heard(words("envido")))
    assert heard.offered() == ["Envido 3", "Envido 4", "Órdago"]
