"""Straight lines in a view: edges of cards among them, in millimetres on the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.plane import Points
from assistant.vision.view import View

SHORTEST_MM = 8.0
"""What is shorter is part of a drawing, or tells no direction."""
MOST = 800
"""Lines of one region: a checked cloth whose empty picture nobody took has thousands."""
SHORTEST_OUTLINE_MM = 4.0
"""Pieces of the outline of what is new are card edges even where they are this short."""
STRAIGHT_MM = 1.2
"""An outline is straight where it strays by no more."""
ROUND_MM = 3.0
"""So far from its ends a piece of outline is bent by the cards' round corners."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Pieces of straight lines.

    ``starts``, ``ends``: in millimetres, of shape (n, 2). Of the outline of what is new, the card
    lies to the right of the way from start to end; of other lines nobody knows on which side.
    """

    starts: Points
    ends: Points

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def lengths(self) -> npt.NDArray[np.float64]:
        """In millimetres, of shape (n,)."""
        return np.asarray(np.linalg.norm(self.ends - self.starts, axis=1), np.float64)

    @property
    def ways(self) -> Points:
        """Directions of length one, from start to end: of shape (n, 2)."""
        return (self.ends - self.starts) / np.maximum(self.lengths, 1e-9)[:, None]

    def longer(self, least: float) -> Lines:
        """Those of at least so many millimetres."""
        long = self.lengths >= least
        return Lines(self.starts[long], self.ends[long])

    def longest(self, most: int) -> Lines:
        """At most so many, the longest."""
        order = np.argsort(-self.lengths, kind="stable")[:most]
        return Lines(self.starts[order], self.ends[order])

    def both_ways(self) -> Lines:
        """Each line twice, once from its end to its start."""
        return together(self, Lines(self.ends, self.starts))


NONE = Lines(np.zeros((0, 2)), np.zeros((0, 2)))


def together(*some: Lines) -> Lines:
    """All of them."""
    return Lines(np.vstack([each.starts for each in some]), np.vstack([each.ends for each in some]))


def drawn_lines(view: View, box: tuple[int, int, int, int]) -> Lines:
    """Lines in the smaller picture within ``box``: left, top, width and height."""
    left, top, wide, high = box
    part = np.ascontiguousarray(view.bright[top : top + high, left : left + wide])
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, scale=1.0)
    found = detector.detect(part)[0]
    # None, whatever its types say, where there are no lines.
    ends = np.array([] if found is None else found, np.float64).reshape(-1, 2, 2)
    ends = view.mm(ends + np.array([left, top]))
    return Lines(ends[:, 0], ends[:, 1]).longer(SHORTEST_MM).longest(MOST)


def outline_lines(view: View, outline: npt.NDArray[np.int32]) -> Lines:
    """The straight pieces of an outline that OpenCV found in ``view.new``."""
    points = view.mm(outline.reshape(-1, 2).astype(np.float64))
    if cv2.contourArea(points.astype(np.float32), oriented=True) < 0:
        points = points[::-1]
    closed = points.astype(np.float32)[:, None]
    bends = cv2.approxPolyDP(closed, STRAIGHT_MM, closed=True)[:, 0]
    at = [int(((points - bend) ** 2).sum(axis=1).argmin()) for bend in bends]
    pieces = [_piece(points, one, other) for one, other in zip(at, at[1:] + at[:1], strict=True)]
    kept = [piece for piece in pieces if piece is not None]
    if not kept:
        return NONE
    both = np.array(kept)
    return Lines(both[:, 0], both[:, 1])


def _piece(points: Points, first: int, last: int) -> tuple[Points, Points] | None:
    """The line through the points from one bend to the next, but for those near the bends."""
    count = len(points)
    run = points[np.arange(first, last + (count if last < first else 0) + 1) % count]
    start, end = run[0], run[-1]
    length = float(np.linalg.norm(end - start))
    if length < SHORTEST_OUTLINE_MM:
        return None
    along = (run - start) @ (end - start) / length
    trim = min(ROUND_MM, length / 4)
    inner = run[(along > trim) & (along < length - trim)]
    if len(inner) < 4:
        return start, end
    right, down, x, y = cv2.fitLine(inner.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    way, through = np.array([right, down], np.float64), np.array([x, y], np.float64)
    return through + way * ((start - through) @ way), through + way * ((end - through) @ way)
