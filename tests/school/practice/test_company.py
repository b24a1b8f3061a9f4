"""The computer players that ship: their files can be read, and errors in one are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.school.practice.game import TEMPERS, temper_named


def test_each_shipped_player_plays_differently() -> None:
    shipped = {path.stem for path in (data_dir("models") / "players").glob("*.toml")}
    assert shipped == set(TEMPERS)
    assert len({temper_named(name) for name in TEMPERS}) == len(TEMPERS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cut = 'x'", "'cut' has to be a number"),
        ("cuts = 3", "'cuts' is no number of a player"),
        ("cut =", "prudente.toml"),
    ],
)
def test_a_wrong_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    (tmp_path / "models" / "players").mkdir(parents=True)
    (tmp_path / "models" / "players" / "prudente.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("assistant.school.practice.game.data_dir", lambda name: tmp_path / name)
    with pytest.raises(UsageError, match=told):
        temper_named("prudente")


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(UsageError, match="choose from fuerte"):
        temper_named("../x")
