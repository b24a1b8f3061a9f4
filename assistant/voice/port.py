"""The port of every voice, a voice without sound, and the queue of sentences."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from assistant.rules.errors import MusError

_WORD = re.compile(r"[^\W\d_]+")

# ---- The port of every voice, and of the gate that shuts the ear while one speaks ---------------


def respelt(text: str, sounds: Mapping[str, str]) -> str:
    """The text with words that the voice would misread spelt another way; whole words only."""
    return _WORD.sub(lambda word: sounds.get(word[0].lower(), word[0]), text)


class VoiceError(MusError):
    """A voice that cannot speak; its text is one sentence that says what to do."""


SLOWEST, FASTEST = 80, 450
"""Words a minute."""


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How the voice sounds.

    language  the code that a voice is chosen by ("es"; "es-419" where that exact one is wanted)
    rate      words a minute
    volume    0.0 to 1.0
    name      a part of an installed voice's name or id; "": the default of the language
    pitch     0 to 99; 50 is the voice's own
    pause     seconds of silence between two sentences, beyond what the voice makes itself
    sounds    words that this voice would misread, in small letters -> how to spell them for it
    """

    language: str = "es"
    rate: int = 180
    volume: float = 1.0
    name: str = ""
    sounds: Mapping[str, str] = field(default_factory=dict)
    pitch: int = 50
    pause: float = 0.0

    def __post_init__(self) -> None:
        if not SLOWEST <= self.rate <= FASTEST:
            raise VoiceError("A voice speaks 80 to 450 words a minute, not {rate}.", rate=self.rate)
        if not 0.0 <= self.volume <= 1.0:
            raise VoiceError(
                "The volume goes from 0 to 1; {volume} is outside.", volume=self.volume
            )


@dataclass(frozen=True, slots=True)
class Timbre:
    """How one of several speakers differs from the voice of the settings.

    variant  one of espeak-ng ("f2", "m3"; 'espeak-ng --voices=variant' lists them); "": none.
             Other engines ignore it
    rate     a factor of the voice's rate
    pitch    0 to 99; 50 is the voice's own
    """

    variant: str = ""
    rate: float = 1.0
    pitch: int = 50


class SpokenLine(str):
    """A sentence with the timbre it is said in; elsewhere it is just its text.

    ``tones``: the moment whose tones sound before it ("ordago", "juego", "match"); "" for none.
    """

    timbre: Timbre
    tones: str

    def __new__(cls, text: str, timbre: Timbre | None = None, tones: str = "") -> SpokenLine:
        """A sentence in a timbre, or after tones."""
        line = super().__new__(cls, text)
        line.timbre = timbre or Timbre()
        line.tones = tones
        return line


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence for the table, with the seq of the last event that it takes into account."""

    text: str
    seq: int
    urgent: bool = False


class Gate(Protocol):
    """Is told when a sound begins and ends; the ear's echo gate is one."""

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking now."""

    def shut(self, sound: Path) -> object:
        """The voice begins to play this WAV file, which exists until it ends."""

    def open(self) -> object:
        """The voice is quiet again."""


class Voice(Protocol):
    """Says sentences aloud, one after another. No method makes the caller wait."""

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon.

        ``seq``: that of the event it announces. A newer sentence replaces those that still wait,
        because nobody wants to hear of a bet that has been answered already. An ``urgent`` one (an
        órdago, a question) is never replaced, and cuts short an older one that is not urgent.
        """

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0 to 1, of what is said from now on."""

    def silence(self) -> None:
        """Stop speaking at once and drop what waits."""

    def close(self) -> None:
        """Finish what waits, within a few seconds, and end; later sentences are dropped."""


# ---- A voice without sound, which remembers what it would have said -----------------------------


log = logging.getLogger("mus.voice")

KEPT = 1000
"""Sentences remembered; an evening of Mus has fewer."""


class NullVoice:
    """Keeps every sentence in ``said``, the newest last."""

    def __init__(self) -> None:
        self.said: list[SaidSentence] = []
        self._closed = False
        self.volume = 1.0

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Remember a sentence."""
        if self._closed:
            return
        log.info("%s", text)
        self.said.append(SaidSentence(text, seq, urgent))
        del self.said[:-KEPT]

    def set_volume(self, volume: float) -> None:
        """Remember how loud it would speak."""
        self.volume = volume

    def silence(self) -> None:
        """Nothing sounds, so nothing stops."""

    def close(self) -> None:
        """Take no more sentences."""
        self._closed = True


# ---- The queue of sentences, and which of them newer ones replace. No threads here --------------


class SentenceQueue:
    """At most ``room`` sentences, the oldest first."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._sentences: list[SaidSentence] = []

    def __len__(self) -> int:
        return len(self._sentences)

    def put(self, new: SaidSentence) -> list[SaidSentence]:
        """Add a sentence; return those that it replaces, which will not be said."""
        overtaken = [s for s in self._sentences if not s.urgent and s.seq < new.seq]
        self._sentences = [s for s in self._sentences if s not in overtaken]
        self._sentences.append(new)
        while len(self._sentences) > self._room:
            plain = next((s for s in self._sentences if not s.urgent), self._sentences[0])
            self._sentences.remove(plain)
            overtaken.append(plain)
        return overtaken

    def take(self) -> SaidSentence | None:
        """Remove and return the next sentence; None if there is none."""
        return self._sentences.pop(0) if self._sentences else None

    def clear(self) -> None:
        """Forget all."""
        self._sentences.clear()
