"""People who talk behind a Mus table: recordings and synthesised voices, which never train.

There are two groups that share no person, no voice and no file. "develop" is for choosing settings.
"quote" is for measuring, and nobody listens to it for errors. Recordings of people are about half
of the sentences. Voices say the others; some of these are calls of a neighbouring table, which are
no calls of this one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import butter, lfilter, sosfilt

from assistant.rules.errors import MusError
from scripts.lab.rendering import talk as sentences
from scripts.lab.rendering.voices import FAMILIES, Floats, Manner, Voice, VoiceError
from scripts.lab.speechlab import audio, human, packaged, split
from scripts.lab.speechlab.audio import RATE
from scripts.lab.tablebench import room
from scripts.lab.tablebench.said import speak_cached

DEVELOP, QUOTE = "develop", "quote"
VOICES = {DEVELOP: ("mbrola",), QUOTE: ("el", "kokoro")}
"""Families of voices in each group."""
CALLS = (
    "órdago", "quiero", "paso", "envido cinco", "no quiero", "corrige", "mus", "deshaz",
)  # fmt: skip
"""The calls of the neighbouring table."""
TABLE_CALLS = (
    *CALLS, "no hay mus", "envido", "cinco más", "órdago a la chica", "lo quiero", "no queremos",
    "a la grande", "a la chica", "envido a pares", "treinta", "pares sí", "pares no", "tengo juego",
    "juego no", "treinta y una", "dos más", "me apunto tres", "duples", "medias", "corto",
    "paso a la chica", "yo paso", "dos", "cuatro", "diez", "veo", "reyes y ases", "otra",
)  # fmt: skip
"""What is called in a bar full of tables that play Mus."""
CALLED = 1 / 6
"""Share of all sentences that are such a call."""
SENTENCE, PAUSE, TELEVISION_PAUSE = (0.8, 4.0), (0.3, 2.5), (0.05, 0.3)
TABLE_PAUSE = (0.1, 1.0)
"""Seconds."""
LEVELS = (-12.0, 0.0)
"""Range of the talkers' levels in dB. Somebody at the next table is heard above all others."""
FRAME = 0.02
QUIETER = 25.0
"""dB under the loud frames (the 95th percentile). Frames without talk are quieter than that."""
_BANDS = (150.0, 5000.0)
"""Hz that a television's loudspeaker plays."""
_SQUEEZED = 0.6
"""How far a broadcaster evens out the level: 0 not at all, 1 fully."""
_TELEVISIONS_OF = 6
"""From this many talkers on, two come from the television."""
_SEEDS = {DEVELOP: 51_000, QUOTE: 52_000}
_TEXTS, _LONGEST = 48, 60
"""Sentences of each voice, and letters of the longest. They are so few that all are kept on
disk."""
_SPEEDS = (0.95, 1.0, 1.1, 1.2)
_STRANGERS = ("ca", "pt", "pt-BR", "en")
"""Languages of the recordings by which settings are chosen. Their people also train."""
_FADE = round(0.01 * RATE)
_LOUDNESS = 0.08
_HISS = 0.03
"""Share of a recording's peak under which it is taken for silence at the beginning and the end."""

_TRIES = 20
"""How often somebody looks for a sentence that he has not said before."""


class Repeated:
    """What a crowd has said, for people who should not say it again."""

    def __init__(self) -> None:
        self._said: set[object] = set()
        self.avoided = False
        """Whether what was said until now is avoided from now on."""

    def again(self, what: object) -> bool:
        """Whether this was said before and should not be said again."""
        if self.avoided:
            return what in self._said
        self._said.add(what)
        return False


Say = Callable[[random.Random, Repeated], Floats]
"""Says one more sentence, all sentences equally loud."""


class CrowdError(MusError):
    """A group of which nobody can talk on this machine."""


@dataclass(frozen=True, slots=True)
class Person:
    """A recorded person, and the files."""

    name: str
    clips: tuple[Path, ...]


def talk(
    group: str,
    people: int,
    seconds: float,
    seed: int,
    human: Path | None,
    television: bool = False,
    other_words: bool = False,
    tables: bool = False,
) -> Floats:
    """This many people talking in a bar, at ``RATE``; the same for the same arguments.

    ``human``: a folder of recordings with a manifest, or None. With ``television``, one of the
    talkers comes from a television; of many talkers, two do. ``other_words``: the same people in
    the same places say nothing that they say without it, as far as they know other sentences.
    ``tables``: they play Mus at other tables, so voices only call, and nobody pauses for long. The
    sound is scaled to a ``loudness`` of 1. Raises CrowdError if nobody of the group is here,
    ValueError for a group that does not exist.
    """
    length = round(seconds * RATE)
    sound = np.zeros(length, np.float32)
    dice = random.Random(f"{group} {people} {seed} {television}")
    bar = dice.randrange(room.BARS)
    said = _tracks(dice, group, people, length, human, television, other_words, tables)
    for number, track in enumerate(said):
        sound += room.far(track, bar, number % room.PLACES)[:length]
    return sound / np.float32(loudness(sound) or 1)


