"""The voice: what the table is told aloud. It never makes the table wait.

Sentences come from ``assistant.language.phrases``; here they are said, kept, or written into a
file.
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
from assistant.voice.speaker import Pyttsx3Voice
from assistant.voice.wav import Playback, Sounds, WavVoice, seconds_of

__all__ = [
    "Gate",
    "NullVoice",
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
