"""The port through which sound comes in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from assistant.speech.audio import RATE, Samples

BLOCK = RATE // 20
"""Samples in a block, 50 ms: what a call's answer may wait for."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of mono sound at ``RATE``.

    ``end`` is the stream time of its last sample, in seconds since the source was first opened;
    it jumps where sound was lost. ``levels``: of a device with several channels, how loud each of
    them was in this stretch, root mean square in dB below full scale; empty for one channel.
    ``cancelled``: the assistant's own voice was taken out of it, and some may be left.
    """

    samples: Samples
    end: float
    levels: tuple[float, ...] = ()
    cancelled: bool = False


class AudioSource(Protocol):
    """Sound as it comes. ``tests/contracts/audio_source_contract.py`` holds every source to this.

    ``blocks`` is read by one thread; ``close`` may be called by any, more than once, and ends
    ``blocks`` soon. A closed source can be opened again by asking for ``blocks`` again.
    """

    @property
    def name(self) -> str:
        """What a person calls it: the device or the file."""

    @property
    def dropped(self) -> int:
        """Blocks thrown away so far because nobody took them in time."""

    @property
    def live(self) -> bool:
        """Whether sound that is not listened to now is gone; a lost live source may come back."""

    @property
    def monitor(self) -> bool:
        """Whether it is known to give what the machine plays, and nothing of the table."""

    def blocks(self) -> Iterator[Block]:
        """The sound from now on, in order; ends where the source ends or is closed.

        Raises:
            NoMicrophone: there is no such device.
            SourceLost: the device went away.
            AudioError: the file cannot be read.
        """

    def close(self) -> None:
        """Let go of the device or the file."""
