"""Malicious and damaged archives: each is refused in one sentence and leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from assistant.cli import archive as archive_module
from assistant.cli.archive import MANIFEST, MOST_FILES, ArchiveError, pack, unpack
from assistant.cli.main import main
from tests.tables import each_row

SETTINGS = b'level = "full"\n'


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(kind, str(tmp_path / "home"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bar.mus-backup"


def entry(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def forged(file: Path, holds: dict[str, bytes], method: int = ZIP_DEFLATED, **told: Any) -> None:
    """An archive of these files. The manifest is right except for what ``told`` changes."""
    files = {name: entry(data) for name, data in holds.items()}
    manifest = {"mus_backup": 1, "made": "2026-05-28", "by": "0.1.0", "files": files} | told
    with ZipFile(file, "w", method) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        for name, data in holds.items():
            archive.writestr(name, data)


def refusal(file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The sentence of a refused import, which must change nothing on this machine."""
    around = {path for path in file.parent.parent.rglob("*") if path != file}
    assert main(["import", str(file), "--replace"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert str(file) in said.err
    assert {path for path in file.parent.parent.rglob("*") if path != file} == around
    return said.err


def test_a_packed_archive_unpacks_to_the_same_files(tmp_path: Path, file: Path) -> None:
    for name in ("from", "to"):
        (tmp_path / name).mkdir()
    (tmp_path / "from" / "settings.toml").write_bytes(SETTINGS)
    made = pack(tmp_path / "from", file)
    assert unpack(file, tmp_path / "to") == made
    assert (tmp_path / "to" / "settings.toml").read_bytes() == SETTINGS


@each_row(
    "name",
    [
        "../settings.toml",
        "/settings.toml",
        "decks/../settings.toml",
        "decks/../../x/deck.toml",
        "decks/mia/../../../Ro.png",
        "profiles/../../mesa.toml",
        "profiles/.mesa.toml",
        "decks/mia/run.sh",
        "decks/mia",
        "table\\..\\x.png",
        "settings.toml\n",
        "page.json",
    ],
)
def test_files_are_written_only_to_their_own_places(
    file: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {name: SETTINGS})
    assert "is no part of a player's belongings" in refusal(file, capsys)


def test_a_newer_version_asks_for_an_update(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged(file, {"settings.toml": SETTINGS, "stones/x": b""}, mus_backup=2)
    assert "newer version of mus: update mus" in refusal(file, capsys)


@pytest.mark.parametrize(
    "files",
    [
        {"settings.toml": {"bytes": 2_000_000_000, "sha256": ""}},
        {"settings.toml": {"bytes": -1, "sha256": ""}},
        {f"profiles/p{n}.toml": {"bytes": 0, "sha256": ""} for n in range(MOST_FILES + 1)},
    ],
    ids=["large", "negative", "many"],
)
def test_an_archive_that_unpacks_to_too_much_is_refused(
    file: Path, files: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"settings.toml": SETTINGS}, files=files)
    assert "no backup of a table" in refusal(file, capsys)


def test_a_file_is_not_unpacked_beyond_its_stated_size(file: Path, tmp_path: Path) -> None:
    swelling = bytes(900_000)
    forged(file, {"settings.toml": swelling}, files={"settings.toml": entry(SETTINGS)})
    assert file.stat().st_size < 100_000
    (tmp_path / "to").mkdir()
    with pytest.raises(ArchiveError, match="is damaged"):
        unpack(file, tmp_path / "to")
    assert (tmp_path / "to" / "settings.toml").stat().st_size <= len(SETTINGS)


def test_a_manifest_that_swells_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged(file, {"settings.toml": SETTINGS}, by=" " * 50_000_000)
    assert "is damaged" in refusal(file, capsys)


@pytest.mark.parametrize(
    "told",
    [
        {"files": {}},
        {"files": {"settings.toml": {"bytes": 3}}},
        {"files": {"settings.toml": entry(b'level = "loud"\n')}},
        {"files": {"settings.toml": {"bytes": 1e400, "sha256": ""}}},
        {"files": ["settings.toml"]},
        {"files": {"settings.toml": entry(SETTINGS), "table/table.toml": entry(b"")}},
    ],
    ids=["unlisted", "half", "changed", "endless", "list", "missing"],
)
def test_a_manifest_that_does_not_fit_its_archive_is_damage(
    file: Path, told: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"settings.toml": SETTINGS}, **told)
    assert "is damaged" in refusal(file, capsys)


@each_row("version", [None, True, "1", 0, -3])
def test_a_manifest_of_another_program_is_refused(
    file: Path, version: object, capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"settings.toml": SETTINGS}, mus_backup=version)
    assert "is no backup of mus" in refusal(file, capsys)


