"""The English actors of Flight of the Amazon Queen (Debian main), for background talk.

The game keeps everything in one file: a list of names, places and sizes, and the speech as MP3.
"""

import io
import struct
from collections.abc import Iterator
from pathlib import Path

import soundfile

from . import audio, split

PACKAGE = "flight-of-the-amazon-queen"
ARCHIVE = Path("/usr/share/scummvm") / PACKAGE / "queen.1c"
SPEAKER = "amazon_queen_en"

_MAGIC = b"QTBLCEM10"
_HEAD = struct.Struct(">9s4xH")
_ENTRY = struct.Struct(">12sBII")
_SPEECH = ".SB"


def talk(measuring: bool, archive: Path = ARCHIVE) -> Iterator[audio.Samples]:
    """Yield the lines of the half that may train, or of the half that measures.

    Nothing if the game is not installed, or is packed in another way than Debian's.
    """
    if not archive.is_file():
        return
    with archive.open("rb") as packed:
        for name, place, size in _listed(packed.read(_HEAD.size), packed):
            if split.develops(Path(name)) is not measuring:
                continue
            packed.seek(place)
            if (line := _decoded(packed.read(size))) is not None:
                yield line


def _listed(head: bytes, packed: io.BufferedReader) -> list[tuple[str, int, int]]:
    """Return name, place and bytes of each line of speech."""
    if len(head) < _HEAD.size or not head.startswith(_MAGIC):
        return []
    rows = packed.read(_HEAD.unpack(head)[1] * _ENTRY.size)
    listed = []
    for raw, _, place, size in _ENTRY.iter_unpack(rows[: len(rows) // _ENTRY.size * _ENTRY.size]):
        name = raw.split(b"\0")[0].decode("ascii", "replace")
        if name.endswith(_SPEECH):
            listed.append((name, place, size))
    return listed


def _decoded(line: bytes) -> audio.Samples | None:
    try:
        return audio.trimmed(audio.read(io.BytesIO(line)))
    except soundfile.LibsndfileError:
        return None
