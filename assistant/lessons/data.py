"""What a lesson is: steps that show something, and most of them ask for something."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.lexicon import Context
from assistant.script import Script


class Kind(StrEnum):
    """What a step wants of whoever learns."""

    READ = "read"
    """Nothing: it is read, or heard."""
    CHOOSE = "choose"
    """One of several answers."""
    SAY = "say"
    """A call, said aloud: any wording of it will do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to choose, and why it is right or wrong."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What happens at the lesson's table, as far as it is shown.

    kind    "call", "cards", or "stones"
    who     the player; for cards it may be anybody's name or empty
    words   what he said
    cards   as letters, ``R C S 7 6 5 4 3 2 1``
    stones  of each side, by its players' names: ("Norte y Sur", 3)
    """

    kind: str
    who: str = ""
    words: str = ""
    cards: tuple[str, ...] = ()
    stones: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step: what it shows, and what it asks, if anything.

    line     where it begins in the file, from 1
    text     paragraphs
    answers  those to choose, in the order they are offered in; empty where nothing is chosen
    say      the call to be said, in one wording; "" where none is
    why      told once that was said
    context  where the deal stands when it is said
    """

    line: int
    text: tuple[str, ...]
    shown: tuple[Shown, ...] = ()
    question: str = ""
    answers: tuple[Answer, ...] = ()
    say: str = ""
    why: str = ""
    context: Context | None = None

    @property
    def kind(self) -> Kind:
        """What it wants."""
        if self.say:
            return Kind.SAY
        return Kind.CHOOSE if self.answers else Kind.READ

    @property
    def aloud(self) -> str:
        """Its text and question, as they are read aloud."""
        return " ".join(filter(None, (*self.text, self.question)))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: its file's name without the ending, its title, and what it plays.

    ``about`` is one sentence for the list of lessons. ``script`` is the whole file as a script, to
    be played through the rules.
    """

    name: str
    title: str
    about: str
    steps: tuple[LessonStep, ...]
    script: Script
