"""The ear: from sound (a microphone or a file) to utterances that the table can read."""

from assistant.ear.audio import AudioError, SpeechError
from assistant.ear.ear import Ear, EarAround, EarState, Hears, Renewable
from assistant.ear.echo import EchoGate
from assistant.ear.microphone import MicrophoneSource, microphones
from assistant.ear.recogniser import (
    NEARLY,
    PATIENCE,
    PAUSE,
    SETTLED,
    Partial,
    PauseAfter,
    Recogniser,
    pause_by_words,
    transcribe,
)
from assistant.ear.second_opinion import Means, SecondOpinion
from assistant.ear.source import AudioSource, Block, FileSource, NoMicrophone, SourceLost
from assistant.ear.speech_model import ModelError

__all__ = [
    "NEARLY",
    "PATIENCE",
    "PAUSE",
    "SETTLED",
    "AudioError",
    "AudioSource",
    "Block",
    "Ear",
    "EarAround",
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
    "Renewable",
    "SecondOpinion",
    "SourceLost",
    "SpeechError",
    "microphones",
    "pause_by_words",
    "transcribe",
]
