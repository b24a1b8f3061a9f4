"""What one run of the table is asked to do."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from assistant.files.broker_address import Address
from assistant.files.paths import own_data_dir
from assistant.rules.profile import Profile

LOCALHOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"


@dataclass(frozen=True, slots=True)
class Settings:
    """One run of the table.

    listen   recording to hear instead of the microphone; fast: without waiting for its real time;
             aloud: played on the loudspeaker, too
    cards    script whose ``cards`` lines are shown at each showdown
    camera   what looks at the table, or None; deck: which it reads; table: its calibration's folder
    journal  file that keeps the game; ``None`` keeps it in memory only
    model    what hears; second: what must have heard a dear call, too, or None
    voice    "on", "off", or the WAV file that takes what would be said; voice_name: which one, by
             a part of its name; rate, volume: how it speaks
    profile, seats, mano  of a new game; ``None`` where they were not asked for
    usual_profile, usual_seats  of a new game for which nothing else was asked
    language that it is told in, whatever its rules say; "": as they say
    mano     ``None``: the table is asked
    hub      where the game is sent, or None
    stay     keep serving the dashboard after the recording's end
    """

    listen: Path | None
    fast: bool
    aloud: bool
    cards: Path | None
    camera: str | None
    deck: str | None
    table: Path | None
    journal: Path | None
    model: Path
    second: Path | None
    mic: str | None
    channels: int
    seat_channels: tuple[int, ...]
    voice: str
    voice_name: str
    rate: int
    volume: float
    level: str
    port: int
    host: str
    profile: Profile | None
    seats: tuple[str, ...] | None
    mano: int | None
    usual_profile: Profile | None
    usual_seats: tuple[str, ...] | None
    language: str
    hub: Address | None
    new: bool
    stay: bool
    json: bool

    @property
    def voice_file(self) -> Path:
        """The file that takes what would be said."""
        return Path(self.voice)


def default_journal() -> Path:
    """The journal of this machine's table, in the user's data folder (XDG)."""
    return own_data_dir() / "table.sqlite3"


def port_number(text: str) -> int:
    """A port as it is typed."""
    if text.isascii() and text.isdigit() and 0 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port: choose 1 to 65535, or 0 for any.")