def tracks(
    group: str,
    people: int,
    seconds: float,
    seed: int,
    human: Path | None,
    television: bool = False,
    other_words: bool = False,
) -> list[Floats]:
    """What each of this many people says, the loudest first, as if each stood at the microphone.

    See ``talk``.
    """
    dice = random.Random(f"{group} {people} {seed} {television}")
    dice.randrange(room.BARS)
    length = round(seconds * RATE)
    return list(_tracks(dice, group, people, length, human, television, other_words))


def _tracks(
    dice: random.Random,
    group: str,
    people: int,
    length: int,
    human: Path | None,
    television: bool,
    other_words: bool,
    tables: bool = False,
) -> Iterator[Floats]:
    screens = min(people, 2 if people >= _TELEVISIONS_OF else 1) if television else 0
    levels = sorted((dice.uniform(*LEVELS) for _ in range(people)), reverse=True)
    cast, repeated = _cast(group, people, human, dice, tables), Repeated()
    usual = TABLE_PAUSE if tables else PAUSE
    pauses_of = [TELEVISION_PAUSE if number < screens else usual for number in range(people)]
    if other_words:
        for say, pauses in zip(cast, pauses_of, strict=True):
            _track(say, length, pauses, dice, repeated)
        repeated.avoided = True
    for number, (say, pauses) in enumerate(zip(cast, pauses_of, strict=True)):
        track = _track(say, length, pauses, dice, repeated)
        if number < screens:
            track = _from_television(track)
        # The nearest is the loudest.
        yield track * np.float32(10 ** ((levels[number] - levels[0]) / 20))


