"""Asking somebody to lay cards out before the camera, and taking the picture of them."""

from __future__ import annotations

import sys

from assistant.eye.images import Image
from assistant.eye.source import Source
from assistant.eye.view import moments
from assistant.files.errors import UsageError

TIMEOUT = 20.0
"""Seconds that a camera has to show something that stands still."""


def wait_for(sentence: str) -> str:
    """Ask for something, and wait until Enter is pressed: what was typed. Raises UsageError."""
    print(sentence, file=sys.stderr, flush=True)
    try:
        return input().strip().lower()
    except EOFError:
        raise UsageError("Nobody pressed Enter: use a terminal.") from None


def still(source: Source) -> list[Image]:
    """Frames of the next time that nothing moves. Raises UsageError, CameraError."""
    for frames in moments(source, TIMEOUT):
        return frames
    raise UsageError(f"{source.name} gave no picture that stands still: fix the camera.")
