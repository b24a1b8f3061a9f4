"""A short film of a table, as the camera sends it: hands come, lay the cards and leave."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from scripts.lab.eyebench import light, obstacles, scenes
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import Image
from scripts.lab.eyebench.hands import Hand, Look
from scripts.lab.eyebench.layouts import Placed
from scripts.lab.eyebench.light import Pixels
from scripts.lab.eyebench.scenes import Art, Scene
from scripts.lab.eyebench.sprites import Thing

PER_SECOND = 10
FLICKER = 0.02
"""The mains' flicker: change of the light's level from one frame to the next, as a share."""
DRIFT = 0.05
"""Change of the level over several seconds, as a share, because the camera measures the light
anew."""
EMPTY, STILL = 0.2, 0.3
"""Share of all frames at the beginning without cards, and at the end without movement."""
LEAST = 10
"""The least number of frames. With fewer there is no time to lay the cards."""
OPEN = 0.35
"""Share of a frame's time in which the shutter is open. A hand moves meanwhile."""
LOOKS = 5
"""How often a moving hand is drawn for one frame."""
BEFORE = (0.0, 330.0)
"""Where a hand starts from: mm from its seat's cards, right and towards the player."""
NEXT = 0.75
"""The share of one hand's time after which the next player's hand comes."""


class Phase(StrEnum):
    """A phase of the film."""

    EMPTY = "empty"
    LAYING = "laying"
    STILL = "still"


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame, and what happens in it."""

    picture: Pixels
    phase: Phase


@dataclass(frozen=True, slots=True)
class _Player:
    """A player who lays cards. The times of his hand's coming and leaving are from 0 to 1."""

    look: Look
    spot: tuple[float, float, float]
    turn: float
    cards: tuple[Placed, ...]
    comes: float
    gone: float

    def share(self, now: float) -> float:
        """How much of the work is done: below 0 before it, above 1 after it."""
        return (now - self.comes) / (self.gone - self.comes)

    def down(self, now: float) -> int:
        """The number of cards on the table."""
        return sum(self.share(now) >= self._laid_at(at) for at in range(len(self.cards)))

    def hand(self, now: float) -> tuple[Placed | None, Hand] | None:
        """The hand at work, and the card in it."""
        share = self.share(now)
        if not 0 < share < 1:
            return None
        down = self.down(now)
        times = [0.0, *(self._laid_at(at) for at in range(len(self.cards))), 1.0]
        ways = [BEFORE, *(self._from_spot(card) for card in self.cards), BEFORE]
        step = (share - times[down]) / (times[down + 1] - times[down])
        soft = step * step * (3 - 2 * step)
        tip = [a + (b - a) * soft for a, b in zip(ways[down], ways[down + 1], strict=True)]
        high = 14 + 60 * step * (1 - step)
        hand = obstacles.reaching(self.look, self.spot, (tip[0], tip[1]), self.turn, high)
        if down == len(self.cards):
            return None, hand
        x, y = self._on_table(tip[0], tip[1])
        return replace(self.cards[down], x=x, y=y), hand

    def _laid_at(self, at: int) -> float:
        return 0.28 + 0.5 * at / max(1, len(self.cards) - 1)

    def _from_spot(self, card: Placed) -> tuple[float, float]:
        """The middle of a card as its player sees it: x right, y towards him."""
        cos, sin = self._turned()
        x, y = card.x - self.spot[0], card.y - self.spot[1]
        return cos * x + sin * y, cos * y - sin * x

    def _on_table(self, x: float, y: float) -> tuple[float, float]:
        cos, sin = self._turned()
        return self.spot[0] + cos * x - sin * y, self.spot[1] + sin * x + cos * y

    def _turned(self) -> tuple[float, float]:
        angle = np.radians(self.spot[2])
        return float(np.cos(angle)), float(np.sin(angle))


