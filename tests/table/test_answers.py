"""Spoken answers: every question of the assistant can be answered in many wordings."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import QUESTIONS, Lexicon
from assistant.language.lexicon.rows import expand
from assistant.messages import (
    Accepted,
    Ask,
    CardsUnclear,
    Command,
    Heard,
    Ignored,
    Lacking,
    Message,
    Outcome,
    Pressed,
    SpeakerEvidence,
    batches,
)
from assistant.messages.showdown import Trouble
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.engine import ASKED, open_game
from assistant.rules.history import number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import PartnerConflict, Penalty, Profile
from assistant.table.asked import ANSWERED_WITHIN
from assistant.table.table import Table
from tests.table.sounds import later, sounding, take, words
from tests.tables import each_row

SEATS = ("Norte", "Oeste", "Sur", "Este")
CODES = ("es", "eu")
NUMBERS = {
    "es": {2: "dos", 3: "tres", 5: "cinco", 20: "veinte"},
    "eu": {2: "bi", 3: "hiru", 5: "bost", 20: "hogei"},
}
SAID = {
    "es": {
        "accept": "quiero", "refuse": "no quiero", "holds": "tengo", "lacks": "no tengo",
        "mus": "mus", "cut": "no hay mus", "pass": "paso", "bet": "envido", "ordago": "órdago",
        "stones": "envido veinte", "other": "envido treinta", "for_us": "la grande para nosotros",
        "undo": "corrige", "player": "es mano Sur", "another": "es mano Este",
        "side": "la grande para Sur", "against": "la grande para Este",
    },
    "eu": {
        "accept": "nahi dut", "refuse": "ez dut nahi", "holds": "bai", "lacks": "ez", "mus": "mus",
        "cut": "musik ez", "pass": "paso", "bet": "enbido", "ordago": "hordago",
        "stones": "enbido hogei", "other": "enbido hogeita hamar", "for_us": "handia guretzat",
        "undo": "zuzendu", "player": "esku Sur", "another": "esku Este",
        "side": "handia Sur", "against": "handia Este",
    },
}  # fmt: skip
RIVAL = {
    "accept": "refuse", "refuse": "accept", "holds": "lacks", "lacks": "holds", "mus": "cut",
    "cut": "mus", "pass": "bet", "bet": "pass", "ordago": "bet", "stones": "other",
    "first": "refuse", "second": "refuse", "player": "another", "side": "against",
}  # fmt: skip
MADE: dict[str, Callable[[c.Call], bool]] = {
    "accept": lambda call: isinstance(call, c.Accept),
    "refuse": lambda call: isinstance(call, c.Refuse),
    "holds": lambda call: call == c.Declare(holds=True),
    "lacks": lambda call: call == c.Declare(holds=False),
    "mus": lambda call: isinstance(call, c.Mus),
    "cut": lambda call: isinstance(call, c.Cut),
    "pass": lambda call: isinstance(call, c.Pass),
    "bet": lambda call: call == c.Bet(),
    "ordago": lambda call: isinstance(call, c.Ordago),
    "stones": lambda call: call == c.Bet(stones=20),
    "first": lambda call: isinstance(call, c.Accept),
    "second": lambda call: isinstance(call, c.Refuse),
    "player": lambda call: call == c.NextDeal(mano=3),
    "side": lambda call: call == c.ClaimLance(lance=Lance.GRANDE, side="A"),
}
NO_PARES = (*(c.Declare(seat=seat, holds=False) for seat in (1, 2, 3, 4)),)
TO_PARES = (c.Cut(seat=1), *(c.Pass(seat=seat) for seat in (1, 2, 3, 4, 1, 2, 3, 4)))
BET_AND_SHOWN = (
    c.Cut(seat=1), c.Bet(seat=1), c.Accept(seat=2), *(c.Pass(seat=seat) for seat in (1, 2, 3, 4)),
    *NO_PARES, *NO_PARES, *(c.Pass(seat=seat) for seat in (1, 2, 3, 4)),
)  # fmt: skip


@cache
def lexicon_of(code: str) -> Lexicon:
    return load_lexicon(CODES if code == "mixed" else (code,))


def table_at(code: str, *calls: c.Call, profile: Profile | None = None) -> Table:
    opened = open_game(profile or Profile(), SEATS)
    table = Table(lexicon_of(code), number(opened, 0, at=0.0))
    for call in calls:
        made = handle(table, Pressed(call))
        assert all(isinstance(outcome, Accepted) for outcome in made), (call, made)
    return table


def counted(code: str, profile: Profile | None = None) -> Table:
    """A table that has counted its first deal."""
    hands = ("RC54", "R764", "7654", "76C1")
    shown = [c.ShowHand(seat=n, cards=parse_hand(hand)) for n, hand in enumerate(hands, start=1)]
    return table_at(code, *BET_AND_SHOWN, *shown, profile=profile)


def open_at(code: str) -> Table:
    """A table where nobody has said yet who is mano."""
    return Table(lexicon_of(code), number(open_game(Profile(), SEATS, None), 0, at=0.0))


def handle(table: Table, message: Message) -> tuple[Outcome, ...]:
    outcomes = table.propose(message)
    table.commit(batches(outcomes, table.seq, at=0.0))
    return outcomes


@dataclass(frozen=True)
class Asked:
    """A table with a pending question, and a check that it was answered as meant."""

    table: Table
    right: Callable[[tuple[Outcome, ...], Table], bool]
    seat: int | None = None
    number: int = 5
    player: str = "Sur"


def calls_of(outcomes: tuple[Outcome, ...]) -> list[object]:
    return [outcome.call for outcome in outcomes if isinstance(outcome, Accepted)]


def makes(*wanted: object) -> Callable[[tuple[Outcome, ...], Table], bool]:
    return lambda outcomes, _table: calls_of(outcomes) == list(wanted)


def ends(code: str) -> Callable[[tuple[Outcome, ...], Table], bool]:
    def right(outcomes: tuple[Outcome, ...], table: Table) -> bool:
        told = [outcome.code for outcome in outcomes if isinstance(outcome, Ignored)]
        return told == [code] == [code] * len(outcomes) and not table.asked

    return right


def asks(table: Table, message: Message, question: str) -> Table:
    outcomes = handle(table, message)
    assert isinstance(outcomes[-1], Ask), outcomes
    assert outcomes[-1].code == question
    return table


def bare_raise(code: str, pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1), c.Bet(seat=1))
    asks(table, Pressed(c.Bet(stones=5)), "bare_raise")
    more = 5 if pick in ("by", "first") else 3
    return Asked(table, makes(c.Raise(stones=more)))


def reenvido(code: str, pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1), c.Bet(seat=1, stones=5))
    asks(table, Pressed(c.Reenvido()), "reenvido")
    return Asked(table, makes(c.Raise(stones=5 if pick == "first" else 2)), number=2)


def which_bet(code: str, pick: str) -> Asked:
    profile = Profile(partner_conflict=PartnerConflict.RIVALS_CHOOSE)
    bets = (c.Cut(seat=1), c.Bet(seat=1), c.Bet(seat=3, stones=5))
    table = asks(table_at(code, *bets, profile=profile), Pressed(c.Accept()), "which_bet")
    return Asked(table, makes(c.Accept(stones=2 if pick in ("first", "fewer") else 5)))


def no_quereis(code: str, pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1), c.Bet(seat=1))
    waits = c.Bet(lance=Lance.CHICA)
    asks(table, Pressed(waits), "no_quereis")
    return Asked(table, makes(c.Accept() if pick == "accept" else c.Refuse(plural=True), waits))


def holders(code: str, pick: str) -> Asked:
    lack = (c.Declare(seat=seat, holds=False) for seat in (1, 2) if pick == "both")
    table = table_at(code, *TO_PARES, *lack)
    asks(table, Pressed(c.Place(lance=Lance.JUEGO)), "holders")
    held = {"only": (False, False, True, False), "nobody": (False,) * 4, "everybody": (True,) * 4}
    held["both"] = (False, False, True, True)

    def right(_outcomes: tuple[Outcome, ...], table: Table) -> bool:
        return table.state.pares == held[pick] and table.state.phase is Phase.JUEGO_SAY

    return Asked(table, right)


def change_of_mind(code: str, pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1), c.Pass(seat=1))
    again = c.Bet(seat=1)
    asks(table, Pressed(again), "change_of_mind")
    if pick == "undo":
        return Asked(table, makes(Command.UNDO, again))
    return Asked(table, makes(replace(again, lance=Lance.CHICA)))


def who(code: str, _pick: str) -> Asked:
    said = (c.Declare(seat=seat, holds=seat % 2 == 1) for seat in (1, 2, 3, 4))
    table = table_at(code, *TO_PARES, *said)
    asks(table, Pressed(c.Declare(lance=Lance.PARES)), "who")
    denied = c.Declare(seat=2, lance=Lance.PARES)
    return Asked(table, makes(denied), player="Oeste")


def whose(code: str, pick: str) -> Asked:
    table = asks(table_at(code, *BET_AND_SHOWN), Heard(words(SAID[code]["for_us"])), "whose")
    side = {"us": "B", "callers": "B", "them": "A", "red": "B"}.get(pick, "A")
    speaker = 2 if pick in ("us", "them") else None
    return Asked(table, makes(c.ClaimLance(lance=Lance.GRANDE, side=side)), speaker)


def faint(said: str) -> Heard:
    return sounding(**{said.replace(" ", "_"): 0.5, "UNK": 0.5})


def sure(code: str, pick: str) -> Asked:
    table = asks(table_at(code, c.Cut(seat=1)), faint(SAID[code]["bet"]), "sure")
    return Asked(table, makes(c.Bet()) if pick == "yes" else ends("taken_back"))


def sure_ordago(code: str, pick: str) -> Asked:
    table = asks(table_at(code, c.Cut(seat=1)), faint(SAID[code]["ordago"]), "sure_ordago")
    return Asked(table, makes(c.Ordago()) if pick == "yes" else ends("taken_back"))


def sure_accept(code: str, pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1), c.Ordago(seat=1))
    asks(table, faint(SAID[code]["accept"]), "sure_accept")
    return Asked(table, makes(c.Accept()) if pick == "yes" else ends("taken_back"))


def sure_undo(code: str, pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1), c.Bet(seat=1))
    far = replace(sounding(**{SAID[code]["undo"].replace(" ", "_"): 1.0}), distant=True)
    asks(table, far, "sure_undo")
    return Asked(table, makes(Command.UNDO) if pick == "yes" else ends("taken_back"))


def which_said(code: str, pick: str) -> Asked:
    said = SAID[code]
    if pick == "next":
        table = table_at(code, c.Cut(seat=1), c.Bet(seat=1), c.Refuse(seat=2))
        asks(table, Heard(words(NUMBERS[code][5])), "which_said")
        return Asked(table, makes(c.Bet(stones=5, lance=Lance.CHICA)))
    before: list[c.Call] = [c.Cut(seat=1)]
    one = "accept" if pick in ("first", "second") else pick
    if pick in ("mus", "cut"):
        before = []
    elif pick in ("holds", "lacks"):
        before = list(TO_PARES)
    elif pick in ("accept", "refuse", "first", "second"):
        before.append(c.Bet(seat=1))
    elif pick == "side":
        before = list(BET_AND_SHOWN)
    table = open_at(code) if pick == "player" else table_at(code, *before)
    likelier, other = said[one].replace(" ", "_"), said[RIVAL[pick]].replace(" ", "_")
    asks(table, sounding(**{likelier: 0.6, other: 0.4}), "which_said")

    def right(outcomes: tuple[Outcome, ...], _table: Table) -> bool:
        made = calls_of(outcomes)
        return len(made) == 1 and isinstance(made[0], c.Call) and MADE[pick](made[0])

    return Asked(table, right, number=20)


def spoken_over(code: str, _pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1))
    asks(table, Heard(words(SAID[code]["bet"]), over=True), "spoken_over")
    return Asked(table, ends("taken_back"))


def unheard(code: str, _pick: str) -> Asked:
    table = table_at(code, c.Cut(seat=1))
    twice = f"{SAID[code]['bet']} UNK {SAID[code]['accept']}".replace(" ", "_")
    asks(table, sounding(**{twice: 1.0}), "unheard")
    return Asked(table, ends("taken_back"))


def cards_unclear(code: str, _pick: str) -> Asked:
    table = table_at(code, *BET_AND_SHOWN)
    asks(table, CardsUnclear((Lacking(3, Trouble.UNCLEAR, 3),)), "cards_unclear")
    return Asked(table, ends("noted"))


def proposal(code: str, pick: str) -> Asked:
    table = table_at(code, profile=Profile(penalty=Penalty.WARN))
    handle(table, Pressed(c.Report(kind=e.Irregularity.EXPOSED_CARD)))
    assert table.state.proposals
    return Asked(table, makes(c.Verdict(apply=pick == "apply")))


def mano(code: str, _pick: str) -> Asked:
    table = open_at(code)

    def right(outcomes: tuple[Outcome, ...], table: Table) -> bool:
        return calls_of(outcomes) == [c.NextDeal(mano=3)] and table.state.mano == 3

    return Asked(table, right)


def new_deal(code: str, pick: str) -> Asked:
    table = counted(code)
    asks(table, sounding(**{SAID[code]["pass"]: 1.0}), "new_deal")
    return Asked(table, makes(c.NextDeal(), c.Pass()) if pick == "yes" else ends("taken_back"))


QUESTIONERS: dict[str, Callable[[str, str], Asked]] = {
    asker.__name__: asker
    for asker in (
        bare_raise, reenvido, which_bet, no_quereis, holders, change_of_mind, who, whose, sure,
        sure_ordago, sure_accept, sure_undo, which_said, spoken_over, unheard, cards_unclear,
        proposal, mano, new_deal,
    )
}  # fmt: skip


def file_of(code: str) -> dict[str, Any]:
    path = Path(__file__).parents[2] / f"models/{code}/lexicon.toml"
    return tomllib.loads(path.read_text("utf-8"))


def answers() -> Iterator[tuple[str, str, str, str]]:
    """Each wording of each file: language, question, answer, and words."""
    for code, question, pick, text in templates():
        yield from ((code, question, pick, wording) for wording in expand(text))


def templates() -> Iterator[tuple[str, str, str, str]]:
    """The same, with the wordings as they are written in the files."""
    for code in CODES:
        table = file_of(code)
        by_question = {**table["answers"]}
        common = by_question.pop("any")
        bare = {"yes": table["yes"], "no": table["no"]}
        for question in ("sure", "sure_ordago", "sure_accept", "sure_undo", "new_deal"):
            for found in (common, bare):
                for pick, texts in found.items():
                    yield from ((code, question, pick, text) for text in texts)
        for question, picks in by_question.items():
            for pick, texts in picks.items():
                yield from ((code, question, pick, text) for text in texts)


def filled(code: str, wording: str, asked: Asked) -> str:
    return (
        wording.replace("{n}", NUMBERS[code][asked.number])
        .replace("{player}", asked.player)
        .replace("{whose}", asked.player)
    )


@each_row("code, question, pick, wording", answers)
def test_each_wording_gives_its_question_the_answer_it_stands_for(
    code: str, question: str, pick: str, wording: str
) -> None:
    asked = QUESTIONERS[question](code, pick)
    assert asked.table.asked
    said = replace(later(Heard(words(filled(code, wording, asked))), 3.0), seat=asked.seat)
    outcomes = take(asked.table, said)
    assert asked.right(outcomes, asked.table), outcomes


@each_row("code", CODES)
@each_row("question", sorted(QUESTIONERS))
def test_each_question_has_at_least_six_answers(code: str, question: str) -> None:
    table = file_of(code)["answers"]
    own = {text for texts in table.get(question, {}).values() for text in texts}
    common = {text for pick in ("yes", "no", "drop") for text in table["any"][pick]}
    assert (
        len(
            own
            if question not in ("sure", "sure_ordago", "sure_undo", "spoken_over", "unheard")
            else common | own
        )
        >= 6
    )


def test_every_question_has_answers(checkout: Path) -> None:
    asked = set(ASKED)
    for path in sorted((checkout / "assistant").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id not in ("AmbiguousCall", "Ask") or not node.args:
                    continue
                code = node.args[0]
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    asked.add(code.value)
    assert asked - PLACED == QUESTIONS - {"any"} == set(QUESTIONERS)


PLACED = {"lost"}
"""A question answered by calls of its own, which tell where the deal stands."""


@each_row("question", sorted(QUESTIONERS))
def test_at_a_table_of_two_languages_both_answer_a_question(question: str) -> None:
    for code in CODES:
        picks = file_of(code)["answers"].get(question) or {"yes": file_of(code)["yes"]}
        pick, texts = next(iter(picks.items()))
        asked = QUESTIONERS[question](code, pick)
        asked.table.lexicon = lexicon_of("mixed")
        said = replace(Heard(words(filled(code, texts[0], asked))), seat=asked.seat)
        outcomes = take(asked.table, later(said, 3.0))
        assert asked.right(outcomes, asked.table), outcomes


@each_row("question", sorted(QUESTIONERS))
def test_an_answer_to_an_old_question_is_ignored(question: str) -> None:
    picks = file_of("es")["answers"].get(question) or {"yes": ["eso es"]}
    pick, texts = next(iter(picks.items()))
    if question in ("no_quereis", "which_said"):
        pick, texts = "accept", ["que sí"]  # "no" alone would refuse the bet
    asked = QUESTIONERS[question]("es", pick)
    take(asked.table, later(Heard(words("ya salió la zorra")), 1.0))
    before = asked.table.state
    said = replace(Heard(words(filled("es", texts[0], asked))), seat=asked.seat)
    take(asked.table, later(said, 2.0 + ANSWERED_WITHIN))
    assert asked.table.state == before


@each_row(
    "question, said",
    [
        ("bare_raise", "quiero"), ("reenvido", "no quiero"), ("which_bet", "no queremos"),
        ("no_quereis", "órdago"), ("holders", "pares sí"), ("change_of_mind", "paso"),
        ("sure", "paso"),
        ("sure_ordago", "envido"), ("sure_accept", "no quiero"), ("which_said", "reenvido"),
        ("spoken_over", "envido"), ("unheard", "envido"), ("proposal", "se perdona"),
        ("mano", "mus"), ("whose", "la grande para Norte"),
        ("who", "asistente deshaz"), ("cards_unclear", "la grande para Norte"),
    ],
)  # fmt: skip
def test_other_calls_than_an_answer_go_on_with_the_game(question: str, said: str) -> None:
    pick = "accept" if question in ("which_said", "no_quereis") else "first"
    asked = QUESTIONERS[question]("es", pick)
    take(asked.table, later(Heard(words("qué llevas")), 2.0))
    outcomes = take(asked.table, later(Heard(words(said)), 4.0))
    assert [outcome for outcome in outcomes if isinstance(outcome, Accepted)], outcomes


def test_no_to_a_faintly_heard_answer_does_not_refuse_the_bet() -> None:
    for said in ("no", "que no", "no lo quiere", "nada"):
        asked = sure_accept("es", "no")
        take(asked.table, later(Heard(words(said)), 2.0))
        assert asked.table.state.pending is not None
        assert not asked.table.state.pending.refused


def test_a_declaration_does_not_answer_a_proposed_penalty() -> None:
    table = table_at("es", *TO_PARES, profile=Profile(penalty=Penalty.WARN))
    handle(table, Pressed(c.Report(seat=4, kind=e.Irregularity.CARD_COUNT, player=4, cards=3)))
    assert table.state.phase is Phase.PARES_SAY
    outcomes = take(table, Heard(words("no")))
    assert calls_of(outcomes) == [c.Declare(holds=False)]


def test_nosotros_by_an_unknown_speaker_answers_nothing() -> None:
    asked = whose("es", "us")
    before = asked.table.state
    take(asked.table, later(Heard(words("nosotros")), 2.0))
    assert asked.table.state == before
    assert asked.table.asked


def test_a_question_stands_until_it_is_answered() -> None:
    table = table_at("es", c.Cut(seat=1))
    stood = [table.asked]
    asks(table, faint("órdago"), "sure_ordago")
    stood.append(table.asked)
    take(table, later(sounding(sí=1.0), 2.0))
    assert [*stood, table.asked] == [None, "sure_ordago", None]


def test_cards_without_a_player_are_those_that_the_camera_asked_for() -> None:
    asked = cards_unclear("es", "noted")
    outcomes = take(asked.table, later(Heard(words("rey rey caballo as")), 3.0))
    assert calls_of(outcomes) == [c.ShowHand(seat=3, cards=parse_hand("R R C 1"))]


def test_hands_without_a_player_belong_to_those_who_are_asked_in_turn() -> None:
    table = table_at("es", *BET_AND_SHOWN)
    for seat in (1, 2, 3, 4):
        outcomes = take(table, Heard(words("siete seis cuatro as")))
        (shown,) = [ev for o in outcomes if isinstance(o, Accepted) for ev in o.events
                    if isinstance(ev, e.HandShown)]  # fmt: skip
        assert shown.seat == seat


@each_row(
    "said, question, call",
    [
        ("órdago quiero", "sure_accept", c.Accept()),
        ("órdago no quiero", "sure", c.Refuse()),
        ("envido quiero", "sure", c.Accept()),
        ("envido venga quiero", "sure", c.Accept()),
        ("envido paso", "sure", c.Pass()),
    ],
)
def test_an_answer_in_one_breath_with_its_bet_is_asked_about(
    said: str, question: str, call: c.Call
) -> None:
    table = table_at("es", c.Cut(seat=1))
    outcomes = take(table, sounding(**{said.replace(" ", "_"): 1.0}))
    (bet,) = calls_of(outcomes)
    assert isinstance(bet, c.Bet | c.Ordago)
    assert outcomes[-1] == Ask(question, (call,))
    assert table.state.phase is Phase.GRANDE
    answer = take(table, later(sounding(sí=1.0), 3.0))
    assert calls_of(answer) == [call]


def test_an_answer_after_a_pause_is_the_other_sides() -> None:
    for said in ("órdago_..._quiero", "envido_..._quiero"):
        table = table_at("es", c.Cut(seat=1))
        outcomes = take(table, sounding(**{said: 1.0}))
        assert calls_of(outcomes)[1:] == [c.Accept()]


def test_an_answer_right_after_its_bet_in_a_script_is_the_other_sides() -> None:
    table = table_at("es", c.Cut(seat=1))
    script = tuple(replace(word, start=0.0, end=0.0) for word in words("órdago quiero"))
    assert calls_of(take(table, Heard(script))) == [c.Ordago(), c.Accept()]


def test_a_question_with_one_allowed_raise_is_answered_by_yes_or_no() -> None:
    for said, made in (("sí", [c.Raise(stones=5)]), ("que sí", [c.Raise(stones=5)]), ("no", [])):
        table = table_at("es", c.Cut(seat=1), c.Bet(seat=1), profile=Profile(min_raise=4))
        (ask,) = handle(table, Pressed(c.Bet(stones=5)))
        assert isinstance(ask, Ask)
        assert ask.options == (c.Raise(stones=5),)
        assert calls_of(take(table, later(Heard(words(said)), 2.0))) == made


def test_yes_does_not_answer_the_question_who_spoke() -> None:
    asked = who("es", "player")
    before = asked.table.state
    take(asked.table, later(Heard(words("eso es")), 2.0))
    assert asked.table.state == before


@each_row("one, other, asked", [(1, 2, False), (1, 3, True), (1, 1, True), (None, None, True)])
def test_a_bet_and_its_answer_in_two_sides_voices_are_not_asked_about(
    one: int | None, other: int | None, asked: bool
) -> None:
    table = table_at("es", c.Cut(seat=1))
    heard = sounding(órdago_quiero=1.0)
    voices = tuple(
        SpeakerEvidence(
            word.start, word.end, tuple(0.97 if at == seat else 0.01 for at in (1, 2, 3, 4))
        )
        for word, seat in zip(heard.words, (one, other), strict=True)
        if seat
    )
    outcomes = take(table, replace(heard, voices=voices))
    assert isinstance(outcomes[-1], Ask) is asked


def test_a_question_about_words_spoken_over_the_voice_can_be_dismissed() -> None:
    table = table_at("es", c.Cut(seat=1))
    asks(table, Heard((), over=True), "spoken_over")
    outcomes = take(table, later(Heard(words("no he dicho nada")), 500.0))
    assert outcomes == (Ignored("taken_back", "no he dicho nada"),)
