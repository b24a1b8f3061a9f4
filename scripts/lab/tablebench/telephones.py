"""The simulated table with a telephone before each player: devices, network, and one ear.

The same deals are also played with the one microphone in the middle of the same rooms, and with an
array of four in its place.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np
from scipy.signal import lfilter

from assistant.ear import Block
from assistant.ear import network as speech
from assistant.ear.array import Channels
from assistant.ear.audio import Samples, to_int16
from assistant.ear.source import BLOCK
from assistant.messages import Heard
from assistant.speakers.voice_print import Voiceprints
from assistant.speakers.who_spoke import EVENED, Beforehand, WhoSpoke
from assistant.telephones.clocks import HALF, Places, interpolated
from assistant.telephones.several import Line, Telephones
from scripts.lab.earbench import made, work
from scripts.lab.rendering.deal import DISTANCES, HISS
from scripts.lab.rendering.voices import LOUDNESS, Floats, voices_named
from scripts.lab.speakerbench import saying
from scripts.lab.speechlab.audio import RATE
from scripts.lab.tablebench import crowd, places, trial
from scripts.lab.tablebench.enrolled import SeatHears
from scripts.lab.tablebench.evening import Company, Microphone
from scripts.lab.tablebench.places import Place
from scripts.lab.tablebench.players import CHAT, Tally, Utterance, company_of
from scripts.lab.tablebench.said import cache_folder
from scripts.lab.tablebench.trial import Ground, Job

IN_THE_MIDDLE, TELEPHONES, AN_ARRAY = "middle", "telephones", "array"
EARS = (IN_THE_MIDDLE, TELEPHONES, AN_ARRAY)
TELEVISION = "television"
"""A room in which one television talks at a wall."""
UNLIKE = 1.0
"""The most dB by which microphones of an array differ, up or down."""
GAINS, LOW_CUTS, HISSES = (-6.0, 6.0), (60.0, 250.0), (-72.0, -60.0)
"""dB by which telephones differ; hertz below which they hear less; dB of what they add."""
DRIFT = 50.0
"""The most millionths by which a telephone's clock is fast or slow."""
CAPTURE = (0.01, 0.06)
"""Seconds for which a browser holds sound back before its page has it."""
PACKET = 320
"""Samples in a packet, 20 ms."""
CUPS_EVERY = 8.0
"""Seconds between two cups that are set down, on average."""
CUP_DB = (-6.0, 6.0)
"""dB of a cup at the telephone beside it, over its player's voice there."""


@dataclass(frozen=True, slots=True)
class Network:
    """Seconds that packets take, in order: a usual time, and sometimes a longer one."""

    least: float
    usual: float
    seldom: float
    longest: float
    loses: float

    def takes(self, dice: random.Random) -> float:
        """The time that one packet takes."""
        slow = dice.random() < self.seldom
        return self.least + (
            dice.uniform(0, self.longest) if slow else dice.expovariate(1 / self.usual)
        )


NETWORKS = {
    "wifi": Network(0.004, 0.006, 0.005, 0.15, 0.0),
    "bad": Network(0.004, 0.006, 1.0, 0.2, 0.02),
}
"""``bad``: 200 ms of jitter and 2% of the packets lost."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening by one kind of microphone. ``enrolled``: whether the ear knows the voices."""

    job: Job
    ears: str
    network: str = "wifi"
    enrolled: bool = False


@dataclass(slots=True)
class Counts:
    """The counts of one deal, and of who spoke; ``processor`` in seconds."""

    tally: Tally
    who_right: int = 0
    who_told: int = 0
    processor: float = 0.0
    sound: float = 0.0
    wrong_who: list[str] = field(default_factory=list)


