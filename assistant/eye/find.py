"""Finding the cards in one picture of the table, by methods of growing cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.check import CellCheck, Checker, SecondChecker
from assistant.eye.compare import has_network
from assistant.eye.deck import Deck
from assistant.eye.features import CardFeatures
from assistant.eye.images import Image
from assistant.eye.match import Likeness, NotMusCards, Quad, Seen, trust, weighed
from assistant.eye.outlines import (
    card_outlines,
    distinct,
    exact,
    laid_cards,
    lone_outlines,
    plane_of,
)
from assistant.eye.peel import HARDLY_LESS, FoundCard, Peeler, Trail
from assistant.eye.plane import Plane, placed
from assistant.eye.poses import (
    Lines,
    Poses,
    along_lines,
    apart,
    at_corners,
    between,
    beyond,
    drawn_lines,
    edged,
    likeliest,
    outline_lines,
    together,
)
from assistant.eye.view import EmptyTable, Mask, View, view
from assistant.eye.windows import SecondCheck, WindowChecker
from assistant.rules.cards import Card

LEFT = 0.12
"""The least rest of a region, as a share of a card's area, in which a further card may be."""
MOST_POSES = 150
WHOLE, PLAIN = 0.95, 0.85
"""A card visible and similar to its reference to this degree is used for the plane."""
LONG_MM = 20.0
"""Cards are looked for along detected lines of this length; shorter ones are mostly the cards'
art."""
MOST_CARDS = 40
CLEAR_CARDS = 4
"""Cards for calibration: one before each seat. If fewer outlines are clear, the camera may lean
far."""
LEAST_REGION = 0.3
"""A change smaller than this share of a card's area is neither a card nor a strip of one."""
THIN_MM = 6.0
"""A rest beside cards thinner than this is their rims."""
LEAST_THING = 0.15
"""A thing smaller than this share of a card's area hides nothing that matters."""
AROUND = 1.0
"""The cards of a hand lie no further from each other than so many of their heights."""
MOST_PLACES = 6
"""Of so many places where cards of a hand may lie, poses between each two are tried."""
OTHERS = 3
"""How many other cards are considered in the place of one in doubt."""
MOST_ROUNDS = 3
"""How often cards under things are looked for, because those that were found hide others."""
DOUBTED, LEAST_REST = 0.9, 0.4
"""A card that the second check believes less than DOUBTED may have another one on it. It is judged
by the rest of its face if that is at least LEAST_REST of it."""
SURE_ENOUGH = 0.99
"""The probability by likeness alone from which a card needs no check of its rivals."""
CLEAR_LEAD = 4.0
"""A card whose lead is smaller is checked against the next ones, too."""
STRANGE_CARDS, STRANGE_ALIKE = 3, 0.25
"""It is another deck if at least STRANGE_CARDS cards lie there, and at most STRANGE_ALIKE of them
are like a card of the deck. A few outlines with a rim of paper may be badly seen cards of the
deck."""
RIM_PX = 6
"""How far around a region, in pixels of the smaller picture, edges of its cards are looked for."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the table in which no card was found.

    ``quad``: a box around it, in pixels. ``reaching``: it reaches in from outside the picture, as a
    player's arm does.
    """

    quad: Quad
    reaching: bool


