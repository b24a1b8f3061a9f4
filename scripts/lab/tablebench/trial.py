"""An evening in one room: who plays, what is heard behind them, and the result of each deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np

from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_toml
from assistant.language.lexicon import Lexicon
from assistant.language.lexicon.text import words_of
from assistant.messages import Accepted, Heard
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.errors import MusError
from assistant.rules.state import State
from scripts.lab.earbench import work
from scripts.lab.rendering import talk
from scripts.lab.rendering.deal import DISTANCES
from scripts.lab.rendering.dealing import Spoken, StuckError, deal, new_table, telling
from scripts.lab.rendering.moments import states
from scripts.lab.rendering.voices import LOUDNESS, Floats, voices_named
from scripts.lab.rendering.wordings import Wordings
from scripts.lab.speechlab.neural_voices import SECOND_STAGE
from scripts.lab.tablebench import crowd
from scripts.lab.tablebench import room as rooms
from scripts.lab.tablebench.evening import Company, Microphone, assistant_at
from scripts.lab.tablebench.oracle import Oracle
from scripts.lab.tablebench.players import HABITS, Players, Tally, Utterance
from scripts.lab.tablebench.said import cache_folder
from scripts.lab.tablebench.table_sounds import TableSounds

QUIET, TALK, TABLES = "quiet", "talk", "tables"
"""Rooms: nobody else; people who talk; people who play Mus at other tables."""
PEOPLE = (TALK, TABLES)
LEARN = "learn"
GROUPS = {"develop": "mbrola", "quote": "el,kokoro", LEARN: ",".join(SECOND_STAGE)}
"""The voices that play in each group; crowd.py has the people who talk behind them.

"develop" chooses settings, "quote" measures; what is fitted learns from "learn".
"""
STREAMS, SECONDS = 6, 90.0
"""Different streams of talk in a room, and how long each is before it begins again."""
TALKERS = (4, 5, 6, 8, 4, 6)
"""How many people talk in each stream."""
TELEVISION = (False, True, False, False, True, False)
"""Whether one of the talkers of each stream is a television."""
ECHO_DB = 0.0
"""dB by which the assistant's own voice at the microphone is above a player in the nearest seat."""
CHATS = 200
"""Sentences that players say to one another."""
TRIES = 30
EARLIER = 50_000_000
"""Added to the seed of an evening: the deals that were played before it are other ones."""
EVENING = 4
"""Deals that the same people play, one after the other. Only the first has a new ear."""


@dataclass(frozen=True, slots=True)
class Room:
    """The noise behind the table, and how many dB the players are above it."""

    kind: str
    snr: float | None = None

    def __str__(self) -> str:
        return self.kind if self.snr is None else f"{self.kind} {self.snr:.0f} dB"


@dataclass(frozen=True, slots=True)
class Job:
    """An evening: deals by four voices of a group, one after the other, in a room.

    ``seed``: of who they are, where they sit and who talks behind them. ``deals``: seeds of the
    deals. ``silent``: after this many calls of each deal nobody says anything for this many
    seconds. ``habits``: how they play, a name of ``players.HABITS``. ``before``: seeds of deals
    that they have played before these, from which the ear has learnt; it goes on to learn.
    ``earlier``: it is one of these. The same people talk behind it and say something else, and the
    room's noise is another stretch of the recording.
    """

    group: str
    seed: int
    room: Room
    deals: tuple[int, ...] = ()
    silent: tuple[int, float] | None = None
    habits: str = "usual"
    before: tuple[int, ...] = ()
    earlier: bool = False

    @property
    def seconds(self) -> float:
        """The length of the talk behind the table before it begins again."""
        return max(SECONDS, self.silent[1]) if self.silent else SECONDS


@dataclass(slots=True)
class Ground:
    """What every process works with.

    ``noises``: the sound of each room; ``earlier``: of those in which deals before are played.
    ``enrolled``: the folder of what players have read, and of the models fitted to them.
    ``things``: seconds between two sounds on the table, on average; 0 for none.
    """

    model: Path
    human: Path | None
    noises: dict[str, Floats]
    trace: Path | None = None
    hands_once: bool = False
    calls_once: bool = False
    laid: float | None = None
    showdowns: bool = False
    quick: bool = False
    oracle: str | None = None
    enrolled: Path | None = None
    earlier: dict[str, Floats] = field(default_factory=dict)
    things: float = 0.0

    def noise(self, job: Job) -> Floats:
        """The noise of an evening's room."""
        return (self.earlier if job.earlier else self.noises)[job.room.kind]


