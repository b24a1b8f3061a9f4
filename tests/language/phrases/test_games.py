"""Random matches, told in full: properties of everything that is spoken and shown."""

import random
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from assistant.language.phrases import Level, Phrases
from assistant.rules import events as e
from assistant.rules.calls import Call, Mus, NextDeal, Ordago, ShowHand
from assistant.rules.cards import DECK, HAND_SIZE
from assistant.rules.engine import apply, decide, missing_hands, open_game
from assistant.rules.errors import AmbiguousCall
from assistant.rules.history import Record, number
from assistant.rules.phases import Phase
from assistant.rules.profile import Corrido, Penalty, Profile
from assistant.rules.state import State
from tests.rules.listed import legal_calls
from tests.rules.play import SEATS
from tests.tables import each_row

CARDS_TOLD = (
    *("reyes", "caballo", "sota", "sietes", "seises", "cincos", "cuatros", "ases"),
    *("pareja", "medias", "duples", "treinta y una"),
)
"""Words that name a hand. Stones stay below thirty in these matches."""


SENTENCE_END = re.compile(r"(?<=[.?!]) ")


@dataclass(frozen=True)
class Batch:
    """One call of a match with the states before and after it."""

    events: tuple[e.Event, ...]
    before: State | None
    after: State
    records: tuple[Record, ...]


@cache
def match(seed: int) -> tuple[Batch, ...]:
    """A match of random legal calls. The same seed plays the same match."""
    chance = random.Random(seed)
    batches: list[Batch] = []
    records: list[Record] = []
    state: State | None = None

    def commit(events: tuple[e.Event, ...]) -> State:
        nonlocal state
        before, after = state, state
        for event in events:
            after = apply(after, event)
        records.extend(number(events, len(records), at=0.0))
        assert after is not None
        batches.append(Batch(events, before, after, tuple(records)))
        state = after
        return after

    now = commit(
        open_game(Profile(target=25, juegos=2, corrido=Corrido.OFF, penalty=Penalty.OFF), SEATS)
    )
    while now.phase is not Phase.OVER:
        try:
            now = commit(decide(now, _call(now, chance)).events)
        except AmbiguousCall:
            continue  # he has just passed, or it is a reenvido: choose another call
    return tuple(batches)


def _call(state: State, chance: random.Random) -> Call:
    if state.phase is Phase.COUNT:
        return NextDeal()
    if missing := missing_hands(state):
        lying = [card for hand in state.hands if hand for card in hand]
        left = [card for card in DECK if card not in lying]
        return ShowHand(seat=missing[0], cards=tuple(chance.sample(left, HAND_SIZE)))
    calls = legal_calls(state)
    # With an órdago in every third call, no match would reach a count.
    quiet = [call for call in calls if not isinstance(call, Ordago)]
    if (mus := [call for call in calls if isinstance(call, Mus)]) and chance.random() < 0.6:
        return mus[0]
    return chance.choice(quiet if chance.random() < 0.98 else calls)


MATCHES = range(25)


@each_row("seed", MATCHES)
def test_no_card_is_named_before_it_is_shown(es: Phrases, seed: int) -> None:
    for batch in match(seed):
        if any(isinstance(event, e.HandShown) for event in batch.events):
            continue
        told = es.say(batch.events, batch.before, batch.after, level=Level.FULL) or ""
        assert not any(word in told.lower() for word in CARDS_TOLD), told


@each_row("seed", MATCHES)
def test_every_event_has_a_log_line(es: Phrases, seed: int) -> None:
    for batch in match(seed):
        for event in batch.events:
            line = es.log_line(event, batch.after, batch.records)
            assert line == line.strip() != ""
            assert "\n" not in line
            inferred = getattr(event, "implied", False) or isinstance(event, e.SeatInferred)
            assert line.endswith("(se entiende)") is inferred


@each_row("seed", MATCHES)
def test_a_talkative_voice_also_says_everything_essential(es: Phrases, seed: int) -> None:
    # The score, the count and the end of a juego have longer wordings of their own.
    in_longer_words = (e.StonesWon, e.DealCounted, e.JuegoWon)
    for batch in match(seed):
        essential = es.say(batch.events, batch.before, batch.after)
        full = es.say(batch.events, batch.before, batch.after, level=Level.FULL)
        cut = any(isinstance(ev, e.MusCut) and ev.implied for ev in batch.events)
        if essential and not cut:  # a bet that cuts the mus is told in place of the cut
            assert full is not None
            if any(isinstance(ev, in_longer_words) for ev in batch.events):
                continue
            assert all(sentence in full for sentence in essential.split(". "))


