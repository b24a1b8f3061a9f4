"""How many calls and hands count in running sound, and how many if they were cut out by hand?

    python scripts/lab/bench_stream.py --human FOLDER --rooms "quiet,talk 20" --deals 12

A deal is said in one stream, at the pace of a quick table. The table is put right after every call,
so a missed call spoils nothing that follows. Then the hands are named aloud, as at the showdown.
Beside it, the same calls are cut out of the same sound, each with 0.25 s around it and silence
after it, which shows what the speech model itself can do. FOLDER holds people's recordings. The
voices are those by which settings are chosen, so none of these figures may be quoted; those of
bench_table.py may. It needs `pip install '.[train]'`. The protocol is in docs/bench-ears.md.

Each row is a room:

calls, right, asked, wrong   calls, and the shares of them that counted, were asked about, or were
                             taken for another call
cut out                      share of the calls that are right when each is cut out
nobody                       moves of the table that nobody made
hands, right, asked, wrong   the same of the hands
ms                           milliseconds that the block which ends an utterance takes, the second
                             hearing included: median and 95th percentile
processor                    the same in processor time

Measure times with --jobs 1, because processes wait for each other.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    import numpy as np

    from scripts.lab.earbench import rooms as noises
    from scripts.lab.earbench import work
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import room, trial
    from scripts.lab.tablebench.trial import Job
except ImportError as missing:
    print(f"bench_stream: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear import Block, Hears
from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.hearing import ear_of
from assistant.ear.second_pass import LEAST
from assistant.ear.second_stage import SecondStage
from assistant.ear.source import BLOCK
from assistant.files.resources import model_dir
from assistant.messages import Accepted, Ask, Heard
from assistant.rules.calls import ShowHand
from assistant.rules.cards import Card, Rank
from assistant.rules.engine import decide, missing_hands
from assistant.rules.errors import MusError
from assistant.rules.events import Event, HandShown
from assistant.rules.hands import value
from assistant.rules.state import State
from scripts.lab.bench_table import UsageError, room_named
from scripts.lab.rendering.deal import DISTANCES, GAP, HISS, PITCHES, SPEEDS
from scripts.lab.rendering.dealing import Deal, Spoken, deal, new_table, telling
from scripts.lab.rendering.moments import MARGIN, happened, states
from scripts.lab.rendering.voices import Floats, Manner, Voice, VoiceError, voices_named
from scripts.lab.speechlab.human import MissingRecordingsError
from scripts.lab.tablebench.players import CHATS, HABITS, cards_said, ranks_of
from scripts.lab.tablebench.said import speak_cached

GROUP, SEED = "develop", 200_100
BEFORE, AFTER = 4.0, 2.0
"""Seconds of the room before the first call and after the last."""
PUT_RIGHT = 1.0
"""Seconds from a call until the table is put where the deal stands, whatever was heard; and from a
hand until the next one may be named."""
SAME = 0.4
"""Share of their time that a call and what was heard must have in common to be the same."""
SAME_UTTERANCE = 0.7
"""Seconds after something was said, in which what follows may be of the same utterance."""
SHOWS = 1.5
"""Seconds between two hands that are named."""
LONGEST_LAID = 10.0
"""The most seconds between two cards that are named one by one."""
ROOMS = "quiet,talk 30,talk 20,talk 12,talk 6"


@dataclass(frozen=True, slots=True)
class Stream:
    """A deal as the microphone has it: what is said, hands included, and when, in seconds.

    ``truth``: the states before each thing that is said, and after the last.
    """

    said: tuple[Spoken, ...]
    truth: tuple[State, ...]
    spans: tuple[tuple[float, float], ...]
    sound: Samples
    calls: int


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one deal.

    They say how many calls were right, asked about, wrong, and right when cut out; how many moves
    nobody made; and the same of the hands. ``waited``: milliseconds of each block that ended an
    utterance. ``worked``: the same in processor time.
    """

    calls: int
    right: int
    asked: int
    wrong: int
    nobody: int
    cut_out: int
    hands: int
    hands_right: int
    hands_asked: int
    hands_wrong: int
    waited: tuple[float, ...]
    worked: tuple[float, ...]
    trace: tuple[str, ...]


