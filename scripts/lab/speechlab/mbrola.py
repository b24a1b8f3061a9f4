"""MBROLA's Spanish voices, for measuring only: their licence forbids training what ships."""

import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import audio, g2p, prosody

_DATA = Path("/usr/share/mbrola")


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice, its pitch range in Hz, and the phones it spells otherwise than we do."""

    name: str
    pitches: tuple[float, float] = (90.0, 150.0)
    spelled: dict[str, str] = field(default_factory=dict)
    stress_mark: str = ""


_GLIDES = {"j": "i", "w": "u"}
VOICES: tuple[Voice, ...] = (
    Voice("es1", spelled=_GLIDES | {"y": "jj"}),
    Voice("es2", spelled=_GLIDES | {"y": "jj", "T": "s"}),
    Voice("es3", (170.0, 260.0),
          _GLIDES | {"x": "j", "tS": "H", "J": "N", "y": "Y", "T": "z", "rr": "R"}),
    Voice("es4", spelled=_GLIDES | {"y": "jj"}),
    Voice("mx1", spelled=_GLIDES | {"y": "jj", "T": "s"}),
    Voice("mx2", spelled=_GLIDES | {"y": "dZ", "x": "j", "J": "ny", "T": "s"}),
    Voice("vz1", spelled={"y": "L", "T": "s", "x": "h", "J": "N"}, stress_mark="*"),
)  # fmt: skip


def installed() -> list[Voice]:
    """Return the voices that are on this machine."""
    return [voice for voice in VOICES if (_DATA / voice.name / voice.name).exists()]


def speak(voice: Voice, text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    """Say Spanish `text`; None if the voice lacks a diphone of it."""
    return say(voice, prosody.segments(text, prosody.delivery(voice.pitches, rng), rng), folder)


def say(voice: Voice, plan: list[prosody.Segment], folder: Path) -> audio.Samples | None:
    """Say timed phones; None if the voice lacks a diphone of them."""
    if voice.name == "vz1":
        plan = _without_inner_pauses(plan)
    script, wav = folder / "mbrola.pho", folder / "mbrola.wav"
    script.write_text("".join(_lines(voice, plan)), encoding="ascii")
    wav.unlink(missing_ok=True)
    data = _DATA / voice.name / voice.name
    done = subprocess.run(
        ["mbrola", "-e", str(data), str(script), str(wav)], capture_output=True, check=False
    )
    if b"unknown" in done.stderr or not wav.exists():
        return None
    return audio.trimmed(audio.read(wav))


def _without_inner_pauses(plan: list[prosody.Segment]) -> list[prosody.Segment]:
    """Drop pauses inside, because this voice has no diphone from s and x to silence."""
    inner = [segment for segment in plan[1:-1] if segment.phone != prosody.PAUSE]
    return [plan[0], *inner, plan[-1]]


def _lines(voice: Voice, plan: list[prosody.Segment]) -> list[str]:
    lines = []
    for index, segment in enumerate(plan):
        spelled = _spelled(voice, plan, index)
        pitch = f" 50 {segment.pitch:.0f}" if segment.pitch else ""
        lines.append(f"{spelled} {segment.seconds * 1000:.0f}{pitch}\n")
    return lines


def _spelled(voice: Voice, plan: list[prosody.Segment], index: int) -> str:
    segment = plan[index]
    if segment.phone == prosody.PAUSE:
        return "_"
    if voice.name == "vz1":
        before, after = plan[index - 1].phone, plan[index + 1].phone
        softens = before in g2p.VOWELS or before in ("r", "l", "s", "j", "w")
        if segment.phone in ("b", "d", "g") and softens:
            return segment.phone.upper()  # its approximants
        if segment.phone in ("s", "T") and after == prosody.PAUSE:
            return "s2"
    own = voice.spelled.get(segment.phone, segment.phone)
    return own + voice.stress_mark if segment.stressed and segment.phone in g2p.VOWELS else own
