"""The texts of the Castilian actors of the game Drascula, for each file of their speech.

The game's table of texts (Debian: drascula) has one list for each role and language. Line n of a
role's list is the text of its file n. The hero's files have only a number. The texts are in code
page 850, most of them in capitals, without accents.
"""

import struct
from pathlib import Path

ROLES = ("", "D", "B", "BJ", "E", "I", "L", "P", "T", "VB")
"""The letters that a role's files begin with, in the order of the table; "" is the hero."""

_LANGUAGES, _CASTILIAN = 6, 1
_HEROS_LINES = 501
_START = struct.pack(">HH", _LANGUAGES, _HEROS_LINES)
"""The table's tail: how many languages there are, and how many lines the first role has."""


class NoScriptError(Exception):
    """The file is no table of the game's texts."""


def lines(table: Path) -> dict[str, str]:
    """Return the Castilian text of each file of speech, as "BJ7".

    Raises NoScriptError if the file is no such table, OSError if it cannot be read.
    """
    data = table.read_bytes()
    at = data.find(_START) + 2
    found = {}
    try:
        if at < 2:
            raise ValueError
        for role in ROLES:
            (count,) = struct.unpack_from(">H", data, at)
            at += 2
            for language in range(_LANGUAGES):
                (size,) = struct.unpack_from(">H", data, at)
                at += 2
                if language == _CASTILIAN:
                    texts = enumerate(_texts(data[at : at + size], count))
                    found.update({f"{role}{number}": text for number, text in texts if text})
                at += size
    except (struct.error, ValueError):
        raise NoScriptError(f"{table} holds no texts of Drascula") from None
    return found


def _texts(data: bytes, count: int) -> list[str]:
    """Read texts that end in a zero. Two bytes before each give the distance to the next one."""
    texts, at = [], 4
    for _ in range(count):
        texts.append(data[at : data.index(b"\0", at)].decode("cp850"))
        if len(texts) < count:
            at += struct.unpack_from(">H", data, at - 2)[0]
    return texts
