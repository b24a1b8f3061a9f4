"""A recording as utterances, as fast as the machine goes."""

from __future__ import annotations

from pathlib import Path

from assistant.ear.recogniser import Recogniser
from assistant.ear.source import FileSource
from assistant.messages import Heard


def transcribe(path: Path, recogniser: Recogniser) -> list[Heard]:
    """Everything said in a WAV file, with times from its beginning. Raises AudioError."""
    heard = [
        result
        for block in FileSource(path, realtime=False).blocks()
        for result in recogniser.feed(block)
        if isinstance(result, Heard)
    ]
    return heard + recogniser.flush()
