"""One rendered table, read as the assistant reads it, and compared with the truth."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.eye.calibration import Calibration
from assistant.eye.deck import Deck
from assistant.eye.plane import Plane
from assistant.eye.read import Reader, Reading, Sighting
from assistant.eye.view import EmptyTable, view
from assistant.messages.showdown import SURE
from assistant.rules.cards import HAND_SIZE, Card
from scripts.lab.eyebench import light, obstacles, scenes
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.foreign import Strangers, strangers
from scripts.lab.eyebench.layouts import Placed, Way
from scripts.lab.eyebench.light import Lit, Pixels
from scripts.lab.eyebench.scenes import Art, Scene, Seen
from scripts.lab.eyebench.wear import worn

FRAMES = 3
"""Frames of a showdown, as many as the assistant takes."""
EMPTY_FRAMES = 4
MOST_TRIES = 5
NEAR = 0.3
"""A card is in its true place if its middle is no further off, in heights of a card."""
WHITE = 250
"""The level of a full sensor, which tells nothing any more."""
BLIND = 0.5
"""A lamp blinds a card if this share of its visible part has that level."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition to measure: how cards lie, the light, their size, and what else is there.

    foreign   how many of the cards the reader's deck lacks
    worn      whether the cards were played with for years since they were enrolled
    tilt      of the camera in degrees; None for one that somebody mounted above the table
    knocked   whether somebody has knocked the camera since it was calibrated
    """

    name: str
    way: Way = Way.SEPARATED
    lit: Lit = Lit.NORMAL
    card_pixels: float = 170.0
    size: tuple[int, int] = scenes.SIZE
    things: str = ""
    foreign: int = 0
    worn: bool = False
    tilt: float | None = None
    knocked: bool = False


@dataclass(frozen=True, slots=True)
class Pack:
    """A deck to measure with: its art, its enrolled references, and its reader."""

    faces: Art
    deck: Deck
    reader: Reader


@dataclass(frozen=True, slots=True)
class Told:
    """How one table was read.

    cards     how many lay on it; ``right``, ``wrong`` (silently), and the others are unread
    extra     cards that were told where none lies
    blind     cards that a lamp's mirror image makes mostly white
    suits     cards, unread ones included, whose likeliest reading has the right suit
    foreign   cards that the reader's deck lacks, not in ``cards``; ``taken``: those of them told
    exact     whether all hands were told, and rightly
    asking    whether just the seats with an unread card were asked for, and nothing was wrong
    seconds   from the last frame to the answer
    """

    cards: int
    right: int
    wrong: int
    extra: int
    blind: int
    suits: int
    foreign: int
    taken: int
    exact: bool
    asking: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Example:
    """A card that was found: the features that ``assistant.eye.match`` judges by, and the truth.

    ``lead``: its logarithm, as far as it counts. ``worst`` and ``checked`` are of the second check.
    ``sure``: whether the card would be told by itself.
    """

    condition: str
    right: bool
    value: float
    lead: float
    edges: float
    share: float
    worst: float
    checked: float
    sure: bool

    def numbers(self) -> tuple[float, ...]:
        """The features in the order of the logistic function's weights."""
        return (1.0, self.value, self.lead, self.lead * self.share, self.edges, self.share)


@dataclass(frozen=True, slots=True)
class Staged:
    """A table with its cards shown: what truly lies there, and what the reader gets."""

    shown: Scene
    strangers: Strangers
    reader: Reader
    calibration: Calibration
    frames: list[Pixels]

    def is_foreign(self, card: Card) -> bool:
        """Whether the reader's deck lacks the card at that dealt card's place."""
        return card in self.strangers.cards


def tried(condition: Condition, pack: Pack, seed: int) -> Told:
    """Render a table, calibrate it as a person does, show the cards, and read them."""
    staged = _staged(condition, pack, seed)
    start = time.perf_counter()
    reading, _ = staged.reader.followed(staged.frames, staged.calibration)
    seconds = time.perf_counter() - start
    truth = scenes.truth(staged.shown)
    return judged(reading, truth, staged.frames[0], seconds, staged.strangers.cards)