class Finder:
    """Finds the cards of one deck in pictures of a table."""

    def __init__(self, deck: Deck, *, close_up: bool = False) -> None:
        """``close_up``: for photographs of one hand, whose cards the windows check.

        The network was trained for the smaller cards of a whole table.
        """
        self._size_mm = deck.size_mm
        self._peeler = Peeler(deck)
        self._deck = deck
        self._tells_things = has_network() and not close_up
        self._checker: SecondChecker = (Checker if self._tells_things else WindowChecker)(deck)
        self._not_mus = NotMusCards(deck.not_mus)

    @property
    def deck_name(self) -> str:
        """The name of the deck."""
        return self._deck.name

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the deck's cards."""
        return self._size_mm

    @cached_property
    def features(self) -> CardFeatures:
        """The finder of places of cards by local features. One thread at a time may use it.

        It is made when it is first needed, because a table that is calibrated does without it.
        """
        return CardFeatures(self._deck)

    def inside(self, picture: Image, quad: Quad) -> tuple[Likeness, Likeness] | None:
        """The likeness of an uncovered outline's inside, as it is and turned back from a mirror.

        None if it is like no card of the deck either way.
        """
        if not self._peeler.is_card(picture, quad):
            return None
        return self._peeler.both_ways(picture, quad)

    def plane(
        self, picture: Image, empty: EmptyTable | None = None
    ) -> tuple[Plane, list[Quad]] | None:
        """The plane of the table, and the outlines of separate cards that determined it.

        None if no card is found. Four cards, one before each seat, determine it to a part of a
        millimetre; one alone does not show how the camera is tilted.

        An outline counts if its inside looks like a card of the deck, unlike tiles and checks.
        """
        bare = None if empty is None else empty.picture
        cards = self._separate(picture, bare, leaning=False)
        if bare is not None and len(cards) < CLEAR_CARDS:
            cards = distinct([*cards, *self._separate(picture, bare, leaning=True)])
        high, wide = picture.shape[:2]
        first = plane_of((wide, high), cards, self._size_mm)
        if bare is None:
            return self._by_features(picture, 0 if first is None else len(first[1])) or first
        if first is None:
            return self._by_features(picture, 0)
        # Where only a few outlines were clear, their plane helps to find the others.
        found, _ = self.found(view(picture, first[0], bare))
        whole = [card.pose for card in found if card.share > WHOLE and card.likeness.value > PLAIN]
        better = [exact(picture, first[0].quad(pose, self._size_mm)) for pose in whole]
        again = plane_of((wide, high), better, self._size_mm)
        return again if again and len(again[1]) > len(first[1]) else first

    def _separate(self, picture: Image, bare: Image | None, *, leaning: bool) -> list[Quad]:
        """The outlines of separate cards; ``leaning``: as a camera sees them that leans far."""
        rough = card_outlines(picture, self._size_mm, bare, leaning=leaning)
        quads = [exact(picture, quad) for quad in rough]
        if bare is not None:
            quads += lone_outlines(picture, self._size_mm, bare, leaning=leaning)
        if leaning:  # a card may look as wide as it is high
            quads += [np.roll(quad, -1, axis=0) for quad in quads]
        return distinct([quad for quad in quads if self._peeler.is_card(picture, quad)])

    def _by_features(self, picture: Image, more_than: int) -> tuple[Plane, list[Quad]] | None:
        """The plane by local features, and the cards that determine it.

        None if these are not more than so many. No card needs to lie apart for this, and the frame
        that is printed on a card is not taken for its edge.
        """
        high, wide = picture.shape[:2]
        guesses = self.features.guesses(picture)
        found = self.features.plane((wide, high), guesses)
        if found is None or len(found[1]) <= more_than:
            return None
        plane, firm = found
        poses = [placed(guess.pixels, guess.mm, plane) for guess in firm]
        return plane, [plane.quad(pose, self._size_mm) for pose in poses]

    def is_other_deck(self, picture: Image) -> bool:
        """Whether cards lie apart in a picture, and hardly any is like one of this deck."""
        cards, alike = self.laid_apart(picture)
        return cards >= STRANGE_CARDS and alike <= STRANGE_ALIKE * cards

    def laid_apart(self, picture: Image) -> tuple[int, int]:
        """How many cards lie apart in a picture, and how many of them are like one of this deck.

        A card is an outline of its shape with a rim of paper.
        """
        cards = laid_cards(picture, self._size_mm).cards
        return len(cards), sum(self._peeler.is_card(picture, quad) for quad in cards)

    def mirrored(self, picture: Image, quads: Sequence[Quad]) -> bool:
        """Whether a picture is a mirror image, by the cards inside some outlines."""
        return self._peeler.mirrored(picture, quads)

    def found(self, seen: View) -> tuple[list[FoundCard], list[Thing]]:
        """The cards of a view, uppermost first, and other things if the empty table is known."""
        free = seen.may * np.uint8(255)
        found: list[FoundCard] = []
        for region, outline in _regions(seen, self._size_mm):
            found += self._region(seen, free, region, outline)
        found = self._uncovered(seen, found)
        return found, list(self._things(seen, seen.new & (free > 0)))

    def close_up(self, seen: View, hints: Poses, enough: int) -> list[FoundCard]:
        """The cards of one hand, uppermost first, from poses that something else suggests.

        Cards are looked for at the ``hints``, the surest first; then at lines near them, and last
        between them, until ``enough`` are found.
        """
        return self._uncovered(seen, self._near(seen, hints, enough))

    def _near(self, seen: View, hints: Poses, enough: int) -> list[FoundCard]:
        near = np.zeros_like(seen.new)
        reach = round(AROUND * self._size_mm[1] * seen.plane.per_mm / seen.factor)
        for x, y in seen.smaller(seen.plane.to_pixels(hints[:, :2])):
            cv2.circle(near, (round(float(x)), round(float(y))), reach, 1, cv2.FILLED)
        free = near * np.uint8(255)
        trail: Trail = {}
        found, _ = self._more(seen, free, near, [], hints, trail, firmly=True)
        if len(found) >= enough:
            return found
        left, top, wide, high = cv2.boundingRect(near)
        drawn = drawn_lines(seen, (left, top, wide, high))
        at_lines = self._likeliest(seen, at_corners(drawn, self._size_mm))
        found, _ = self._more(seen, free, near, found, at_lines, trail, firmly=True)
        if len(found) >= enough:
            return found
        # A card of which only a strip is seen may have no pose yet. Until it has, it hides others.
        places = apart(np.array([*(one.pose for one in found), *hints]), MOST_PLACES)
        found, _ = self._more(seen, free, near, found, between(places), trail, firmly=True)
        last = np.vstack([hints, at_lines, between(places)])
        return self._more(seen, free, near, found, last, trail, firmly=False)[0]

    def again(self, picture: Image, plane: Plane, found: FoundCard) -> Card | None:
        """The card that another frame of the same table shows in this place."""
        return self._peeler.again(picture, plane, found)

    def likely(self, seen: View, found: FoundCard) -> tuple[tuple[Card, float], ...]:
        """The cards that a found one may be, with their probabilities; none for the back."""
        if found.likeness.card is None:
            return ()
        belief = self._belief(seen, found)
        quad = seen.plane.quad(found.pose, self._size_mm)
        if self._not_mus.are_as_likely(seen.picture, quad, found.seen, found.likeness):
            belief = 0.0
        edges, likeness = self.edges(seen, found), found.likeness
        if trust(likeness, edges, found.share) < SURE_ENOUGH:
            likeness = self.likeness(seen, found)
        return weighed(likeness, edges, found.share, belief)

    def likeness(self, seen: View, found: FoundCard) -> Likeness:
        """The likeness of a card; its second is the likeliest rival that the second check admits.

        Strips may differ in the number in the corner alone. It hardly changes the likeness of the
        whole, but fills some cells. Raises ValueError for the back.
        """
        likeness, check = found.likeness, self.check(seen, found)
        if likeness.lead >= CLEAR_LEAD or check.belief(likeness.value, found.share) < DOUBTED:
            return likeness
        cells = check if isinstance(check, CellCheck) else None
        own = likeness.value if cells is None else max(likeness.value, cells.like)
        for card, value in likeness.others[1:-1]:
            same_suit = card and likeness.card and card.suit == likeness.card.suit
            if cells is not None and same_suit and cells.tells_number:
                continue
            other = None if card is None else self._check_of(seen, found, card)
            if other is None or not check.refutes(other):
                like = other.like if isinstance(other, CellCheck) else value
                return replace(likeness, value=own, second=max(value, like))
        return replace(likeness, value=own, second=likeness.others[-1][1])

    def _check_of(self, seen: View, found: FoundCard, card: Card) -> SecondCheck:
        quad = seen.plane.quad(found.pose, self._size_mm)
        return self._checker.check(seen.picture, quad, card, found.seen)

    def _uncovered(self, seen: View, found: list[FoundCard]) -> list[FoundCard]:
        """The cards; doubtful ones are compared only where no other found card may lie on them.

        A card may have been read too early, with a part of the card that lies on it. That part
        contradicts the card in the second check, and wrongly. So the card is judged by the rest.
        """
        return [self._judged(seen, one, found) for one in found]

    def _judged(self, seen: View, one: FoundCard, found: Sequence[FoundCard]) -> FoundCard:
        if one.likeness.card is None:
            return one
        one = replace(one, check=self.check(seen, one))
        if self._belief(seen, one) >= DOUBTED:
            return one
        others = [other for other in found
                  if other.pose is not one.pose and other.likeness.value > PLAIN]  # fmt: skip
        rest = self._peeler.without(seen, one, others)
        smaller = LEAST_REST <= rest.share < one.share
        if smaller and rest.likeness.card == one.likeness.card:
            rest = replace(rest, check=self.check(seen, rest))
            if self._belief(seen, rest) >= DOUBTED:
                return rest
        return self._reconsidered(seen, one)

    def _reconsidered(self, seen: View, one: FoundCard) -> FoundCard:
        """A card in doubt, or another one of its likeliest that the second check agrees with.

        Strips of a fan differ in their numbers alone, which the likeness of the whole hardly
        notices.
        """
        one = replace(one, check=self.check(seen, one))
        # Windows cannot tell by itself whether a number is right, so they get one card only.
        if not self._tells_things or self._belief(seen, one) >= DOUBTED:
            return one
        for card, value in one.likeness.others[1 : OTHERS + 1]:
            if card is None or value < one.likeness.value - HARDLY_LESS:
                continue
            other = self._peeler.taken_for(seen, one, card)
            if other is None:
                continue
            other = replace(other, check=self.check(seen, other))
            if self._belief(seen, other) >= DOUBTED:
                return other
        return one

    def _belief(self, seen: View, found: FoundCard) -> float:
        return self.check(seen, found).belief(found.likeness.value, found.share)

    def check(self, seen: View, found: FoundCard) -> SecondCheck:
        """The second check of a found card, made once. Raises ValueError for the back."""
        if found.check is not None:
            return found.check
        card = found.likeness.card
        if card is None:
            raise ValueError("the back is not checked")
        return self._check_of(seen, found, card)

    def edges(self, seen: View, found: FoundCard) -> float:
        """The share of a card's edges that lies on edges of the picture, from 0 to 1."""
        return float(edged(seen, found.pose[None], self._size_mm)[0])

    def _things(self, seen: View, left: Mask) -> Iterator[Thing]:
        """The things that are no cards; one that reaches in from outside the picture is a hand."""
        if seen.bare is None:
            return
        side = 2 * round(THIN_MM * seen.plane.per_mm / seen.factor / 2) + 1
        thick = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
        outlines, _ = cv2.findContours(thick, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        least = LEAST_THING * self._card_area(seen)
        high, wide = left.shape
        for outline in outlines:
            if cv2.contourArea(outline) < least:
                continue
            x, y, across, down = cv2.boundingRect(outline)
            beyond = x <= 1 or y <= 1 or x + across >= wide - 1 or y + down >= high - 1
            box = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float64)
            yield Thing(seen.larger(box), beyond)

    def _card_area(self, seen: View) -> float:
        """The area of a card in pixels of the smaller picture."""
        width, height = self._size_mm
        return float(width * height * (seen.plane.per_mm / seen.factor) ** 2)

    def _region(
        self, seen: View, free: Mask, region: Mask, outline: npt.NDArray[np.int32]
    ) -> list[FoundCard]:
        """The cards of one region, searched until they explain the region."""
        found: list[FoundCard] = []
        card = self._card_area(seen)
        left = region
        tried = [np.zeros((0, 3))]
        trail: Trail = {}
        for poses in self._ways(seen, outline):
            found, left = self._more(seen, free, region, found, poses, trail, firmly=True)
            if np.count_nonzero(left) < LEFT * card:
                return found
            tried.append(poses)
        # Where a white cloth hides most of a card's edges, its region still has a card's size.
        last = np.vstack([self._likeliest(seen, np.vstack(tried)), self._boxes(seen, left)])
        found, left = self._more(seen, free, region, found, last, trail, firmly=False)
        if np.count_nonzero(left) < LEFT * card:
            return found
        # A card that fingers hold may show no corner; the other cards tell where it lies. Which
        # part of the others it hides is known only once it is found.
        under: list[FoundCard] = []
        for _ in range(MOST_ROUNDS):
            fan = self._in_fan(seen, found)
            if len(fan):
                found, left = self._more(seen, free, region, found, fan, trail, firmly=False)
            if np.count_nonzero(left) < LEFT * card or not self._tells_things:
                break
            before = found
            more = self._covered(seen, free, np.vstack([last, fan]), found, under)
            if not more:
                break
            found, left = self._more(seen, free, region, [*found, *more], last, {}, firmly=False)
            under = [one for one in found if any(one is other for other in [*under, *more])]
            trail = {}
            if np.count_nonzero(left) < LEFT * card or len(found) <= len(before):
                break
        return found

    def _in_fan(self, seen: View, found: list[FoundCard]) -> Poses:
        """Poses between found cards, and further on, where the other cards of their fan may lie."""
        places = np.array([one.pose for one in found[:MOST_PLACES]]).reshape(-1, 3)
        poses = np.vstack([between(places), beyond(places, self._size_mm[0])])
        return self._likeliest(seen, poses) if len(poses) else poses

    def _covered(
        self,
        seen: View,
        free: Mask,
        poses: Poses,
        found: list[FoundCard],
        under: list[FoundCard],
    ) -> list[FoundCard]:
        """Further cards that things lie over: the correlation of a whole card does not show them.

        ``under``: those of the found cards that were found so. The thing over them may be a card.
        """

        def bared(quad: Quad, card: Card, shown: Seen) -> Seen:
            return self._checker.bared(seen.picture, quad, card, shown)

        def believed(one: FoundCard) -> FoundCard | None:
            one = self._reconsidered(seen, one)
            return one if self._belief(seen, one) >= DOUBTED else None

        also = free.copy()
        for one in under:
            self._peeler.uncover(seen, also, one)
        for one in found:
            if not any(one is other for other in under):
                self._peeler.cover(seen, also, one.pose)
        most = MOST_CARDS - len(found)
        more = self._peeler.covered(seen, also, poses, most, bared, believed)
        for one in more:
            self._peeler.cover(seen, free, one.pose)
        return more

    def _more(
        self,
        seen: View,
        free: Mask,
        region: Mask,
        found: list[FoundCard],
        poses: Poses,
        trail: Trail,
        *,
        firmly: bool,
    ) -> tuple[list[FoundCard], Mask]:
        """The found cards and further ones at some poses; and the rest of the region."""
        most = MOST_CARDS - len(found)
        more = self._peeler.peel(seen, free, poses, most, trail, firmly=firmly)
        both = [*found, *more]
        found = self._once_each(seen, free, region, both)
        if len(found) < len(both):
            trail.clear()  # what a removed card covered is free again
        left = cv2.morphologyEx(region & (free > 0), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return found, np.asarray(left, np.uint8)

    def _boxes(self, seen: View, left: Mask) -> Poses:
        """Poses in the corners of boxes around the rest: two cards may share a box."""
        poses = [np.zeros((0, 3))]
        for outline in cv2.findContours(left, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            if cv2.contourArea(outline) < LEAST_REGION * self._card_area(seen):
                continue
            points = seen.mm(outline.reshape(-1, 2).astype(np.float64)).astype(np.float32)
            box = np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), np.float64)
            sides = Lines(box, np.roll(box, -1, axis=0))
            poses.append(at_corners(sides, self._size_mm))
        return apart(np.vstack(poses), MOST_POSES)

    def _once_each(
        self, seen: View, free: Mask, region: Mask, found: list[FoundCard]
    ) -> list[FoundCard]:
        """The found cards without duplicates near by, because no deck has a card twice.

        A duplicate lies askew over what it half resembles. What it covered is free again.
        """
        best: list[FoundCard] = []
        for one in sorted(found, key=lambda one: -self._merit(seen, one)):
            if not any(self._again(one, other) for other in best):
                best.append(one)
        if len(best) < len(found):
            free[region > 0] = seen.may[region > 0] * np.uint8(255)
            for one in best:
                self._peeler.cover(seen, free, one.pose)
        return [one for one in found if any(one is other for other in best)]

    def _merit(self, seen: View, found: FoundCard) -> float:
        return found.likeness.value + self.edges(seen, found)

    def _again(self, one: FoundCard, other: FoundCard) -> bool:
        """Whether two are the same card in about the same place."""
        far = float(np.hypot(*(one.pose[:2] - other.pose[:2])))
        same = one.likeness.card == other.likeness.card
        return same and one.likeness.card is not None and far < self._size_mm[1]

    def _ways(self, seen: View, outline: npt.NDArray[np.int32]) -> Iterator[Poses]:
        if seen.bare is None:
            guesses = self.features.guesses(seen.picture)
            poses = [placed(guess.pixels, guess.mm, seen.plane) for guess in guesses]
            yield np.array(poses).reshape(-1, 3)
        around = outline_lines(seen, outline)
        yield self._likeliest(seen, at_corners(around, self._size_mm))
        left, top, wide, high = cv2.boundingRect(outline)
        first = max(0, left - RIM_PX), max(0, top - RIM_PX)
        box = (*first, left + wide + RIM_PX - first[0], top + high + RIM_PX - first[1])
        drawn = drawn_lines(seen, box)
        yield self._likeliest(seen, at_corners(together(around, drawn), self._size_mm))
        if seen.bare is None:  # a card may be anywhere: there are too many lines to follow
            return
        long: Lines = drawn.longer(LONG_MM).both_ways()
        yield self._likeliest(seen, along_lines(together(around, long), self._size_mm))

    def _likeliest(self, seen: View, poses: Poses) -> Poses:
        return likeliest(seen, poses, self._size_mm, MOST_POSES)


def _regions(
    seen: View, size_mm: tuple[float, float]
) -> Iterator[tuple[Mask, npt.NDArray[np.int32]]]:
    """The regions that may contain cards: the mask and outline of each."""
    least = LEAST_REGION * size_mm[0] * size_mm[1] * (seen.plane.per_mm / seen.factor) ** 2
    outlines, _ = cv2.findContours(seen.new, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        if cv2.contourArea(outline) >= least:
            region = np.zeros_like(seen.new)
            cv2.drawContours(region, [outline], -1, 1, cv2.FILLED)
            yield region, np.asarray(outline, np.int32)
