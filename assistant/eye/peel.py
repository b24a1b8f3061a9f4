"""Overlapping cards: read from the top one down, each aligned and compared with the deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import Deck
from assistant.eye.images import Image
from assistant.eye.match import Floats, Likeness, Matcher, Quad, Seen, straightened, warped
from assistant.eye.plane import Plane, Pose, corners, turned
from assistant.eye.poses import Poses, edged, near
from assistant.eye.view import Mask, View
from assistant.eye.windows import SecondCheck
from assistant.rules.cards import Card

# ---- Alignment: move a pose until the picture there is most similar to a reference --------------
# The method of Lucas and Kanade (1981) for a plane of known size: take the small shift and turn
# that bring the picture nearest to the reference by least squares, and repeat.


MOST_MM, MOST_RADIANS = 2.0, 0.05
"""The largest step: the linear approximation of the picture holds only nearby."""
ENOUGH_MM, ENOUGH_RADIANS = 0.05, 0.001
STIFF = np.diag([100.0, 100.0, 100.0, 1.0, 1.0, 1.0, 1.0])
"""Regularisation: where the picture shows little, as on a strip of white paper, the pose stays. It
is the noise in squared levels over the possible error in squared millimetres."""
ARM_MM = 40.0
"""Turns are measured by how far they move a point at this distance from the middle, as shifts
are."""


def aligned(
    grey: npt.NDArray[np.uint8],
    plane: Plane,
    pose: Pose,
    reference: Floats,
    seen: Callable[[Quad], Seen],
    size_mm: tuple[float, float],
    rounds: int = 4,
) -> Pose:
    """The pose near ``pose`` at which the grey picture is most similar to ``reference``.

    ``reference``: (height, width). ``seen``: outline -> the mask of pixels that count.
    """
    high, wide = reference.shape
    step = size_mm[0] / wide, size_mm[1] / high
    x, y = _grid(wide, high, step)
    wanted = reference.ravel()
    even = np.stack([-wanted, -np.ones_like(wanted), -x / ARM_MM, -y / ARM_MM])
    for _ in range(rounds):
        quad = plane.quad(pose, size_mm)
        card = straightened(grey, quad, (wide, high))
        right = cv2.Sobel(card, cv2.CV_32F, 1, 0, scale=1 / 8).ravel() / step[0]
        down = cv2.Sobel(card, cv2.CV_32F, 0, 1, scale=1 / 8).ravel() / step[1]
        about = (down * x - right * y) / ARM_MM
        slopes = np.vstack([right, down, about, even])
        weighted = slopes * seen(quad).ravel()
        square = (weighted @ slopes.T).astype(np.float64) + STIFF
        found = np.linalg.solve(square, -weighted @ card.ravel().astype(np.float32))
        shift = np.clip(found[:2], -MOST_MM, MOST_MM)
        turn = float(np.clip(found[2] / ARM_MM, -MOST_RADIANS, MOST_RADIANS))
        pose = np.array([*(pose[:2] + turned(float(pose[2])) @ shift), pose[2] + turn])
        if np.abs(shift).max() < ENOUGH_MM and abs(turn) < ENOUGH_RADIANS:
            break
    return pose


@lru_cache(maxsize=8)
def _grid(wide: int, high: int, step: tuple[float, float]) -> tuple[Floats, Floats]:
    """Each pixel's position from the card's middle, in millimetres."""
    x, y = np.meshgrid(np.arange(wide) - (wide - 1) / 2, np.arange(high) - (high - 1) / 2)
    return (x.ravel() * step[0]).astype(np.float32), (y.ravel() * step[1]).astype(np.float32)


# ---- Peeling: the uppermost card first, then what it leaves visible of the next -----------------
# The uppermost card is fully visible and the surest. The part that it hides is then known, and of
# the next card only the visible part is compared. So separate, overlapping and fanned cards are one
# case.


TINY = (22, 34)
"""Width and height of a card in the first, quick comparison."""
LEAST_SEEN = 0.08
"""The least visible share of a card: one that is hidden more cannot be recognised."""
LEAST_LIKE = 0.72
"""The least correlation of a card."""
HOPEFUL, LIKELY = 0.2, 0.8
"""Correlations in the quick comparison. Of poses below HOPEFUL, one in two hundred is a card's once
it is aligned; of poses above LIKELY, 98 in a hundred show their most similar card."""
PROMISING = 0.5
"""Poses with less in the quick comparison are not examined."""
SURE_LIKE, SURE_LEAD = 0.9, 1.5
"""A card as clear as this is taken at once, before all others are tried."""
FIRM_LIKE, FIRM_LEAD = 0.85, 1.15
"""A card less clear than this may be another one in another pose, so clearer ones are read
first."""
MOST_TRIED = 24
LEAST_BARED = 0.45
"""The least correlation of the bare part of a card that things lie over."""
LEAST_BARE, LIKE_BARED = 0.12, 0.42
"""Limits for a card that things lie over: its least bare share, because less shows no number; and
its least correlation once it is aligned, below which things are not looked for on it again. Of 54
cards that were found so, 0.16 and more were bare, and the least like had 0.52."""
HOPEFUL_BARED, NEARLY = 0.3, 0.15
"""The least correlation before alignment, and the most by which it may fall short of the likeliest
card's: other cards are not aligned."""
AT_ONCE = 32
"""Quick comparisons in a batch: larger batches are no faster, and take memory."""
RIVALS = 3
"""How many of the likeliest cards are aligned and compared each by itself."""
PLAIN_LIKE, PLAIN_LEAD = 0.6, 1.3
"""Limits for an outline that is not aligned yet, and so is less similar to its card."""
MIRRORED = 0.02
"""In a mirrored picture, the correlation of four cards grows on average by more than this when it
is turned back; some cards are about as similar either way."""
HARDLY_LESS = 0.05
"""The most by which a card may be less like the picture than another one and still be taken, if the
second check contradicts the other one."""
STRAYED_MM = 8.0
"""An alignment that moves further than this has found another card."""
SAME_MM, SAME_RADIANS = 5.0, 0.15
"""Poses nearer than this to a card that was read are the same card."""
TRIED_MM, TRIED_RADIANS = 3.0, 0.07
WHOLE, PLAINLY = 0.9, 0.9
"""The pose of a card that is visible or similar to this degree is certain."""
COVERED_LIKE, LEAST_EDGED, MOST_COVERED = 0.1, 0.5, 14
"""The least correlation in the quick comparison of a card that something lies over, the least share
of its edges that lie on edges of the picture, and at how many places of a region such cards are
looked for. Of 87 cards that were found so, the least share was 0.57."""
BESIDE = np.array(
    [(x, y) for y in (-10, -5, 0, 5, 10) for x in (-15, -10, -5, 0, 5, 10, 15)], np.float64
)
"""Shifts, in millimetres, at which a partly covered card is tried, too."""


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card and its pose; ``seen``: the mask of the part of its face that nothing covers.

    ``check``: the second check against its most similar card; None before it was made.
    """

    pose: Pose
    likeness: Likeness
    seen: Seen
    check: SecondCheck | None = None

    @property
    def share(self) -> float:
        """The visible share of its face."""
        return _share(self.seen)


@dataclass(slots=True)
class Lead:
    """A pose to try, with its most similar card and that similarity in the quick comparison.

    ``tried``: whether it was tried; ``found``: the card that was there, if any.
    """

    pose: Pose
    value: float
    likest: tuple[tuple[int, float], ...]
    share: float
    tried: bool = False
    found: FoundCard | None = None

    @property
    def rank(self) -> float:
        """Of two equally similar poses, the one that is more visible comes first."""
        return self.value * min(1.0, 0.5 + self.share)


Bared = Callable[[Quad, Card, Seen], Seen]
"""(outline, card that it may be, pixels that no other card covers) -> pixels that are bare."""
Believed = Callable[[FoundCard], "FoundCard | None"]
Trail = dict[bytes, Lead]
"""A cache of the leads of one region, by their poses: several methods come to the same poses."""


class Peeler:
    """Reads cards of one deck off a view."""

    def __init__(self, deck: Deck) -> None:
        self.size_mm = deck.size_mm
        self._reach = float(np.hypot(*deck.size_mm))
        self._tiny = Matcher(deck, TINY)
        self._fine = Matcher(deck)

    def peel(
        self, view: View, free: Mask, poses: Poses, most: int, trail: Trail, *, firmly: bool
    ) -> list[FoundCard]:
        """Read at most ``most`` cards at these poses, the uppermost first.

        ``free``: 255 where unread cards may be, in the smaller picture; the cards that are read are
        removed from it. ``trail``: leads that were tried before; it must be empty after any other
        change of ``free``. ``firmly``: only clear cards, because other poses are still to come.
        """
        new = [pose for pose in poses if pose.tobytes() not in trail]
        trail.update((lead.pose.tobytes(), lead) for lead in self._quick(view, free, new))
        leads = [trail[pose.tobytes()] for pose in poses]
        found: list[FoundCard] = []
        while len(found) < most:
            best = self._best(view, free, leads)
            if best is None or (firmly and not _firm(best.likeness)):
                break
            best = self._weighed(view, free, self._beside(view, free, best))
            if firmly and not _firm(best.likeness):
                break
            found.append(best)
            self.cover(view, free, best.pose)
            leads = self._after(view, free, leads, best.pose, trail)
        return found

    def covered(
        self, view: View, free: Mask, poses: Poses, most: int, bared: Bared, believed: Believed
    ) -> list[FoundCard]:
        """At most ``most`` cards at these poses that things lie over, as fingers or stones.

        Each is compared over its bare part. ``free`` as for ``peel``. ``believed``: a function that
        gives a card as a second check believes it, or None.
        """
        found: list[FoundCard] = []
        tried = np.zeros((0, 3))
        leads = self._quick(view, free, list(poses))
        edges = edged(view, poses, self.size_mm)
        scores = [lead.value + edge for lead, edge in zip(leads, edges, strict=True)]
        for at in np.argsort([-score for score in scores], kind="stable"):
            lead = leads[at]
            if len(tried) >= MOST_COVERED or len(found) >= most:
                break
            if lead.value < COVERED_LIKE:
                continue
            if near(tried, lead.pose, TRIED_MM, TRIED_RADIANS).any():
                continue
            tried = np.vstack([tried, lead.pose])
            if edges[at] < LEAST_EDGED:
                continue
            likeliest = self._bared(view, free, lead.pose, bared)
            best = None if likeliest is None else believed(likeliest)
            if best is not None:
                found.append(best)
                self.cover(view, free, best.pose)
        return found

    def _bared(self, view: View, free: Mask, pose: Pose, bared: Bared) -> FoundCard | None:
        """The likeliest card near a pose, by its bare part; None if there is none."""
        quad = view.plane.quad(pose, self.size_mm)
        seen = self._seen(view, free, self._fine.small)(quad)
        if _share(seen) < LEAST_SEEN:
            return None
        shown = straightened(view.picture, quad, self._fine.small)
        # Any reference will do to tell a thing from print. The bare part then tells the references
        # apart.
        bare = self._upright(quad, self._fine.likest(shown, seen, 1)[0], seen, bared)
        if _share(bare) < LEAST_BARE:
            return None
        likest = self._fine.likest(shown, bare, RIVALS)
        values = [self._fine.value(shown, at, bare) for at in likest]
        least = max(HOPEFUL_BARED, values[0] - NEARLY)
        close = [at for at, value in zip(likest, values, strict=True) if value >= least]
        found = [self._close_bared(view, pose, at, (seen, bare), bared) for at in close]
        some = [one for one in found if one is not None]
        return max(some, key=lambda one: one.likeness.value, default=None)

    def _upright(self, quad: Quad, at: int, seen: Seen, bared: Bared) -> Seen:
        """The bare pixels of ``seen``, if the card is that of a reference."""
        card = self._fine.card_of(at)
        if card is None:
            return seen
        if not self._fine.is_upside_down(at):
            return bared(quad, card, seen)
        turned_seen = np.ascontiguousarray(seen[::-1, ::-1])
        turned_back = bared(np.roll(quad, 2, axis=0), card, turned_seen)[::-1, ::-1]
        return np.ascontiguousarray(turned_back)

    def _close_bared(
        self, view: View, pose: Pose, at: int, masks: tuple[Seen, Seen], bared: Bared
    ) -> FoundCard | None:
        """A card near a pose, aligned by its bare part; None if the picture is not like it.

        ``masks``: the pixels that no card covers, and about which of them are bare.
        """
        rival = self._fine.card_of(at)
        if rival is None:
            return None
        seen, bare = masks
        if self._fine.is_upside_down(at):
            pose = pose + np.array([0, 0, np.pi])
            seen, bare = (np.ascontiguousarray(mask[::-1, ::-1]) for mask in masks)
        first, grey = pose, self._fine.grey_of(rival)
        pose = aligned(view.grey, view.plane, pose, grey, partial(_same, bare), self.size_mm)
        if float(np.hypot(*(pose[:2] - first[:2]))) > STRAYED_MM:
            return None
        quad = view.plane.quad(pose, self.size_mm)
        shown = straightened(view.picture, quad, self._fine.small)
        if self._fine.value(shown, self._fine.upright(rival), bare) < LIKE_BARED:
            return None
        bare = bared(quad, rival, seen)
        if _share(bare) < LEAST_BARE:
            return None
        likeness = self._fine.likeness(shown, bare)
        like = dict(likeness.others).get(rival, -1.0)
        if likeness.upside_down or like < max(LEAST_BARED, likeness.value - HARDLY_LESS):
            return None
        return FoundCard(pose, likeness.taken_for(rival), bare)

    def is_card(self, picture: Image, quad: Quad) -> bool:
        """Whether an uncovered outline contains any card of the deck, or its mirror image."""
        return any(
            likeness.value > PLAIN_LIKE and likeness.lead > PLAIN_LEAD
            for likeness in self.both_ways(picture, quad)
        )

    def mirrored(self, picture: Image, quads: Sequence[Quad]) -> bool:
        """Whether cards are more similar to the deck's when mirrored, as some webcams show them."""
        both = [self.both_ways(picture, quad) for quad in quads]
        return sum(mirror.value - plain.value for plain, mirror in both) > MIRRORED * len(both)

    def both_ways(self, picture: Image, quad: Quad) -> tuple[Likeness, Likeness]:
        """The likeness of an uncovered outline's inside, and of its mirror image."""
        card = straightened(picture, quad, self._fine.small)
        mirror = np.ascontiguousarray(card[:, ::-1])
        return self._fine.likeness(card), self._fine.likeness(mirror)

    def again(self, picture: Image, plane: Plane, found: FoundCard) -> Card | None:
        """The card that another frame of the same table shows in this place.

        That is the found card even if another one is a little more like the frame, because the
        second check and not the likeness of the whole may have told them apart.
        """
        quad = plane.quad(found.pose, self.size_mm)
        likeness, card = self._fine.match(picture, quad, found.seen), found.likeness.card
        like = dict(likeness.others).get(card, -1.0)
        return card if like >= likeness.value - HARDLY_LESS else likeness.card

    def taken_for(self, view: View, found: FoundCard, card: Card) -> FoundCard | None:
        """A found card, aligned with another of its likeliest; None if that does not fit."""
        grey, seen = self._fine.grey_of(card), partial(_same, found.seen)
        pose = aligned(view.grey, view.plane, found.pose, grey, seen, self.size_mm)
        if float(np.hypot(*(pose[:2] - found.pose[:2]))) > SAME_MM:
            return None
        quad = view.plane.quad(pose, self.size_mm)
        likeness = self._fine.match(view.picture, quad, found.seen)
        if likeness.upside_down or card not in dict(likeness.others):
            return None
        return FoundCard(pose, likeness.taken_for(card), found.seen)

    def without(self, view: View, found: FoundCard, others: Sequence[FoundCard]) -> FoundCard:
        """A found card, compared anew over the part that none of some others covers."""
        quad = view.plane.quad(found.pose, self.size_mm)
        high, wide = found.seen.shape
        flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
        seen = found.seen.copy()
        for other in others:
            outline = view.plane.quad(other.pose, self.size_mm)
            there = cv2.perspectiveTransform(outline[None], warp)[0]
            cv2.fillConvexPoly(seen, np.round(there * 16).astype(np.int32), 0, cv2.LINE_8, 4)
        seen = np.asarray(cv2.erode(seen, RIM, borderType=cv2.BORDER_REPLICATE), np.uint8)
        if _share(seen) < LEAST_SEEN:
            return found
        likeness = self._fine.match(view.picture, quad, seen)
        return found if likeness.upside_down else FoundCard(found.pose, likeness, seen)

    def uncover(self, view: View, free: Mask, found: FoundCard) -> None:
        """Add to ``free`` the part of a found card under a thing: that may be a card, too."""
        quad = view.smaller(view.plane.quad(found.pose, self.size_mm)).astype(np.float32)
        high, wide = found.seen.shape
        flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(flat, quad)
        size = (free.shape[1], free.shape[0])
        hidden = cv2.warpPerspective((1 - found.seen) * np.uint8(255), warp, size)
        free[(hidden > 127) & (view.may > 0)] = 255

    def cover(self, view: View, free: Mask, pose: Pose) -> None:
        """Remove the area of a card from ``free``."""
        outline = corners(self.size_mm) @ turned(float(pose[2])).T + pose[:2]
        exact = np.round(view.quad(outline) * 16).astype(np.int32)
        cv2.fillConvexPoly(free, exact, 0, cv2.LINE_8, 4)

    def _best(self, view: View, free: Mask, leads: list[Lead]) -> FoundCard | None:
        """The clearest card of the leads; None if there is none."""
        best: FoundCard | None = None
        tried = np.zeros((0, 3))
        for lead in sorted(leads, key=lambda lead: -lead.rank):
            if lead.value < HOPEFUL or near(tried, lead.pose, TRIED_MM, TRIED_RADIANS).any():
                continue
            if len(tried) >= MOST_TRIED:
                break
            tried = np.vstack([tried, lead.pose])
            if not lead.tried:
                lead.tried, lead.found = True, self._close(view, free, lead)
            found = lead.found
            if found and (best is None or found.likeness.value > best.likeness.value):
                best = found
            if best and best.likeness.value > SURE_LIKE and best.likeness.lead > SURE_LEAD:
                break
        return best

    def _after(
        self, view: View, free: Mask, leads: list[Lead], taken: Pose, trail: Trail
    ) -> list[Lead]:
        """The leads that remain after a card was read; partly hidden ones are compared again."""
        for key, lead in list(trail.items()):
            if self._touched(lead, taken):
                del trail[key]
        poses = [lead.pose for lead in leads]
        others = ~near(np.array(poses), taken, SAME_MM, SAME_RADIANS)
        poses = [pose for pose, other in zip(poses, others, strict=True) if other]
        again = [pose for pose in poses if pose.tobytes() not in trail]
        trail.update((lead.pose.tobytes(), lead) for lead in self._quick(view, free, again))
        kept = [trail[pose.tobytes()] for pose in poses]
        return [lead for lead in kept if lead.share >= LEAST_SEEN]

    def _touched(self, lead: Lead, taken: Pose) -> bool:
        return float(np.hypot(*(lead.pose[:2] - taken[:2]))) < self._reach

    def _quick(self, view: View, free: Mask, poses: Sequence[Pose]) -> list[Lead]:
        """The quick comparison of each pose."""
        if not poses:
            return []
        quads = view.plane.quads(np.array(poses), self.size_mm)
        seen = [self._seen(view, free, TINY)(quad) for quad in quads]
        shares = [_share(one) for one in seen]
        leads = [Lead(pose, -1.0, (), share) for pose, share in zip(poses, shares, strict=True)]
        plain = [at for at, share in enumerate(shares) if share >= LEAST_SEEN]
        for some in (plain[at : at + AT_ONCE] for at in range(0, len(plain), AT_ONCE)):
            cards = [warped(view.picture, quads[at], TINY) for at in some]
            like = self._tiny.values(cards, [seen[at] for at in some])
            for at, values in zip(some, like, strict=True):
                order = np.argsort(-values)[:RIVALS]
                leads[at].likest = tuple((int(one), float(values[one])) for one in order)
                leads[at].value = leads[at].likest[0][1]
        return leads

    def _close(self, view: View, free: Mask, lead: Lead) -> FoundCard | None:
        """The card near a lead, aligned and compared in full; None if there is none."""
        seen = self._seen(view, free, TINY)
        best: tuple[float, int, Pose] | None = None
        for at, value in lead.likest[: 1 if lead.value > LIKELY else None]:
            moved = self._aligned(view, self._tiny, at, lead.pose, seen)
            if best is None or value > best[0]:
                best = value, at, lead.pose
            if float(np.hypot(*(moved[:2] - lead.pose[:2]))) > STRAYED_MM:
                continue
            quad = view.plane.quad(moved, self.size_mm)
            shown = seen(quad)
            if _share(shown) < LEAST_SEEN:
                continue
            value = self._tiny.value(warped(view.picture, quad, TINY), at, shown)
            if value > best[0]:
                best = value, at, moved
        if best is None or best[0] < PROMISING:
            return None
        found = self._compared(view, free, best[1], best[2])
        like_enough = found.likeness.value >= LEAST_LIKE and found.share >= LEAST_SEEN
        return found if like_enough else None

    def _compared(self, view: View, free: Mask, at: int, pose: Pose) -> FoundCard:
        """The card found at the pose where the picture is most similar to one reference."""
        seen = self._seen(view, free, self._fine.small)
        pose = self._aligned(view, self._fine, at, pose, seen)
        quad = view.plane.quad(pose, self.size_mm)
        shown = seen(quad)
        likeness = self._fine.match(view.picture, quad, shown)
        if not likeness.upside_down:
            return FoundCard(pose, likeness, shown)
        half_a_turn = np.array([0, 0, np.pi])
        return FoundCard(pose + half_a_turn, likeness, np.ascontiguousarray(shown[::-1, ::-1]))

    def _beside(self, view: View, free: Mask, found: FoundCard) -> FoundCard:
        """The better of a found card and others at poses a little beside it.

        The visible part of a covered card may look like another card a finger's width away, and no
        line may have led to its true pose.
        """
        if found.share > WHOLE or found.likeness.value > PLAINLY:
            return found
        best, values = found, dict(found.likeness.others)
        places = found.pose[:2] + BESIDE @ turned(float(found.pose[2])).T
        poses = [np.array([*place, found.pose[2]]) for place in places]
        others = [
            lead
            for lead in self._quick(view, free, poses)
            if lead.likest and self._tiny.card_of(lead.likest[0][0]) != found.likeness.card
        ]
        for lead in sorted(others, key=lambda lead: -lead.value)[:RIVALS]:
            other = self._close(view, free, lead)
            if other is None:
                continue
            for card, value in other.likeness.others:
                values[card] = max(value, values.get(card, value))
            if other.likeness.value > best.likeness.value:
                best = other
        return replace(best, likeness=best.likeness.among(values))

    def _weighed(self, view: View, free: Mask, found: FoundCard) -> FoundCard:
        """The best of a found card and its rivals, after each was aligned by itself.

        A card whose pose is a little askew may be more similar to another one than to itself.
        """
        card = straightened(
            view.picture, view.plane.quad(found.pose, self.size_mm), self._fine.small
        )
        best, values = found, dict(found.likeness.others)
        for at in self._fine.likest(card, found.seen, RIVALS):
            rival = self._compared(view, free, at, found.pose)
            for other, value in rival.likeness.others:
                values[other] = max(value, values.get(other, value))
            if rival.likeness.value > best.likeness.value:
                best = rival
        return replace(best, likeness=best.likeness.among(values))

    def _aligned(
        self, view: View, matcher: Matcher, at: int, pose: Pose, seen: Callable[[Quad], Seen]
    ) -> Pose:
        return aligned(view.grey, view.plane, pose, matcher.greys[at], seen, self.size_mm)

    def _seen(self, view: View, free: Mask, small: tuple[int, int]) -> Callable[[Quad], Seen]:
        """A function: outline -> mask of its free pixels, without rims of covering cards."""

        def seen(quad: Quad) -> npt.NDArray[np.uint8]:
            whole = warped(free, view.smaller(quad), small)
            _, bare = cv2.threshold(whole, 200, 1, cv2.THRESH_BINARY)
            return np.asarray(cv2.erode(bare, RIM, borderType=cv2.BORDER_REPLICATE), np.uint8)

        return seen


RIM = np.ones((3, 3), np.uint8)


def _same(seen: Seen, _quad: Quad) -> Seen:
    return seen


def _firm(likeness: Likeness) -> bool:
    return likeness.value > FIRM_LIKE and likeness.lead > FIRM_LEAD


def _share(seen: Seen) -> float:
    return cv2.countNonZero(seen) / seen.size
