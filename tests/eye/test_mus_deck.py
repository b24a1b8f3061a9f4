"""``mus deck`` and ``mus calibrate``: what the eye is taught, and what it refuses to learn."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli.main import main
from assistant.eye.deck import find_deck
from tests.eye.eyes import four, photographs, picture, saved


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_a_deck_is_enrolled_listed_mended_and_read_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [saved(tmp_path, f"suit{at}", image) for at, image in enumerate(photographs())]
    assert main(["deck", "enrol", "mia", *paths, "--title", 'La "vieja"']) == 0
    assert "todas.png" in capsys.readouterr().out
    assert main(["deck", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["mia"]["own"]
    assert rows["mia"]["title"] == 'La "vieja"'
    assert not rows["mus"]["own"]
    before = find_deck("mia")
    assert find_deck(None).name == "mia", "a player's only deck is the one in play"
    assert main(["deck", "fix", "mia", "6e", "7e"]) == 0
    after = find_deck("mia")
    six, seven = (next(card for card in before.faces if str(card) == name) for name in ("6e", "7e"))
    assert np.array_equal(after.faces[six], before.faces[seven])
    assert np.array_equal(after.faces[seven], before.faces[six])
    capsys.readouterr()
    assert main(["deck", "enrol", "mia", *paths]) == 2
    assert "There is a deck 'mia' already" in capsys.readouterr().err
    assert main(["deck", "enrol", "otra", paths[0], paths[1], paths[2], paths[2]]) == 2
    assert find_deck("mia").title == 'La "vieja"', "what is refused costs nothing that was there"
    assert not (tmp_path / "data" / "mus" / "decks" / "otra").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["deck", "enrol", "../x", "a.png"], "cannot be called"),
        (["deck", "enrol", "x"], "Give 1, 2 or 4 pictures"),
        (["deck", "enrol", "x", "none.png"], "none.png cannot be read"),
        (["deck", "enrol", "x", "{small}"], "small.png"),
        (["deck", "enrol", "x", "{small}", "--suits", "oce"], "each of o c e b once"),
        (["deck", "enrol", "x", "{small}", "--size", "95x61"], "as in 61x95"),
        (["deck", "fix", "mus", "6e", "7e"], "only your own can be mended"),
        (["calibrate"], "--empty"),
        (["calibrate", "--empty", "{small}"], "No mat is seen"),
        (["calibrate", "--empty", "{small}", "--cards", "{table}"], "differ in size"),
        (["calibrate", "--empty", "{table}", "--cards", "{table}"], "0 cards are made out"),
    ],
)
def test_what_cannot_be_learnt_is_one_sentence(
    given: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = saved(tmp_path, "small", picture(())[::4, ::4])
    table = saved(tmp_path, "table", picture(()))
    assert main([word.format(small=small, table=table) for word in given]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_zones_marked_by_hand_outlive_a_new_calibration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "table"
    folder.mkdir()
    (folder / "table.toml").write_text(
        "picture = [1280, 720]\n[[zone]]\nseat = 2\n"
        "corners = [[900, 100], [1270, 100], [1270, 600], [900, 600]]\n",
        encoding="utf-8",
    )
    empty, laid = saved(tmp_path, "empty", picture(())), saved(tmp_path, "four", four())
    assert (
        main(["calibrate", "--empty", empty, "--cards", laid, "--out", str(folder), "--json"]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["cards"], told["zones"]) == (4, [2])
    assert cv2.imread(str(folder / "empty.png")) is not None
