"""The port of every voice, and the gate that shuts the ears while one speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from assistant.rules.errors import MusError


class VoiceError(MusError):
    """A voice that cannot speak; its text is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How the voice sounds.

    language  the code that a voice is chosen by ("es"; "es-419" where that exact one is wanted)
    rate      words a minute
    volume    0.0 to 1.0
    name      a part of an installed voice's name or id; "": the one of the language
    sounds    words that this voice would misread, in small letters, and how each is spelt for it
    """

    language: str = "es"
    rate: int = 180
    volume: float = 1.0
    name: str = ""
    sounds: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 80 <= self.rate <= 450:
            raise VoiceError(f"A voice speaks 80 to 450 words a minute, not {self.rate}.")
        if not 0.0 <= self.volume <= 1.0:
            raise VoiceError(f"The volume goes from 0 to 1; {self.volume} is outside.")


@dataclass(frozen=True, slots=True)
class Timbre:
    """How one of several speakers differs from the voice of the settings.

    variant  espeak-ng's name of another throat ("f2", "m3"; 'espeak-ng --voices=variant' lists
             them); "": the voice itself. Other engines have none, and leave it out
    rate     times as fast; pitch: 0 to 99, 50 is the voice's own
    """

    variant: str = ""
    rate: float = 1.0
    pitch: int = 50


class Line(str):
    """A sentence that is said in a timbre; wherever that is of no interest, just its text."""

    timbre: Timbre

    def __new__(cls, text: str, timbre: Timbre) -> Line:
        """Put them together."""
        line = super().__new__(cls, text)
        line.timbre = timbre
        return line


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence for the table, with the seq of the last event that it knows of."""

    text: str
    seq: int
    urgent: bool = False


class Gate(Protocol):
    """What is told when sound begins and ends, and which; the ear's echo gate is one."""

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking now."""

    def shut(self, sound: Path) -> object:
        """The voice begins to sound: it plays this WAV file, which is there until it ends."""

    def open(self) -> object:
        """The voice is quiet again."""


class Voice(Protocol):
    """Says sentences aloud, one after another, without ever making the caller wait."""

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon.

        ``seq`` is that of the event it tells of. A newer sentence overtakes those that still wait:
        nobody wants to hear of a bet that has been answered already. An ``urgent`` one (an órdago,
        a question) is never overtaken, and cuts short an older one that is none.
        """

    def set_volume(self, volume: float) -> None:
        """Say what comes next louder or softer: 0 to 1."""

    def silence(self) -> None:
        """Stop speaking at once and forget what waits."""

    def close(self) -> None:
        """Finish what waits, within a few seconds, and end; what is said later is not heard."""
