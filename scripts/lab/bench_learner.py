#!/usr/bin/env python3
"""How long is a newcomer's path to a first game, in screens, words, taps and minutes?

    python scripts/lab/bench_learner.py            # the short path of models/path.toml
    python scripts/lab/bench_learner.py --whole    # all lessons instead
    python scripts/lab/bench_learner.py --json

A scripted newcomer goes the path: each step of its lessons, the exercises that come up, and deals
of practice at the easiest level. The words are those that the pages show: text, questions, every
answer, and why an answer was right or wrong. The minutes are a model. A newcomer reads 200 words a
minute, as people read Spanish prose (Trauzettel-Klosinski and Dietz, Investigative Ophthalmology &
Visual Science 53, 2012, found 218 words a minute, aloud). He answers every third question wrongly
at first, so that he reads its reason, too. An answer takes 5 s of thought, a tap 1.1 s (Card, Moran
and Newell, 1983), and a spoken call 2 s. In practice each call of the company takes its pause and
one second.

Each row is a part of the path. Its columns are screens, words, taps, answers, calls that are said,
and minutes. The goal is 30 minutes. The exit status is 1 if the path is longer.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.rules import events as e
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.school.apprentice import why_views
from assistant.school.drills.page import load_judge
from assistant.school.drills.positions import exercise_of
from assistant.school.drills.schedule import (
    DrillProgress,
    answered,
    next_exercise,
    skills_of,
)
from assistant.school.drills.told import drill_tongue, exercise_view, grade_view
from assistant.school.lessons import Kind, Lesson, LessonStep
from assistant.school.lessons.files import load_lessons, load_short_path
from assistant.school.players import Novice
from assistant.school.practice.dealer import BREATH, EXPLAINING, THOUGHT
from scripts.lab.playing.juego import moves

GOAL_MIN = 30.0
WORDS_A_MINUTE = 200
THINK_S, TAP_S, SAY_S, CALL_S = 5.0, 1.1, 2.0, 1.0
"""Seconds: thought before an answer, a tap, a call of one's own, a call of the company."""
WRONG_EVERY = 3
"""One question in this many is answered wrongly at first."""
LOOK_S = 4.0
"""Seconds to look at four new cards."""
LANGUAGE = "es"
ME = 1
SEED = 7
WELCOME_WORDS, WELCOME_SCREENS = 110, 4
"""The three steps and the choice of the company before the first deal of practice."""
BETS = (e.BetMade, e.BetRaised, e.OrdagoMade, e.BetAccepted, e.BetRefused)
CALLS = (*BETS, e.MusAsked, e.MusCut, e.Passed, e.Declared)


@dataclass
class Stretch:
    """One part of the path, with its counts."""

    name: str
    screens: int = 0
    words: int = 0
    taps: int = 0
    answers: int = 0
    said: int = 0
    waits_s: float = 0.0

    @property
    def minutes(self) -> float:
        """The minutes that it takes."""
        seconds = self.taps * TAP_S + self.answers * THINK_S + self.said * SAY_S + self.waits_s
        return self.words / WORDS_A_MINUTE + seconds / 60


def words_in(*texts: str) -> int:
    """The number of words to read."""
    return sum(len(text.split()) for text in texts)


def lesson_walk(lesson: Lesson, asked: int) -> Stretch:
    """Walk through a lesson, step by step. ``asked`` questions came before it."""
    done = Stretch(lesson.name)
    for step in lesson.steps:
        done.screens += 1
        done.words += _shown_words(step)
        done.taps += 1  # to the next step
        if step.kind is Kind.READ:
            continue
        asked += 1
        done.answers += 1
        if step.kind is Kind.SAY:
            done.said += 1
            done.taps += 1  # so that the page listens
            done.words += words_in(step.why)
            continue
        done.taps += 1
        done.words += words_in(next(answer.why for answer in step.answers if answer.right))
        if asked % WRONG_EVERY == 0:
            done.answers += 1
            done.taps += 1
            done.words += words_in(next(one.why for one in step.answers if not one.right))
    done.screens += 1  # the lesson is over
    done.taps += 1
    return done


def _shown_words(step: LessonStep) -> int:
    shown = (text for one in step.shown for text in (one.who, one.words, *one.cards))
    return words_in(*step.text, step.question, *(one.text for one in step.answers), *shown)


