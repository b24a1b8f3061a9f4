"""Real photographs of cards, read with a deck that is cut from the other photographs."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.enrol import reference
from assistant.eye.images import Image, read_image
from assistant.eye.outlines import exact
from assistant.eye.read import Reader
from assistant.rules.cards import Card, parse_card
from assistant.rules.errors import CardError
from scripts.lab.eyebench.decks import SIZE_MM
from scripts.lab.eyebench.trial import NEAR

LABELS = "cards.tsv"
COLUMNS = ("picture", "card", "outline")


@dataclass(frozen=True, slots=True)
class Label:
    """A card that a person labelled in a photograph.

    ``name``: as the person wrote it, "9b" for a card that is not of Mus; its ``card`` is None.
    ``quad``: its outline in pixels, of shape (4, 2).
    """

    name: str
    card: Card | None
    quad: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PhotoTold:
    """How one photograph was read.

    known, right, wrong  labelled cards of the deck; those told rightly; and cards told where
                         another one is labelled
    foreign, taken       labelled cards that the deck lacks, and those told as one of the deck
    unlabelled           cards told where no label is, which nobody checked
    seconds              of one core, for reading
    """

    known: int
    right: int
    wrong: int
    foreign: int
    taken: int
    unlabelled: tuple[str, ...]
    seconds: float


def labels(folder: Path) -> dict[str, list[Label]]:
    """The labels of each photograph, by its path in the folder. Raises OSError or ValueError."""
    found: dict[str, list[Label]] = {}
    with (folder / LABELS).open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        if tuple(rows.fieldnames or ()) != COLUMNS:
            raise ValueError(f"{folder / LABELS} needs the columns {', '.join(COLUMNS)}.")
        for row in rows:
            quad = np.array(json.loads(row["outline"]), np.float64)
            try:
                card = parse_card(row["card"])
            except CardError:
                card = None
            found.setdefault(row["picture"], []).append(Label(row["card"], card, quad))
    return found


def read_photo(folder: Path, told: Mapping[str, Sequence[Label]], name: str) -> PhotoTold:
    """Read a photograph with a deck cut from the others, without a calibration."""
    deck = deck_of_others(folder, told, name)
    picture = read_image(folder / name)
    reader = Reader(deck)
    start = time.process_time()
    reading = reader.read([picture])
    seconds = time.process_time() - start
    right = wrong = taken = 0
    left = [one for one in reading.sightings if one.card]
    for label in told[name]:
        near = [one for one in left if _near(label.quad, one.quad)]
        if not near:
            continue
        best = next((one for one in near if one.card == label.card), near[0])
        left = [one for one in left if one is not best]
        if label.card not in deck.faces:
            taken += 1
        elif best.card == label.card:
            right += 1
        else:
            wrong += 1
    known = sum(label.card in deck.faces for label in told[name])
    covered = [label.quad.astype(np.float32) for label in told[name]]
    on_label = [one for one in left if any(_inside(quad, one.quad) for quad in covered)]
    wrong += len(on_label)
    left = [one for one in left if not any(one is other for other in on_label)]
    spots = tuple(f"{one.card} {one.quad.mean(axis=0).round().tolist()}" for one in left)
    return PhotoTold(known, right, wrong, len(told[name]) - known, taken, spots, seconds)


def summed(told: Sequence[PhotoTold]) -> PhotoTold:
    """All photographs together, with the most of the seconds."""
    return PhotoTold(
        known=sum(one.known for one in told),
        right=sum(one.right for one in told),
        wrong=sum(one.wrong for one in told),
        foreign=sum(one.foreign for one in told),
        taken=sum(one.taken for one in told),
        unlabelled=tuple(spot for one in told for spot in one.unlabelled),
        seconds=max((one.seconds for one in told), default=0.0),
    )


def line(told: PhotoTold) -> str:
    """The line of one photograph, or of all."""
    return (
        f"{told.right} of {told.known} right, {told.wrong} wrong, {told.taken} of {told.foreign} "
        f"foreign told, {len(told.unlabelled)} told without a label, {told.seconds:.2f} s"
    )


def deck_of_others(folder: Path, told: Mapping[str, Sequence[Label]], name: str) -> Deck:
    """The deck of all photographs but one. It lacks the cards that they do not show."""
    faces: dict[Card, Image] = {}
    for other, shown in told.items():
        if other == name:
            continue
        picture = read_image(folder / other)
        for label in shown:
            if label.card is not None and label.card not in faces:
                faces[label.card] = reference(picture, exact(picture, label.quad), SIZE_MM)
    return Deck("photos", "photos", SIZE_MM, faces, None)


def _near(quad: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> bool:
    high = float(np.linalg.norm(quad[3] - quad[0]))
    return float(np.linalg.norm(quad.mean(axis=0) - other.mean(axis=0))) < NEAR * high


def _inside(outline: npt.NDArray[np.float32], quad: npt.NDArray[np.float64]) -> bool:
    """Whether the middle of a told card lies in the outline of a labelled one."""
    x, y = (float(part) for part in quad.mean(axis=0))
    return cv2.pointPolygonTest(outline, (x, y), measureDist=False) > 0
