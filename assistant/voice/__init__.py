"""The voice: says sentences aloud, keeps them, or writes them into a file.

The sentences come from ``assistant.language.phrases``. The table never waits for the voice.
"""

from assistant.voice.port import (
    Gate,
    NullVoice,
    SaidSentence,
    SpokenLine,
    Timbre,
    Voice,
    VoiceError,
    VoiceSettings,
)
from assistant.voice.speaker import OnBegin, Pyttsx3Voice
from assistant.voice.wav import Playback, Sounds, WavVoice, seconds_of

__all__ = [
    "Gate",
    "NullVoice",
    "OnBegin",
    "Playback",
    "Pyttsx3Voice",
    "SaidSentence",
    "Sounds",
    "SpokenLine",
    "Timbre",
    "Voice",
    "VoiceError",
    "VoiceSettings",
    "WavVoice",
    "seconds_of",
]
