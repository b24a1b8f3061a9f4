"""Random tables of every size and house rule, told in every language, errors included."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from assistant.language.phrases import Level, Phrases
from assistant.messages import Ask, Command, Told
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import DECK, HAND_SIZE
from assistant.rules.engine import apply, decide, missing_hands, open_game
from assistant.rules.errors import AmbiguousCall, CallError, IllegalCall
from assistant.rules.history import Record, number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Corrido, PartnerConflict, Penalty, Profile, Sides
from assistant.rules.state import State
from tests.rules.listed import legal_calls
from tests.tables import each_row

NAMES = ("Ana", "Luis", "Eva", "Jon", "Iñaki", "Pilar")
BROKEN = re.compile(r"[{}]|\bNone\b|  |:\.|\.\.| ,")
SEEDS = range(30)


@dataclass(frozen=True)
class Moment:
    """One batch, or one call that moved nothing, with the states before and after it."""

    events: tuple[e.Event, ...]
    before: State | None
    after: State
    records: tuple[Record, ...]
    error: CallError | None = None


def house_rules(chance: random.Random, each: bool) -> Profile:
    return Profile(
        target=20,
        juegos=chance.choice([1, 2]),
        vacas=chance.choice([1, 2]),
        sides=Sides.EACH if each else Sides.TWO,
        corrido=chance.choice(list(Corrido)),
        penalty=chance.choice([Penalty.WARN, Penalty.INTERPENAS]),
        pedrete=1,
        partner_conflict=chance.choice(list(PartnerConflict)),
        show_is_accept=chance.random() < 0.5,
        auto_declare=chance.random() < 0.3,
    )


@cache
def evening(seed: int) -> tuple[Moment, ...]:
    """Random calls, legal or not, at a table of random size."""
    return tuple(_moments(random.Random(seed)))


def _moments(chance: random.Random) -> Iterator[Moment]:
    each = chance.random() < 0.4
    players = chance.choice([2, 3, 4, 5, 6] if each else [2, 4, 4, 6])
    events = open_game(house_rules(chance, each), NAMES[:players], 1)
    records: list[Record] = []
    state: State | None = None
    for _ in range(120):
        before, after = state, state
        for event in events:
            after = apply(after, event)
        assert after is not None
        records.extend(number(events, len(records), at=0.0))
        yield Moment(events, before, after, tuple(records))
        state = after
        if state.phase is Phase.OVER:
            return
        events = ()
        while not events:
            try:
                events = decide(state, _call(state, chance)).events
            except (AmbiguousCall, IllegalCall) as error:
                yield Moment((), state, state, tuple(records), error)


def _call(state: State, chance: random.Random) -> c.Call:
    if chance.random() < 0.08:
        return chance.choice(_out_of_the_game(state, chance))
    if state.proposals and chance.random() < 0.7:
        return c.Verdict(apply=chance.random() < 0.7)
    if (missing := missing_hands(state)) and chance.random() < 0.8:
        lying = [card for hand in state.hands if hand for card in hand]
        left = [card for card in DECK if card not in lying]
        return c.ShowHand(seat=missing[0], cards=tuple(chance.sample(left, HAND_SIZE)))
    if state.phase is Phase.COUNT:
        return c.NextDeal()
    calls = legal_calls(state)
    quiet = [call for call in calls if not isinstance(call, c.Ordago)]
    return chance.choice(quiet if quiet and chance.random() < 0.95 else calls)


def _out_of_the_game(state: State, chance: random.Random) -> list[c.Call]:
    seat, lance = chance.randint(1, state.players), chance.choice(list(Lance))
    kind = chance.choice(list(e.Irregularity))
    return [
        c.Report(seat=1, kind=kind, player=seat, cards=chance.choice([3, 5])),
        c.Redeal(),
        c.AdjustStones(seat=1, side="A", stones=chance.choice([-2, 2]), reason="por error"),
        c.CorrectBet(lance=lance, stones=7),
        c.ClaimLance(lance=lance, whose=c.Whose.US, values=chance.choice([(), (1,), (3, 2)])),
        c.Raise(seat=seat, stones=3),
        c.Bet(seat=seat, stones=9),
    ]


@each_row("seed", SEEDS)
def test_every_outcome_has_sentences(phrases: Phrases, seed: int) -> None:
    for moment in evening(seed):
        for text in _told(phrases, moment):
            assert text
            assert not BROKEN.search(text), text


def _told(phrases: Phrases, moment: Moment) -> Iterator[str | None]:
    after, records = moment.after, moment.records
    for level in (Level.ESSENTIAL, Level.FULL):
        said = phrases.say(moment.events, moment.before, after, level=level, history=records)
        yield said or "silence"
    for event in moment.events:
        yield phrases.log_line(event, after, records)
    for command in (Command.OWED, Command.SCORE):
        yield phrases.answer(Told(command), after)
    for call in legal_calls(after):
        yield phrases.label(call, after)
    if isinstance(moment.error, AmbiguousCall):
        ask = Ask(moment.error.code, moment.error.options)
        yield phrases.answer(ask, after)
        yield from phrases.options(ask, after)
    elif moment.error:
        reason = phrases.reason(moment.error.code, moment.error.params)
        yield reason if reason != phrases.reason("other") else None


def test_the_random_evenings_contain_every_kind_of_error() -> None:
    seen = {type(event) for seed in SEEDS for moment in evening(seed) for event in moment.events}
    assert seen >= {
        *(e.ManoChanged, e.PedreteSung, e.PartnerBet, e.LanceClaimed, e.StonesAdjusted, e.VacaWon),
        *(e.DealVoided, e.IrregularityReported, e.PenaltyProposed, e.PenaltyApplied),
        *(e.PenaltyWaived, e.BetCorrected),
    }


def test_an_article_is_asked_about_until_it_is_decided(es: Phrases) -> None:
    asked = 0
    for seed in SEEDS:
        for moment in evening(seed):
            before = moment.before.proposals if moment.before else ()
            if moment.after.proposals and moment.after.proposals[:1] != before[:1]:
                said = es.say(moment.events, moment.before, moment.after) or ""
                assert said.count("se aplica?") + said.count("Se aplica?") == 1, said
                asked += 1
    assert asked > 10
