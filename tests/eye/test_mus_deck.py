"""``mus deck``: enrolment from photographs or by a camera, and corrections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cli.main import main
from assistant.eye import mus_deck as module
from assistant.eye.deck import find_deck, own_dir, save_deck
from assistant.eye.draft import DeckDraft
from assistant.eye.images import Image
from assistant.eye.mus_deck import photograph
from assistant.eye.source import Frame
from assistant.files.process import UsageError
from assistant.rules.cards import Suit
from scripts.lab.eyebench.enrolment import back_sheet, spread_sheets
from tests.eye.eyes import art, four, four_of, other_art, photographs, picture, saved
from tests.eye.test_mounting import photo, plain, scene
from tests.tables import each_row

pytestmark = pytest.mark.usefixtures("own_folder")

# ---- ``mus deck`` and ``mus calibrate``: what the eye learns, and what it refuses ---------------


def test_a_deck_is_enrolled_listed_corrected_and_used(
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
    assert find_deck("mia").title == 'La "vieja"', "a refused picture leaves the deck as it was"
    assert not (tmp_path / "data" / "mus" / "decks" / "otra").exists()


@each_row(
    "given, told",
    [
        (["deck", "enrol", "../x", "a.png"], "cannot be called"),
        (["deck", "enrol", "x"], "Give 1 to 8 pictures"),
        (["deck", "enrol", "x", "none.png"], "none.png cannot be read"),
        (["deck", "enrol", "x", "{small}"], "small.png"),
        (["deck", "enrol", "x", "{small}", "--suits", "oce"], "each of o c e b once"),
        (["deck", "enrol", "x", "{small}", "--size", "95x61"], "as in 61x95"),
        (["deck", "fix", "mus", "6e", "7e"], "only your own can be mended"),
        (["deck", "not-mus", "mus", "{small}"], "only your own can learn more"),
        (["deck", "enrol", "x", "--not-mus", "none.png"], "none.png cannot be read"),
        (["calibrate"], "--empty"),
        (["calibrate", "--check"], "Give a camera (--camera), or a picture of loose cards"),
        (["calibrate", "--empty", "{small}"], "No mat is seen"),
        (["calibrate", "--empty", "{small}", "--cards", "{table}"], "differ in size"),
        (["calibrate", "--empty", "{table}", "--cards", "{table}"], "0 cards are made out"),
    ],
)
def test_unusable_pictures_give_one_sentence(
    given: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = saved(tmp_path, "small", picture(())[::4, ::4])
    table = saved(tmp_path, "table", picture(()))
    assert main([word.format(small=small, table=table) for word in given]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_pictures_in_any_order_make_a_deck_and_what_is_missing_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheets = spread_sheets(art(), 8, 2, scale=0.5)
    paths = [saved(tmp_path, f"spread{at}", sheet.picture) for at, sheet in enumerate(sheets)]
    out = tmp_path / "out.png"
    assert main(["deck", "enrol", "mia", paths[0], "--annotate", str(out)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("mus: 20 de 40: faltan ")
    assert told.count("\n") == 1
    assert cv2.imread(str(out)) is not None
    assert main(["deck", "enrol", "mia", *paths]) == 0
    assert len(find_deck("mia").faces) == 40


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_an_unfinished_deck_goes_on_with_the_next_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheets = spread_sheets(art(), 8, 2, scale=0.5)
    first, second = (
        saved(tmp_path, f"spread{at}", sheet.picture) for at, sheet in enumerate(sheets)
    )
    drafts = tmp_path / "data" / "mus" / "deck-drafts"
    assert main(["deck", "enrol", "mia", first, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["draft"], told["there"], len(told["missing"])) == ("mia", 20, 20)
    assert main(["deck", "enrol", "mia", second, "--size", "57x89"]) == 2
    assert "empieza de nuevo con --new" in capsys.readouterr().err
    assert main(["deck", "enrol", "mia", second, "--new"]) == 2
    assert "mus: 20 de 40: faltan " in capsys.readouterr().err
    assert main(["deck", "enrol", "mia", first, "--not-mus", second]) == 0
    told_of = capsys.readouterr()
    assert "sigo con las 20 cartas de antes" in told_of.err
    assert "40 cartas aprendidas y 20 que no son de Mus" in told_of.out
    assert not (drafts / "mia").exists()
    (drafts / "otra").mkdir(parents=True)
    (drafts / "otra" / "draft.json").write_text("?", encoding="utf-8")
    assert main(["deck", "enrol", "otra", first]) == 2
    assert "está estropeado" in capsys.readouterr().err


@pytest.mark.usefixtures("in_spanish")
def test_a_deck_learns_the_cards_of_its_pack_that_are_none_of_mus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_deck(own_dir() / "mia", find_deck("mus"))
    oros, copas = (saved(tmp_path, str(at), photographs()[at]) for at in (0, 1))
    assert main(["deck", "not-mus", "mia", oros]) == 0
    assert capsys.readouterr().out == "10 cartas que no son de Mus.\n"
    assert main(["deck", "not-mus", "mia", copas, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["not_mus"] == 20
    assert len(find_deck("mia").not_mus) == 20
    assert main(["deck", "fix", "mia", "6e", "7e"]) == 0
    assert len(find_deck("mia").not_mus) == 20, "mending a card forgets none of them"
    assert main(["deck", "not-mus", "mia", "--clear"]) == 0
    assert find_deck("mia").not_mus == ()


def test_zones_marked_by_hand_survive_a_new_calibration(
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


# ---- Enrolment by a camera: each photograph is asked for, and a bad one is asked for again ------


PARTS = [[suit] for suit in Suit]


class Desk:
    """A camera above a desk. Whoever presses Enter has laid out the next cards."""

    name, live = "cámara", True

    def __init__(self, *shown: Image) -> None:
        self.shown = list(shown)
        self.now: Image = np.zeros((60, 90, 3), np.uint8)
        self.count = 0
        self.asked: list[str] = []

    def read(self, timeout: float) -> Frame | None:  # noqa: ARG002 - it never waits
        self.count += 1
        return Frame(self.now, self.count / 10, self.count)

    def enter(self) -> str:
        if not self.shown:
            raise EOFError
        self.now = self.shown.pop(0)
        return ""


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()

    @contextmanager
    def opened(_spec: str) -> Iterator[Desk]:
        yield desk

    monkeypatch.setattr(module, "open_source", opened)
    monkeypatch.setattr("builtins.input", desk.enter)
    return desk


@pytest.mark.usefixtures("in_spanish")
def test_a_bad_photograph_is_asked_for_again(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = photographs()
    dark = np.zeros_like(first)
    desk.shown = [dark, first, *others]
    draft = DeckDraft()
    with pytest.raises(UsageError, match="Nobody pressed Enter"):  # at the request for the back
        photograph(draft, "0", PARTS)
    told = capsys.readouterr().err.splitlines()
    assert draft.suits == list(Suit)
    assert "los oros" in told[0]
    assert "demasiado oscura" in told[1]
    assert told[2] == told[0]
    assert "4 de 4" in told[5]
    assert "boca abajo" in told[6]


def test_the_back_may_be_skipped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.shown = list(photographs())
    answers = ["", "", "", "", "n"]
    monkeypatch.setattr("builtins.input", lambda: desk.enter() if answers.pop(0) == "" else "n")
    draft = DeckDraft()
    photograph(draft, "0", PARTS)
    assert len(draft.faces) == 40
    assert not draft.has_back


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_a_camera_is_shown_cards_in_any_order_until_all_are_there(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (sheet.picture for sheet in spread_sheets(art(), 8, 2, scale=0.5))
    desk.shown = [np.zeros_like(first), first]
    assert main(["deck", "enrol", "mia", "--camera", "0"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("Pon cartas boca arriba, separadas, en cualquier orden")
    assert "está demasiado oscura" in told[1]
    assert told[3].startswith("20 de 40: faltan ")
    assert " Pon " in told[3]
    printed = find_deck("mus").back
    assert printed is not None
    desk.shown = [second, back_sheet(printed, 4, 0.5).picture]
    assert main(["deck", "enrol", "mia", "--camera", "0"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert "sigo con las 20 cartas de antes" in told[0]
    assert "boca abajo" in told[2]
    deck = find_deck("mia")
    assert len(deck.faces) == 40
    assert deck.back is not None


@pytest.mark.usefixtures("in_spanish")
def test_whoever_ends_before_all_cards_are_there_keeps_what_was_learnt(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.shown = [spread_sheets(art(), 8, 2, scale=0.5)[0].picture]
    answers = ["", "n"]
    monkeypatch.setattr("builtins.input", lambda: desk.enter() if answers.pop(0) == "" else "n")
    assert main(["deck", "enrol", "mia", "--camera", "0"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("mus: 20 de 40: faltan ")
    assert "queda guardado" in told[-1]


def test_a_picture_file_cannot_show_four_suits_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    picture = saved(tmp_path, "oros", photographs()[0])
    assert main(["deck", "enrol", "mia", "--camera", picture]) == 2
    told = capsys.readouterr().err
    assert "stands still too seldom" in told
    assert told.count("\n") == 1
    assert main(["deck", "enrol", "mia", "--camera", picture, "--shots", "1"]) == 2
    assert "1 rows of cards can be made out, and not 4" in capsys.readouterr().err


@pytest.mark.usefixtures("in_spanish")
def test_a_picture_of_loose_cards_is_judged_before_the_table_is_calibrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = saved(tmp_path, "good", plain())
    assert main(["calibrate", "--check", "--cards", good]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Se ven 4 cartas, de 11")
    assert second.startswith("Entran 10")
    small = saved(tmp_path, "small", photo(scene(larger=0.72)))
    assert main(["calibrate", "--check", "--cards", small]) == 1
    assert "hacen falta 100" in capsys.readouterr().out
    assert main(["calibrate", "--check", "--cards", small, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["faults"][0]["code"] == "small"
    assert told["praise"] == "seen"
    assert len(told["cards"]) == 4


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_a_table_is_not_calibrated_by_the_cards_of_another_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, laid = saved(tmp_path, "empty", picture(())), saved(tmp_path, "four", four_of("other"))
    given = ["calibrate", "--empty", empty, "--cards", laid, "--out", str(tmp_path / "table")]
    check = ["calibrate", "--check", "--cards", laid, "--deck", "mus"]
    assert main(given) == 2
    told = capsys.readouterr().err
    assert "no son de la baraja mus. Enséñame la tuya: mus deck enrol NOMBRE" in told
    assert told.count("\n") == 1
    assert main(check) == 1
    assert "no son de la baraja mus. Enséñame la tuya: mus deck enrol" in capsys.readouterr().out
    save_deck(own_dir() / "mia", replace(find_deck("mus"), faces=other_art()))
    assert main([*given, "--deck", "mus"]) == 2
    assert "Parecen de la baraja mia: prueba con --deck mia." in capsys.readouterr().err
    assert main([*check, "--json"]) == 1
    faults = json.loads(capsys.readouterr().out)["faults"]
    assert faults[0] == {"code": "better_deck", "params": {"deck": "mus", "better": "mia"}}
    assert not (tmp_path / "table").exists()
    assert main([*given, "--deck", "mia"]) == 0
