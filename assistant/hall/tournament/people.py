"""Duplicate detection: a person plays in one pair, so a name that comes twice is asked about.

Lists have one person as "Ana Ruiz", "Ruiz, Ana", "ANA RUIZ LOPEZ" or by a short name. Names
that may be one person's are refused, unless somebody says that they are two people. This is checked
before an act is written, and not when it is read, so that acts from before this check stay
readable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from assistant.hall.tournament.acts import (
    Act,
    Drawn,
    PairCorrected,
    PairEnrolled,
    PlayerEnrolled,
)
from assistant.hall.tournament.errors import TournamentError, normalized
from assistant.hall.tournament.model import Enrolled, Pair, Tournament


def check_people(tournament: Tournament, act: Act) -> None:
    """Raise TournamentError for an act by which one person would be in two pairs."""
    match act:
        case PairEnrolled() | PlayerEnrolled() | PairCorrected():
            People(tournament, without=act.pair).check(act)
        case Drawn() if not act.namesakes:
            # Similar names were asked about at the enrolment.
            people = People()
            for pair in _here(tournament):
                people.check(pair, alike=False)
                if not pair.namesakes:
                    people.add(pair)


class People:
    """The players of a tournament by name, each with the number of his pair."""

    def __init__(self, tournament: Tournament | None = None, without: int | None = None) -> None:
        """Begin with the pairs of a tournament, except the pair ``without``, or with nobody."""
        self._pairs: dict[str, int] = {}
        self._alike: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self._alone = tournament is not None and tournament.individual
        for pair in _here(tournament) if tournament else ():
            if pair.number != without:
                self.add(pair)

    def add(self, pair: Pair | Enrolled) -> None:
        """Note the players of a pair."""
        number = _number(pair)
        for player in _players(pair):
            self._pairs[normalized(player)] = number
            for two in _twos(player):
                self._alike.setdefault(two, []).append((player, number))

    def check(self, pair: Pair | Enrolled | PairCorrected, *, alike: bool = True) -> None:
        """Raise TournamentError for a pair with a player of another pair.

        ``alike``: also for one whose name may be that of another pair's player.
        """
        if pair.namesakes:
            return
        players = _players(pair)[:1] if self._alone else _players(pair)
        if len({*map(normalized, players)}) < len(players):
            raise TournamentError("person_alone", name=players[0], pair=_number(pair))
        for player in players:
            if normalized(player) in self._pairs:
                number = self._pairs[normalized(player)]
                raise TournamentError("person_twice", name=player, pair=number)
        for player in players if alike else ():
            for other, number in self._like(player):
                raise TournamentError("person_perhaps", name=player, other=other, pair=number)

    def _like(self, player: str) -> Iterator[tuple[str, int]]:
        """The players whose names may be another form of this one."""
        for two in _twos(player):
            for other, number in self._alike.get(two, ()):
                if may_be_one(player, other):
                    yield other, number


def _players(pair: Pair | Enrolled | PairCorrected) -> tuple[str, ...]:
    return (pair.name,) if isinstance(pair, PlayerEnrolled) else pair.players


def _number(pair: Pair | Enrolled | PairCorrected) -> int:
    return pair.number if isinstance(pair, Pair) else pair.pair


def _here(tournament: Tournament) -> list[Pair]:
    """The pairs that still play. A player of a pair that withdrew may come back in another."""
    return [
        pair
        for number, pair in tournament.pairs.items()
        if number not in tournament.withdrawn and not pair.of
    ]


# ---- Whether two names may be one person's -------------------------------------------------------


SHORT_NAMES: Final = (
    "francisco frantzisko paco patxi kiko curro fran xisco",
    "jose joxe pepe joseba josep xose josu",
    "juan jon joan xoan ion",
    "miguel mikel miquel",
    "ignacio inaki nacho inazio ignasi",
    "enrique kike quique endrike enric henrike",
    "antonio toni antton andoni antoni tono",
    "luis koldo lluis luix",
    "pedro pello peio pere perico kepa",
    "javier xabier javi xabi xavier xavi",
    "jesus txus chus",
    "fernando fer nando",
    "manuel manolo manu manel",
    "rafael rafa errapel",
    "santiago santi",
    "alberto beto albert",
    "andres ander andreu",
    "martin mattin marti",
    "carlos karlos carles",
    "jorge jordi gorka xurxo",
    "joaquin txomin ximo quim jokin",
    "vicente bixente vicent vicenc",
    "roberto rober",
    "eduardo edu edorta eduard",
    "daniel dani",
    "david dabid",
    "alejandro alex alejandra",
    "ramon erramun",
    "maria miren mari marian",
    "dolores lola loli nekane",
    "pilar pili",
    "concepcion concha conchi kontxi",
    "rosario txaro charo arrosario",
    "mercedes merche mertxe",
    "teresa maite tere teresa",
    "isabel isa elisabet",
    "carmen karmen mamen",
    "ana anita",
    "begona bego",
    "itziar iciar",
    "ines agnes",
    "catalina katalin cata",
    "margarita marga",
    "francisca paqui paca",
    "josefa pepa",
    "guadalupe lupe",
    "cristina cris kristina",
    "nerea nere",
    "amaia amaya",
)
"""Given names that one person may go by, in Spanish, Basque, Catalan and Galician lists."""
_PARTICLES: Final = frozenset("de del la las los el y e i da do dos das san jauna".split())
_SOUNDS: Final = (
    *(("tx", "ch"), ("tz", "z"), ("ts", "s"), ("qu", "c"), ("k", "c"), ("v", "b"), ("gui", "gi")),
    *(("gue", "ge"), ("x", "s"), ("y", "i"), ("ll", "l"), ("rr", "r"), ("ce", "ze"), ("ci", "zi")),
)
"""Letters that are written in either way: Etxeberria and Echeverría, Vizcaya and Bizkaia."""


def may_be_one(name: str, other: str) -> bool:
    """Whether two names may be one person's: all words of the shorter one are in the longer.

    Their order, accents, short forms, particles and Basque or Spanish spelling do not matter. A
    single word is too little to tell.
    """
    one, two = words_of(name), words_of(other)
    return min(len(one), len(two)) >= 2 and (one <= two or two <= one)


@lru_cache(maxsize=16_384)
def words_of(name: str) -> frozenset[str]:
    """The words of a name in one spelling, without text in brackets or quotes."""
    bare = re.sub(r"\([^)]*\)|\"[^\"]*\"|\u00ab[^\u00bb]*\u00bb|\u201c[^\u201d]*\u201d", " ", name)
    words = re.findall(r"[^\W_]+", normalized(bare))
    kept = [word for word in words if word not in _PARTICLES]
    return frozenset([_FORMS.get(sound, sound) for sound in map(_spelt, kept)])


def _spelt(word: str) -> str:
    """A word in one of the ways in which it is written."""
    for written, meant in _SOUNDS:
        word = word.replace(written, meant)
    if "ch" not in word:
        return word.replace("h", "")
    return word


def _twos(name: str) -> Iterator[tuple[str, str]]:
    """All pairs of words of a name: names that may be one person's have a pair in common."""
    return combinations(sorted(words_of(name)), 2)


_FORMS: Final = {
    _spelt(form): _spelt(forms.split()[0]) for forms in SHORT_NAMES for form in forms.split()
}