def examples(condition: Condition, pack: Pack, seed: int, most_lead: float) -> list[Example]:
    """The features of every card that is found on such a table, and whether it is the right one."""
    staged = _staged(condition, pack, seed)
    table, reader = staged.calibration, staged.reader
    if table.plane is None or table.empty is None:
        return []
    seen = view(staged.frames[0], table.plane, table.empty.picture)
    truth = scenes.truth(staged.shown)
    made = []
    for found in reader.finder.found(seen)[0]:
        if found.likeness.card is None:
            continue
        like = reader.finder.likeness(seen, found)
        middle = seen.plane.to_pixels(found.pose[:2])
        near = [one for one in truth if np.linalg.norm(one.quad.mean(axis=0) - middle)
                < NEAR * np.linalg.norm(one.quad[3] - one.quad[0])]  # fmt: skip
        right = any(one.card == like.card and not staged.is_foreign(one.card) for one in near)
        lead = float(np.log(min(most_lead, like.lead)))
        edges = reader.finder.edges(seen, found)
        check = reader.finder.check(seen, found)
        sure = max(chance for _, chance in reader.finder.likely(seen, found)) >= SURE
        made.append(Example(condition.name, right, like.value, lead, edges, found.share,
                            check.worst, check.checked, sure))  # fmt: skip
    return made


def _staged(condition: Condition, pack: Pack, seed: int) -> Staged:
    """A table with its cards shown, its calibration, and frames of it."""
    table = scenes.dealt(seed, condition.way, condition.lit, condition.card_pixels, condition.size,
                         condition.tilt)  # fmt: skip
    dice = random.Random(f"things {seed}")
    fixed, shown = _with_things(table, condition.things, dice)
    calibration = calibrated(fixed, pack.faces, pack.reader, seed)
    if condition.knocked:
        shown = scenes.knocked(shown, random.Random(f"knocked {seed}"))
    faces = worn(pack.faces, seed) if condition.worn else pack.faces
    some = strangers(shown, faces, pack.deck, condition.foreign, seed)
    reader = Reader(some.deck) if condition.foreign else pack.reader
    return Staged(shown, some, reader, calibration, shot(shown, some.faces, FRAMES, seed))


def calibrated(fixed: Scene, art: Art, reader: Reader, seed: int) -> Calibration:
    """A person's calibration: the empty table, and then four cards, one before each seat.

    If the person is told that fewer are seen, they are laid a little otherwise, several times.
    """
    bare = scenes.empty(fixed, fixed.things)
    empty = EmptyTable.learned(shot(bare, art, EMPTY_FRAMES, seed + 1))
    dice = random.Random(f"calibration {seed}")
    best: tuple[Plane | None, int] = None, 0
    for _ in range(MOST_TRIES):
        picture = shot(replace(bare, cards=_four(fixed.camera, art, dice)), art, 1, seed + 2)[0]
        found = reader.finder.plane(picture, empty)
        if found and len(found[1]) > best[1]:
            best = found[0], len(found[1])
        if best[1] >= HAND_SIZE:
            break
    return Calibration(fixed.camera.size, {}, best[0], empty)


def _four(watching: Camera, art: Art, dice: random.Random) -> tuple[Placed, ...]:
    """A card before each seat, laid a little otherwise each time."""
    spots = scenes.places(watching)
    cards = dice.sample(sorted(art, key=str), len(spots))
    return tuple(
        Placed(seat, card, x * dice.uniform(0.6, 1), y * dice.uniform(0.6, 1),
               turn + dice.uniform(-15, 15))
        for seat, (card, (x, y, turn)) in enumerate(zip(cards, spots, strict=True), start=1)
    )  # fmt: skip


def shot(scene: Scene, art: Art, count: int, seed: int) -> list[Pixels]:
    """This many frames of a table at rest, which differ only in the sensor's noise."""
    dice = np.random.default_rng(scene.seed)
    seen = light.lit(
        scenes.through_the_lens(scenes.laid(scene, art, dice), scene.camera), scene.light
    )
    return [light.sensed(seen, scene.light, np.random.default_rng([scene.seed, seed, at]))
            for at in range(count)]  # fmt: skip