@cache
def lexicon() -> Lexicon:
    """The Spanish lexicon."""
    return load_lexicon()


@cache
def wordings() -> Wordings:
    """The wordings of each call."""
    return Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"))


def seeds(first: int, count: int) -> list[int]:
    """Deals that do not get stuck, from a seed on."""
    found: list[int] = []
    while len(found) < count:
        try:
            deal(first, lexicon(), wordings())
        except StuckError:
            pass
        else:
            found.append(first)
        first += 1
    return found


def evenings(
    group: str,
    first: int,
    count: int,
    rooms_of: Sequence[Room],
    habits: str = "usual",
    before: int = 0,
) -> list[Job]:
    """This many deals from a seed on, EVENING of them in an evening, each evening in each room.

    ``before``: deals that the same people have played before each evening.
    """
    dealt = seeds(first, count)
    parts = [tuple(dealt[at : at + EVENING]) for at in range(0, count, EVENING)]
    return [
        Job(
            group,
            part[0],
            room,
            part,
            habits=habits,
            before=tuple(seeds(EARLIER + part[0], before)),
        )
        for part in parts
        for room in rooms_of
    ]


def play_here(job: Job) -> list[Tally]:
    """Play an evening with what this process was given."""
    given = work.given()
    assert isinstance(given, Ground)
    return play(job, given)


def play(job: Job, ground: Ground, company: Company | None = None) -> list[Tally]:
    """Play an evening. Raises MusError if a part of the assistant failed.

    ``company``: the ear; by default one that knows none of the players.
    """
    company = company or Company(ground.model, learns=bool(job.before))
    tallies = []
    for one, seed in played(job):
        tallies.append(_play(one, seed, company, ground))
        company.settle()
    return tallies[len(job.before) :]


def played(job: Job) -> Iterator[tuple[Job, int]]:
    """The deals of an evening, those before first, each with how it is played."""
    yield from ((replace(job, earlier=True), seed) for seed in job.before)
    yield from ((job, seed) for seed in job.deals)


def _play(job: Job, seed: int, company: Company, ground: Ground) -> Tally:
    def listening(step: Callable[[], bool]) -> Microphone:
        things = None
        if ground.things:
            things = TableSounds(job.group, seed, job.seed, ground.things)
        return Microphone(background(job, ground), seed, step, things)

    def place(sound: Floats, seat: int) -> Floats:
        return rooms.near(sound, seat, job.seed)

    return play_deal(job, seed, company, ground, listening, place)[0]


def play_deal(
    job: Job,
    seed: int,
    company: Company,
    ground: Ground,
    listening: Callable[[Callable[[], bool]], Microphone],
    place: Callable[[Floats, int], Floats],
    on_heard: Callable[[Heard], None] = lambda _: None,
) -> tuple[Tally, list[Utterance]]:
    """Play a deal of an evening. Returns its result, and what was said.

    ``listening`` makes the microphone. ``place`` gives a voice the sound that it has there from its
    seat. ``on_heard`` gets each utterance of the ear. Raises MusError if a part failed.
    """
    dealt = deal(seed, lexicon(), wordings())
    truth = list(states(dealt, lexicon()))
    players = Players(
        dealt,
        truth,
        voices_named(GROUPS[job.group]),
        chat(seed),
        reworded,
        place,
        seed,
        job.seed,
        job.silent,
        HABITS[job.habits],
    )
    oracle = Oracle(ground.oracle, lambda: players.said) if ground.oracle else None

    def step() -> bool:
        for heard in oracle.due(microphone.now) if oracle else ():
            assistant.runner.post(heard).result()
        return players.step()

    def corrected(heard: Heard) -> Heard | None:
        on_heard(heard)
        return oracle.corrected(heard) if oracle else heard

    microphone = listening(step)
    microphone.has_background = job.silent is None
    failures: list[MusError] = []
    loudness = 10 ** (ECHO_DB / 20)
    assistant = assistant_at(
        *(microphone, company, players.on_news, loudness, job.seed, failures),
        corrected=corrected,
    )
    players.microphone, players.voice = microphone, assistant.voice
    players.table = lambda: assistant.runner.table
    assistant.listen()
    if failures:
        raise failures[0]
    if ground.trace is not None:
        lines = [
            *players.trace,
            *((at, f"assistant: {text}") for at, _, text in assistant.voice.spoken),
        ]
        told = "\n".join(f"{at:7.2f}  {line}" for at, line in sorted(lines))
        name = f"{job.group}-{seed}-{job.room}".replace(" ", "-")
        (ground.trace / f"{name}.txt").write_text(told + "\n", encoding="utf-8")
    return players.tally, players.said


