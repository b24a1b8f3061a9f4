"""Deals that are said aloud once, and heard in every room, call by call or as a whole."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import UNKNOWN
from assistant.language.script import parse_script
from assistant.messages import Heard
from scripts.lab.earbench import work
from scripts.lab.earbench.plan import CLEAN, NOISY, Condition, rooms_of_deal
from scripts.lab.earbench.tallies import Calls, asked
from scripts.lab.rendering.answering import Player
from scripts.lab.rendering.deal import GAP, Recording, Setting, in_room, say_all, write_wav
from scripts.lab.rendering.dealing import Deal, StuckError, deal
from scripts.lab.rendering.hearing import Result, hear
from scripts.lab.rendering.moments import Excerpt, excerpts, happened, heard_at
from scripts.lab.rendering.voices import VoiceError, voices_named
from scripts.lab.speechlab import measuring, vocabulary


@dataclass(frozen=True, slots=True)
class DealJob:
    """One deal, said by a group of voices.

    calls   whether its single calls are heard, in all rooms
    whole   the rooms in which the whole deal is heard
    """

    group: str
    seed: int
    calls: bool = True
    whole: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole deals: how many there were, and how many ended with exactly the right stones."""

    deals: int = 0
    exact: int = 0
    calls: int = 0
    right: int = 0
    false: int = 0
    asked: int = 0

    def __add__(self, other: Whole) -> Whole:
        sums = (getattr(self, f.name) + getattr(other, f.name) for f in fields(Whole))
        return Whole(*sums)


@dataclass(slots=True)
class DealDone:
    """What was heard of one deal: the calls by voice and room, and the whole deal by room."""

    calls: dict[tuple[str, Condition], Calls] = field(default_factory=dict)
    whole: dict[Condition, Whole] = field(default_factory=dict)


def jobs(group: str, first: int, count: int, calls: bool, whole: bool) -> Iterator[DealJob]:
    """This many deals that do not get stuck, from the seed ``first`` on."""
    lexicon, seed, number = load_lexicon(), first, 0
    while number < count:
        try:
            deal(seed, lexicon, work.wordings())
        except StuckError:
            pass
        else:
            yield DealJob(group, seed, calls, rooms_of_deal(number) if whole else ())
            number += 1
        seed += 1


def hear_deal(job: DealJob) -> DealDone:
    """Say a deal and hear it in its rooms. Nothing, if the voices lack one of its sounds."""
    dealt = deal(job.seed, work.lexicon(), work.wordings())
    done = DealDone()
    recording = said(dealt, job.group, job.seed)
    if recording is None:
        return done
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        wav = Path(name) / "heard.wav"
        for condition in (CLEAN, *NOISY) if job.calls else ():
            _hear_calls(dealt, put_into(recording, condition, job.seed), condition, wav, done)
        for condition in job.whole:
            write_wav(wav, put_into(recording, condition, job.seed).sound)
            player = Player(dealt, recording.lines)
            done.whole[condition] = _whole(hear(wav, player, work.new_ear(), work.lexicon()))
    return done


def _whole(deal: Result) -> Whole:
    return Whole(1, deal.exact, len(deal.right), sum(deal.right), deal.false, deal.asked)


def said(dealt: Deal, group: str, seed: int, gap: tuple[float, float] = GAP) -> Recording | None:
    """A deal said aloud by a group of voices, in no room. None, with a message, if they cannot."""
    setting = Setting(voices_named(group), seed, gap)
    try:
        return say_all(parse_script(dealt.script()), setting, random.Random(seed))
    except VoiceError as error:
        print(f"deal {seed} is left out: {error}", file=sys.stderr)
        return None


def put_into(recording: Recording, condition: Condition, seed: int) -> Recording:
    """The same recording as a microphone in that room has it. The room seeds its own dice."""
    noise = work.ground().rooms[condition.noise] if condition.snr is not None else None
    dice = random.Random(f"{seed} {condition}")
    return Recording(in_room(recording, noise, condition.snr, dice), recording.lines)


def _hear_calls(
    dealt: Deal, recording: Recording, condition: Condition, wav: Path, done: DealDone
) -> None:
    ear, lexicon = work.new_ear(), work.lexicon()
    for call, line in zip(excerpts(dealt, recording, lexicon), recording.lines, strict=True):
        write_wav(wav, call.sound)
        heard = heard_at(call.state, wav, ear, lexicon)
        key = line.voice, condition
        done.calls[key] = done.calls.get(key, Calls()) + _judged(call, heard)


def _judged(call: Excerpt, heard: tuple[Heard, ...]) -> Calls:
    events = happened(call.state, heard, work.lexicon())
    right = events == call.spoken.events
    wrong = bool(events) and not right
    doubted = not events and asked(call.state, heard, work.lexicon())
    words = call.spoken.words.lower().split()
    found = [word.text for each in heard for word in each.words if word.text != UNKNOWN]
    errors = measuring.edit_distance(words, found, vocabulary.load().alike)
    return Calls(1, right, wrong, doubted, len(words), errors)