class Device:
    """A telephone: its microphone, its clock, and the packets that it sends."""

    def __init__(self, line: Line, network: Network, dice: random.Random) -> None:
        self._line = line
        self._network = network
        self._dice = dice
        self._noise = np.random.default_rng(dice.getrandbits(32))
        self._gain = np.float32(10 ** (dice.uniform(*GAINS) / 20))
        self._hiss = np.float32(10 ** (dice.uniform(*HISSES) / 20))
        self._cut = np.exp(-2 * np.pi * dice.uniform(*LOW_CUTS) / RATE)
        self._pace = 1 / (1 + dice.uniform(-DRIFT, DRIFT) * 1e-6)
        self._began = dice.uniform(0, 1000)
        self._held = dice.uniform(*CAPTURE)
        self._low = np.float32(0)
        self._sound = np.zeros(2 * HALF, np.float32)
        self._first = -2 * HALF
        self._made = 0
        self._sent = 0
        self._pending = np.zeros(0, np.float32)
        self._arrives = 0.0

    def feed(self, sound: Floats) -> Iterator[tuple[float, Callable[[], None]]]:
        """More sound at the telephone. Returns the packets that it sends, and when they arrive."""
        self._sound = np.concatenate([self._sound, sound])
        ahead = np.arange(2 * BLOCK, dtype=np.float64)
        places: Places = (self._made + ahead) * self._pace - self._first
        places = places[places < len(self._sound) - HALF - 1]
        taken = interpolated(self._sound, places)
        self._made += len(taken)
        kept = max(0, int(self._made * self._pace) - self._first - 2 * HALF)
        self._sound = self._sound[kept:]
        self._first += kept
        self._pending = np.concatenate([self._pending, self._recorded(taken)])
        while len(self._pending) >= PACKET:
            packet, self._pending = self._pending[:PACKET], self._pending[PACKET:]
            at, self._sent = self._sent / RATE, self._sent + PACKET
            left = self._sent / RATE * self._pace + self._held
            if self._dice.random() < self._network.loses:
                continue
            arrives = left + self._network.takes(self._dice)
            self._arrives = max(self._arrives, arrives)  # packets come in order, as over TCP
            yield self._arrives, self._sender(to_int16(packet), self._began + at)

    def _sender(self, samples: Samples, at: float) -> Callable[[], None]:
        return lambda: self._line.feed(samples, at)

    def _recorded(self, sound: Floats) -> Floats:
        """The sound as its microphone has it: a low cut of first order, its gain, its hiss."""
        low, state = lfilter([1 - self._cut], [1, -self._cut], sound, zi=[self._low])
        self._low = np.float32(state[0])
        hiss = self._noise.standard_normal(len(sound), np.float32) * self._hiss
        return np.asarray((sound - low) * self._gain + hiss, np.float32)


class LyingTelephones:
    """The telephones of an evening. What the ear learns about them in one deal stays known."""

    def __init__(self, evening: Evening) -> None:
        self.now = 0.0
        """Seconds since the evening began."""
        self._made = 0.0
        self._arriving: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self.telephones = Telephones(
            places.SEATS, lambda: self.now, speaking=self._speaking, wait=self._pass
        )
        dice = random.Random(f"telephones {evening.job.seed}")
        network = NETWORKS[evening.network]
        self._devices = [
            Device(self.telephones.join(seat, f"telephone {seat}"), network, dice)
            for seat in range(1, places.SEATS + 1)
        ]
        self._room: Microphones

    def hears(self, room: Microphones) -> None:
        """Let it lie where another deal is played."""
        self._room = room

    def _speaking(self) -> bool:
        return self._room.speaking()

    def _pass(self, seconds: float) -> None:
        """Let time pass: sound is made, and packets arrive."""
        if self.now >= self._made - 1e-9:
            sounds = self._room.next_sounds()
            if sounds is None:
                self.telephones.close()
                return
            self._made = round(self._made + BLOCK / RATE, 4)
            for at, device in enumerate(self._devices, start=1):
                for arrives, deliver in device.feed(sounds[:, at]):
                    heapq.heappush(self._arriving, (arrives, next(self._number), deliver))
        until = round(self.now + seconds, 4)
        while self._arriving and self._arriving[0][0] <= until:
            self.now, _, deliver = heapq.heappop(self._arriving)
            deliver()
        self.now = until


