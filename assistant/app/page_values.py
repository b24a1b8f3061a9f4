"""What the setup page may set, and what it is told of how the table is set."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.app.errors import UsageError
from assistant.app.profile_files import profile_paths
from assistant.app.settings import LOCALHOST, Settings
from assistant.app.settings_file import Value, checked, read_settings, whole
from assistant.dashboard import SetupError
from assistant.script import read_seats
from assistant.vision.network import shown

KEYS = (
    "mic", "camera", "deck", "voice", "voice_name", "rate", "volume", "level", "lan",
    "language", "profile", "seats",
)  # fmt: skip
"""What stands on the page, and so all that it is told of and may set.

The rest is for the command line: whoever knows the PIN is trusted with the game, not with which
files this machine reads, nor with where it sends what is in them.
"""
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


def new_values(values: Mapping[str, object], settings: Settings) -> dict[str, Value | None]:
    """What the page sets, as it is kept. Raises SetupError, ProfileError, UsageError."""
    for key in values:
        if key not in KEYS:
            raise SetupError(f"{key[:40]!r} is not for this page to set: use 'mus settings'.")
    if camera := values.get("camera"):
        values = {**values, "camera": camera_meant(str(camera), settings)}
    if seats := values.get("seats"):
        read_seats(str(seats))  # first, for the page has words of its own for what is wrong
    if profile := values.get("profile"):
        _check_profile(str(profile))
    return {key: None if value is None else checked(key, value) for key, value in values.items()}


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


def _check_profile(name: str) -> None:
    """Rules have a name here; which file they stand in is for the command line to say."""
    if name not in profile_paths():
        known = ", ".join(profile_paths())
        raise UsageError(f"There is no profile {name[:40]!r}: choose from {known}.")


def _veiled(camera: str) -> str:
    """A camera without its password, which nobody at the page needs to read."""
    return shown(camera) if "://" in camera else camera
