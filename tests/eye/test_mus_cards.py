"""``mus cards``: the cards of a picture as text, as JSON, and drawn into it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli.main import main
from assistant.eye.deck import load_deck, own_dir, save_deck
from assistant.files.paths import data_dir
from assistant.rules.cards import parse_card
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.closeups import CloseUp, photographed
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import SIZE, art, four, other_art, picture, saved, table
from tests.tables import each_row

pytestmark = pytest.mark.usefixtures("own_folder")


def test_cards_that_lie_apart_are_listed_with_their_seats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, "table", picture())
    drawn = tmp_path / "drawn.png"
    status = main(["cards", path, "--json", "--annotate", str(drawn)])
    told = json.loads(capsys.readouterr().out)
    real = {(seen.seat, str(seen.card)) for seen in scenes.truth(table())}
    found = {(card["seat"], card["rank"] + card["suit"]) for card in told["cards"]}
    assert found <= real
    assert len(found) >= 14
    assert told["complete"] is (status == 0)
    assert all(0.9 < card["confidence"] <= 1 and len(card["quad"]) == 4 for card in told["cards"])
    assert sum(told["missing"].values()) == 16 - len(found)
    made = cv2.imread(str(drawn))
    assert made is not None
    assert made.shape == picture().shape
    assert np.abs(made.astype(int) - picture()).max() > 100


@pytest.mark.usefixtures("in_spanish")
def test_a_calibrated_table_lists_its_cards_and_the_seats_that_lack_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, laid = saved(tmp_path, "empty", picture(())), saved(tmp_path, "four", four())
    table_folder = str(tmp_path / "table")
    assert main(["calibrate", "--empty", empty, "--cards", laid, "--out", table_folder]) == 0
    assert "4 cartas vistas" in capsys.readouterr().out
    path = saved(tmp_path, "cards", picture((1, 3)))
    assert main(["cards", path, "--zones", table_folder, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["missing"] == {"2": 4, "4": 4}
    assert told["troubles"] == {"2": "none", "4": "none"}
    for card in told["cards"]:
        parse_card(card["rank"] + card["suit"])
    assert main(["cards", path, "--zones", table_folder]) == 1
    assert "asiento 2: -  (0 de 4: no hay cartas)" in capsys.readouterr().out


@each_row(
    "given, told",
    [
        ([], "Name a picture or a video, or a camera"),
        (["x.png", "--camera", "0"], "Name a picture or a video, or a camera"),
        (["none.png"], "none.png"),
        (["--camera", "http://127.0.0.1:9/x"], "127.0.0.1"),
        (["{picture}", "--deck", "nobody"], "There is no deck 'nobody'"),
        (["{picture}", "--zones", "none"], "none cannot be read"),
        (["{picture}", "--seats", "9"], "1 to 6 seats"),
        (["{picture}", "--annotate", "out.txt"], "no picture's name"),
    ],
)
def test_impossible_input_gives_one_sentence(
    given: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, "small", picture(())[::4, ::4])
    assert main(["cards", *(word.format(picture=path) for word in given)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_zones_for_another_picture_give_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zones = tmp_path / "table.toml"
    zones.write_text(f"picture = [{SIZE[0]}, {SIZE[1] + 2}]\n", encoding="utf-8")
    path = saved(tmp_path, "table", picture(()))
    assert main(["cards", path, "--zones", str(zones)]) == 2
    assert "calibrate it again" in capsys.readouterr().err


@pytest.mark.usefixtures("in_spanish")
def test_a_hand_is_listed_from_left_to_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, cards = photographed(CloseUp("side by side"), art(), 5)
    path = saved(tmp_path, "hand", shown)
    assert main(["cards", "--hand", path]) == 0
    assert capsys.readouterr().out.count(" de ") == 4
    assert main(["cards", "--hand", path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {card["rank"] + card["suit"] for card in told["cards"]} == set(map(str, cards))
    assert told["complete"]
    assert told["trouble"] is None


@pytest.mark.usefixtures("in_spanish")
def test_what_is_no_whole_hand_is_told_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    three = saved(tmp_path, "three", photographed(CloseUp("three", count=3), art(), 8)[0])
    assert main(["cards", "--hand", three]) == 1
    assert "Se ven 3 cartas, y cada jugador tiene 4." in capsys.readouterr().out
    bare = saved(tmp_path, "bare", np.full((600, 800, 3), 90, np.uint8))
    assert main(["cards", "--hand", bare, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["trouble"] in ("none", "blurred")
    assert main(["cards", "--hand", bare, "--zones", str(tmp_path)]) == 2
    assert "--hand reads one picture" in capsys.readouterr().err


@pytest.mark.usefixtures("in_spanish")
def test_cards_of_another_deck_are_named_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = other_art()
    path = saved(tmp_path, "other", shot(table(), other, 1, 1)[0])
    assert main(["cards", path]) == 1
    said = capsys.readouterr().out
    assert "Estas cartas no son de la baraja mus." in said
    assert "mus deck enrol NOMBRE" in said
    assert main(["cards", path, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["upset"], told["deck"], told["better_deck"]) == ("other_deck", "mus", None)
    deck = load_deck(data_dir("models") / "decks" / "mus")
    save_deck(own_dir() / "mia", replace(deck, faces=other))
    assert main(["cards", path, "--deck", "mus"]) == 1
    assert "Parecen de la baraja mia: prueba con --deck mia." in capsys.readouterr().out
