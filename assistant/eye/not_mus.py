"""Cards of the pack that are none of Mus, as eights and jokers: whether a card may be one."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.eye.images import Image
from assistant.eye.match import Correlator, Likeness, Quad, Seen, straightened

AS_LIKELY = 0.8
"""One of these is as likely as a card of Mus which leaves so many times as much unexplained as it
does, or more. Of 84 true cards on rendered tables, overlapped and fanned, one left as much; of 27
foreign ones 25 did."""


class NotMusCards:
    """The references of cards that are none of Mus."""

    def __init__(self, pictures: Sequence[Image]) -> None:
        self._known = Correlator(pictures) if pictures else None

    def are_as_likely(self, picture: Image, quad: Quad, seen: Seen, likeness: Likeness) -> bool:
        """Whether one of them explains an outline's inside as well as the likeliest card does."""
        return self.lead(picture, quad, seen, likeness) >= AS_LIKELY

    def lead(self, picture: Image, quad: Quad, seen: Seen, likeness: Likeness) -> float:
        """What the card leaves unexplained over what the likeliest of these does."""
        if self._known is None:
            return 0.0
        card = straightened(picture, quad, self._known.small)
        value = float(self._known.values([card], [seen]).max())
        return (1 - max(0.0, likeness.value) ** 2) / max(1e-6, 1 - max(0.0, value) ** 2)
