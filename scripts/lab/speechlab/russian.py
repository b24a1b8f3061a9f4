"""A man who reads Russian for 100 minutes (Debian: festvox-ru), with his phones as Spanish.

The package holds the recordings from which Festival's voice is cut, and the end of each phone.
Russian has all sounds of Spanish except theta. Its other sounds are taken for the nearest one, and
stretches between two pauses with many of them are left out. The voice itself cannot be driven by
phones, because its own rules read every word. Source of the sounds: Yanushevskaya and Buncic
(2015), "Russian" (Journal of the IPA).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import audio, clips

PACKAGE = "festvox-ru"
VOICE = "human:festvox_ru"
ROOT = Path("/usr/share/festival/voices/russian/msu_ru_nsh_clunits")

MOST_FOREIGN = 0.25
"""Share of sounds that Spanish lacks, above which a stretch is left out."""

_SHORTEST_S, _LONGEST_S = 0.3, 6.0
_PAUSE = "pau"
_VOWELS = {
    "aa": "a", "a": "a", "ay": "a", "ee": "e", "e": "e", "ae": "e", "ii": "i", "i": "i", "yy": "i",
    "y": "i", "oo": "o", "uu": "u", "u": "u", "ur": "u",
}  # fmt: skip
_CONSONANTS = {
    "h": "j", "hh": "j", "ch": "ch", "k": "k", "kk": "k", "c": "ts", "v": "b", "vv": "b", "z": "s",
    "zz": "s", "sh": "ch", "sch": "ch", "zh": "y",
}  # fmt: skip
_FOREIGN = frozenset("ay ae ur y yy z zz sh zh sch c v vv".split())
_BACK = frozenset("aou")


@dataclass(frozen=True, slots=True)
class Stretch:
    """What is said between two pauses of a recording: seconds, and the voice's own phones."""

    wav: Path
    start: float
    end: float
    phones: tuple[str, ...]


def for_training() -> Iterator[tuple[clips.Clip, audio.Samples]]:
    """Yield the stretches whose sounds are mostly Spanish ones, each as one long word."""
    for labels in sorted((ROOT / "lab").glob("*.lab")):
        kept = [one for one in _stretches(labels) if _fits(one)]
        if not kept:
            continue
        whole = audio.read(kept[0].wav)
        for one in kept:
            cut = whole[round(one.start * audio.RATE) : round(one.end * audio.RATE)]
            samples = audio.trimmed(cut)
            if samples is not None:
                yield clips.Clip(spelled(one.phones), "talk", VOICE, True), samples


def spelled(phones: Sequence[str]) -> str:
    """Return the voice's phones as Spanish would spell them, in one word.

    A soft consonant before a, o or u is spelled with an i, as in "tia"; other softness is left out.
    """
    letters = ""
    for phone, after in zip(phones, [*phones[1:], ""], strict=True):
        follows = _VOWELS.get(after, "")
        if phone in _VOWELS:
            letters += _VOWELS[phone]
        elif phone == "j":
            letters += "y" if follows else "i"
        elif phone in ("g", "gg"):
            letters += "gu" if follows in ("e", "i") else "g"
        else:
            letters += _CONSONANTS.get(phone, phone[0])
            soft = len(phone) == 2 and phone[0] == phone[1]
            letters += "i" if soft and follows in _BACK else ""
    return letters


def _fits(stretch: Stretch) -> bool:
    foreign = sum(phone in _FOREIGN for phone in stretch.phones) / len(stretch.phones)
    return _SHORTEST_S < stretch.end - stretch.start < _LONGEST_S and foreign <= MOST_FOREIGN


def _stretches(labels: Path) -> Iterator[Stretch]:
    """Read a label file of Festival: "end, number, phone" a line, after a line of '#'."""
    wav = ROOT / "wav" / f"{labels.stem}.wav"
    start, end, said = 0.0, 0.0, list[str]()
    for line in labels.read_text(encoding="ascii").splitlines():
        if len(fields := line.split()) != 3:
            continue
        if fields[2] == _PAUSE:
            if said:
                yield Stretch(wav, start, end, tuple(said))
            start, said = float(fields[0]), []
        else:
            said.append(fields[2])
        end = float(fields[0])
    if said:
        yield Stretch(wav, start, end, tuple(said))