TIMES = ("waited", "worked")
LISTS = (*TIMES, "trace")
"""The fields that are no numbers."""


def _pause(text: str) -> float:
    """Read the seconds between two cards from the command line."""
    seconds = float(text) if text.replace(".", "", 1).isdecimal() else math.inf
    if seconds > LONGEST_LAID:
        raise argparse.ArgumentTypeError(f"from 0 to {LONGEST_LAID:g} seconds, not {text}")
    return seconds


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=12, help="default: %(default)s")
    parser.add_argument("--rooms", default=ROOMS, metavar="NAMES", help="default: %(default)s")
    parser.add_argument(
        "--voices", choices=(GROUP, trial.LEARN), default=GROUP,
        help="learn: voices of which the second stage learns; default: %(default)s",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=SEED, help="of the deals; default: %(default)s")
    parser.add_argument("--human", type=Path, metavar="FOLDER", help="recordings: manifest.tsv")
    parser.add_argument("--model", type=Path, metavar="DIR", help="default: the one that ships")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--hands-once", action="store_true",
        help="hear no hand once more: what the second hearing at the showdown brings",
    )  # fmt: skip
    parser.add_argument(
        "--calls-once", action="store_true", help="hear no call once more: without a second stage"
    )
    parser.add_argument(
        "--laid", type=_pause, metavar="SECONDS",
        help="name the cards of a hand one by one, with a pause of about so many seconds between",
    )  # fmt: skip
    parser.add_argument(
        "--showdowns", action="store_true", help="no calls, only the hands after them: quicker"
    )
    parser.add_argument(
        "--quick", action="store_true",
        help="a call follows the last within half a second, and some are followed by chat",
    )  # fmt: skip
    parser.add_argument("--trace", action="store_true", help="tell of each that is not right")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    try:
        rows = _measured(args)
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_stream: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    print(
        f"{'room':12} {'calls':>6} {'right':>7} {'asked':>7} {'wrong':>7} {'cut out':>8} nobody",
        end="",
    )
    print(f" {'hands':>6} {'right':>7} {'asked':>7} {'wrong':>7} {'ms':>8} {'processor':>10}")
    for name, row in rows.items():
        calls = _shares(row, "calls", "right", "asked", "wrong")
        print(f"{name:12} {row['calls']:6} {calls} {_share(row, 'calls', 'cut_out'):>8} ", end="")
        hands = _shares(row, "hands", "hands_right", "hands_asked", "hands_wrong")
        waited, worked = (f"{row[one + '_p50']:.0f} {row[one + '_p95']:.0f}" for one in TIMES)
        print(f"{row['nobody']:6} {row['hands']:6} {hands} {waited:>8} {worked:>10}")
    return 0


def _shares(row: dict[str, Any], of: str, *names: str) -> str:
    return " ".join(f"{_share(row, of, name):>7}" for name in names)


def _share(row: dict[str, Any], of: str, name: str) -> str:
    return f"{100 * row[name] / row[of]:.1f}%" if row[of] else "-"


