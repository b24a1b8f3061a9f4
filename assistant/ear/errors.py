"""What can go wrong at the ear; every text is one sentence that says what to do."""

from __future__ import annotations

from assistant.rules.errors import MusError


class SpeechError(MusError):
    """Base of everything the ear raises on purpose."""


class AudioError(SpeechError):
    """A file that holds no sound we can read."""


class NoMicrophone(SpeechError):  # noqa: N818 - it names what is missing
    """No microphone can be opened."""


class SourceLost(SpeechError):  # noqa: N818 - what happened to the source
    """A source that was open went away: an unplugged microphone."""


class ModelError(SpeechError):
    """No speech model can be loaded from the folder."""


class EnrolmentError(SpeechError):
    """A voice that cannot be learnt from what was recorded of it."""
