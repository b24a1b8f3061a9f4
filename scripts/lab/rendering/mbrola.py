"""MBROLA's Spanish voices, with espeak-ng's sounds and melody.

espeak-ng's own connection to these voices spells half of the vowels in a way that they do not know
("o/") and leaves out every rolled r. So this module takes espeak-ng's sounds, corrects them, and
gives them to the command ``mbrola``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_DATA = Path("/usr/share/mbrola")
_TRILLS = re.compile(r"rr|\br|(?<=[nls])r")


@dataclass(frozen=True, slots=True)
class Diphones:
    """A voice: its table of sounds in espeak-ng, its other spellings, and its pitch factor."""

    name: str
    table: str
    spelled: Mapping[str, str] = field(default_factory=dict)
    pitch: float = 1.0

    @property
    def data(self) -> Path:
        """The place where Debian puts its diphones."""
        return _DATA / self.name / self.name


_PLAIN = {"e/": "e", "o/": "o", "L": "jj"}
"""espeak-ng says "yo" with ll, as the few who distinguish ll from y. These voices say what most
people do."""
SHORTEST = 40
"""Milliseconds of a vowel. espeak-ng gives an unstressed one as little as 20, which nobody says."""
_LATIN = {"T": "s", "z": "s"}
_THIRD = {"x": "j", "tS": "H", "J": "N", "L": "Y", "T": "z", "rr": "R", "w": "u", "j": "i"}
VOICES: tuple[Diphones, ...] = (
    Diphones("es1", "mb-es1", _PLAIN),
    Diphones("es2", "mb-es1", _PLAIN | _LATIN, 0.9),
    Diphones("es3", "mb-es1", _PLAIN | _THIRD, 1.9),
    Diphones("es4", "mb-es1", _PLAIN | {"w": "u"}, 1.1),
    Diphones("mx1", "mb-es1", _PLAIN | _LATIN),
    Diphones("mx2", "mb-es1", _PLAIN | _LATIN | {"L": "dZ", "J": "ny", "x": "j"}, 1.15),
    Diphones("vz1", "mb-vz1", _PLAIN | {"l^": "L", "L": "L"}, 0.95),
)


def without_trills(text: str) -> str:
    """The text for espeak-ng. It drops a rolled r, so an f stands in for each."""
    return _TRILLS.sub("f", text)


def respelled(voice: Diphones, text: str, spoken: str) -> str:
    """espeak-ng's sounds (lines "sound ms [percent Hz]...") in the spelling of this voice.

    ``spoken`` is what it made of ``without_trills(text)``.
    """
    lines: list[tuple[str, int, str]] = []
    for sound, milliseconds, melody in _sounds(text, spoken):
        spelled = voice.spelled.get(sound, sound)
        least = SHORTEST if sound[0] in "aeiou" else 0
        if lines and spelled == lines[-1][0] != "_":
            # "Pares sí": nobody says s twice, and not every voice can. One longer s is said.
            _, before, above = lines.pop()
            lines.append((spelled, before + milliseconds // 2, above))
        else:
            lines.append((spelled, max(least, milliseconds), melody))
    return "".join(f"{sound} {milliseconds} {melody}\n" for sound, milliseconds, melody in lines)


def _sounds(text: str, spoken: str) -> Iterator[tuple[str, int, str]]:
    """Sound, milliseconds and melody of each line of espeak-ng, with the rolled r's put back."""
    trills = (match[0] != "f" for match in re.finditer(rf"f|{_TRILLS.pattern}", text))
    for line in spoken.splitlines():
        if not line.strip():
            continue
        sound, milliseconds, *melody = line.split("\t")
        if sound == "f" and next(trills, False):
            sound = "rr"
        yield sound, int(milliseconds), " ".join(melody).strip()
