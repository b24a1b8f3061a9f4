"""Fit the second stage: how probable it is that a heard utterance is a call to the table.

    python scripts/lab/train_second_stage.py --human FOLDER --work build/second-stage

Deals are said in several rooms, in five ways: call after call; call and chat within half a second
of each other; chat alone, at any moment of a deal; calls within half a second of each other, with
some chat between; and a few calls, after which only the people behind the table talk. The ear that
will use the second stage hears each utterance, each part of it, and each call in turn. A small
network learns from what the ear reports (assistant/ear/second_stage.py) and whether exactly that
call was said. The work folder keeps each deal that was heard, so a stopped run goes on. The voices
are those of Kokoro that may train. The people behind the table are those by whom settings are
chosen. FOLDER holds people's recordings. It needs `pip install '.[train]'`.

It prints the number of stretches of sound and then the calibration, for deals that a network has
not learnt from: the cross entropy, and for each bin the mean probability, the share that was right,
and the number of stretches.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.bench_stream import Stream, blocks_of, calls_in, goes_on, in_a_room, with_chat
    from scripts.lab.earbench import rooms as noises
    from scripts.lab.earbench import work
    from scripts.lab.earbench.work import Crew
    from scripts.lab.speechlab import checksums
    from scripts.lab.speechlab.second_stage import (
        Example,
        calibration,
        fit,
        judged,
        picture,
    )
    from scripts.lab.tablebench import trial
    from scripts.lab.tablebench.players import HABITS
    from scripts.lab.tablebench.trial import Job
except ImportError as missing:
    print(f"train_second_stage: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear.hearing import ear_of, state_after
from assistant.ear.second_pass import Awaited, Excerpt, Reheard, Wanted
from assistant.ear.second_stage import FILE, TURNS, Evidence, SecondStage
from assistant.files.resources import model_dir
from assistant.messages import Accepted, Heard, Narrowed
from assistant.rules.errors import MusError
from assistant.rules.events import Event
from assistant.rules.state import State
from scripts.lab.bench_table import UsageError, room_named
from scripts.lab.bench_television import CALLS as FIRST_CALLS
from scripts.lab.rendering.deal import GAP
from scripts.lab.rendering.dealing import Spoken, deal, new_table, telling
from scripts.lab.rendering.moments import states
from scripts.lab.rendering.voices import voices_named
from scripts.lab.speechlab.human import MissingRecordingsError

GROUP, SEED, JUDGED_SEED = "learn", 400_000, 450_000
ROOMS = "quiet,café 12,talk 20,talk 12,talk 6"
CALLS, BESIDE, CHAT, QUICK, SILENCE = "calls", "calls beside chat", "chat", "quick", "silence"
APART_WAYS = (CALLS, BESIDE, CHAT, SILENCE)
WAYS = (*APART_WAYS, QUICK)
SENTENCES = 12
"""Sentences of chat alone in each deal."""
SILENT = 90.0
"""Seconds for which nobody at the table says anything, after the first calls of a deal."""
CLOSE, APART = (0.05, 0.45), (1.0, 1.6)
"""Seconds between a call and the chat beside it, and to what is said next."""
SETTLES = 1.0
"""Seconds after something was said until the table stands where the deal does."""


@dataclass(frozen=True, slots=True)
class Work:
    """The job of one process: a deal in a room, said in one of the ways."""

    job: Job
    way: str

    @property
    def name(self) -> str:
        """The name of the file that keeps what was heard."""
        return f"{self.job.seed} {self.job.room} {self.way}".replace(" ", "-") + ".json"


def main(arguments: list[str] | None = None) -> int:
    """Fit the network and write it beside the model. The exit status is 2 if it cannot be done."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=12, help="default: %(default)s")
    parser.add_argument("--rooms", default=ROOMS, metavar="NAMES", help="default: %(default)s")
    parser.add_argument("--human", type=Path, metavar="FOLDER", help="recordings: manifest.tsv")
    parser.add_argument("--model", type=Path, metavar="DIR", help="default: the one that ships")
    parser.add_argument("--work", type=Path, default=Path("build/second-stage"), metavar="DIR")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--turns", action="store_true",
        help="fit the network for calls in turn, from quick deals, too; else neither",
    )  # fmt: skip
    parser.add_argument(
        "--judge", action="store_true",
        help="fit nothing; tell of other deals how well the model's own network is calibrated",
    )  # fmt: skip
    parser.add_argument("--picture", type=Path, metavar="SVG", help="draw the calibration here")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    try:
        path = model_dir(args.model) / (TURNS if args.turns else FILE)
        own = _own(args) if args.judge else None
        examples = [one for kept in _heard(args) for one in kept]
        told = judged(examples, own) if own else calibration(examples)
        if not own:
            stage = fit(examples) | {"calibration": [asdict(one) for one in told.bins]}
            path.write_text(json.dumps(stage) + "\n", encoding="utf-8")
            checksums.write(model_dir(args.model))
        if args.picture is not None:
            args.picture.write_text(picture(told), encoding="utf-8")
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"train_second_stage: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(asdict(told), indent=1))
        return 0
    print(f"{len(examples)} stretches of sound, {path} {'judged' if own else 'written'}")
    print(f"cross entropy of deals not learnt from: {told.loss:.3f} nats")
    for bin_ in told.bins:
        print(f"said to be {bin_.said:.2f}: right {bin_.right:.2f} of {bin_.count}")
    return 0


