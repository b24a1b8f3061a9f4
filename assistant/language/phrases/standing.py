"""What the table stands at, whatever led to it: the score, adentro, missing cards, whose round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from assistant.language.phrases.language import Language, sentence
from assistant.language.phrases.undo import proposal, waiting
from assistant.rules.engine import missing_hands
from assistant.rules.phases import Phase
from assistant.rules.state import SIDE_LETTERS, State, side_letters

ADENTRO = 5
"""A side is "adentro" when it lacks so many stones or fewer (R43)."""


def closing(language: Language, before: State | None, after: State, full: bool) -> str | None:
    """What the new situation asks for, whatever led to it: cards, adentro, declarations."""
    told: list[str] = []
    if before is not None:
        told += _still_to_decide(language, before, after)
        if full:  # in a few words it stands with the score
            told += _adentro(language, before, after)
        told += _turned(language, before, after, full)
    return " ".join(map(sentence, told)) or None


def missing(language: Language, state: State) -> str | None:
    """Whose cards the count still needs; ``None`` where it needs none."""
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

    ``told``: the stones of the score that was told before; who is adentro since then is told (R43).
    """
    numbers = [language.stones(stones) for stones in state.stones]
    text = _against(language, numbers)
    for side, before in zip(side_letters(state.sides), told or state.stones, strict=False):
        if _gets_adentro(state, side, before):
            return language.fill("brief.adentro", score=text)
    return text


def juegos(language: Language, state: State, side: str, named: bool = True) -> str:
    """Juegos won, those of ``side`` first: "uno a cero".

    Among more than two sides all are named, or, without names, told in the order of the page.
    """
    return _games(language, state, state.juegos, side, language.number, named)


def vacas(language: Language, state: State, side: str, named: bool = True) -> str:
    """Vacas won, as juegos are told (R41); of the gender of stones: "una a cero"."""
    return _games(language, state, state.vacas, side, language.stones, named)


def _games(
    language: Language,
    state: State,
    won: tuple[int, ...],
    side: str,
    number: Callable[[int], str],
    named: bool,
) -> str:
    """As "uno a cero" between two sides; more of them are named, to be told apart."""
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
    """Of several articles one is asked about at a time: the next once the first is decided."""
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
            # A hand that is named without a player is the first one's of those who are asked.
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
