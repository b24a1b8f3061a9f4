"""A game with its voice and log: what the phrases under test say of each call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from assistant.language.phrases import Level, Phrases
from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.rules.profile import Corrido, Penalty, Profile
from assistant.rules.state import State
from tests.rules.play import Game

PLAIN = Profile(corrido=Corrido.OFF, penalty=Penalty.OFF)
"""A profile without mus corrido and articles, which have cases of their own."""


@dataclass(frozen=True)
class Case:
    """One case: ``tell`` makes it happen, ``expected`` is the sentence that is spoken or shown."""

    name: str
    tell: Callable[[Phrases], str | None]
    expected: str | None


class Aloud:
    """Makes calls, and returns what voice and log say of the last one."""

    def __init__(
        self,
        phrases: Phrases,
        profile: Profile | None = None,
        mano: int = 1,
        stones: tuple[int, int] | None = None,
    ) -> None:
        self.phrases = phrases
        self.game = Game(profile or PLAIN, mano, stones)

    def say(self, *calls: c.Call) -> Self:
        """Make the calls."""
        self.game.say(*calls)
        return self

    def cut(self) -> Self:
        """Mano cuts the mus."""
        self.game.cut()
        return self

    def all_pass(self, lances: int = 1) -> Self:
        """Everybody passes, in this many lances."""
        self.game.all_pass(lances)
        return self

    def declare(self, said: str) -> Self:
        """Declarations from mano on, as many as there are words: "sí sí no"."""
        for seat, word in zip(self.game.state.order(), said.split(), strict=False):
            self.game.say(c.Declare(seat=seat, holds=word == "sí"))
        return self

    def to_pares(self, said: str) -> Self:
        """Pass grande and chica, and declare pares."""
        return self.cut().all_pass(2).declare(said)

    def to_juego(self, said: str) -> Self:
        """Declare juego; nobody has pares."""
        return self.to_pares("no no no no").declare(said)

    def show(self, *hands: str) -> Self:
        """Seats 1, 2, ... lay down their cards."""
        for seat, hand in enumerate(hands, start=1):
            self.game.say(c.ShowHand(seat=seat, cards=parse_hand(hand)))
        return self

    def voice(self, call: c.Call, level: Level = Level.ESSENTIAL) -> str | None:
        """Make a call and return what is spoken of it."""
        before = self.game.state
        self.game.say(call)
        return self._aloud(before, level)

    def full(self, call: c.Call) -> str | None:
        """Make a call and return what a talkative voice says."""
        return self.voice(call, Level.FULL)

    def undo(self) -> str | None:
        """Undo the last call and return what is spoken of it."""
        before = self.game.state
        self.game.undo()
        return self._aloud(before, Level.ESSENTIAL)

    def redo(self) -> str | None:
        """Redo it and return what is spoken of it."""
        before = self.game.state
        self.game.redo()
        return self._aloud(before, Level.ESSENTIAL)

    def log(self, *calls: c.Call) -> str:
        """Make the calls and return the log lines of the last one, joined by " | "."""
        self.game.say(*calls)
        return self.lines()

    def lines(self) -> str:
        """The log lines of the last batch."""
        game = self.game
        return " | ".join(self.phrases.log_line(e, game.state, game.records) for e in game.last)

    def _aloud(self, before: State, level: Level) -> str | None:
        game = self.game
        return self.phrases.say(game.last, before, game.state, level=level, history=game.records)


class Recording(Mapping[str, str]):
    """The sentences of a language, with a note of which were looked up."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self.used: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.used.add(key)
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def recorded(phrases: Phrases) -> tuple[Phrases, Recording]:
    """The same phrases, and the record of which sentences are looked up."""
    texts = Recording(phrases.language.texts)
    return replace(phrases, language=replace(phrases.language, texts=texts)), texts
