"""The voices of this machine as the page shows them, each read once for as long as it is kept."""

from __future__ import annotations

from assistant.app.enrolled import DESCRIPTION, enrolled, own_dir
from assistant.app.errors import UsageError
from assistant.dashboard.port import VoiceView

Mark = tuple[int, int]


class VoiceViews:
    """What was read of the voices, which are minutes of sound; called from any thread.

    A voice is replaced as a whole folder, so its description tells whether it is still the same.
    """

    def __init__(self) -> None:
        self._read: dict[str, tuple[Mark, VoiceView]] = {}

    def of(self, names: list[str]) -> list[VoiceView]:
        """The views of these voices; all others are no longer remembered."""
        before = self._read
        marked = [(name, _mark(name)) for name in names]
        found = {}
        for name, mark in marked:
            known = before.get(name)
            found[name] = known if known and known[0] == mark else (mark, _view(name))
        self._read = found
        return [view for _, view in found.values()]


def _mark(name: str) -> Mark:
    """What changes with a voice's files. It may be forgotten meanwhile."""
    try:
        told = (own_dir() / name / DESCRIPTION).stat()
    except OSError:
        return (0, 0)
    return (told.st_ino, told.st_mtime_ns)


def _view(name: str) -> VoiceView:
    try:
        voice = enrolled(name)
    except UsageError:
        return {"name": name, "calls": 0, "seconds": 0.0, "made": ""}
    seconds = round(voice.seconds, 1)
    return {"name": name, "calls": len(voice.said), "seconds": seconds, "made": voice.made}
