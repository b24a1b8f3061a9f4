"""The state of the table in words: the count, the score, missing cards, whose round it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assistant.language.phrases.language import Language, sentence
from assistant.language.phrases.log import proposal, waiting
from assistant.rules.engine import missing_hands
from assistant.rules.events import StonesWon, Why
from assistant.rules.hands import JUEGO_FROM, Pares, ParesKind, value
from assistant.rules.phases import Lance, Phase
from assistant.rules.state import SIDE_LETTERS, State, side_letters

# ---- The count aloud (R44): with every reason, or in the few words that most tables want --------


@dataclass(slots=True)
class PrizeSaid:
    """The stones that one lance brought one side, by reason."""

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
    """The whole count as sentences; a side is named where its stones begin."""
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

    A side is named once, with its lances in their order. The side whose stones came first goes
    first, but ``winner``, whom the tail names, goes last. If that takes too long, each side's
    stones are added up.
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
    """One lance; a negada that an article gives is named beside the stones of the hands."""
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
    """The side's own hands in words: "duples de reyes y sotas", "treinta y una"."""
    if prize.lance not in (Lance.PARES, Lance.JUEGO):
        return []
    seats = (seat for seat in state.holders(prize.lance) if state.side_of(seat) == prize.side)
    told = (held(language, state, prize.lance, seat, language.stones) for seat in seats)
    return [text for text in told if text]


def held(
    language: Language, state: State, lance: Lance, seat: int, number: Callable[[int], str] = str
) -> str:
    """What an open hand is worth in a lance, in words; "" at grande and chica.

    ``number`` writes the points, in digits for the screen.
    """
    hand = state.hands[seat - 1]
    if hand is None:
        return ""
    worth = value(hand, state.profile)
    if lance is Lance.PUNTO:
        return number(worth.points)
    if lance is Lance.JUEGO and worth.juego:
        key = "juego_real" if worth.real else "juego_31" if worth.points == JUEGO_FROM else "juego"
        return language.fill(f"count.{key}", points=number(worth.points))
    return _pares(language, worth.pares) if lance is Lance.PARES and worth.pares else ""


def _pares(language: Language, pares: Pares) -> str:
    first, last = language.rank(pares.ranks[0]), language.rank(pares.ranks[-1])
    if pares.kind is ParesKind.DUPLES and first == last:
        return language.fill("count.duples_four", rank=first)
    return language.fill(f"count.{pares.kind.name.lower()}", rank=first, other=last)


# ---- The present situation, whatever led to it: score, adentro, missing cards, whose round ------


ADENTRO = 5
"""A side is "adentro" when it lacks so many stones or fewer (R43)."""


def closing(language: Language, before: State | None, after: State, full: bool) -> str | None:
    """The sentences that a new situation needs, whatever led to it: cards, adentro, the rounds."""
    told: list[str] = []
    language = language.at(max(after.deal - 1, 0))
    if before is not None:
        told += _still_to_decide(language, before, after)
        if full:  # in a few words it stands with the score
            told += _adentro(language, before, after)
        told += _turned(language, before, after, full)
    return " ".join(sentence(text) for text in told if text) or None


def missing(language: Language, state: State) -> str | None:
    """The players whose cards the count still needs; ``None`` if it needs none."""
    if not (seats := missing_hands(state)):
        return None
    if len(seats) == state.players:
        return language.fill("say.showdown_all", name=language.name(state, seats[0]))
    return language.fill("say.missing", names=_names(language, state, seats))


def score(language: Language, state: State) -> str:
    """How both sides stand (R42): "Norte y Sur, dos amarracos y tres; ..."."""
    between = language.texts["score.between"]
    return between.join(
        language.fill(
            "score.side",
            side=language.side(state, side),
            score=language.score(state.stones_of(side)),
        )
        for side in side_letters(state.sides)
    )


