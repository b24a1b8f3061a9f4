"""An ear that tells whose voice it heard: the players who have enrolled, and seat microphones."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from assistant.ear import Block, Hears, Partial
from assistant.ear.audio import Samples
from assistant.files.errors import UsageError
from assistant.files.resources import model_dir
from assistant.files.settings import Settings
from assistant.messages import Heard
from assistant.page.house import House
from assistant.rules.errors import MusError
from assistant.rules.state import State
from assistant.speakers.enrolled import enrolled, names
from assistant.speakers.network import Network, load_base
from assistant.speakers.voice_print import Voiceprints
from assistant.speakers.who_spoke import WhoSpoke

log = logging.getLogger("mus.ear")

FEWEST = 2
"""Voices of this table that must be known: against one alone, anybody may sound like it."""
NICE = 10
"""How far learning the voices stands back behind hearing."""


class Attributing:
    """Makes utterances of sound as another does, and adds whose voice they sound like.

    The voices are learnt from their recordings in the background, for some seconds after the
    start; what is said until then is somebody's by the turn, as without them.
    """

    def __init__(self, first: Hears, settings: Settings, state: Callable[[], State]) -> None:
        """``first`` makes the utterances of the table whose ``state`` is asked for."""
        self._first = first
        self._state = state
        self._channels = dict(enumerate((at - 1 for at in settings.seat_channels), start=1))
        self._several = settings.channels > 1
        self._closed = threading.Event()
        self._seats: tuple[str, ...] = ()
        self._who = WhoSpoke(1)

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        if (seats := tuple(self._state().seats)) != self._seats:
            self._begin(seats)
        self._who.feed(block)
        return [self._who.told(one) if isinstance(one, Heard) else one
                for one in self._first.feed(block)]  # fmt: skip

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""
        return [self._who.told(heard) for heard in self._first.flush()]

    @property
    def knows_the_table(self) -> bool:
        """Whether the ear does; see Recogniser."""
        return self._first.knows_the_table

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking; see Recogniser."""
        return self._first.somebody_speaks

    def break_off(self) -> list[Heard]:
        """End it because the assistant begins to speak; see Recogniser."""
        return [self._who.told(heard) for heard in self._first.break_off()]

    def close(self) -> None:
        """Learn nothing more."""
        self._closed.set()

    def _begin(self, seats: tuple[str, ...]) -> None:
        """Other people sit at the table: whoever has enrolled is known by his name."""
        self._seats = seats
        channels = self._channels if self._several else {}
        self._who = who = WhoSpoke(len(seats), channels=channels)
        known = seated(seats, names())
        if len(known) >= FEWEST:
            threading.Thread(
                target=self._learn, args=(who, known), name="voiceprints", daemon=True
            ).start()

    def _learn(self, who: WhoSpoke, known: Mapping[int, str]) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        try:
            sounds = {seat: _readings(name) for seat, name in known.items()}
            network = Network(load_base(model_dir()).layers)
            who.know(Voiceprints.fit(sounds, network, on_player=self._one_more))
        except _EarStoppedError:
            return
        except MusError as error:
            log.warning("Who spoke is told by the turn alone: %s", error)
            return
        log.info("Known by their voices: %s", ", ".join(known.values()))

    def _one_more(self, *_: object) -> None:
        if self._closed.is_set():
            raise _EarStoppedError


class _EarStoppedError(Exception):
    """The table is closed."""


def seated(seats: tuple[str, ...], known: list[str]) -> dict[int, str]:
    """Of each seat (1, 2, ...) whose player has enrolled, the name of his voice."""
    by_name = {name.casefold(): name for name in known}
    found = {seat: by_name.get(name.casefold()) for seat, name in enumerate(seats, start=1)}
    return {seat: name for seat, name in found.items() if name}


def tells_apart(settings: Settings) -> bool:
    """Whether there is anything to tell players by: a recording is heard as it always was."""
    if settings.listen:
        return False
    return settings.channels > 1 or len(names()) >= FEWEST


def _readings(name: str) -> list[Samples]:
    readings = [one.sound for one in enrolled(name).said]
    if not readings:
        raise UsageError(f"The voice {name!r} has no readings: learn it again.")
    return readings


def install(house: House, first: Hears) -> Attributing | None:
    """Have the ear of a house tell whose voice it hears; None where nothing tells them apart."""
    if not tells_apart(house.settings):
        return None
    return Attributing(first, house.settings, lambda: house.runner.table.state)
