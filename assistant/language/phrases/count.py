"""The count aloud (R44): with every reason, or in a few words, as a table mostly wants it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assistant.language.phrases.language import Language, sentence
from assistant.rules.events import StonesWon, Why
from assistant.rules.hands import JUEGO_FROM, HandValue, Pares, ParesKind, value
from assistant.rules.phases import Lance
from assistant.rules.state import State


@dataclass(slots=True)
class PrizeSaid:
    """What one lance brought one side, by reason."""

    lance: Lance
    side: str
    stones: dict[Why, int] = field(default_factory=dict)


def prizes(events: Iterable[StonesWon]) -> list[PrizeSaid]:
    """The stones of a count by lance, in the order of the count."""
    found: list[PrizeSaid] = []
    for event in events:
        if not found or (found[-1].lance, found[-1].side) != (event.lance, event.side):
            found.append(PrizeSaid(event.lance, event.side))
        found[-1].stones[event.why] = event.stones
    return found


def count_aloud(language: Language, won: Iterable[StonesWon], state: State) -> str | None:
    """The whole count as sentences; a side is named where the stones begin to be its own."""
    told = ""
    side = None
    for prize in prizes(won):
        text = _prize(language, prize, state)
        if prize.side == side:
            told += language.texts["count.same_side"] + text
            continue
        named = language.fill("count.to", prize=text, side=language.side(state, prize.side))
        told += (language.texts["count.other_side"] if told else "") + sentence(named)
        side = prize.side
    return language.fill("count.end", prizes=told) if told else None


def count_in_brief(
    language: Language, won: Iterable[StonesWon], state: State, tail: str, winner: str | None = None
) -> str:
    """The count in a few words, and after it ``tail``: the score, or that the juego is over.

    A side is named once, with its lances in their order; the side whose stones came first goes
    first, but ``winner``, of whom the tail tells, goes last. Where it would take too long, each
    side is told its stones together.
    """
    shares = _shares(prizes(won))
    if winner in shares:
        shares[winner] = shares.pop(winner)
    told = ""
    for tell in (_by_lance, _together, _in_all):
        parts: list[str] = []
        for side, lances in shares.items():
            stones = tell(language, lances)
            if parts and not winner and state.sides == 2 and state.players > 2:
                parts.append(language.fill("brief.others", stones=stones))
            else:
                named = language.side(state, side)
                parts.append(language.fill("brief.side", side=named, stones=stones))
        told = f"{sentence(language.texts['brief.other_side'].join(parts))}. {tail}"
        if len(told) <= language.longest_count:
            break
    return told


def _shares(won: Iterable[PrizeSaid]) -> dict[str, dict[Lance, int]]:
    """The stones of each side by lance, in the order of the count."""
    shares: dict[str, dict[Lance, int]] = {}
    for prize in won:
        lances = shares.setdefault(prize.side, {})
        lances[prize.lance] = lances.get(prize.lance, 0) + sum(prize.stones.values())
    return shares


def _by_lance(language: Language, lances: Mapping[Lance, int]) -> str:
    return language.join(
        language.fill("brief.lance", lance=language.lance(lance), stones=language.stones(stones))
        for lance, stones in lances.items()
    )


def _together(language: Language, lances: Mapping[Lance, int]) -> str:
    return language.fill(
        "brief.lances",
        lances=language.join(language.lance(lance) for lance in lances),
        stones=language.stones(sum(lances.values())),
    )


def _in_all(language: Language, lances: Mapping[Lance, int]) -> str:
    return language.stones(sum(lances.values()))


def _prize(language: Language, prize: PrizeSaid, state: State) -> str:
    """One lance; a negada that an article gives stands beside what the hands bring."""
    lance = language.lance(prize.lance)
    rest: dict[Why, int] = {why: n for why, n in prize.stones.items() if why is not Why.PENALTY}
    negada = prize.stones.get(Why.PENALTY)
    if negada is None:
        return _earned(language, prize, rest, state)
    stones = language.stones(negada)
    if not rest:
        return language.fill("count.negada", lance=lance, stones=stones)
    earned = _earned(language, prize, rest, state)
    return language.fill("count.and_negada", prize=earned, stones=stones)


def _earned(language: Language, prize: PrizeSaid, won: Mapping[Why, int], state: State) -> str:
    lance = language.lance(prize.lance)
    bet = won.get(Why.BET)
    own = next((n for why, n in won.items() if why is not Why.BET), None)
    if own is None:
        return language.fill("count.bet", lance=lance, stones=language.stones(bet or 0))
    stones = language.stones(own)
    if Why.PASO in won:
        return language.fill("count.passed", lance=lance, stones=stones)
    if bet is None and prize.lance is Lance.PUNTO:
        return language.fill("count.punto", stones=stones)
    if bet is not None and prize.lance is Lance.PUNTO:
        return language.fill("count.bet_punto", bet=language.stones(bet), stones=stones)
    hands = language.texts["count.and_hand"].join(_hands(language, prize, state))
    if not hands:  # claimed without showing the cards
        if bet is None:
            return language.fill("count.bet", lance=lance, stones=stones)
        words = {"bet": language.stones(bet), "stones": stones}
        return language.fill("count.bet_more", lance=lance, **words)
    if bet is None:
        return language.fill("count.hands", hands=hands, stones=stones, lance=lance)
    return language.fill(
        "count.bet_hands", lance=lance, bet=language.stones(bet), stones=stones, hands=hands
    )


def _hands(language: Language, prize: PrizeSaid, state: State) -> list[str]:
    """What the side's own hands hold: "duples de reyes y sotas", "treinta y una"."""
    told = []
    for seat in state.holders(prize.lance):
        hand = state.hands[seat - 1]
        if hand is None or state.side_of(seat) != prize.side:
            continue
        worth = value(hand, state.profile)
        if prize.lance is Lance.JUEGO and worth.juego:
            told.append(_juego(language, worth))
        elif prize.lance is Lance.PARES and worth.pares:
            told.append(_pares(language, worth.pares))
    return told


def _pares(language: Language, pares: Pares) -> str:
    first, last = language.rank(pares.ranks[0]), language.rank(pares.ranks[-1])
    if pares.kind is ParesKind.DUPLES and first == last:
        return language.fill("count.duples_four", rank=first)
    return language.fill(f"count.{pares.kind.name.lower()}", rank=first, other=last)


def _juego(language: Language, worth: HandValue) -> str:
    key = "juego_real" if worth.real else "juego_31" if worth.points == JUEGO_FROM else "juego"
    return language.fill(f"count.{key}", points=language.stones(worth.points))