def brief_score(language: Language, state: State, told: Sequence[int] | None = None) -> str:
    """The stones in numbers alone, in the order of the page: "ocho a once".

    ``told``: the stones of the last score; a side that is adentro since then is named (R43).
    """
    numbers = [language.stones(stones) for stones in state.stones]
    text = _against(language, numbers)
    for side, before in zip(side_letters(state.sides), told or state.stones, strict=False):
        if _gets_adentro(state, side, before):
            return language.fill("brief.adentro", score=text)
    return text


def juegos(language: Language, state: State, side: str, named: bool = True) -> str:
    """Juegos won, those of ``side`` first: "uno a cero".

    With more than two sides all are named; without names, they come in the order of the page.
    """
    return _games(language, state, state.juegos, side, language.number, named)


def vacas(language: Language, state: State, side: str, named: bool = True) -> str:
    """Vacas won, like ``juegos`` (R41); of the gender of stones: "una a cero"."""
    return _games(language, state, state.vacas, side, language.stones, named)


def _games(
    language: Language,
    state: State,
    won: tuple[int, ...],
    side: str,
    number: Callable[[int], str],
    named: bool,
) -> str:
    """As "uno a cero" between two sides; more sides are named, to tell them apart."""
    if state.sides > 2 and not named:
        return _against(language, [number(games) for games in won])
    order = sorted(side_letters(state.sides), key=lambda letter: letter != side)
    numbers = {letter: number(won[SIDE_LETTERS.index(letter)]) for letter in order}
    if state.sides == 2:
        return language.texts["score.games_between"].join(numbers.values())
    return language.texts["score.games_of_between"].join(
        language.fill("score.games_of", side=language.side(state, letter), games=games)
        for letter, games in numbers.items()
    )


def _against(language: Language, numbers: Sequence[str]) -> str:
    """Numbers of the sides without their names: "ocho a once", "siete, cero, doce"."""
    return language.texts["brief.between" if len(numbers) == 2 else "join.comma"].join(numbers)


def is_adentro(state: State, side: str) -> bool:
    """Whether a side is about to go out, at a table that says so (R43)."""
    if not state.profile.adentro:
        return False
    return state.profile.target - ADENTRO <= state.stones_of(side) < state.profile.target


def _gets_adentro(state: State, side: str, before: int) -> bool:
    """Whether a side that had ``before`` stones has come to be adentro since."""
    return is_adentro(state, side) and before < state.profile.target - ADENTRO


def _still_to_decide(language: Language, before: State, after: State) -> Iterator[str]:
    """The question about the next article, once the one before it is decided."""
    asked, left = waiting(before), waiting(after)
    if left and left[0] in asked[1:]:
        yield proposal(language, after, left[0])


def _adentro(language: Language, before: State, after: State) -> Iterator[str]:
    if after.juego_won or before.juegos != after.juegos or before.deal > after.deal:
        return
    for side in side_letters(after.sides):
        if _gets_adentro(after, side, before.stones_of(side)):
            yield language.fill("say.adentro", side=language.side(after, side))


def _turned(language: Language, before: State, after: State, full: bool) -> Iterator[str]:
    if after.phase is Phase.SHOWDOWN:
        seats = missing_hands(after)
        if before.phase is not Phase.SHOWDOWN and seats:
            # A hand named without a player is that of the first seat asked.
            if len(seats) == after.players:
                yield language.fill("say.showdown_all", name=language.name(after, seats[0]))
            else:
                yield language.fill("say.showdown", names=_names(language, after, seats))
        elif len(seats) == 1 and seats != missing_hands(before):
            # Hands are laid open in one sweep: at the table only the last one is asked for.
            yield language.fill("say.missing_one", name=language.name(after, seats[0]))
    elif full and before.phase is not after.phase and after.phase in _ROUNDS:
        yield language.texts[_ROUNDS[after.phase]]


_ROUNDS = {Phase.PARES_SAY: "say.ask_pares", Phase.JUEGO_SAY: "say.ask_juego"}


def _names(language: Language, state: State, seats: Sequence[int]) -> str:
    return language.join(state.seats[seat - 1] for seat in seats)
