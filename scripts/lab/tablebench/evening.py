"""The simulated room: one microphone, the assistant's loudspeaker, and the real assistant.

The sound is made block by block while the ear listens, because what the players say next depends on
what the assistant has understood. The clock is the stream's own, so a deal takes as long as the
machine needs, and not as long as it sounds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.ear import Block, Ear, EchoGate, Hears, SpeechError
from assistant.ear.audio import RATE
from assistant.ear.hearing import ear_of
from assistant.ear.second_stage import SecondStage
from assistant.ear.source import BLOCK
from assistant.files.resources import load_lexicon, load_phrases
from assistant.language.phrases import Level
from assistant.messages import Heard
from assistant.rules.errors import MusError
from assistant.speakers.self_training import SelfTraining
from assistant.table.journal.port import MemoryJournal
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from assistant.voice.announcer import Speaker
from assistant.voice.port import SaidSentence as Sentence
from assistant.voice.port import SentenceQueue
from assistant.voice.speaker import POLITE
from scripts.lab.rendering.deal import HISS
from scripts.lab.rendering.dealing import new_table
from scripts.lab.rendering.voices import Espeak, Floats, Manner
from scripts.lab.tablebench import room
from scripts.lab.tablebench.said import wav_cached
from scripts.lab.tablebench.table_sounds import TableSounds

SYNTHESIS = 0.15
"""Seconds from a sentence's words to its first sound, as measured on this machine."""
DELAYS, UNEVEN = (0.08, 0.25), 0.01
"""Seconds until what is played comes out of the loudspeaker, and how unevenly it does."""
ROOM = 8
"""Number of sentences that may wait, as in the real voice."""
LONGEST = 1800.0
"""Seconds of processor time that a deal may take before the bench gives it up."""

OnNews = Callable[[News, Table], None]


class Microphone:
    """An audio source in which a sound can start at any moment."""

    name, dropped, live, monitor = "a simulated table", 0, False, False

    def __init__(
        self,
        background: Floats | None,
        seed: int,
        step: Callable[[], bool],
        things: TableSounds | None = None,
    ) -> None:
        """``background`` is repeated for ever. ``step`` runs before each block; False ends it.

        ``things``: what sounds on the table.
        """
        self._background = background
        self._dice = np.random.default_rng(seed)
        self._at = 0 if background is None else int(self._dice.integers(len(background)))
        self._step = step
        self._things = things
        self.has_background = True
        """Whether the room sounds; it may begin to later."""
        self._samples = 0
        self._sounding: list[tuple[int, Floats]] = []
        self.speaking: Callable[[], bool] = lambda: False
        """Whether the assistant speaks."""

    @property
    def now(self) -> float:
        """Seconds since the microphone was opened."""
        return self._samples / RATE

    def play(self, sound: Floats, after: float = 0.0) -> float:
        """Start a sound in this many seconds. Returns the time at which it ends."""
        self._sounding.append((self._samples + round(after * RATE), sound))
        return self.now + after + len(sound) / RATE

    def echo(self, sound: Floats, seed: int) -> Floats:
        """The assistant's own voice as it comes back. ``seed``: of the bar."""
        return room.loudspeaker(sound, seed)

    def blocks(self) -> Iterator[Block]:
        """The sound of the room until the deal is over."""
        while self._step():
            if self._things and self.has_background:
                for sound in self._things.due(self.now):
                    self.play(sound)
            samples = np.clip(self._mixed() * 32768, -32768, 32767).astype(np.int16)
            self._samples += BLOCK
            yield Block(samples, self.now)

    def close(self) -> None:
        """Do nothing, because nothing is open."""

    def _mixed(self) -> Floats:
        mixed = self._dice.standard_normal(BLOCK, np.float32) * np.float32(HISS)
        if self._background is not None and self.has_background:
            at = (self._at + self._samples) % len(self._background)
            mixed += np.take(self._background, range(at, at + BLOCK), mode="wrap")
        kept = []
        for start, sound in self._sounding:
            at = max(0, start - self._samples)
            first = max(0, self._samples - start)
            piece = sound[first : first + BLOCK - at] if at < BLOCK else sound[:0]
            mixed[at : at + len(piece)] += piece
            if start + len(sound) > self._samples + BLOCK:
                kept.append((start, sound))
        self._sounding = kept
        return np.asarray(mixed, np.float32)


