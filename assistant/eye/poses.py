"""Candidate poses of cards: straight lines in a view, and the poses that they suggest."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.plane import Points
from assistant.eye.view import View

# ---- Straight lines in a view, in millimetres; edges of cards are among them --------------------


SHORTEST_MM = 8.0
"""A shorter line is part of a drawing, or has no clear direction."""
MOST = 800
"""The most lines of a region: a checked cloth without a picture of the empty table has
thousands."""
SHORTEST_OUTLINE_MM = 4.0
"""Pieces of the outline of a change are edges of cards even if they are as short as this."""
STRAIGHT_MM = 1.2
"""An outline is straight where it deviates by no more."""
ROUND_MM = 3.0
"""A piece of outline is bent this far from its ends, by the round corners."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Line segments.

    ``starts``, ``ends``: in millimetres, (n, 2). For the outline of a change, the card lies to the
    right of the direction from start to end; for other lines the side is unknown.
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
        """Unit vectors from start to end: (n, 2)."""
        return (self.ends - self.starts) / np.maximum(self.lengths, 1e-9)[:, None]

    def longer(self, least: float) -> Lines:
        """The segments of at least so many millimetres."""
        long = self.lengths >= least
        return Lines(self.starts[long], self.ends[long])

    def longest(self, most: int) -> Lines:
        """The ``most`` longest segments."""
        order = np.argsort(-self.lengths, kind="stable")[:most]
        return Lines(self.starts[order], self.ends[order])

    def both_ways(self) -> Lines:
        """Each segment in both directions."""
        return together(self, Lines(self.ends, self.starts))


NONE = Lines(np.zeros((0, 2)), np.zeros((0, 2)))


def together(*some: Lines) -> Lines:
    """All segments of several sets."""
    return Lines(np.vstack([each.starts for each in some]), np.vstack([each.ends for each in some]))


def drawn_lines(view: View, box: tuple[int, int, int, int]) -> Lines:
    """Lines in the smaller picture within ``box``: left, top, width and height."""
    left, top, wide, high = box
    part = np.ascontiguousarray(view.bright[top : top + high, left : left + wide])
    detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, scale=1.0)
    found = detector.detect(part)[0]
    # OpenCV gives None where there are no lines, whatever its types say.
    ends = np.array([] if found is None else found, np.float64).reshape(-1, 2, 2)
    ends = view.mm(ends + np.array([left, top]))
    return Lines(ends[:, 0], ends[:, 1]).longer(SHORTEST_MM).longest(MOST)


def outline_lines(view: View, outline: npt.NDArray[np.int32]) -> Lines:
    """The straight pieces of a contour that OpenCV found in ``view.new``."""
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
    """The line fitted to the points between two bends, without those near the bends."""
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


# ---- Poses that lines suggest, the likeliest first ----------------------------------------------
# A corner of a card determines its pose, and nearly every card has a visible one: two lines at a
# right angle whose ends meet. Where that finds nothing, the edge of a card may lie anywhere along a
# line.


Poses = npt.NDArray[np.float64]
"""Poses, (n, 3): x and y of the middle in millimetres, turn in radians."""

MEET_MM = 8.0
"""How far two edges may end from where their lines meet, because corners are round."""
SQUARE = 0.1
"""The greatest cosine of the angle between two edges that meet."""
STEP_MM = 3.0
"""The distance of poses that are tried along a line."""
OVER_MM = 4.0
"""A detected line may be longer by this than its edge."""
MANY = 600
"""The most poses that are judged: of more, a rough measure of their edges selects these."""
STRAY_MM = 1.6
"""The error of a line's ends, so that a short line has a larger error of direction."""
STEP_RADIANS = 0.045
BEYOND, FEW = 0.04, 4
"""The share of a card's points that may lie where no cards can be; and the step of the first, rough
test of these points."""
ALIKE_MM, ALIKE_RADIANS = 1.6, 0.04
"""Poses nearer to each other than this count as one."""
SHARES = (1 / 3, 1 / 2, 2 / 3)
"""Where cards between two others lie, as shares of the way from one to the other."""
AROUND_MM = (-4.0, 0.0, 4.0)
"""Shifts at which such a place is tried, because no fan is even."""
HIDDEN = 0.3
"""Weight of the worst of a card's four edges, because another card may hide it."""


def at_corners(lines: Lines, size_mm: tuple[float, float]) -> Poses:
    """Poses with a corner where two lines meet at a right angle."""
    ways = lines.ways
    one, other = np.nonzero(np.triu(np.abs(ways @ ways.T) < SQUARE, 1))
    if not len(one):
        return np.zeros((0, 3))
    met = _meeting(lines, one, other)
    near_one, way_one = _away(lines, one, met)
    near_other, way_other = _away(lines, other, met)
    meet = (near_one < MEET_MM) & (near_other < MEET_MM)
    one, other, met = one[meet], other[meet], met[meet]
    way_one, way_other = _squared(
        way_one[meet], way_other[meet], lines.lengths[one] >= lines.lengths[other]
    )
    width, height = size_mm
    found = []
    for across, down in ((way_one, way_other), (way_other, way_one)):
        middle = met + across * width / 2 + down * height / 2
        found.append(np.column_stack([middle, np.arctan2(across[:, 1], across[:, 0])]))
    return np.vstack(found)