def _measured(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    if args.deals < 1 or args.jobs < 1:
        raise UsageError("At least one deal and one process: --deals 1 --jobs 1.")
    wanted = [room_named(name) for name in args.rooms.split(",")]
    voices_named(trial.GROUPS[args.voices])
    found, _ = noises.rooms(args.human, SEED, True)
    seeds = trial.seeds(args.seed, args.deals)
    jobs = [Job(args.voices, seed, kind) for seed in seeds for kind in wanted]
    ground = trial.Ground(model_dir(args.model), args.human, found)
    ground.hands_once, ground.calls_once = args.hands_once, args.calls_once
    ground.laid, ground.showdowns, ground.quick = args.laid, args.showdowns, args.quick
    rows: dict[str, dict[str, Any]] = {}
    times: dict[tuple[str, str], list[float]] = {}
    names = [name for name in Counted.__slots__ if name not in LISTS]
    with Crew(ground, args.jobs) as crew:
        for job, counted in zip(jobs, crew.each("deals", hear, jobs), strict=True):
            row = rows.setdefault(str(job.room), dict.fromkeys(names, 0))
            for name in row:
                row[name] += getattr(counted, name)
            for one in TIMES:
                times.setdefault((str(job.room), one), []).extend(getattr(counted, one))
            if args.trace:
                print(*(f"{job.room} {job.seed}: {line}" for line in counted.trace), sep="\n")
    for (name, one), each in times.items():
        for part in (50, 95):
            rows[name][f"{one}_p{part}"] = round(float(np.percentile(each or [0.0], part)), 1)
    return rows


def hear(job: Job) -> Counted:
    """Hear one deal as it is said, and then call by call."""
    ground = work.given()
    assert isinstance(ground, trial.Ground)
    stream = said_of(job, ground, calls=not ground.showdowns)
    outcome, nobody, times, trace = in_one_stream(stream, ground)
    each = zip(outcome[: stream.calls], stream.said, strict=False)
    calls = [became for became, spoken in each if spoken.events]  # without chat
    hands = outcome[stream.calls :]
    return Counted(
        calls=len(calls),
        right=calls.count("right"),
        asked=calls.count("asked"),
        wrong=calls.count("wrong"),
        nobody=nobody,
        cut_out=_cut_out(stream, ground),
        hands=len(hands),
        hands_right=hands.count("right"),
        hands_asked=hands.count("asked"),
        hands_wrong=hands.count("wrong"),
        waited=tuple([waited for waited, _ in times]),
        worked=tuple([worked for _, worked in times]),
        trace=tuple(trace),
    )


def said_of(
    job: Job, ground: trial.Ground, calls: bool = True, instead: Sequence[Spoken] = ()
) -> Stream:
    """A deal in its room: its calls and then the hands, or only the hands.

    With ``calls`` False there is only the showdown. ``instead`` is said there in place of the
    hands.
    """
    dealt = deal(job.seed, trial.lexicon(), trial.wordings())
    dice = random.Random(job.seed)
    truth = list(states(dealt, trial.lexicon()))
    hands = list(_hands_of(dealt, truth, dice, ground.laid is not None))
    said: Sequence[Spoken] = dealt.spoken if calls else ()
    if not calls:
        truth = truth[len(dealt.spoken) :]
    if instead:
        truth = truth[: len(said) + 1] + [truth[len(said)]] * len(instead)
    gap = HABITS["quick"].gap if ground.quick else GAP
    if ground.quick:
        said, truth = with_chat(said, truth, trial.chat(job.seed), dice)

    def pause(at: int) -> float:
        return dice.uniform(*gap) if at + 1 < len(said) else SHOWS

    return in_a_room(job, ground, (*said, *(instead or hands)), truth, pause, len(said))


def with_chat(
    said: Sequence[Spoken], truth: Sequence[State], chat: Sequence[str], dice: random.Random
) -> tuple[list[Spoken], list[State]]:
    """The same calls, some of them followed by chat of somebody else."""
    more, before = list[Spoken](), list[State]()
    for number, call in enumerate(said):
        more.append(call)
        before.append(truth[number])
        if dice.random() < CHATS:
            more.append(Spoken(dice.randint(1, 4), dice.choice(chat), ()))
            before.append(truth[number + 1])
    return more, [*before, *truth[len(said) :]]


def in_a_room(
    job: Job,
    ground: trial.Ground,
    said: Sequence[Spoken],
    truth: Sequence[State],
    pause: Callable[[int], float],
    calls: int,
) -> Stream:
    """What people around a table in a room say, one after the other.

    ``truth``: the states before each thing and after the last. ``pause``: seconds after each.
    ``calls``: how many of them are calls.
    """
    dice = random.Random(f"people {job.seed}")
    cast = list(voices_named(trial.GROUPS[job.group]))
    dice.shuffle(cast)
    gains = {seat: 10 ** (dice.uniform(*DISTANCES) / 20) for seat in range(1, 5)}
    voiced = list[Floats]()
    for number, spoken in enumerate(said):
        manner = Manner(round(dice.uniform(*SPEEDS), 1), round(dice.uniform(*PITCHES), 2))
        laid = ground.laid if number >= calls else None
        try:
            sound = _spoken(cast[(spoken.seat - 1) % len(cast)], spoken.words, manner, laid)
        except VoiceError:  # a voice that lacks a sound of it
            sound = _spoken(cast[spoken.seat % len(cast)], spoken.words, manner, laid)
        voiced.append(sound * np.float32(gains[spoken.seat]))
    behind = trial.background(job, ground)
    return mixed(said, truth, voiced, pause, calls, behind, job.seed)


def _spoken(voice: Voice, words: str, manner: Manner, laid: float | None) -> Floats:
    """The sound of some words. With ``laid``, about this many seconds of pause at each comma."""
    if laid is None:
        return speak_cached(voice, words, manner)
    dice, pieces = random.Random(f"laid {words}"), list[Floats]()
    for part in words.split(", "):
        pieces.append(speak_cached(voice, part, manner))
        pieces.append(np.zeros(round(laid * dice.uniform(0.8, 1.2) * RATE), np.float32))
    return np.concatenate(pieces[:-1])


def mixed(
    said: Sequence[Spoken],
    truth: Sequence[State],
    voiced: Sequence[Floats],
    pause: Callable[[int], float],
    calls: int,
    behind: Floats | None,
    seed: int,
) -> Stream:
    """What is said, as the microphone has it in one of the bars; see ``in_a_room``.

    ``voiced``: the sound of each thing, as loud as at the microphone. ``behind``: what is heard
    beside it again and again, from a random place on.
    """
    at, spans = BEFORE, list[tuple[float, float]]()
    pieces = list[tuple[int, Floats]]()
    for number, (spoken, voice) in enumerate(zip(said, voiced, strict=True)):
        pieces.append((round(at * RATE), room.near(voice, spoken.seat, seed)))
        spans.append((at, at + len(voice) / RATE))
        at = spans[-1][1] + pause(number)
    noise = np.random.default_rng(seed)
    sound = noise.standard_normal(round((at + AFTER) * RATE), np.float32) * np.float32(HISS)
    for start, heard in pieces:
        sound[start : start + len(heard)] += heard[: len(sound) - start]
    if behind is not None:
        sound += np.resize(np.roll(behind, -int(noise.integers(len(behind)))), len(sound))
    return Stream(tuple(said), tuple(truth), tuple(spans), to_int16(sound), calls)


def _hands_of(dealt: Deal, truth: list[State], dice: random.Random, laid: bool) -> Iterator[Spoken]:
    """The hands as they are named aloud, and the states that they lead to after the calls.

    With ``laid``, each card is named by itself.
    """
    for seat, hand in dealt.shown:
        if seat not in missing_hands(truth[-1]):
            continue  # the deal was decided by the hands before
        names = ranks_of(hand)
        shown = ShowHand(cards=tuple(Card(Rank(name)) for name in names))
        decision = decide(truth[-1], shown)
        truth.append(decision.state)
        each = (cards_said(name, dice) for name in names)
        words = ", ".join(each) if laid else cards_said(names, dice)
        yield Spoken(seat, words, tuple(telling(decision.events)))


def blocks_of(sound: Samples, start: float = 0.0) -> Iterator[Block]:
    """A sound as the microphone gives it in blocks, from a stream time on."""
    for at in range(0, len(sound) - BLOCK + 1, BLOCK):
        yield Block(sound[at : at + BLOCK], start + (at + BLOCK) / RATE)


def _ear(ground: trial.Ground, state: Callable[[], State]) -> Hears:
    least = math.inf if ground.hands_once else LEAST
    stage = None if ground.calls_once else SecondStage.of_model(ground.model)
    return ear_of(ground.model, trial.lexicon(), state, least=least, stage=stage)


def in_one_stream(
    stream: Stream, ground: trial.Ground
) -> tuple[list[str], int, list[tuple[float, float]], list[str]]:
    """The result of each call, the number of moves that nobody made, and what was misheard.

    The third value is the milliseconds of each block that ended an utterance: by the clock, and of
    the processor.
    """
    truth, times, trace = stream.truth, list[tuple[float, float]](), list[str]()
    stands, nobody = 0, 0
    outcome = ["missed"] * len(stream.spans)
    waits = (PUT_RIGHT if at < stream.calls else SHOWS for at in range(len(stream.spans)))
    put_right = [end + wait for (_, end), wait in zip(stream.spans, waits, strict=True)]
    ear = _ear(ground, lambda: truth[stands])
    for block in blocks_of(stream.sound):
        began, work_began = time.perf_counter(), time.process_time()
        results = ear.feed(block)
        waited, worked = time.perf_counter() - began, time.process_time() - work_began
        for heard in (one for one in results if isinstance(one, Heard)):
            times.append((1000 * waited, 1000 * worked))
            calls = list(calls_in(heard, stream))
            table = new_table(trial.lexicon())
            table.state = truth[calls[0] if calls else stands]
            outcomes = table.propose(heard)
            events = [e for one in outcomes if isinstance(one, Accepted) for e in one.events]
            left = list(telling(events))
            right = True
            for call in calls:
                wanted: list[Event] = list(stream.said[call].events)
                if _alike(left[: len(wanted)], wanted, truth[call]):
                    left = left[len(wanted) :]
                    outcome[call] = "right"
                    stands = max(stands, call + 1)
                elif outcome[call] == "missed":
                    asked = any(isinstance(one, Ask) for one in outcomes)
                    outcome[call] = "wrong" if left else "asked" if asked else "missed"
                    told = outcome[call], stream.said[call].words, heard.text
                    trace.append("{}: {!r} heard as {!r}".format(*told))
                    right = False
                    break
            nobody += right and bool(left)
        if not (ground.quick and goes_on(stream, block.end)):
            stands = max(stands, sum(end < block.end for end in put_right))
    return outcome, nobody, times, trace


def goes_on(stream: Stream, now: float) -> bool:
    """Whether an utterance may still go on, so that an earlier moment is heard."""
    return any(start < now < end + SAME_UTTERANCE for start, end in stream.spans)


def _alike(events: list[Event], wanted: list[Event], state: State) -> bool:
    """Whether the same happened. Hands of the same worth are the same."""

    def worth(event: Event) -> object:
        if isinstance(event, HandShown):
            return event.seat, value(event.cards, state.profile)
        return event

    return list(map(worth, events)) == list(map(worth, wanted))


def calls_in(heard: Heard, stream: Stream) -> Iterator[int]:
    """What was said in the time of an utterance."""
    if not heard.words:
        return
    first, last = heard.words[0].start, heard.words[-1].end
    for call, (start, end) in enumerate(stream.spans):
        common = min(end, last) - max(start, first)
        if common > SAME * min(end - start, last - first):
            yield call


def _cut_out(stream: Stream, ground: trial.Ground) -> int:
    """Count the calls that are right if each is heard alone."""
    truth = stream.truth
    call, right, clock = 0, 0, 0.0
    ear = _ear(ground, lambda: truth[call])
    silence = np.zeros(RATE, np.int16)
    for call, (start, end) in enumerate(stream.spans[: stream.calls]):
        if not stream.said[call].events:
            continue  # chat
        first, last = round((start - MARGIN) * RATE), round((end + MARGIN) * RATE)
        sound = np.concatenate([stream.sound[first:last], silence])
        clock += 10.0  # a gap in time, so that each is an utterance of its own
        heard = [o for b in blocks_of(sound, clock) for o in ear.feed(b) if isinstance(o, Heard)]
        heard += ear.flush()
        right += happened(truth[call], heard, trial.lexicon()) == stream.said[call].events
    return right


if __name__ == "__main__":
    sys.exit(main())
