"""The text table of the game Drascula, which says what each file contains."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from scripts.lab.speechlab import drascula

HERO = ["", "¿Que pasa?", "No"]


def table(lines: Mapping[str, Sequence[str]]) -> bytes:
    """A table with these Castilian lines. The other five languages say "x" in all of them."""
    data = b"DRASCULA" + struct.pack(">H", 6)
    for role in drascula.ROLES:
        said = list(lines.get(role, [""]))
        said += [""] * (501 - len(said)) if role == "" else []
        data += struct.pack(">H", len(said))
        for language in range(6):
            packed = _packed(said if language == 1 else ["x"] * len(said))
            data += struct.pack(">H", len(packed)) + packed
    return data


def _packed(texts: Sequence[str]) -> bytes:
    packed = b"\0\0"
    for text in texts:
        entry = text.encode("cp850") + b"\0" * 3
        packed += struct.pack(">H", len(entry) + 2) + entry
    return packed


def test_a_file_has_the_line_of_its_number(tmp_path: Path) -> None:
    (tmp_path / "drascula.dat").write_bytes(table({"": HERO, "BJ": ["", "AÑO"]}))
    assert drascula.lines(tmp_path / "drascula.dat") == {"1": "¿Que pasa?", "2": "No", "BJ1": "AÑO"}


@pytest.mark.parametrize("size", [0, 9, 600, 9_000])
def test_a_truncated_table_is_reported(tmp_path: Path, size: int) -> None:
    (tmp_path / "drascula.dat").write_bytes(table({"": HERO * 100})[:size])
    with pytest.raises(drascula.NoScriptError, match=r"drascula\.dat holds no texts"):
        drascula.lines(tmp_path / "drascula.dat")