def _with_things(table: Scene, things: str, dice: random.Random) -> tuple[Scene, Scene]:
    """The table with what stands on it all evening, and with its cards shown."""
    if things == "beside":
        both = obstacles.with_beside(table, dice)
        return both, both
    if things == "hand":
        return table, obstacles.with_hand(table, dice.randint(1, 4), dice)
    if things == "fingers":
        return table, obstacles.with_fingers(table, dice)
    if things == "over":
        return table, obstacles.with_beside(table, dice, over_cards=True)
    if things == "glass":
        return table, obstacles.with_glass(table, dice, over_cards=True)
    return table, table


def judged(
    reading: Reading,
    truth: tuple[Seen, ...],
    frame: Pixels,
    seconds: float,
    foreign: frozenset[Card] = frozenset(),
) -> Told:
    """Compare a reading with the true place of every card.

    ``foreign``: the cards in whose places other cards lie, so that no card of the deck may be told.
    """
    there = _matched(reading, truth)
    taken = [found for seen, found in there.values() if seen.card in foreign and found.card]
    kept = [at for at, seen in enumerate(truth) if seen.card not in foreign]
    matched = {new: there[at] for new, at in enumerate(kept) if at in there}
    others = {id(found) for seen, found in there.values() if seen.card in foreign}
    truth = tuple(truth[at] for at in kept)
    right = sum(found.card == seen.card for seen, found in matched.values())
    wrong = sum(found.card not in (None, seen.card) for seen, found in matched.values())
    known = {id(found) for _, found in matched.values()} | others
    extra = sum(found.card is not None and id(found) not in known for found in reading.sightings)
    suits = sum(_suit(found) == seen.card.suit for seen, found in matched.values())
    lacking = {seen.seat for at, seen in enumerate(truth)
               if at not in matched or matched[at][1].card is None}  # fmt: skip
    hands = {seat: set(hand) for seat, hand in reading.settled.hands.items()}
    real: dict[int, set[Card]] = {}
    for seen in truth:
        real.setdefault(seen.seat, set()).add(seen.card)
    told_right = all(real.get(seat) == hand for seat, hand in hands.items())
    asked = set(reading.settled.missing)
    return Told(
        cards=len(truth),
        right=right,
        wrong=wrong,
        extra=extra,
        blind=sum(_blind(seen, frame) for seen in truth),
        suits=suits,
        foreign=len(foreign),
        taken=len(taken),
        exact=reading.settled.complete and told_right,
        asking=bool(asked) and told_right and lacking <= asked and not wrong + extra,
        seconds=seconds,
    )


def _matched(reading: Reading, truth: tuple[Seen, ...]) -> Mapping[int, tuple[Seen, Sighting]]:
    """For each true card the sighting that lies there. A sighting belongs to at most one card."""
    pairs = []
    for at, seen in enumerate(truth):
        high = float(np.linalg.norm(seen.quad[3] - seen.quad[0]))
        for found in reading.sightings:
            if found.likely or found.card:
                far = float(np.linalg.norm(found.quad.mean(axis=0) - seen.quad.mean(axis=0)))
                if far < NEAR * high:
                    pairs.append((found.card != seen.card, far, at, found))
    matched: dict[int, tuple[Seen, Sighting]] = {}
    used: set[int] = set()
    for _, _, at, found in sorted(pairs, key=lambda pair: pair[:3]):
        if at not in matched and id(found) not in used:
            matched[at] = truth[at], found
            used.add(id(found))
    return matched


def _suit(found: Sighting) -> object:
    card = found.card or (found.likely[0][0] if found.likely else None)
    return card.suit if card else None


def _blind(seen: Seen, frame: Pixels) -> bool:
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(seen.quad).astype(np.int32), 1)
    inside = frame[mask.astype(bool)]
    return bool((inside.min(axis=1) >= WHITE).mean() > BLIND)
