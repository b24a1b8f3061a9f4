"""Players who have enrolled: what each read, the model fitted to all of them, and their voices."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assistant.ear import Block, EarAround, Hears
from assistant.ear.audio import to_int16
from assistant.ear.network import Network, load_base
from assistant.ear.recogniser import Partial
from assistant.messages import Heard
from assistant.speakers.voice_print import Voiceprints
from assistant.speakers.who_spoke import WhoSpoke
from scripts.lab.earbench import enrolling, work
from scripts.lab.rendering.voices import Floats, Voice, voices_named
from scripts.lab.tablebench import room as rooms
from scripts.lab.tablebench import trial
from scripts.lab.tablebench.evening import Company
from scripts.lab.tablebench.players import Tally, company_of
from scripts.lab.tablebench.trial import Ground, Job


class SeatHears(EarAround[Hears]):
    """An ear that reports from which seat it heard a call."""

    def __init__(self, first: Hears, who: WhoSpoke) -> None:
        super().__init__(first)
        self._who = who

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Listen to a block; see Recogniser."""
        self._who.feed(block)
        return super().feed(block)

    def added(self, heard: Heard) -> Heard:
        """An utterance with whose voice it sounds like."""
        return self._who.told(heard)


def enrol_here(job: Job) -> None:
    """Let the players of an evening enrol, and keep the model fitted to them.

    They read at their seats, before anybody else is in the room.
    """
    ground = work.given()
    assert isinstance(ground, Ground)
    voices, fitted = _kept(ground, job)
    read = {}
    for seat, (voice, gain) in _company(job).items():

        def place(sound: Floats, seat: int = seat, gain: float = gain) -> Floats:
            return rooms.near(sound, seat, job.seed) * np.float32(gain)

        read[seat] = enrolling.enrol(voice, ground.model, job.seed, place=place)
    voices.mkdir()
    for seat, one in read.items():
        for at, reading in enumerate(one.readings):
            np.save(voices / f"{seat}-{at:02}.npy", to_int16(reading.sound))
    enrolling.fitted_model(ground.model, list(read.values()), fitted)


def play_here(job: Job) -> list[Tally]:
    """Play an evening of players who have enrolled, with what this process was given."""
    ground = work.given()
    assert isinstance(ground, Ground)
    voices, fitted = _kept(ground, job)
    company = Company(fitted)
    sounds = {
        seat: [np.load(path) for path in sorted(voices.glob(f"{seat}-*.npy"))]
        for seat in _company(job)
    }
    # As at a real table, who spoke is judged by the model that ships.
    prints = Voiceprints.fit(sounds, Network(load_base(ground.model).layers), job.seed)
    company.hears = SeatHears(company.hears, WhoSpoke(len(sounds), prints))
    return trial.play(job, ground, company)


def _company(job: Job) -> dict[int, tuple[Voice, float]]:
    return company_of(voices_named(trial.GROUPS[job.group]), job.seed)


def _kept(ground: Ground, job: Job) -> tuple[Path, Path]:
    """The folders of what was read and of the fitted model."""
    assert ground.enrolled is not None
    return ground.enrolled / f"{job.seed}-read", ground.enrolled / str(job.seed)