def loudness(sound: Floats) -> float:
    """The root mean square of the frames in which anybody talks."""
    size = round(FRAME * RATE)
    power = np.square(sound[: len(sound) // size * size].reshape(-1, size)).mean(1)
    if not len(power):
        return 0.0
    talking = power > np.percentile(power, 95) * 10 ** (-QUIETER / 10)
    return float(np.sqrt(power[talking].mean())) if talking.any() else 0.0


def notes(group: str, human: Path | None) -> list[str]:
    """Notes for the report about a group on this machine: who is missing."""
    lacking = [voice.name for voice in _voices(group) if not voice.installed()]
    told = []
    if lacking:
        told.append(f"Voices of {group!r} that are not installed: {', '.join(lacking)}.")
    packages = dict(packaged.GAMES)
    if group == QUOTE:
        packages = {"drascula-spanish": packages["drascula-spanish"]} | packaged.MEASURING_PACKAGES
    else:
        del packages["drascula-spanish"]
    if absent := packaged.missing(packages):
        told.append(f"People of {group!r} are missing: apt-get install {' '.join(absent)}.")
    if human is None:
        told.append(f"People of {group!r} in a folder of recordings are left out (--human).")
    if not persons(group, human):
        told.append(f"The group {group!r} has no recording of any person: only voices talk.")
    return told


@cache
def persons(group: str, folder: Path | None) -> tuple[Person, ...]:
    """All people of a group whose recordings are on this machine."""
    clips: dict[str, list[Path]] = {}
    for row in _recordings(group, folder):
        clips.setdefault(row.speaker, []).append(row.path)
    return tuple(Person(name, tuple(paths)) for name, paths in sorted(clips.items()))


def _recordings(group: str, folder: Path | None) -> Iterator[human.Recording]:
    rows = human.manifest(folder) if folder is not None else []
    if group == QUOTE:
        yield from packaged.measuring()
        said = [*packaged.acted("es"), *rows]
        yield from (row for row in said if row.speaker in split.MEASURING_SPEAKERS)
        return
    for row in rows:
        apart = row.kind == "noise" or row.speaker in split.MEASURING_SPEAKERS
        if row.language in _STRANGERS and not apart:
            yield row
    yield from (row for row in packaged.acted("en") if split.develops(row.path))


def _voices(group: str) -> tuple[Voice, ...]:
    if group not in VOICES:
        raise ValueError(f"no group {group!r}: {', '.join(VOICES)}")
    return tuple(voice for family in VOICES[group] for voice in FAMILIES[family])


def _cast(
    group: str, people: int, folder: Path | None, dice: random.Random, tables: bool
) -> list[Say]:
    """Recorded people and voices in turn. A single talker is a bit of both."""
    recorded = [_recorded(person) for person in persons(group, folder)]
    voices = [voice for voice in _voices(group) if voice.installed()]
    if not recorded and not voices:
        raise CrowdError(f"Nobody of the group {group!r} is on this machine: docs/bench-ears.md.")
    share = 1.0 if tables else CALLED * (2 if recorded else 1)
    calls = TABLE_CALLS if tables else CALLS
    made = [_made(voice, group, share, calls) for voice in voices]
    dice.shuffle(recorded)
    dice.shuffle(made)
    if people == 1 and recorded and made:
        one, other = recorded[0], made[0]
        return [lambda dice, said: (one if dice.random() < 0.5 else other)(dice, said)]
    kinds = [kind for kind in (recorded, made) if kind]
    dice.shuffle(kinds)
    turns = [kinds[number % len(kinds)] for number in range(people)]
    return [kind[number // len(kinds) % len(kind)] for number, kind in enumerate(turns)]


def _made(voice: Voice, group: str, share: float, calls: Sequence[str]) -> Say:
    """A voice that calls with a probability of ``share``, and otherwise makes conversation."""

    def say(dice: random.Random, repeated: Repeated) -> Floats:
        tries = 0
        while True:
            text = dice.choice(calls if dice.random() < share else _texts(voice.name, group))
            tries += 1
            if tries < _TRIES and repeated.again((voice.name, text)):
                continue
            speed = random.Random(f"{voice.name} {text}").choice(_SPEEDS)
            try:
                said = speak_cached(voice, text, Manner(speed))
            except VoiceError:
                continue  # if a voice lacks one of the sounds, it says something else
            # As read back from the disk, so that the first time is like every other.
            return _even(said.astype(np.float16).astype(np.float32), dice)

    return say


@cache
def _texts(voice: str, group: str) -> Sequence[str]:
    """The texts of a group's voice."""
    seed = _SEEDS[group] + sum(voice.encode())
    said = (sentence.text for sentence in sentences.sentences(sentences.load(), seed))
    return list(islice((text for text in said if len(text) <= _LONGEST), _TEXTS))


def _recorded(person: Person) -> Say:
    """A recorded person. Clips of words are joined, and long ones are cut."""

    def say(dice: random.Random, repeated: Repeated) -> Floats:
        wanted = dice.uniform(*SENTENCE) * RATE
        said = np.zeros(0, np.float32)
        for _ in range(20):
            path = dice.choice(person.clips)
            for _ in range(_TRIES):
                if not repeated.again(path):
                    break
                path = dice.choice(person.clips)
            clip = _clip(path)
            said = np.concatenate([said, clip / np.float32(audio.rms(clip))]) if len(clip) else said
            if len(said) >= min(wanted, 1.5 * RATE):
                break
        return _even(said, dice)

    return say


@cache
def _clip(path: Path) -> Floats:
    """A clip without silence around it; nothing if the file cannot be read."""
    try:
        sound = audio.read(path)
    except (OSError, soundfile.LibsndfileError):
        return np.zeros(0, np.float32)
    loudest = float(np.abs(sound).max(initial=0))
    # Relative to the loudest, because some recordings are faint and those of 8 bits hiss.
    said = audio.trimmed(sound / np.float32(loudest), floor=_HISS) if loudest else None
    return np.zeros(0, np.float32) if said is None else said


def _even(said: Floats, dice: random.Random) -> Floats:
    """A sentence of the usual loudness that is not too long and ends softly."""
    longest = round(SENTENCE[1] * RATE)
    if len(said) > longest:
        at = dice.randrange(len(said) - longest)
        said = said[at : at + longest]
    if len(said) < 2 * _FADE:
        return np.zeros(0, np.float32)
    said = said * np.float32(_LOUDNESS / audio.rms(said))
    ramp = np.linspace(0, 1, _FADE, dtype=np.float32)
    said[:_FADE] *= ramp
    said[-_FADE:] *= ramp[::-1]
    return said


def _track(
    say: Say, length: int, pauses: tuple[float, float], dice: random.Random, repeated: Repeated
) -> Floats:
    """Sentence after sentence, from somewhere in a pause on."""
    track = np.zeros(length, np.float32)
    at = round(dice.uniform(0, pauses[1]) * RATE)
    while at < length:
        said = say(dice, repeated)[: length - at]
        track[at : at + len(said)] = said
        at += len(said) + round(dice.uniform(*pauses) * RATE)
    return track


def _from_television(track: Floats) -> Floats:
    """Sound evened out by a broadcaster and played by a small loudspeaker, as loud as before."""
    smooth = np.exp(-1 / (0.05 * RATE))
    envelope = np.sqrt(lfilter([1 - smooth], [1, -smooth], np.square(track))) + 0.003
    squeezed = track * (envelope / _LOUDNESS) ** -_SQUEEZED
    played = sosfilt(butter(4, _BANDS, "bandpass", fs=RATE, output="sos"), squeezed)
    return np.asarray(played * (audio.rms(track) / audio.rms(played)), np.float32)
