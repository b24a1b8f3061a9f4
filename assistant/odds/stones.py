"""The exact chances of each lance (R10-R19, R39), and what each call brings in stones."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.odds.deck import OddsDeck, OddsError, deck_of
from assistant.odds.rivals import Known, LanceChance
from assistant.odds.tally import Tally, tally
from assistant.rules.phases import Lance
from assistant.rules.profile import MAX_TARGET, Profile

# ---- The exact chances of each lance (R10-R19, R39) ---------------------------------------------


def chances(known: Known, profile: Profile) -> dict[Lance, LanceChance]:
    """What each lance promises, under the house rules. Raises OddsError.

    All deals that agree with the cards and the declarations are equally likely: what players say
    and how they discard tells nothing here.
    """
    return chances_of(known, deck_of(profile))


def chances_of(known: Known, deck: OddsDeck) -> dict[Lance, LanceChance]:
    """The same for any deck, as the tests have smaller ones. Raises OddsError."""
    counted = tally(known, deck)
    return {lance: lance_chance(counted, lance) for lance in Lance}


def lance_chance(counted: Tally, lance: Lance) -> LanceChance:
    """One lance, from deals that were counted."""
    won, alone = counted.won[lance], counted.uncontested(lance)
    deals = (
        won * ~counted.above[lance],
        won,
        counted.contested(lance),
        won - alone,
        alone,
        counted.deals - counted.nobody(lance),
    )
    return LanceChance(*(counted.sum(some) / counted.total for some in deals))


# What each call of a lance brings on the average, in stones, under assumptions that are named.
# Stones are mine less theirs, of this one lance, once it is known that both pairs play it (before
# that there is nothing to call): bets, dejes, and what pares, juego and punto pay by themselves
# (R13, R15, R20, R24-R29, R32). What is left out is left out on purpose: the end of the juego at
# the target, the other lances, and what a rival's call tells of his cards - he accepts as often
# with good cards as with bad ones.


LEAST_DEJE = 1
"""What a first bet that is refused pays (R24)."""


class StakesSaid(StrEnum):
    """What is called, and what comes of it."""

    PASS = "paso"
    BET = "envido"
    BET_ACCEPTED = "envido querido"
    BET_REFUSED = "envido no querido"
    ACCEPT = "quiero"
    REFUSE = "no quiero"
    ORDAGO = "órdago"
    ORDAGO_ACCEPTED = "órdago querido"
    ORDAGO_REFUSED = "órdago no querido"
    ACCEPT_ORDAGO = "quiero el órdago"


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What cannot be known of the other people. Raises OddsError for what cannot be."""

    bets: tuple[int, ...] = (2, 5)
    """Stones that are bet."""
    accepted: float = 0.5
    """How often the rivals accept a bet of mine, 0 to 1, whatever they hold."""
    ordago_accepted: float = 0.25
    """The same of an órdago."""
    deje: int = LEAST_DEJE
    """What I lose at once when I refuse their bet: 1 for a first bet, more after raises (R25)."""
    juego: int | None = None
    """What winning the juego is worth, in stones; ``None``: the target of the table."""

    def __post_init__(self) -> None:
        for name in ("accepted", "ordago_accepted"):
            if not 0 <= getattr(self, name) <= 1:
                raise OddsError(f"{name} is a chance: choose 0 to 1, not {getattr(self, name)}.")
        for stones in (*self.bets, self.deje, *([] if self.juego is None else [self.juego])):
            if stones not in range(1, MAX_TARGET + 1):
                raise OddsError(f"{stones} stones cannot be: choose 1 to {MAX_TARGET}.")


@dataclass(frozen=True, slots=True)
class CallWorth:
    """One call: the stones that are bet (0 where none are named), and what it brings."""

    said: StakesSaid
    bet: int
    stones: float


@dataclass(frozen=True, slots=True)
class LanceStakes:
    """A lance that both pairs play: how often we win it, and the stones that hands bring."""

    chance: float
    """My pair wins it."""
    ours: float
    """Mean stones of my pair's hands; of punto the stone that it pays, of other lances 0."""
    ours_won: float
    """The same, 0 in the deals that they win."""
    theirs: float
    """As ``ours``, of the rivals."""
    theirs_won: float
    """As ``ours_won``, of the rivals."""
    passed: int
    """What it pays when all pass: 1 at grande and chica (R20)."""

    def bet(self, stones: float) -> float:
        """A bet that is accepted: it goes to the winner, and so does what his hands bring."""
        return stones * (2 * self.chance - 1) + self.ours_won - self.theirs_won


def expected(
    known: Known, profile: Profile, assumed: Assumptions | None = None
) -> dict[Lance, tuple[CallWorth, ...]]:
    """Mean stones, mine less theirs, of each call in each lance. Raises OddsError.

    A lance that the pairs cannot both play is not in it.
    """
    assumed = assumed or Assumptions()
    counted = tally(known, deck_of(profile), stones=True)
    return {
        lance: _calls(stakes, assumed, assumed.juego or profile.target)
        for lance in Lance
        if (stakes := stakes_of(counted, lance)) is not None
    }


def stakes_of(counted: Tally, lance: Lance) -> LanceStakes | None:
    """What is at stake in a lance; ``None`` where the pairs never both play it."""
    both = counted.contested(lance)
    deals = counted.sum(both)
    if not deals:
        return None
    won = counted.won[lance] - counted.uncontested(lance)
    chance = counted.sum(won) / deals
    if lance is Lance.PUNTO:  # one stone for whoever takes it, with a bet or without (R29)
        return LanceStakes(chance, 1.0, chance, 1.0, 1 - chance, 0)
    brings = counted.hands.stones[lance]
    ours = brings[counted.partner] + brings[counted.mine]
    theirs = counted.worth[lance] * counted.takes_part(lance)
    return LanceStakes(
        chance,
        counted.sum(both * ours) / deals,
        counted.sum(won * ours) / deals,
        counted.sum(theirs) / deals,
        counted.sum(theirs - counted.worth_won[lance]) / deals,
        1 if lance in (Lance.GRANDE, Lance.CHICA) else 0,
    )


def _calls(at: LanceStakes, assumed: Assumptions, juego: int) -> tuple[CallWorth, ...]:
    refused = LEAST_DEJE + at.ours  # with the worse hands, too (R28)
    calls = [CallWorth(StakesSaid.PASS, 0, at.bet(at.passed))]
    for bet in assumed.bets:
        calls += [
            CallWorth(StakesSaid.BET_ACCEPTED, bet, at.bet(bet)),
            CallWorth(StakesSaid.BET_REFUSED, bet, refused),
            CallWorth(StakesSaid.BET, bet, _either(assumed.accepted, at.bet(bet), refused)),
        ]
    ordago = juego * (2 * at.chance - 1)  # nothing else counts (R32)
    calls += [
        CallWorth(StakesSaid.ORDAGO_ACCEPTED, 0, ordago),
        CallWorth(StakesSaid.ORDAGO_REFUSED, 0, refused),
        CallWorth(StakesSaid.ORDAGO, 0, _either(assumed.ordago_accepted, ordago, refused)),
    ]
    calls += [CallWorth(StakesSaid.ACCEPT, bet, at.bet(bet)) for bet in assumed.bets]
    calls.append(CallWorth(StakesSaid.ACCEPT_ORDAGO, 0, ordago))
    calls.append(CallWorth(StakesSaid.REFUSE, 0, -assumed.deje - at.theirs))
    return tuple(calls)


def _either(chance: float, accepted: float, refused: float) -> float:
    return chance * accepted + (1 - chance) * refused
