"""The Debian packages that synthesis needs, and which of them are missing."""

import shutil
from pathlib import Path

from . import amazon_queen, neighbours, packaged, russian
from .festival_voices import VOICES, DiphoneVoice

_COMMANDS = {
    "espeak-ng": "espeak-ng", "pico2wave": "libttspico-utils", "festival": "festival",
    "fstconvert": "libfst-tools", "flite": "flite",
    packaged.DECODER: packaged.DECODER,
}  # fmt: skip


def missing(dictionary: Path) -> list[str]:
    """Return the packages to install before synthesis, in alphabetical order."""
    absent = {package for command, package in _COMMANDS.items() if shutil.which(command) is None}
    for voice in VOICES:
        if isinstance(voice, DiphoneVoice) and not voice.group.exists():
            absent.add(voice.package)
    games = {**packaged.GAMES, amazon_queen.PACKAGE: amazon_queen.ARCHIVE}
    absent.update(packaged.missing({**packaged.TRAINING_PACKAGES, **neighbours.PACKAGES, **games}))
    if not russian.ROOT.exists():
        absent.add(russian.PACKAGE)
    if not dictionary.exists():
        absent.add("wspanish")
    return sorted(absent)
