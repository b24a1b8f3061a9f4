"""The contract of every audio source. The test class of an adapter inherits it."""

from abc import ABC, abstractmethod
from itertools import pairwise
from threading import Timer
from time import monotonic

import numpy as np
import pytest

from assistant.ear.audio import RATE
from assistant.ear.source import BLOCK, AudioSource, Block


class AudioSourceContract(ABC):
    """The tests of the AudioSource port."""

    @abstractmethod
    def make(self) -> AudioSource:
        """A source that is not open yet and has at least a second of sound."""

    @pytest.fixture
    def source(self) -> AudioSource:
        return self.make()

    @staticmethod
    def first_blocks(source: AudioSource, seconds: float) -> list[Block]:
        """The first blocks of an opened source, which is then closed."""
        blocks: list[Block] = []
        for block in source.blocks():
            blocks.append(block)
            if sum(len(b.samples) for b in blocks) >= seconds * RATE:
                source.close()
        return blocks

    def test_blocks_are_mono_16_bit_and_short(self, source: AudioSource) -> None:
        for block in self.first_blocks(source, 0.5):
            assert block.samples.dtype == np.int16
            assert block.samples.ndim == 1
            assert 0 < len(block.samples) <= 2 * BLOCK

    def test_stream_time_grows_by_the_length_of_each_block(self, source: AudioSource) -> None:
        blocks = self.first_blocks(source, 0.8)
        assert len(blocks) > 5
        for before, after in pairwise(blocks):
            grown = len(after.samples) / RATE
            assert after.end - before.end == pytest.approx(grown, abs=1e-6)

    def test_close_ends_the_blocks_within_a_second(self, source: AudioSource) -> None:
        timer = Timer(0.3, source.close)
        timer.start()
        began = monotonic()
        for _ in source.blocks():
            pass
        assert monotonic() - began < 2.0
        timer.join()

    def test_a_source_may_be_closed_twice_or_unopened(self, source: AudioSource) -> None:
        source.close()
        self.first_blocks(source, 0.2)
        source.close()

    def test_a_source_can_be_opened_again_after_a_close(self, source: AudioSource) -> None:
        self.first_blocks(source, 0.2)
        assert self.first_blocks(source, 0.2)

    def test_a_new_source_has_a_name_and_has_dropped_no_sound(self, source: AudioSource) -> None:
        self.first_blocks(source, 0.2)
        assert source.name
        assert source.dropped == 0
