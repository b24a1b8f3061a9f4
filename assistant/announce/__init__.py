"""The voice: what the table is told aloud. It never makes the table wait.

Sentences come from ``assistant.phrases``; here they are only said, kept, or written into a file.
"""

from assistant.announce.null import NullVoice
from assistant.announce.playback import Playback
from assistant.announce.port import Gate, Line, Said, Timbre, Voice, VoiceError, VoiceSettings
from assistant.announce.sounds import Sounds, seconds_of
from assistant.announce.speaker import Pyttsx3Voice
from assistant.announce.wav import WavVoice

__all__ = [
    "Gate",
    "Line",
    "NullVoice",
    "Playback",
    "Pyttsx3Voice",
    "Said",
    "Sounds",
    "Timbre",
    "Voice",
    "VoiceError",
    "VoiceSettings",
    "WavVoice",
    "seconds_of",
]
