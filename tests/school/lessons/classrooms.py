"""A classroom with the real voice, and without an opened ear."""

from __future__ import annotations

from assistant.ear import Ear, EchoGate, MicrophoneSource, Recogniser
from assistant.files.resources import model_dir
from assistant.messages import Heard
from assistant.rules.profile import Senas
from assistant.school.lessons.classroom import Classroom, Pupil
from assistant.voice import Sounds, VoiceSettings
from tests.lexicons import spanish


def classroom_of(
    gate: EchoGate | None = None, ear: Ear | None = None, senas: Senas = Senas.FEM
) -> Classroom:
    """The classroom of a table. Without an ``ear``, nobody hears."""
    gate = gate or EchoGate()
    closed = ear or Ear(
        MicrophoneSource("nobody's"),
        Recogniser(model_dir(), spanish().grammar()),
        gate,
        on_heard=_forget,
    )
    pupil = Pupil(lambda: closed, model_dir(), "es", lambda: False)
    return Classroom(
        "es", lambda code: Sounds(VoiceSettings(code)), pupil, gate.hold, lambda: senas
    )


def _forget(_heard: Heard) -> None:
    """Ignore the utterance."""