class Microphones(Microphone):
    """The microphones of one room, heard by the middle one, the telephones or an array."""

    name = "a simulated table with telephones"

    def __init__(
        self,
        background: Floats | None,
        seed: int,
        step: Callable[[], bool],
        evening: Evening,
        lying: LyingTelephones,
        array: Channels,
    ) -> None:
        """``background``: shape (samples, microphones). ``lying``, ``array``: of the evening."""
        super().__init__(background, seed, step)
        self._ears = evening.ears
        self._place = place_of(evening)
        self._array = array
        loud = np.random.default_rng(evening.job.seed).uniform(-UNLIKE, UNLIKE, places.ARRAY)
        self._loud = np.asarray(10 ** (loud / 20), np.float32)
        self._cups = random.Random(f"cups {seed}")
        self._cup_at = self._cups.expovariate(1 / CUPS_EVERY)
        self._lying = lying
        self._began = lying.now
        lying.hears(self)

    @property
    def now(self) -> float:
        """Seconds since the microphones were opened."""
        return self._lying.now - self._began if self._ears == TELEPHONES else super().now

    def echo(self, sound: Floats, _seed: int) -> Floats:
        """The assistant's own voice at each microphone."""
        peak = float(np.abs(sound).max()) or 1.0
        bent = np.tanh(0.5 * sound / peak) / 0.5 * peak
        response = self._place.loudspeaker
        loud = np.sqrt(np.sum(np.square(response[:, 0])))
        return places.heard(np.asarray(bent, np.float32), response / loud)

    def blocks(self) -> Iterator[Block]:
        """What the ear hears until the deal is over."""
        if self._ears == TELEPHONES:
            for block in self._lying.telephones.blocks():
                yield replace(block, end=block.end - self._began)
            return
        while self._step():
            sounds = self._sounds()
            levels: tuple[float, ...] = ()
            sound = sounds[:, 0]
            if self._ears == AN_ARRAY:
                hiss = self._dice.standard_normal((BLOCK, places.ARRAY), np.float32)
                ring = sounds[:, -places.ARRAY :] + hiss * np.float32(HISS)
                sound, levels = self._array.mix(ring * self._loud)
            samples = np.clip(sound * 32768, -32768, 32767).astype(np.int16)
            self._samples += BLOCK
            yield Block(samples, self.now, levels)

    def close(self) -> None:
        """End the listening."""
        self._lying.telephones.close()

    def next_sounds(self) -> Floats | None:
        """The sounds of the next 50 ms at each microphone; None if the deal is over."""
        if not self._step():
            return None
        sounds = self._sounds()
        self._samples += BLOCK
        return sounds

    def _sounds(self) -> Floats:
        """A block of sound at all microphones."""
        if self.has_background and self._samples / RATE >= self._cup_at:
            self._cup_at += self._cups.expovariate(1 / CUPS_EVERY)
            self._set_down_a_cup()
        mixed = np.zeros((BLOCK, self._place.loudspeaker.shape[1]), np.float32)
        mixed[:, 0] = self._dice.standard_normal(BLOCK, np.float32) * np.float32(HISS)
        if self._background is not None and self.has_background:
            at = (self._at + self._samples) % len(self._background)
            rows = np.arange(at, at + BLOCK) % len(self._background)
            mixed += self._background[rows]
        kept = []
        for start, sound in self._sounding:
            at = max(0, start - self._samples)
            first = max(0, self._samples - start)
            piece = sound[first : first + BLOCK - at] if at < BLOCK else sound[:0]
            mixed[at : at + len(piece)] += piece
            if start + len(sound) > self._samples + BLOCK:
                kept.append((start, sound))
        self._sounding = kept
        return mixed

    def _set_down_a_cup(self) -> None:
        seat = self._cups.randrange(places.SEATS)
        dice = np.random.default_rng(self._cups.getrandbits(32))
        sound = places.heard(made.knock(dice), self._place.cups[seat])
        loudest = float(np.abs(sound[:, seat + 1]).max()) or 1.0
        own = self._place.seats[seat][:, seat + 1]
        voice = 5 * LOUDNESS * float(np.sqrt(np.sum(np.square(own))))
        level = voice * 10 ** (self._cups.uniform(*CUP_DB) / 20)
        self._sounding.append((self._samples, sound * np.float32(level / loudest)))


def play_here(evening: Evening) -> list[Counts]:
    """Play an evening with what this process was given."""
    ground = work.given()
    assert isinstance(ground, Ground)
    return play(evening, ground)


def play(evening: Evening, ground: Ground) -> list[Counts]:
    """Play an evening. Raises MusError if a part of the assistant failed."""
    job = evening.job
    if ground.trace is not None:
        folder = ground.trace / evening.ears
        folder.mkdir(exist_ok=True)
        ground = replace(ground, trace=folder)
    company = Company(ground.model, learns=bool(job.before))
    where = place_of(evening)
    if evening.enrolled or evening.ears == TELEPHONES:
        seats = range(1, places.SEATS + 1)
        before = {seat: seat - 1 for seat in seats} if evening.ears == TELEPHONES else {}
        prints = voices_of(job, ground, where) if evening.enrolled else None
        assumed = EVENED if before else Beforehand()
        company.hears = SeatHears(company.hears, WhoSpoke(places.SEATS, prints, before, assumed))
    noise = {
        earlier: background(replace(job, earlier=earlier), ground, where)
        for earlier in {False, bool(job.before)}
    }
    lying, array = LyingTelephones(evening), Channels(places.ARRAY, RATE, steers=True)
    counts = []
    for one, seed in trial.played(job):
        heards: list[Heard] = []

        def listening(step: Callable[[], bool], one: Job = one, seed: int = seed) -> Microphone:
            return Microphones(noise[one.earlier], seed, step, evening, lying, array)

        began = time.process_time()
        tally, said = trial.play_deal(
            job, seed, company, ground, listening,
            lambda sound, seat: places.heard(sound, where.seats[seat - 1]), heards.append,
        )  # fmt: skip
        count = Counts(tally, processor=time.process_time() - began, sound=tally.seconds)
        judge_who(count, heards, said)
        counts.append(count)
        company.settle()
    return counts[len(job.before) :]