def call_of(spoken: Spoken) -> c.Call:
    """The call behind the words of a deal, found by its effect."""
    for event in spoken.events:
        if getattr(event, "implied", False):
            continue
        match event:
            case e.MusAsked():
                return c.Mus()
            case e.MusCut():
                return c.Cut()
            case e.Passed():
                return c.Pass()
            case e.BetMade():
                return c.Bet(stones=event.stones)
            case e.BetRaised():
                return c.Raise(stones=event.stones)
            case e.OrdagoMade():
                return c.Ordago()
            case e.BetAccepted():
                return c.Accept()
            case e.BetRefused():
                refused = [one for one in spoken.events if isinstance(one, e.BetRefused)]
                return c.Refuse(plural=len(refused) > 1)
            case e.Declared():
                return c.Declare(lance=event.lance, holds=event.holds)
            case _:
                continue
    raise MusError(f"Nothing of {spoken.words!r} is a call.")


def reworded(state: State, spoken: Spoken, dice: random.Random) -> str | None:
    """Other words for a call, with the same effect at a table in this state."""
    table = new_table(lexicon())
    call = call_of(spoken)
    for _ in range(TRIES):
        table.state = state
        words = wordings().draw(call, state.lance, dice)
        outcomes = table.propose(Heard(words_of(words)))
        happened = [ev for o in outcomes if isinstance(o, Accepted) for ev in o.events]
        if len(outcomes) == 1 and telling(happened) == spoken.events:
            return words
    return None


def chat(seed: int) -> list[str]:
    """Sentences that players say to one another."""
    said = talk.sentences(talk.load(), 40_000 + seed)
    return [next(said).text for _ in range(CHATS)]


def background(job: Job, ground: Ground) -> Floats | None:
    """The room's sound, as far below the players as the room says."""
    if job.room.snr is None:
        return None
    if job.room.kind in PEOPLE:
        number = job.seed % STREAMS
        tables = job.room.kind == TABLES
        noise = stream(job.group, number, ground.human, job.seconds, job.earlier, tables)
    else:
        noise = ground.noise(job)
    spread = np.linspace(*DISTANCES, 100)
    level = LOUDNESS * float(np.sqrt(np.mean(10 ** (spread / 10)))) * 10 ** (-job.room.snr / 20)
    power = float(np.sqrt(np.mean(np.square(noise))))
    if job.room.kind in PEOPLE:
        power = 1.0  # level of the frames in which somebody talks
    return np.asarray(noise * np.float32(level / power), np.float32)


def stream(
    group: str,
    number: int,
    human: Path | None,
    seconds: float = SECONDS,
    other_words: bool = False,
    tables: bool = False,
) -> Floats:
    """A stream of people who talk, made once and kept on disk; see ``crowd.talk``."""
    kind, more = TABLES if tables else TALK, "-other" if other_words else ""
    named = f"{kind}-{group}-{number}-{'h' if human else 'n'}-{seconds:.0f}{more}"
    kept = cache_folder() / f"{named}.npy"
    try:
        return np.asarray(np.load(kept), np.float32)
    except (OSError, ValueError, EOFError):
        pass
    who = crowd.DEVELOP if group == LEARN else group
    made = crowd.talk(
        *(who, TALKERS[number], seconds, 1000 + number, human, TELEVISION[number]),
        other_words=other_words,
        tables=tables,
    )
    partial = kept.with_suffix(f".{random.getrandbits(32):x}.npy")
    rounded = made.astype(np.float16)
    np.save(partial, rounded)
    partial.replace(kept)
    return np.asarray(rounded, np.float32)  # as it will be read
