"""Voices that say a call: espeak-ng, pico, MBROLA, Festival and Kokoro behind one interface."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, read_wav, to_int16
from assistant.rules.errors import MusError
from scripts.lab.rendering import kokoro, mbrola

Floats = npt.NDArray[np.float32]

TIMEOUT = 30
"""Seconds that an engine may take for one call."""
LOUDNESS = 0.08
"""Root mean square to which the speech of every voice is scaled. Full scale is 1."""
MBROLA_TEMPO = 0.75
"""espeak-ng times these voices as in running speech, 7.5 syllables a second. A single call is
slower: espeak-ng's own voices and pico say it at 5.5."""
FESTIVAL_VOICE = Path("/usr/share/festival/voices/spanish/el_diphone/group/ellpc11k.group")
FESTIVAL_TEMPO = 1.0
"""Stretch of the voice's own durations, which are already those of a single call."""
SILENT = 0.003
"""Quieter sound at the beginning and the end is cut off."""


class VoiceError(MusError):
    """A voice that is not installed, or that cannot say something."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How something is said: ``speed`` and ``pitch`` as factors of the voice's own."""

    speed: float = 1.0
    pitch: float = 1.0


class Voice(Protocol):
    """A voice that can say a call."""

    @property
    def name(self) -> str:
        """The name of the voice on the command line."""

    def installed(self) -> bool:
        """Whether this machine has it."""

    def write(self, text: str, manner: Manner, wav: Path) -> None:
        """Say ``text`` into a WAV file. Raises VoiceError or an error of the engine."""


@dataclass(frozen=True, slots=True)
class Espeak:
    """espeak-ng in one of its variants, as in "es+f3" (GPL-3.0; its output is free)."""

    name: str

    def installed(self) -> bool:
        """Whether this machine has it."""
        return shutil.which("espeak-ng") is not None

    def write(self, text: str, manner: Manner, wav: Path) -> None:
        """Say ``text`` into a WAV file."""
        options = ["-s", f"{165 * manner.speed:.0f}", "-p", f"{min(99, 50 * manner.pitch):.0f}"]
        run(["espeak-ng", "-v", self.name, *options, "-w", str(wav), text])


@dataclass(frozen=True, slots=True)
class Pico:
    """SVOX pico (Apache-2.0)."""

    name: str = "pico"

    def installed(self) -> bool:
        """Whether this machine has it."""
        return shutil.which("pico2wave") is not None

    def write(self, text: str, manner: Manner, wav: Path) -> None:
        """Say ``text`` into a WAV file."""
        speed, pitch = f"{100 * manner.speed:.0f}", f"{100 * manner.pitch:.0f}"
        marked = f'<speed level="{speed}"><pitch level="{pitch}">{text}</pitch></speed>'
        run(["pico2wave", "-l", "es-ES", "-w", str(wav), marked])


@dataclass(frozen=True, slots=True)
class Mbrola:
    """A diphone voice. Its licence is non-commercial, so it is for measuring and never ships."""

    voice: mbrola.Diphones

    @property
    def name(self) -> str:
        """The name of the voice on the command line."""
        return self.voice.name

    def installed(self) -> bool:
        """Whether this machine has it."""
        commands = all(shutil.which(command) for command in ("mbrola", "espeak-ng"))
        return commands and self.voice.data.exists()

    def write(self, text: str, manner: Manner, wav: Path) -> None:
        """Say ``text`` into a WAV file."""
        plain = mbrola.without_trills(text)
        spoken = run(["espeak-ng", "-v", self.voice.table, "-q", "--pho", plain])
        script = wav.with_suffix(".pho")
        script.write_text(mbrola.respelled(self.voice, text, spoken), encoding="ascii")
        ratios = [
            "-t",
            f"{1 / (manner.speed * MBROLA_TEMPO):.2f}",
            "-f",
            f"{self.voice.pitch * manner.pitch:.2f}",
        ]
        run(["mbrola", *ratios, str(self.voice.data), str(script), str(wav)])


@dataclass(frozen=True, slots=True)
class Festival:
    """Festival's Castilian diphone voice, at 11 kHz. It is for measuring, not to ship or tune by.

    Its licence allows no commercial use. It reads letters by its own rules, not by espeak-ng's.
    """

    name: str = "el"

    def installed(self) -> bool:
        """Whether this machine has it."""
        return shutil.which("festival") is not None and FESTIVAL_VOICE.exists()

    def write(self, text: str, manner: Manner, wav: Path) -> None:
        """Say ``text`` into a WAV file. The voice has only one pitch."""
        script = wav.with_suffix(".scm")
        lines = (
            "(voice_el_diphone)",
            f"(Parameter.set 'Duration_Stretch {FESTIVAL_TEMPO / manner.speed:.2f})",
            f'(utt.save.wave (utt.synth (Utterance Text "{_plain(text)}")) "{wav}" \'riff)',
        )
        # Its rules know the letters of Latin-1, with one byte each.
        script.write_text("\n".join(lines), encoding="latin-1", errors="replace")
        run(["festival", "-b", str(script)])