@each_row("seed", MATCHES)
def test_a_silent_voice_says_nothing(es: Phrases, seed: int) -> None:
    for batch in match(seed):
        assert es.say(batch.events, batch.before, batch.after, level=Level.SILENT) is None


def test_adentro_is_said_at_most_once_for_each_side_and_juego(es: Phrases) -> None:
    told: Counter[tuple[int, int, str]] = Counter()
    for seed in MATCHES:
        for batch in match(seed):
            said = es.say(batch.events, batch.before, batch.after, level=Level.FULL) or ""
            for side in ("Norte y Sur, adentro.", "Oeste y Este, adentro."):
                told[seed, sum(batch.after.juegos), side] += said.count(side)
    assert set(told.values()) == {0, 1}


@each_row("seed", MATCHES)
def test_the_short_form_says_adentro_with_the_score_that_brings_a_side_there(
    es: Phrases, seed: int
) -> None:
    for batch in match(seed):
        said = es.say(batch.events, batch.before, batch.after) or ""
        full = es.say(batch.events, batch.before, batch.after, level=Level.FULL) or ""
        assert said.count("adentro") == ("adentro" in full)


@each_row("seed", MATCHES)
def test_the_count_names_each_side_at_most_once(phrases: Phrases, seed: int) -> None:
    for batch in match(seed):
        if any(isinstance(event, e.DeclarationDisproved) for event in batch.events):
            continue  # a separate sentence tells who declared falsely
        said = phrases.say(batch.events, batch.before, batch.after) or ""
        parts = [said] if _counts(batch) else SENTENCE_END.split(said)
        for part in parts:
            for name in SEATS:
                assert part.count(name) <= 1, said


@each_row("seed", MATCHES)
def test_a_short_count_tells_all_the_stones_of_the_long_one(es: Phrases, seed: int) -> None:
    for batch in match(seed):
        if not _counts(batch) or any(isinstance(ev, e.JuegoWon) for ev in batch.events):
            continue
        said = es.say(batch.events, batch.before, batch.after) or ""
        *_, score = SENTENCE_END.split(said)
        assert score.lower().startswith(" a ".join(map(es.language.stones, batch.after.stones)))
        won: Counter[str] = Counter()
        for event in batch.events:
            if isinstance(event, e.StonesWon):
                won[event.side] += event.stones
        told = re.split("los otros", said.removesuffix(score).lower())
        assert len(told) <= max(1, len(won))
        numbers = {es.language.stones(n): n for n in range(60)}
        for part, stones in zip(told, won.values(), strict=False):
            words = re.findall(r"(?:treinta|cuarenta) y \w+|\w+", part)
            assert sum(numbers.get(word, 0) for word in words) == stones, said


def _counts(batch: Batch) -> bool:
    kinds = {type(event) for event in batch.events}
    return e.HandShown in kinds and bool(kinds & {e.DealCounted, e.JuegoWon})


NOT_AT_RANDOM = {
    # A random player names every seat, and nobody corrects a score or undoes a call.
    *(e.SeatInferred, e.StonesSet, e.Retracted),
    # These tables do not play this, or only people agree on it; see ``cases_agreed``.
    *(e.ManoChanged, e.PedreteSung, e.PartnerBet, e.LanceReopened, e.LanceClaimed, e.VacaWon),
    *(e.CardsShownEarly, e.ClaimDisproved),
    *(e.StonesAdjusted, e.BetCorrected, e.CountReopened, e.DealVoided, e.StonesLost),
    *(e.IrregularityReported, e.PenaltyProposed, e.PenaltyApplied, e.PenaltyWaived),
}


def test_the_random_matches_contain_every_other_kind_of_event() -> None:
    seen = {type(event) for seed in MATCHES for batch in match(seed) for event in batch.events}
    assert set(e.EVENTS) - seen <= NOT_AT_RANDOM
