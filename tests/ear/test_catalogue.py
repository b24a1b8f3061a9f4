"""Unpacking a downloaded archive: only a model comes out of it, and only a complete one."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant.ear.catalogue import MOST_FILES, unpack
from assistant.ear.speech_model import check_model
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from tests.tables import each_row

SHIPPED = data_dir("models") / "mus-es"
MODEL = {
    f"top/{path.relative_to(SHIPPED)}": path.read_bytes()
    for path in SHIPPED.rglob("*")
    if path.is_file()
}


def archive(path: Path, files: Mapping[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packed) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return path


@each_row("top", ["top/", "", "some/where/"])
def test_a_model_is_unpacked_from_any_folder_of_the_archive(tmp_path: Path, top: str) -> None:
    files = {name.replace("top/", top): content for name, content in MODEL.items()}
    unpack(archive(tmp_path / "a.zip", files), tmp_path / "model")
    check_model(tmp_path / "model")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.zip", "model"}


def test_other_files_of_the_archive_are_left_out(tmp_path: Path) -> None:
    unpack(archive(tmp_path / "a.zip", MODEL | {"other/x": b"x"}), tmp_path / "model")
    assert not list((tmp_path / "model").rglob("x"))


@each_row("name", ["../evil", "top/../../evil", "/evil", "top/..\\evil"])
def test_nothing_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="outside its folder: refused"):
        unpack(archive(tmp_path / "a.zip", MODEL | {name: b"evil"}), tmp_path / "in" / "model")
    assert not list(tmp_path.rglob("evil*"))
    assert not (tmp_path / "in" / "model").exists()


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", MODEL)
    link = zipfile.ZipInfo("top/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as opened:
        opened.writestr(link, "/etc/passwd")
    with pytest.raises(UsageError, match="outside its folder: refused"):
        unpack(path, tmp_path / "model")


@each_row(
    "files",
    [
        MODEL | {"top/am/final.mdl": b"", "top/zeros": bytes(200_000_000)},
        MODEL | {f"top/{n}": b"" for n in range(MOST_FILES)},
    ],
)
def test_a_zip_bomb_is_not_unpacked(tmp_path: Path, files: Mapping[str, bytes]) -> None:
    with pytest.raises(UsageError, match=r"would unpack to .*: refused"):
        unpack(archive(tmp_path / "a.zip", files), tmp_path / "model")


def _damaged() -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as opened:
        for name, content in MODEL.items():
            opened.writestr(name, content)
    data = bytearray(whole.getvalue())
    at = data.index(MODEL["top/am/final.mdl"][:40]) + 1000
    data[at] ^= 255
    return bytes(data)


@each_row(
    "content, said",
    [
        (b"", "no archive"),
        (b"<html>not found</html>", "no archive"),
        (_damaged(), "no archive that can be read"),
        (_damaged()[:100_000], "no archive"),
    ],
)
def test_a_broken_archive_leaves_nothing_behind(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        unpack(tmp_path / "a.zip", tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


@each_row(
    "lost, said", [("am/final.mdl", "no speech model"), ("graph/Gr.fst", "lacks graph/Gr.fst")]
)
def test_an_archive_without_a_model_is_refused_with_the_missing_file(
    tmp_path: Path, lost: str, said: str
) -> None:
    files = {name: content for name, content in MODEL.items() if not name.endswith(lost)}
    with pytest.raises(UsageError, match=said):
        unpack(archive(tmp_path / "a.zip", files), tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_the_remains_of_an_interrupted_unpacking_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / ".model.part" / "am").mkdir(parents=True)
    (tmp_path / ".model.part" / "am" / "final.mdl").write_bytes(b"half")
    unpack(archive(tmp_path / "a.zip", MODEL), tmp_path / "model")
    check_model(tmp_path / "model")