def frames(scene: Scene, art: Art, count: int, dice: random.Random) -> Iterator[Moment]:
    """This many frames, ten a second: a fifth empty, half with cards being laid, then still.

    What stands on the scene's table is there from the first frame. Its hands come with the
    showdown. Raises ValueError for fewer than ten frames.
    """
    if count < LEAST:
        raise ValueError(f"{count} frames are too few to lay the cards: ask for {LEAST} or more")
    bare, still = round(EMPTY * count), round(STILL * count)
    levels = _levels(count, dice)
    noise = np.random.default_rng(dice.getrandbits(63))
    standing = tuple(thing for thing in scene.things if not isinstance(thing, Hand))
    before, after = scenes.empty(scene, standing), scene
    yield from _same(_painted(before, art), scene, levels[:bare], noise, Phase.EMPTY)
    yield from _laying(scene, standing, art, levels[bare : count - still], (dice, noise))
    yield from _same(_painted(after, art), scene, levels[count - still :], noise, Phase.STILL)


def _levels(count: int, dice: random.Random) -> list[float]:
    """The brightness of each frame, relative to the scene's own light."""
    drift, period = dice.uniform(0.3, 1) * DRIFT, dice.uniform(40, 120)
    start = dice.uniform(0, period)
    slow = [1 + drift * np.sin(2 * np.pi * (at + start) / period) for at in range(count)]
    return [float(level * (1 + dice.uniform(-FLICKER, FLICKER))) for level in slow]


def _painted(scene: Scene, art: Art) -> Image:
    """The table before the lens, on the ground that ``scenes.painted`` gives it."""
    return scenes.laid(scene, art, np.random.default_rng(scene.seed))


def _same(
    table: Image, scene: Scene, levels: Sequence[float], noise: np.random.Generator, phase: Phase
) -> Iterator[Moment]:
    """Frames of a table on which nothing moves, so it is lit only once."""
    seen = light.lit(scenes.through_the_lens(table, scene.camera), scene.light)
    for level in levels:
        yield Moment(light.sensed(seen * np.float32(level), scene.light, noise), phase)


def _laying(
    scene: Scene,
    standing: tuple[Thing, ...],
    art: Art,
    levels: Sequence[float],
    chance: tuple[random.Random, np.random.Generator],
) -> Iterator[Moment]:
    dice, noise = chance
    players = _players(scene, dice)
    ground = _painted(scenes.empty(scene), art)
    laid, lying = ground, -1
    for at, level in enumerate(levels):
        now, end = at / len(levels), (at + OPEN) / len(levels)
        down = [placed for player in players for placed in player.cards[: player.down(now)]]
        if len(down) != lying:
            lying = len(down)
            laid = _with(ground, down, standing, art, scene.camera)
        table = _moving(laid, players, list(np.linspace(now, end, LOOKS)), art, scene.camera)
        yield from _same(table, scene, [level], noise, Phase.LAYING)


def _with(
    ground: Image, down: Sequence[Placed], standing: Sequence[Thing], art: Art, watching: Camera
) -> Image:
    """The ground with the cards and things on it."""
    table = ground.copy()
    for placed in down:
        scenes.lay(table, placed, art[placed.card], watching)
    for thing in standing:
        thing.paint(table, watching)
    return table


def _moving(
    laid: Image, players: Sequence[_Player], times: Sequence[float], art: Art, watching: Camera
) -> Image:
    """The table with the hands over it, smeared as they move while the shutter is open."""
    if not any(player.hand(times[0]) for player in players):
        return laid
    total = np.zeros_like(laid)
    for time in times:
        table = laid.copy()
        for player in players:
            since = player.cards[player.down(times[0]) : player.down(time)]
            held, hand = player.hand(time) or (None, None)
            for placed in (*since, *([held] if held else [])):
                scenes.lay(table, placed, art[placed.card], watching)
            if hand:
                hand.paint(table, watching)
        total += table
    return np.asarray(total / np.float32(len(times)), np.float32)


def _players(scene: Scene, dice: random.Random) -> list[_Player]:
    """Everybody with cards, one after another by their seats."""
    seats = sorted({placed.seat for placed in scene.cards})
    spots = scenes.places(scene.camera)
    long = 1 / (1 + NEXT * (len(seats) - 1)) if seats else 1.0
    return [
        _Player(
            obstacles.look(dice),
            spots[seat - 1],
            dice.uniform(-12, 12),
            tuple(placed for placed in scene.cards if placed.seat == seat),
            at * NEXT * long,
            at * NEXT * long + long,
        )
        for at, seat in enumerate(seats)
    ]
