"""One deck enrolled from rendered photographs, and how good its references are."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.draft import DeckDraft
from assistant.eye.enrol import EnrolError, enrolled_rows
from assistant.eye.sorting import Pattern
from assistant.rules.cards import Card
from scripts.lab.drawing.faces import HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from scripts.lab.eyebench import enrolment
from scripts.lab.eyebench.decks import SIZE_MM, Art
from scripts.lab.eyebench.enrolment import Fall, Sheet
from scripts.lab.eyebench.light import Lit, Pixels

WHITE = 0.97
"""Art is paper if its darkest channel has at least this share of the brightest paper."""
MOST_SWEEPS = 3
INSIDE = 0.03
"""The share of the height that is left out at each edge, because an outline may be off by a
pixel."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The result for the photographs of one deck.

    photographs, first   how many there are, and on how many of them every card was enrolled
    cards, right, wrong  cards of Mus that lie there; those in their own place, and in another's
    taken                cards foreign to Mus that got a place without a question
    like, paper          for each card in its place: the correlation with the art, and the standard
                         deviation of the levels of its paper, as a share
    refused              the codes of photographs, or cards, that were refused
    seconds              of one core, for enrolling
    """

    photographs: int
    first: int
    cards: int
    right: int
    wrong: int
    taken: int
    like: tuple[float, ...]
    paper: tuple[float, ...]
    refused: tuple[str, ...]
    seconds: float


def enrolled_in_rows(art: Art, seed: int, fall: Fall, lit: Lit, scale: float) -> Enrolled:
    """A deck on 4 photographs with a suit in each; for every third seed, on one."""
    pictures = 1 if seed % 3 == 0 else 4
    faces: dict[Card, Pixels] = {}
    refused, first, seconds = [], 0, 0.0
    for sheet in enrolment.sheets(art.faces, seed, pictures, lit, scale, fall):
        start = time.process_time()
        try:
            rows = enrolled_rows(sheet.picture, sheet.suits, SIZE_MM)
        except EnrolError as error:
            refused.append(error.code)
        else:
            first += 1
            for row in rows:
                faces.update(row.faces)
        seconds += time.process_time() - start
    true = {card: card for card in faces}
    return _judged(art, pictures, first, faces, true, 0, refused, seconds)


def enrolled_anyhow(
    art: Art, known: Art, seed: int, fall: Fall, lit: Lit, scale: float, odd: bool
) -> Enrolled:
    """A deck on 1 to 8 photographs in no order, sorted by another deck.

    With ``odd`` there are eights and nines among them. A card that is placed but not sure is asked
    about, like one that is not placed.
    """
    pictures = pictures_of(seed)
    foreign = _foreign() if odd else []
    taken = enrolment.spread_sheets(art.faces, seed, pictures, foreign, lit, scale, fall)
    patterns = [Pattern(Deck(known.name, known.name, SIZE_MM, _opaque(known), None))]
    draft = DeckDraft()
    truth: list[tuple[Pixels, Card | None]] = []
    refused, first, seconds = [], 0, 0.0
    for sheet in taken:
        start = time.process_time()
        try:
            found = draft.add_any(sheet.picture, patterns, "picture")
        except EnrolError as error:
            refused.append(error.code)
            found = []
        seconds += time.process_time() - start
        refused += [str(card.fault) for card, _ in found if card.fault]
        really = [(card.face, _at(card.quad, sheet)) for card, _ in found if card.face is not None]
        truth += [(face, card) for face, (_, card) in really]
        first += len({place for _, (place, _) in really}) == len(sheet.cards)
    sure = {card: face for card, face in draft.faces.items() if card not in draft.doubtful}
    true = {card: _whose(face, truth) for card, face in sure.items()}
    stolen = sum(card is None for card in true.values())
    return _judged(art, pictures, first, sure, true, stolen, refused, seconds)


def enrolled_by_sweep(art: Art, known: Art, seed: int, fall: Fall, lit: Lit) -> Enrolled:
    """A deck on one sheet over which a telephone's camera is swept.

    Another deck sorts it. It is swept again while cards are missing, at most three times. Of the
    frames, those count for ``first`` on which some card was made out.
    """
    sheet = enrolment.spread_sheets(art.faces, seed, 1, (), lit, 1.0, fall)[0]
    patterns = [Pattern(Deck(known.name, known.name, SIZE_MM, _opaque(known), None))]
    draft = DeckDraft()
    truth: list[tuple[Pixels, Card | None]] = []
    refused, frames, first, seconds = [], 0, 0, 0.0
    sweeps = (enrolment.swept_frames(sheet, 10 * seed + again) for again in range(MOST_SWEEPS))
    for frame, quads in chain.from_iterable(sweeps):
        if not draft.missing:
            break
        frames += 1
        start = time.process_time()
        try:
            found = draft.add_frame(frame, patterns, "frame")
        except EnrolError as error:
            refused.append(error.code)
            found = []
        seconds += time.process_time() - start
        there = replace(sheet, quads=quads)
        truth += [(card.face, _at(card.quad, there)[1]) for card, _ in found
                  if card.face is not None]  # fmt: skip
        first += bool(found)
    refused += ["left over"] * len(draft.unknown)
    sure = {card: face for card, face in draft.faces.items() if card not in draft.doubtful}
    true = {card: _whose(face, truth) for card, face in sure.items()}
    stolen = sum(card is None for card in true.values())
    return _judged(art, frames, first, sure, true, stolen, refused, seconds)


def _opaque(art: Art) -> dict[Card, Pixels]:
    return {card: np.ascontiguousarray(face[..., :3]) for card, face in art.faces.items()}


def _foreign() -> list[Pixels]:
    return [np.asarray(pixels(face, WIDTH, HEIGHT, 4.0), np.uint8) for face in foreign_faces()]


def _at(quad: npt.NDArray[np.float64], sheet: Sheet) -> tuple[int, Card | None]:
    """The number and the card of what truly lies at an outline; -1 if nothing does."""
    away = [float(np.linalg.norm(quad.mean(axis=0) - true.mean(axis=0))) for true in sheet.quads]
    nearest = int(np.argmin(away))
    if away[nearest] > 0.3 * float(np.linalg.norm(quad[1] - quad[0])):
        return -1, None
    return nearest, sheet.cards[nearest]


def _whose(face: Pixels, truth: Sequence[tuple[Pixels, Card | None]]) -> Card | None:
    """The card that a reference truly shows. The draft may have turned its picture."""
    for known, card in truth:
        if np.array_equal(face, known) or np.array_equal(face, known[::-1, ::-1]):
            return card
    raise ValueError("a reference comes from none of the photographs")


def _judged(
    art: Art,
    photographs: int,
    first: int,
    faces: Mapping[Card, Pixels],
    true: Mapping[Card, Card | None],
    taken: int,
    refused: list[str],
    seconds: float,
) -> Enrolled:
    """Judge references. ``faces``: that of each placed card; ``true``: the card it really shows."""
    good, wrong, like, paper = 0, 0, [], []
    for card, face in faces.items():
        really = true[card]
        if really is None:
            continue
        alike = likeness(face, art.faces[really])
        if really == card:
            good += 1
            like.append(alike)
            paper.append(unevenness(face, art.faces[card]))
        else:
            wrong += 1
    return Enrolled(
        photographs, first, len(art.faces), good, wrong, taken,
        tuple(like), tuple(paper), tuple(refused), seconds,
    )  # fmt: skip


def likeness(face: Pixels, art: Pixels) -> float:
    """The correlation of a reference with the art, whichever way up is better."""
    small = _small(art)
    return float(max(_small(face) @ small, _small(face[::-1, ::-1]) @ small))


def _small(face: Pixels) -> npt.NDArray[np.float64]:
    little = cv2.resize(face[..., :3], (56, 88), interpolation=cv2.INTER_AREA)
    levels = np.asarray(cv2.GaussianBlur(little, (0, 0), 1), np.float64).reshape(-1, 3)
    levels = (levels - levels.mean(axis=0)).ravel()
    return np.asarray(levels / max(float(np.linalg.norm(levels)), 1e-9), np.float64)


def unevenness(face: Pixels, art: Pixels) -> float:
    """The standard deviation of the paper's levels in a reference, as a share of their mean."""
    high, wide = face.shape[:2]
    printed = cv2.resize(art[..., :3], (wide, high), interpolation=cv2.INTER_AREA).astype(float)
    levels = np.asarray(cv2.GaussianBlur(face, (0, 0), 2), np.float64).mean(axis=2)
    ways = (printed, printed[::-1, ::-1])
    way = max(ways, key=lambda one: float((one.mean(axis=2) * levels).sum()))
    white = way.min(axis=2)
    paper = np.asarray(white > WHITE * np.percentile(white, 95), np.uint8)
    # Beside the art, the blur above mixes in its colour.
    paper = np.asarray(cv2.erode(paper, np.ones((13, 13), np.uint8)))
    edge = round(INSIDE * high)
    inner = paper[edge:-edge, edge:-edge].astype(bool)
    found = levels[edge:-edge, edge:-edge][inner]
    return float(found.std() / found.mean()) if found.size else 0.0


def pictures_of(seed: int) -> int:
    """The number of photographs on which a deck in no order lies."""
    return random.Random(f"pictures {seed}").choice((1, 2, 3, 4, 5, 6, 8))
