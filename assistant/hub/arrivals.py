"""Pairs that come in, by themselves or in a list; nothing that is asked is trusted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.forms import CodecError, short
from assistant.tournament import PairEnrolled, People, Tournament, TournamentError
from assistant.tournament.enrolling import pairs_from_csv


def one_pair(
    pair: Mapping[str, Any], now: Tournament, by: str, namesakes: bool = False
) -> PairEnrolled:
    """A pair that comes by itself; without a name it is called by its players, as in a list."""
    both = pair.get("players")
    if type(both) is not list or len(both) != 2:
        raise CodecError("A pair has two players.")
    one, other = (text_of({"player": player}, "player").strip() for player in both)
    name = text_of(pair, "name").strip() or (f"{one} y {other}" if one and other else "")
    number = max([*now.pairs, *now.gone], default=0) + 1
    return PairEnrolled(
        number, name, (one, other), text_of(pair, "club").strip(), None, by, namesakes
    )


def check_new(text: str, pairs: Sequence[PairEnrolled], now: Tournament) -> None:
    """Raise TournamentError with the line of a pair whose name, or seed place, is taken.

    So it is where one of its players is in another pair.
    """
    names = {pair.name: number for number, pair in now.pairs.items()}
    seeds = {pair.seed: number for number, pair in now.pairs.items()}
    people = People(now)
    for at, pair in enumerate(pairs):
        try:
            if pair.name in names:
                raise TournamentError("name_taken", pair=names[pair.name], name=short(pair.name))
            if pair.seed is not None and pair.seed in seeds:
                raise TournamentError("seed_taken", pair=seeds[pair.seed], seed=pair.seed)
            people.check(pair)
        except TournamentError as error:
            line = _line_of(text, at, now)
            raise TournamentError("in_line", line=line, error=str(error)) from error
        names[pair.name] = seeds[pair.seed] = pair.pair
        people.add(pair)


def _line_of(text: str, at: int, now: Tournament) -> int:
    """The line of a list in which one of its pairs stands; empty lines are none's."""
    lines = text.lstrip("\ufeff").splitlines()

    def pairs(upto: int) -> int:
        return len(pairs_from_csv("\n".join(lines[:upto]), now))

    return bisect_left(range(1, len(lines) + 1), at + 1, key=pairs) + 1


def object_of(value: object) -> dict[str, Any]:
    """A JSON object that was asked for. Raises CodecError."""
    if type(value) is not dict:
        raise CodecError("An act is a JSON object.")
    return value


def text_of(asked: Mapping[str, Any], key: str) -> str:
    """A text that was asked for; "" where none was given. Raises CodecError."""
    text = asked.get(key, "")
    if type(text) is not str:
        raise CodecError(f"{key} is a text.")
    return text