def voices_of(job: Job, ground: Ground, where: Place) -> Voiceprints:
    """The players' voices, learnt from what they read aloud while the room was quiet."""
    dice = np.random.default_rng(job.seed)
    people = company_of(voices_named(trial.GROUPS[job.group]), job.seed)
    readings = {}
    for seat, (voice, gain) in people.items():
        response = where.seats[seat - 1][:, :1]
        readings[seat] = [
            to_int16(places.heard(said * np.float32(gain), response)[: len(said), 0])
            for said in saying.read(voice, dice)
        ]
    layers = speech.read_layers(ground.model / "am" / "final.mdl")
    return Voiceprints.fit(readings, speech.Network(layers))


def place_of(evening: Evening) -> Place:
    """The room of an evening, with an array if that is heard."""
    return places.place(evening.job.seed, evening.ears == AN_ARRAY)


def judge_who(counts: Counts, heards: list[Heard], said: list[Utterance]) -> None:
    """Count whether the ear reported the right seat of each call."""
    for heard in heards:
        for one in said:
            if one.kind == CHAT:
                continue
            middle = (one.start + one.end) / 2
            spans = [
                evidence
                for evidence in heard.voices
                if evidence.start < middle + 0.1 and evidence.end > middle - 0.1
                and evidence.start > one.start - 0.35 and evidence.end < one.end + 0.35
            ]  # fmt: skip
            if not spans:
                continue
            best = max(spans, key=lambda evidence: evidence.end - evidence.start)
            shares = (1 - sum(best.seats), *best.seats)
            seat = int(np.argmax(shares))
            counts.who_told += 1
            counts.who_right += seat == one.seat
            if seat != one.seat:
                counts.wrong_who.append(
                    f"{one.start:.1f} {one.kind} seat {one.seat} {one.words!r}: "
                    + " ".join(f"{share:.2f}" for share in shares)
                )


def background(job: Job, ground: Ground, where: Place) -> Floats | None:
    """The room's sound at all microphones, as far below the players in the middle as it says."""
    if job.room.snr is None:
        return None
    noise = _rendered(job, ground, where)
    spread = np.linspace(*DISTANCES, 100)
    rings = np.mean([np.sum(np.square(seat[:, 0])) for seat in where.seats])
    voice = LOUDNESS * float(np.sqrt(np.mean(10 ** (spread / 10)) * rings))
    return np.asarray(noise * np.float32(voice * 10 ** (-job.room.snr / 20)), np.float32)


def _rendered(job: Job, ground: Ground, where: Place) -> Floats:
    """Talk, a television or a recorded noise from the walls, with a loudness of 1 in the middle."""
    number, kind = job.seed % trial.STREAMS, job.room.kind
    human = "h" if ground.human else "n"
    microphones = where.loudspeaker.shape[1]
    named = f"{kind}-{job.group}-{number}-{job.seed % places.PLACES}-{human}-{job.seconds:.0f}"
    if microphones > places.SEATS + 1:
        named += "-array"
    if job.earlier:
        named += "-earlier"
    kept = cache_folder() / f"walls-{named}.npy"
    try:
        return np.asarray(np.load(kept), np.float32)
    except (OSError, ValueError, EOFError):
        pass
    if kind in (trial.TALK, TELEVISION):
        people, screen = (
            (1, True) if kind == TELEVISION else (trial.TALKERS[number], trial.TELEVISION[number])
        )
        tracks = crowd.tracks(
            job.group, people, job.seconds, 1000 + number, ground.human, screen, job.earlier
        )
    else:
        loop = ground.noise(job)
        length = round(trial.SECONDS * RATE)
        dice = np.random.default_rng(job.seed)
        tracks = [
            np.resize(np.roll(loop, int(dice.integers(len(loop)))), length)
            for _ in range(places.WALLS)
        ]
    sound = np.zeros((len(tracks[0]), microphones), np.float32)
    for at, track in enumerate(tracks):
        sound += places.heard(track, where.walls[at % places.WALLS])[: len(sound)]
    loud = crowd.loudness(sound[:, 0])
    if kind not in (trial.TALK, TELEVISION):
        loud = float(np.sqrt(np.mean(np.square(sound[:, 0]))))
    sound /= np.float32(loud or 1)
    partial = kept.with_suffix(f".{random.getrandbits(32):x}.npy")
    np.save(partial, sound.astype(np.float16))
    partial.replace(kept)
    return sound
