"""What the setup page may set, and what it is told of how the table is set."""

from __future__ import annotations

import re

from assistant.app.settings import LOCALHOST, Settings
from assistant.app.settings_file import Value, read_settings, whole
from assistant.dashboard import SetupError
from assistant.vision.network import shown

KEYS = (
    "mic", "camera", "deck", "voice", "voice_name", "rate", "volume", "level", "lan",
    "language", "profile", "seats",
)  # fmt: skip
"""What stands on the page, and so all that it is told of; the rest is for this machine's people."""
CAMERA = re.compile(r"\d{1,2}|rpicam|(https?|rtsp)://\S+", re.ASCII)
"""What the page may name; files are for the command line."""
VEIL = re.compile(r"://\*\*\*@|\?\.\.\.$|/\.\.\.$")
"""What stands in an address for the part that is not shown."""


def values_now(settings: Settings) -> dict[str, Value]:
    """Every setting of the page as it holds now: some were said on the command line."""
    now: dict[str, Value] = {
        **whole(read_settings()),
        "mic": settings.mic or "",
        "camera": _veiled(settings.camera or ""),
        "deck": settings.deck or "",
        "voice": settings.voice != "off",
        "level": settings.level,
        "lan": settings.host != LOCALHOST,
    }
    return {key: now[key] for key in KEYS}


def camera_meant(camera: str, settings: Settings) -> str:
    """The camera that the page names: the present one comes back as it was shown.

    Raises SetupError.
    """
    if settings.camera and camera == _veiled(settings.camera):
        return settings.camera
    if camera and not CAMERA.fullmatch(camera):
        raise SetupError("A camera is a number, rpicam, or an address (http, rtsp).", "camera")
    if VEIL.search(camera):
        raise SetupError("Write the whole address: its password is not shown here.", "veiled")
    return camera


def _veiled(camera: str) -> str:
    """A camera without its password, which nobody at the page needs to read."""
    return shown(camera) if "://" in camera else camera