def test_a_file_that_is_in_the_archive_twice_is_damage(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"settings.toml": SETTINGS})
    with ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("settings.toml", b'level = "loud"\n')
    assert "is damaged" in refusal(file, capsys)


def test_an_archive_with_a_compression_without_bounds_is_damage(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"settings.toml": SETTINGS}, ZIP_LZMA)
    assert "is damaged" in refusal(file, capsys)


@pytest.mark.parametrize("content", [b"", b"no archive " * 40, b"PK\x05\x06" + bytes(18)])
def test_a_file_of_another_kind_is_refused(
    file: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(content)
    assert "is no backup of mus" in refusal(file, capsys)


def test_a_missing_archive_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no file" in refusal(file, capsys)


@each_row("seed", range(120))
def test_a_damaged_archive_is_refused_or_unpacked_correctly(
    file: Path, tmp_path: Path, seed: int
) -> None:
    """A worn memory card changes a few bytes or cuts off the end."""
    forged(file, {"settings.toml": SETTINGS * 20, "profiles/mesa.toml": b'name = "mesa"\n' * 9})
    content, chance = bytearray(file.read_bytes()), random.Random(seed)
    at = chance.randrange(len(content))
    if seed % 4:
        content[at : at + 2] = chance.randbytes(2)
    else:
        del content[at:]
    file.write_bytes(content)
    (tmp_path / "to").mkdir()
    try:
        manifest = unpack(file, tmp_path / "to")
    except ArchiveError as error:
        assert "\n" not in str(error)  # noqa: PT017 - a harmless change raises nothing
        return
    for name, told in manifest.files.items():
        data = (tmp_path / "to" / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (told.size, told.sha256)
    assert (tmp_path / "to" / "settings.toml").read_bytes() == SETTINGS * 20


def test_settings_that_the_table_would_refuse_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"settings.toml": b'colour = "red"\n'})
    said = refusal(file, capsys)
    assert "settings.toml: there is no setting 'colour'" in said
    assert "/tmp" not in said.replace(str(file), "")


def test_a_damaged_journal_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged(file, {"journal.sqlite3": b"x" * 5_000})
    assert "journal.sqlite3: it is no journal of mus" in refusal(file, capsys)


@pytest.mark.parametrize(
    "name",
    [
        "settings.toml",
        "profiles/mesa.toml",
        "lessons.json",
        "drills.json",
        "journal.sqlite3",
        "decks/mia/Ro.png",
    ],
)
def test_a_file_far_beyond_the_limit_is_refused_before_it_is_unpacked(
    name: str, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    forged(file, {name: bytes(220_000_000)})
    assert file.stat().st_size < 220_000
    unpacked: list[str] = []
    chunks = archive_module._chunks

    def watched(file: Path, archive: ZipFile, name: str, most: int) -> Iterator[bytes]:
        unpacked.append(name)
        return chunks(file, archive, name, most)

    monkeypatch.setattr(archive_module, "_chunks", watched)
    assert f"is refused: {name}" in refusal(file, capsys)
    assert unpacked == ["manifest.json"]


def test_a_deeply_nested_lesson_is_refused_in_one_sentence(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged(file, {"lessons.json": b'{"a":' * 20_000 + b"1" + b"}" * 20_000})
    assert "lessons.json" in refusal(file, capsys)