def along_lines(lines: Lines, size_mm: tuple[float, float]) -> Poses:
    """Poses with an edge on a line, in steps along it, the card to the right of its direction."""
    found = [np.zeros((0, 3))]
    for start, end in zip(lines.starts, lines.ends, strict=True):
        length = float(np.linalg.norm(end - start))
        stray = min(0.17, STRAY_MM / length)
        steps = int(np.ceil(stray / STEP_RADIANS))
        straight = float(np.arctan2(end[1] - start[1], end[0] - start[0]))
        for turn in straight + np.linspace(-stray, stray, 2 * steps + 1):
            found += _slid((start + end) / 2, length, float(turn), size_mm)
    return np.vstack(found)


def between(poses: Poses) -> Poses:
    """Poses between each two, where further cards of the same fan or row may lie."""
    one, other = np.triu_indices(len(poses), 1)
    turn = poses[other, 2] - poses[one, 2]
    way = np.column_stack([poses[other, :2] - poses[one, :2],
                           (turn + np.pi / 2) % np.pi - np.pi / 2])  # fmt: skip
    made = (poses[one] + share * way for share in SHARES)
    around = np.array([(x, y, 0) for x in AROUND_MM for y in AROUND_MM], np.float64)
    middle = np.vstack([np.zeros((0, 3)), *made])
    return np.asarray((middle[:, None] + around).reshape(-1, 3), np.float64)


def beyond(poses: Poses, reach_mm: float) -> Poses:
    """Poses one step beyond each two, in the direction from one to the other: a fan's next card.

    ``reach_mm``: the greatest distance of the two.
    """
    one, other = np.nonzero(~np.eye(len(poses), dtype=bool))
    way = poses[other, :2] - poses[one, :2]
    close = np.hypot(*way.T) < reach_mm
    one, other, way = one[close], other[close], way[close]
    turn = (poses[other, 2] - poses[one, 2] + np.pi / 2) % np.pi - np.pi / 2
    cos, sin = np.cos(turn), np.sin(turn)
    onwards = np.column_stack(
        [cos * way[:, 0] - sin * way[:, 1], sin * way[:, 0] + cos * way[:, 1]]
    )
    made = np.column_stack([poses[other, :2] + onwards, poses[other, 2] + turn])
    around = np.array([(x, y, 0) for x in AROUND_MM for y in AROUND_MM], np.float64)
    return np.asarray((made[:, None] + around).reshape(-1, 3), np.float64)


def likeliest(view: View, poses: Poses, size_mm: tuple[float, float], most: int) -> Poses:
    """The poses where cards may be, those with the best edges first, without duplicates."""
    # Most poses lie so far off that a few points are enough to show it.
    for points, least in ((INNER[::FEW], 1 - BEYOND * FEW), (INNER, 1 - BEYOND)):
        inside = _looked_up(view.may, _placed(view, poses, points * np.array(size_mm)))
        poses = poses[inside.mean(axis=1) > least]
    if len(poses) > MANY:
        rough = edged(view, poses, size_mm, every=4)
        poses = poses[np.argsort(-rough, kind="stable")[:MANY]]
    score = edged(view, poses, size_mm)
    return apart(poses[np.argsort(-score, kind="stable")], most)


def edged(
    view: View, poses: Poses, size_mm: tuple[float, float], every: int = 1
) -> npt.NDArray[np.float64]:
    """The share of each pose's edges that lies on edges of the picture, 0 to 1: (n,).

    Of a covered card, three edges are visible at least in part. ``every``: the step between the
    tested points of an edge; more than 1 is fast and rough.
    """
    sides = np.sort(_on_edges(view, poses, np.array(size_mm), every), axis=1)
    weights = np.array([HIDDEN, 1, 1, 1])
    return np.asarray(sides @ weights / weights.sum(), np.float64)


def apart(poses: Poses, most: int) -> Poses:
    """At most ``most`` poses without duplicates; the first of those that are alike is kept."""
    kept = np.zeros((0, 3))
    for pose in poses:
        if len(kept) >= most:
            break
        if not near(kept, pose, ALIKE_MM, ALIKE_RADIANS).any():
            kept = np.vstack([kept, pose])
    return kept


def near(poses: Poses, pose: Points, mm: float, radians: float) -> npt.NDArray[np.bool_]:
    """Which poses are about ``pose``, upright or upside down."""
    far = np.hypot(poses[:, 0] - pose[0], poses[:, 1] - pose[1])
    turn = np.abs((poses[:, 2] - pose[2] + np.pi / 2) % np.pi - np.pi / 2)
    return np.asarray((far < mm) & (turn < radians), np.bool_)


