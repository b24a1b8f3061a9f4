"""The newest seconds of a microphone's sound, kept to be heard once more."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from assistant.messages import Word
from assistant.speech.audio import RATE
from assistant.speech.decoder import Decoder
from assistant.speech.source import Block


class RecentSound:
    """Blocks of sound, the oldest of which are let go."""

    def __init__(self, seconds: float) -> None:
        """``seconds``: how much is kept."""
        self._seconds = seconds
        self._blocks: deque[Block] = deque()

    def feed(self, block: Block) -> None:
        """Keep one more block; nothing of before where the stream begins anew."""
        if self._blocks and block.end <= self._blocks[-1].end:
            self._blocks.clear()
        self._blocks.append(block)
        while self._blocks[0].end < block.end - self._seconds:
            self._blocks.popleft()

    def hear(
        self, decoder: Decoder, start: float, end: float
    ) -> list[tuple[tuple[Word, ...], float]]:
        """The ways to hear a stretch of stream time, each with its log likelihood."""
        base = decoder.fed / RATE
        begun: float | None = None
        for block in self._blocks:
            begins = block.end - len(block.samples) / RATE
            if block.end > start and begins < end:
                begun = begins if begun is None else begun
                decoder.accept(block.samples.tobytes())
        shift = (start if begun is None else begun) - base
        ways = decoder.final_result().get("alternatives", ())
        return [(_words(way.get("result", ()), shift), float(way["confidence"])) for way in ways]


def _words(found: Sequence[dict[str, object]], shift: float) -> tuple[Word, ...]:
    return tuple(
        Word(str(word["word"]), shift + float(str(word["start"])), shift + float(str(word["end"])))
        for word in found
    )
