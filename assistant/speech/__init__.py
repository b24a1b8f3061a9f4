"""Hearing: microphone, recogniser, echo gate. Rank 3; imports nothing of its neighbours."""

from assistant.speech.ear import Ear, EarState, Hears
from assistant.speech.errors import AudioError, ModelError, NoMicrophone, SourceLost, SpeechError
from assistant.speech.file_source import FileSource
from assistant.speech.gate import EchoGate
from assistant.speech.microphone import MicrophoneSource, microphones
from assistant.speech.recogniser import (
    NEARLY,
    PATIENCE,
    PAUSE,
    SETTLED,
    Partial,
    PauseAfter,
    Recogniser,
    pause_by_words,
)
from assistant.speech.second import Means, SecondOpinion
from assistant.speech.source import AudioSource, Block
from assistant.speech.transcribe import transcribe

__all__ = [
    "NEARLY",
    "PATIENCE",
    "PAUSE",
    "SETTLED",
    "AudioError",
    "AudioSource",
    "Block",
    "Ear",
    "EarState",
    "EchoGate",
    "FileSource",
    "Hears",
    "Means",
    "MicrophoneSource",
    "ModelError",
    "NoMicrophone",
    "Partial",
    "PauseAfter",
    "Recogniser",
    "SecondOpinion",
    "SourceLost",
    "SpeechError",
    "microphones",
    "pause_by_words",
    "transcribe",
]