class Loudspeaker:
    """The assistant's voice in the simulated room. It sounds at the microphone, too."""

    def __init__(self, gate: EchoGate, level: float, seed: int) -> None:
        """``level``: the voice's loudness at the microphone, as a factor."""
        self._gate = gate
        self._level = np.float32(level)
        self._seed = seed
        self._dice = random.Random(f"loudspeaker {seed}")
        self._delay = self._dice.uniform(*DELAYS)
        self._waiting = SentenceQueue(ROOM)
        self._voice = Espeak("es")
        self._until: float | None = None
        self._ready = 0.0
        self.microphone: Microphone
        self.quiet_since = 0.0
        self.spoken: list[tuple[float, float, str]] = []

    @property
    def speaking(self) -> bool:
        """Whether it sounds, or is about to sound."""
        return self._until is not None or len(self._waiting) > 0

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon."""
        if not len(self._waiting):
            self._ready = self.microphone.now + SYNTHESIS
        self._waiting.put(Sentence(text, seq, urgent))

    def set_volume(self, volume: float) -> None:
        """Do nothing, because the bench speaks at one volume."""

    def silence(self) -> None:
        """Forget the sentences that wait."""
        self._waiting.clear()

    def close(self) -> None:
        """Do nothing, because nothing is open."""

    def step(self) -> None:
        """End the sentence that is over, and begin the next one."""
        now = self.microphone.now
        if self._until is not None and now >= self._until:
            self._until, self.quiet_since = None, now
            self._gate.open()
        ready = now >= self._ready
        waits = self._gate.somebody_speaks and now < self._ready + POLITE
        if self._until is None and len(self._waiting) and ready and not waits:
            said = self._waiting.take()
            if said is not None:
                sound, file = wav_cached(self._voice, said.text, Manner(1.1))
                delay = self._delay + self._dice.uniform(-UNEVEN, UNEVEN)
                echo = self.microphone.echo(sound, self._seed) * self._level
                self.microphone.play(echo, delay)
                self._until = now + delay + len(sound) / RATE
                self.spoken.append((now, self._until, said.text))
                self._gate.shut(file)


@dataclass(slots=True)
class Assistant:
    """The real ear, lexicon, table, runner and phrases, at a simulated microphone."""

    runner: Runner
    ear: Ear
    voice: Loudspeaker
    processor: float = 0.0

    def listen(self) -> None:
        """Listen until the source ends. Raises SpeechError if the ear failed."""
        began = time.process_time()
        self.ear.start()
        try:
            if not self.ear.join(LONGEST):
                raise SpeechError("A deal took longer than half an hour of this machine.")
        finally:
            self.ear.stop()
            self.runner.stop()
        self.processor = time.process_time() - began


class _Listener:
    def __init__(self, on_news: OnNews) -> None:
        self._on_news = on_news

    def told(self, news: News, table: Table) -> None:
        """Hand the news on."""
        self._on_news(news, table)


class Company:
    """An ear that hears the same people deal after deal, as in an evening."""

    def __init__(self, model: Path, learns: bool = False) -> None:
        """``model``: the speech model's folder. ``learns``: from what it hears, as at a table."""
        self.lexicon = load_lexicon()
        self.runner: Runner
        opening = new_table(self.lexicon)
        ear = ear_of(
            model,
            self.lexicon,
            lambda: self.runner.table.state,
            lambda: self.runner.table.question,
            opening.state.seats,
            stage=SecondStage.of_model(model),
        )
        self.learner = SelfTraining(ear, model, self.lexicon) if learns else None
        self.hears: Hears = self.learner or ear

    def settle(self) -> None:
        """Let it learn from what it has heard, which at a real table takes a minute or two."""
        if self.learner:
            self.learner.settle()


def assistant_at(
    microphone: Microphone,
    company: Company,
    on_news: OnNews,
    level: float,
    seed: int,
    failures: list[MusError],
    corrected: Callable[[Heard], Heard | None] = lambda heard: heard,
) -> Assistant:
    """Put the assistant at a microphone, with a new table of the default rules.

    ``corrected`` replaces an utterance that was heard by another one, or by none.
    """
    phrases = load_phrases("es")
    table = new_table(company.lexicon)
    journal = MemoryJournal()
    journal.append(table.records)
    gate = EchoGate(clock=lambda: microphone.now)
    voice = Loudspeaker(gate, level, seed)
    voice.microphone = microphone
    microphone.speaking = gate.is_shut

    def no_other_game() -> tuple[MemoryJournal, Table]:
        raise SpeechError("The bench plays one deal.")

    runner = Runner(table, journal, no_other_game, clock=lambda: microphone.now)
    runner.listeners.append(Speaker(voice, phrases, Level.ESSENTIAL))
    runner.listeners.append(_Listener(on_news))
    if company.learner:
        runner.listeners.append(company.learner)
    company.runner = runner

    def on_heard(heard: Heard) -> None:
        if (right := corrected(heard)) is not None:
            runner.post(right).result()

    def on_end(failure: SpeechError | None) -> None:
        if failure is not None:
            failures.append(failure)

    ear = Ear(microphone, company.hears, gate, on_heard, on_end=on_end)
    runner.start()
    return Assistant(runner, ear, voice)
