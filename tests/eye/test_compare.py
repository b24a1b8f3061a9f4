"""Comparing a card with references: the light is taken out, and each cell is told apart."""

from __future__ import annotations

import hashlib
import time

import cv2
import numpy as np

from assistant.eye.compare import CELL, CELLS, SIZE, Comparer, in_light_of, judged_cells, seen_parts
from assistant.eye.deck import load_deck
from assistant.eye.images import Image
from assistant.eye.match import resized
from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank, Suit
from tests.tables import each_row

WHOLE = np.ones((SIZE[1], SIZE[0]), np.uint8)


def face(rank: Rank, suit: Suit = Suit.COPAS) -> Image:
    return resized(load_deck(data_dir("models") / "decks" / "mus").faces[Card(rank, suit)], SIZE)


@each_row(
    "gain, slope, offset",
    [(1.0, 0.0, 0), (0.3, 0.0, 0), (0.5, 0.15, 0), (0.7, 0.1, 30), (0.25, -0.1, 5)],
)
def test_a_card_in_any_light_is_given_that_of_its_reference(
    gain: float, slope: float, offset: int
) -> None:
    own = face(Rank.CINCO)
    field = gain * (1 + slope * np.linspace(-0.5, 0.5, SIZE[0]))[None, :, None]
    shown = np.asarray(np.clip(own * field + offset, 0, 255), np.uint8)
    lit = in_light_of(shown, own, WHOLE)
    apart = np.abs(lit.astype(int) - own)
    assert np.percentile(apart, 95) < 12


def test_what_lies_on_a_third_of_a_card_does_not_change_the_light_of_the_rest() -> None:
    own = face(Rank.CINCO)
    shown = np.asarray(own * 0.5, np.uint8)
    shown[118:] = (30, 40, 60)
    apart = np.abs(in_light_of(shown, own, WHOLE)[:118].astype(int) - own[:118])
    assert np.median(apart) < 10
    assert np.percentile(apart, 95) < 30


def test_cells_of_which_little_is_seen_are_not_judged() -> None:
    mask = WHOLE.copy()
    mask[:, : 3 * CELL + 2] = 0
    judged = judged_cells(mask)
    assert judged.shape == CELLS
    assert not judged[:, :4].any()
    assert judged[:, 4:].all()
    inside = judged_cells(seen_parts(face(Rank.AS), face(Rank.AS), WHOLE))
    assert not inside[0].any()
    assert not inside[:, -1].any()
    assert inside[4:-4, 4:-4].all()


@each_row("one, other", [(Rank.CUATRO, Rank.CINCO), (Rank.SEIS, Rank.SIETE), (Rank.AS, Rank.DOS)])
def test_cells_differ_where_the_prints_do(one: Rank, other: Rank) -> None:
    shown, reference = face(one), face(other)
    cells, own = Comparer().compared(shown, [reference, shown], WHOLE)
    apart = cv2.absdiff(shown, reference).max(axis=2).astype(np.float32)
    really = cv2.resize(apart, CELLS[::-1], interpolation=cv2.INTER_AREA) > 60
    alike = cv2.dilate((apart > 5).astype(np.uint8), np.ones((13, 13)))[::CELL, ::CELL] == 0
    judged = cells.judged
    assert cells.differs[really & judged].mean() > 0.85
    assert cells.differs[alike & judged].mean() < 0.05
    assert own.differs[judged].max() < 0.3


def test_several_references_are_answered_as_each_by_itself() -> None:
    faces = [face(rank) for rank in (Rank.AS, Rank.TRES, Rank.REY)]
    comparer = Comparer()
    together = comparer.compared(faces[1], faces, WHOLE)
    for cells, one in zip(together, faces, strict=True):
        (alone,) = comparer.compared(faces[1], [one], WHOLE)
        assert np.allclose(cells.differs, alone.differs, atol=1e-4)
        assert np.allclose(cells.hidden, alone.hidden, atol=1e-4)


def test_the_network_is_small_and_a_card_is_compared_in_a_blink() -> None:
    path = data_dir("models") / "eye" / "check.onnx"
    assert path.stat().st_size < 250_000
    comparer, shown = Comparer(), face(Rank.REY)
    comparer.compared(shown, [shown], WHOLE)
    start = time.process_time()
    for _ in range(10):
        comparer.compared(shown, [shown], WHOLE)
    assert (time.process_time() - start) / 10 < 0.1


def test_the_network_is_the_one_that_its_card_describes() -> None:
    folder = data_dir("models") / "eye"
    checksum = hashlib.sha256((folder / "check.onnx").read_bytes()).hexdigest()
    assert checksum in (folder / "README.md").read_text(encoding="utf-8")