def _own(args: argparse.Namespace) -> SecondStage:
    """The network that the model has already. Raises UsageError if it has none."""
    stage = SecondStage.of_model(model_dir(args.model))
    found = stage.turns if stage and args.turns else stage
    if found is None:
        raise UsageError(f"{model_dir(args.model)} has no second stage to judge.")
    return found


def _heard(args: argparse.Namespace) -> Iterator[list[Example]]:
    if args.deals < 2 or args.jobs < 1:
        raise UsageError("At least two deals and one process: --deals 2 --jobs 1.")
    wanted = [room_named(name) for name in args.rooms.split(",")]
    voices_named(trial.GROUPS[GROUP])
    found, _ = noises.rooms(args.human, SEED, True)
    args.work.mkdir(parents=True, exist_ok=True)
    seeds = trial.seeds(JUDGED_SEED if args.judge else SEED, args.deals)
    ways = WAYS if args.turns else APART_WAYS
    works = [Work(Job(GROUP, s, kind), way) for s in seeds for kind in wanted for way in ways]
    missing = [one for one in works if not (args.work / one.name).is_file()]
    with Crew(trial.Ground(model_dir(args.model), args.human, found), args.jobs) as crew:
        for one, examples in zip(missing, crew.each("deals", hear, missing), strict=True):
            partial = args.work / (one.name + ".partial")
            partial.write_text(json.dumps([asdict(example) for example in examples]))
            partial.replace(args.work / one.name)
    for one in works:
        rows = json.loads((args.work / one.name).read_text())
        for row in rows:
            row["evidence"] = Evidence(**row["evidence"])
        yield [Example(**row) for row in rows if args.turns or not row.get("turn")]


class Noting(Reheard):
    """An ear that keeps all that the second stage could have weighed.

    ``judge`` tells whether a call was said after others in the same utterance. It decides, in place
    of the second stage, whether one call in turn follows another.
    """

    noted: list[tuple[Evidence, Narrowed]]
    turns: list[tuple[Evidence, bool]]
    judge: Callable[[Narrowed, Sequence[Narrowed]], bool]

    def turn(self, part: Excerpt, awaited: Awaited) -> tuple[Evidence, Narrowed] | None:
        """See Reheard."""
        if (found := super().turn(part, awaited)) is None:
            return None
        evidence, narrowed = found
        right = self.judge(narrowed, awaited.said)
        self.turns.append((evidence, right))
        return evidence, replace(narrowed, probability=float(right))

    def candidates(
        self, start: float, end: float, wanted: Wanted
    ) -> list[tuple[Evidence, Narrowed]]:
        """See Reheard."""
        self.noted = super().candidates(start, end, wanted)
        return self.noted