def drill_walk(count: int) -> Stretch:
    """Do this many of the exercises that come up, with every third one wrong."""
    done = Stretch(f"{count} exercises", screens=1, taps=2)
    told, profile, judge = drill_tongue(LANGUAGE), Profile(), load_judge()
    skills = skills_of((), judged=judge is not None)
    progress, now, dice = DrillProgress(), 1_800_000_000.0, random.Random(SEED)
    for number in range(1, count + 1):
        exercise = exercise_of(next_exercise(progress, now, skills, dice), profile, judge)
        wrong = next((at for at, one in enumerate(exercise.choices) if not one.right), 0)
        choice = wrong if number % WRONG_EVERY == 0 else exercise.best
        view = exercise_view(exercise, told, again=False)
        graded = grade_view(exercise, choice, profile, told)
        lines = (
            text for line in view["lines"] for text in (line["who"], line["words"], *line["cards"])
        )
        done.screens += 1
        done.words += words_in(view["title"], *view["facts"], *lines, *view["hand"])
        done.words += words_in(view["question"], *view["choices"], graded["result"], graded["why"])
        done.answers += 1
        done.taps += 2 + view["throws"] * 2  # the answer, the next one, and cards to throw
        progress = answered(progress, exercise, exercise.choices[choice], now)
        now += 15.0
    return done


def practice_walk(deals: int) -> Stretch:
    """Deals of practice with the company of beginners, as the mean of many deals."""
    told = drill_tongue(LANGUAGE)
    sample = 20
    done = Stretch(f"{deals} deals of practice")
    for seed in range(sample):
        waits, mine, words, throws = _deal(seed, told.tongue)
        done.waits_s += waits
        done.answers += mine
        done.taps += mine + throws * 3
        done.words += words
    for field in ("waits_s", "answers", "taps", "words"):
        setattr(done, field, round(getattr(done, field) * deals / sample))
    done.screens = WELCOME_SCREENS + 2 * deals
    done.words += WELCOME_WORDS
    done.taps += WELCOME_SCREENS + deals
    return done


def _deal(seed: int, tongue: object) -> tuple[float, int, int, int]:
    """One deal: the company's seconds, own calls, words of the count, and own throws."""
    waits, mine, throws = LOOK_S, 0, 0
    for state, events in moves([Novice() for _ in range(4)], seed, mano=seed % 4 + 1):
        for event in events:
            if isinstance(event, e.DiscardBegan):
                throws += 1
                waits += LOOK_S
            if not isinstance(event, CALLS) or getattr(event, "implied", False):
                continue
            if event.seat == ME:
                mine += 1
            else:
                waits += (THOUGHT if isinstance(event, BETS) else BREATH) * EXPLAINING + CALL_S
        if state.phase in (Phase.COUNT, Phase.OVER) and state.results:
            counted = why_views(state, tongue)  # type: ignore[arg-type]
            return waits, mine, words_in(*(view["text"] for view in counted)), throws
    raise AssertionError("a deal ends")


def path(*, whole: bool) -> Iterator[Stretch]:
    """The parts of the path."""
    short, lessons = load_short_path(), load_lessons(LANGUAGE)
    yield Stretch("the list of lessons", screens=1, words=60, taps=1)
    asked = 0
    for name in lessons if whole else short.lessons:
        yield lesson_walk(lessons[name], asked)
        asked += sum(step.kind is not Kind.READ for step in lessons[name].steps)
    yield drill_walk(short.exercises)
    yield practice_walk(short.deals)


def main() -> int:
    """Walk the path and print how long it is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--whole", action="store_true", help="walk through all lessons, not the short path"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    stretches = list(path(whole=args.whole))
    minutes = sum(one.minutes for one in stretches)
    if args.json:
        rows = [{**asdict(one), "minutes": round(one.minutes, 2)} for one in stretches]
        print(json.dumps({"stretches": rows, "minutes": round(minutes, 1), "goal": GOAL_MIN}))
        return int(minutes > GOAL_MIN)
    print(f"{'':26}{'screens':>8}{'words':>7}{'taps':>6}{'answers':>9}{'said':>6}{'minutes':>9}")
    total = Stretch("together")
    for one in stretches:
        total.screens, total.words = total.screens + one.screens, total.words + one.words
        total.taps, total.answers = total.taps + one.taps, total.answers + one.answers
        total.said, total.waits_s = total.said + one.said, total.waits_s + one.waits_s
    for one in (*stretches, total):
        print(
            f"{one.name:26}{one.screens:>8}{one.words:>7}{one.taps:>6}{one.answers:>9}"
            f"{one.said:>6}{one.minutes:>9.1f}"
        )
    print(f"{minutes:.1f} minutes; the goal is {GOAL_MIN:.0f}.")
    return int(minutes > GOAL_MIN)


if __name__ == "__main__":
    sys.exit(main())