@dataclass(frozen=True, slots=True)
class Kokoro:
    """A voice of a network (Apache-2.0), natural and for measuring: it never trains.

    It reads with espeak-ng's rules and says the sounds in a melody of its own.
    """

    speaker: str

    @property
    def name(self) -> str:
        """The name of the voice on the command line."""
        return f"kokoro:{self.speaker}"

    def installed(self) -> bool:
        """Whether this machine has it."""
        return shutil.which("espeak-ng") is not None and kokoro.installed(self.speaker)

    def write(self, text: str, manner: Manner, wav: Path) -> None:
        """Say ``text`` into a WAV file. The voice has only one pitch."""
        ipa = run(["espeak-ng", "-v", "es", "-q", "--ipa", text])
        try:
            sound = kokoro.said(self.speaker, ipa, manner.speed)
        except (OSError, ValueError) as error:
            raise VoiceError(f"{self.name} cannot say {text!r}: {error}") from error
        loudest = max(1.0, float(np.abs(sound).max(initial=0.0)))
        with wave.open(str(wav), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(kokoro.RATE)
            file.writeframes(to_int16(sound / np.float32(loudest)).tobytes())


def _plain(text: str) -> str:
    """The text as letters and pauses, so that nothing ends a string of Festival's language."""
    return "".join(c if c.isalpha() or c in " ,.?" else " " for c in text)


_ESPEAK = ("es", "es+f2", "es-419+m3", "es+f4", "es+m7", "es-419+f3", "es+Andrea", "es+max")
FAMILIES: dict[str, tuple[Voice, ...]] = {
    "espeak": tuple(Espeak(name) for name in _ESPEAK),
    "pico": (Pico(),),
    "el": (Festival(),),
    "mbrola": tuple(Mbrola(voice) for voice in mbrola.VOICES),
    "kokoro": tuple(Kokoro(speaker) for speaker in kokoro.SPEAKERS),
}


def voices_named(names: str) -> tuple[Voice, ...]:
    """The voices of a list like "mbrola", "pico,espeak" or "es1,es4,es+f3".

    Raises VoiceError if one does not exist or is not installed.
    """
    found: list[Voice] = []
    for name in names.split(","):
        found += FAMILIES.get(name) or [_voice(name)]
    for voice in found:
        if not voice.installed():
            raise VoiceError(f"The voice {voice.name} is not installed: see docs/ear.md.")
    return tuple(found)


def _voice(name: str) -> Voice:
    for family in FAMILIES.values():
        for voice in family:
            if voice.name == name:
                return voice
    if name.startswith("kokoro:"):
        return Kokoro(name.removeprefix("kokoro:"))
    if name.split("+")[0] in ("es", "es-419"):
        return Espeak(name)
    raise VoiceError(f"There is no voice {name!r}: choose of {', '.join(FAMILIES)}.")


def speak(voice: Voice, text: str, manner: Manner) -> Floats:
    """``text`` said aloud: mono at ``RATE``, with no silence around it, all voices equally loud."""
    with tempfile.TemporaryDirectory(prefix="mus-voice-") as folder:
        wav = Path(folder) / "said.wav"
        voice.write(text, manner, wav)
        sound = np.concatenate(list(read_wav(wav))).astype(np.float32) / np.float32(32768)
    loud = np.flatnonzero(np.abs(sound) > SILENT)
    if len(loud) < RATE // 20:
        raise VoiceError(f"The voice {voice.name} said nothing for {text!r}.")
    speech = sound[loud[0] : loud[-1] + 1]
    level = float(np.sqrt(np.mean(np.square(speech))))
    return np.asarray(speech * np.float32(LOUDNESS / level), np.float32)


def run(command: Sequence[str]) -> str:
    """Run an engine and return its output. Raises VoiceError if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=True)
    except subprocess.CalledProcessError as error:
        raise VoiceError(f"{command[0]} failed: {error.stderr.strip()[-200:]}") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise VoiceError(f"{command[0]} failed: {error}") from error
    return done.stdout