def hear(one: Work) -> list[Example]:
    """What the ear makes of one deal."""
    ground = work.given()
    assert isinstance(ground, trial.Ground)
    stream = _stream(one, ground)
    lexicon, truth = trial.lexicon(), stream.truth
    stands, ends = 0, [end for _, end in stream.spans]
    ear = ear_of(
        ground.model, lexicon, lambda: truth[stands], stage=SecondStage.unfitted(), kind=Noting
    )
    assert isinstance(ear, Noting)
    examples: list[Example] = []

    def happens(narrowed: Narrowed, state: State) -> tuple[Event, ...]:
        table = new_table(lexicon)
        table.state = state
        heard = Heard(narrowed.hypotheses[0].words, hypotheses=narrowed.hypotheses)
        ways = table.ways(heard)
        best = max(ways, key=ways.__getitem__, default=())
        return tuple(telling([e for o in best if isinstance(o, Accepted) for e in o.events]))

    def was_said(narrowed: Narrowed, before: Sequence[Narrowed]) -> bool:
        state: State | None = truth[stands]
        for turn in before:
            state = state_after(turn.hypotheses[0].words, state, lexicon) if state else None
        words = narrowed.hypotheses[0].words
        said = [stream.said[at].events for at in calls_in(Heard(words), stream)]
        return state is not None and len(said) == 1 and happens(narrowed, state) == said[0] != ()

    def note(evidence: Evidence, right: bool, turn: bool) -> None:
        examples.append(Example(evidence, right, one.job.seed, str(one.job.room), one.way, turn))

    ear.judge = was_said
    for block in blocks_of(stream.sound):
        ear.noted, ear.turns = [], []
        for heard in (result for result in ear.feed(block) if isinstance(result, Heard)):
            spoken = list(calls_in(heard, stream))
            said = [stream.said[at].events for at in spoken]
            for evidence, narrowed in ear.noted:
                if events := happens(narrowed, truth[stands]):
                    note(evidence, events in said, turn=False)
            for evidence, right in ear.turns:
                note(evidence, right, turn=True)
            ear.noted, ear.turns = [], []
            if one.way != CHAT:
                stands = max([stands, *(at + 1 for at in spoken)])
        if one.way != CHAT and not goes_on(stream, block.end):
            stands = max(stands, sum(end + SETTLES < block.end for end in ends))
    return examples


def _stream(one: Work, ground: trial.Ground) -> Stream:
    job, dice = one.job, random.Random(f"{one.way} {one.job.seed}")
    dealt = deal(job.seed, trial.lexicon(), trial.wordings())
    truth = list(states(dealt, trial.lexicon()))
    chat = trial.chat(job.seed)
    if one.way == CALLS:
        return in_a_room(
            job, ground, dealt.spoken, truth, lambda _: dice.uniform(*GAP), len(dealt.spoken)
        )
    if one.way == CHAT:
        talk = [_chatted(chat, dice) for _ in range(SENTENCES)]
        at = [dice.choice(truth[:-1])] * (SENTENCES + 1)
        return in_a_room(job, ground, talk, at, lambda _: dice.uniform(*APART), 0)
    if one.way == SILENCE:
        first = dealt.spoken[: FIRST_CALLS[job.seed % len(FIRST_CALLS)]]
        return in_a_room(
            *(job, ground, first, truth[: len(first) + 1]),
            lambda at: dice.uniform(*GAP) if at + 1 < len(first) else SILENT,
            len(first),
        )
    if one.way == QUICK:
        quick, at = with_chat(dealt.spoken, truth, chat, dice)
        return in_a_room(
            job, ground, quick, at, lambda _: dice.uniform(*HABITS["quick"].gap), len(quick)
        )
    said, before = list[Spoken](), list[State]()
    for number, call in enumerate(dealt.spoken):
        after_it = dice.random() < 0.5
        said += [call, _chatted(chat, dice)] if after_it else [_chatted(chat, dice), call]
        before += [truth[number], truth[number + after_it]]

    def pause(at: int) -> float:
        return dice.uniform(*(APART if at % 2 else CLOSE))

    return in_a_room(job, ground, said, [*before, truth[-1]], pause, len(said))


def _chatted(chat: Sequence[str], dice: random.Random) -> Spoken:
    return Spoken(dice.randint(1, 4), dice.choice(chat), ())


if __name__ == "__main__":
    sys.exit(main())
