"""The second check without the network's file: what the windows tell, and that tables are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.eye import compare
from assistant.eye.deck import Deck, load_deck
from assistant.eye.images import Image
from assistant.eye.match import resized
from assistant.eye.read import Reader
from assistant.eye.windows import SIZE, WHITE, WindowChecker
from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank, Suit
from scripts.lab.drawing.faces import FOREIGN_LAYOUTS, HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import art, table
from tests.tables import each_row

SEVEN = Card(Rank.SIETE, Suit.OROS)
WHOLE = np.ones((88, 56), np.uint8)


@pytest.fixture(autouse=True)
def without_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compare, "_path", lambda: tmp_path / "check.onnx")
    assert not compare.has_network()


def deck() -> Deck:
    return load_deck(data_dir("models") / "decks" / "mus")


def eight_like_a_seven() -> Image:
    return pixels(foreign_faces()[list(FOREIGN_LAYOUTS).index("8 like a 7")], WIDTH, HEIGHT, 4)


def outline(face: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    high, wide = face.shape[:2]
    return np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - 0.5


@each_row("light, slope", [(1.0, 0.0), (0.5, 0.0), (0.6, 0.5)])
def test_a_card_agrees_with_its_own_reference_in_any_light(light: float, slope: float) -> None:
    face = deck().faces[SEVEN]
    field = light * (1 + slope * np.linspace(-0.5, 0.5, face.shape[1]))
    shown = np.asarray(face * field[None, :, None], np.uint8)
    check = WindowChecker(deck()).check(shown, outline(shown), SEVEN, WHOLE)
    assert check.worst < 0.1
    assert check.checked > 0.99
    assert check.belief(1.0, 1.0) > 0.99


def test_one_pip_more_is_a_contradiction() -> None:
    shown = eight_like_a_seven()
    check = WindowChecker(deck()).check(shown, outline(shown), SEVEN, WHOLE)
    assert check.worst > 1.5
    assert check.belief(1.0, 1.0) < 0.01


def test_a_lamp_over_most_of_a_card_leaves_too_little_to_believe() -> None:
    shown = np.array(deck().faces[SEVEN], np.float64)
    x = np.linspace(0, 1, shown.shape[1])
    shown += (400 * np.clip(x - 0.35, 0, 1) * 4)[None, :, None]
    lit = np.asarray(np.clip(shown * 0.95, 0, 255), np.uint8)
    assert WindowChecker(deck()).check(lit, outline(lit), SEVEN, WHOLE).belief(1.0, 1.0) < 0.5


def test_white_paper_that_is_exposed_long_is_checked_all_the_same() -> None:
    shown = np.minimum(deck().faces[SEVEN].astype(np.float64) * 1.08, 255)
    bright = np.asarray(shown, np.uint8)
    assert (bright.min(axis=2) >= WHITE).mean() > 0.3
    check = WindowChecker(deck()).check(bright, outline(bright), SEVEN, WHOLE)
    assert check.checked > 0.99
    assert check.belief(1.0, 1.0) > 0.99


@each_row("rank", [Rank.CUATRO, Rank.CINCO, Rank.SEIS])
def test_the_number_on_a_strip_refutes_the_cards_that_the_strip_is_like(rank: Rank) -> None:
    strip = WHOLE.copy()
    strip[:, 16:] = 0
    face = deck().faces[Card(rank, Suit.OROS)]
    checker, place = WindowChecker(deck()), outline(face)
    own = checker.check(face, place, Card(rank, Suit.OROS), strip)
    assert own.belief(1.0, own.checked) > 0.99
    for other in {Rank.CUATRO, Rank.CINCO, Rank.SEIS, Rank.SIETE} - {rank}:
        assert own.refutes(checker.check(face, place, Card(other, Suit.OROS), strip)), other
    assert not own.refutes(own)


def test_a_card_that_is_a_little_askew_is_fitted_before_it_is_doubted() -> None:
    face = resized(deck().faces[SEVEN], SIZE)
    around = np.pad(face, ((20, 20), (20, 20), (0, 0)), constant_values=40)
    quad = outline(face) + 20
    askew = quad + np.array([[2.0, -2.5], [-2.5, 2.0], [2.0, 2.5], [-2.0, -2.5]])
    assert WindowChecker(deck()).check(around, askew, SEVEN, WHOLE).belief(1.0, 1.0) > 0.9


def test_eights_nines_and_jokers_on_a_table_are_not_told() -> None:
    drawn = [pixels(face, WIDTH, HEIGHT, 4) for face in foreign_faces()]
    foreign = sorted({placed.card for placed in table().cards}, key=str)
    faces = {**art(), **dict(zip(foreign, drawn, strict=False))}
    frame = shot(table(), faces, 1, 1)[0]
    reading = Reader(deck()).read([frame])
    assert [sighting.card for sighting in reading.sightings if sighting.card] == []


def test_a_card_that_the_deck_lacks_is_unread_and_the_others_are_told() -> None:
    lacking = {placed.card for placed in table().cards[::4]}
    known = {card: face for card, face in deck().faces.items() if card not in lacking}
    frame = shot(table(), art(), 1, 1)[0]
    reading = Reader(replace(deck(), faces=known)).read([frame])
    told = {sighting.card for sighting in reading.sightings if sighting.card}
    real = {seen.card for seen in scenes.truth(table())}
    assert told <= real - lacking
    assert len(told) >= len(real - lacking) - 1