def _meeting(lines: Lines, one: npt.NDArray[np.int_], other: npt.NDArray[np.int_]) -> Points:
    """Where the lines of two segments cross."""
    first, second = lines.ways[one], lines.ways[other]
    between = lines.starts[other] - lines.starts[one]
    cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    along = (between[:, 0] * second[:, 1] - between[:, 1] * second[:, 0]) / cross
    return np.asarray(lines.starts[one] + first * along[:, None], np.float64)


def _away(
    lines: Lines, which: npt.NDArray[np.int_], met: Points
) -> tuple[npt.NDArray[np.float64], Points]:
    """How far a segment's nearer end is from the crossing, and the direction to the other."""
    to_start = np.linalg.norm(lines.starts[which] - met, axis=1)
    to_end = np.linalg.norm(lines.ends[which] - met, axis=1)
    far = np.where((to_start < to_end)[:, None], lines.ends[which], lines.starts[which]) - met
    length = np.linalg.norm(far, axis=1, keepdims=True)
    return np.minimum(to_start, to_end), far / np.maximum(length, 1e-9)


def _squared(one: Points, other: Points, first: npt.NDArray[np.bool_]) -> tuple[Points, Points]:
    """Two directions made exactly perpendicular; that of the longer line is kept."""
    side = np.sign(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])[:, None]
    from_one = side * np.column_stack([-one[:, 1], one[:, 0]])
    from_other = side * np.column_stack([other[:, 1], -other[:, 0]])
    trusted = first[:, None]
    return np.where(trusted, one, from_other), np.where(trusted, from_one, other)


def _slid(middle: Points, length: float, turn: float, size_mm: tuple[float, float]) -> list[Poses]:
    """Poses with their upper edge, or one of their sides, on a line through ``middle``."""
    along = np.array([np.cos(turn), np.sin(turn)])
    inwards = np.array([-along[1], along[0]])
    found = []
    for edge, deep, more in ((*size_mm, 0.0), (*size_mm[::-1], np.pi / 2)):
        room = edge - length
        if room < -OVER_MM:
            continue
        count = max(1, int(np.ceil(max(0.0, room) / STEP_MM)))
        back = np.linspace(min(room, 0.0), max(room, 0.0), count + 1)[:, None]
        middles = middle - along * (length / 2 + back) + along * edge / 2 + inwards * deep / 2
        found.append(np.column_stack([middles, np.full(len(middles), turn + more)]))
    return found


def _inner_points() -> Points:
    across, down = np.meshgrid(np.linspace(-0.46, 0.46, 6), np.linspace(-0.46, 0.46, 9))
    return np.column_stack([across.ravel(), down.ravel()])


def _edge_points() -> Points:
    """Sixteen points of each edge: the upper, the right, the lower, the left."""
    run = np.linspace(-0.42, 0.42, 16)
    half = np.full_like(run, 0.5)
    return np.vstack([np.column_stack(side) for side in
                      ((run, -half), (half, run), (run, half), (-half, run))])  # fmt: skip


INNER = _inner_points()
EDGES = _edge_points()
OUTWARDS = np.repeat(np.array([[0, -1.0], [1, 0], [0, 1], [-1, 0]]), 16, axis=0)
ALONG_NORMAL = 0.94
"""The least cosine of the angle between an edge's normal and the picture's gradient there."""


def _on_edges(view: View, poses: Poses, size: Points, every: int) -> npt.NDArray[np.float64]:
    """The share of each of a card's edges that lies on an edge of the picture: (n, 4)."""
    edges, outwards = EDGES[every // 2 :: every], OUTWARDS[every // 2 :: every]
    points = _placed(view, poses, edges * size)
    out = _placed(view, poses, edges * size + 2 * outwards) - points
    out /= np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-9)
    best = np.zeros(points.shape[:2])
    for step in (-1, 0, 1):
        spot = points + step * out
        right, down = np.moveaxis(_looked_up(view.slopes, spot), -1, 0)
        across = np.abs(right * out[..., 0] + down * out[..., 1])
        rising = np.where(across > ALONG_NORMAL * np.hypot(right, down), across, 0)
        best = np.maximum(best, np.minimum(rising / view.steep, 1))
    return np.asarray(best.reshape(len(poses), 4, len(edges) // 4).mean(axis=2), np.float64)


def _placed(view: View, poses: Poses, points: Points) -> Points:
    """Points of a card (in mm from its middle) as pixels of the smaller picture: (n, points, 2)."""
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    x = poses[:, :1] + cos * points[:, 0] - sin * points[:, 1]
    y = poses[:, 1:2] + sin * points[:, 0] + cos * points[:, 1]
    return view.smaller(view.plane.to_pixels(np.stack([x, y], axis=-1)))


def _looked_up(picture: npt.NDArray[np.generic], points: Points) -> npt.NDArray[np.float64]:
    """The picture's values at the pixels nearest to points; 0 outside it."""
    high, wide = picture.shape[:2]
    x, y = np.moveaxis(np.round(points).astype(np.int64), -1, 0)
    within = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
    found = picture[np.where(within, y, 0), np.where(within, x, 0)].astype(np.float64)
    found[~within] = 0
    return found
