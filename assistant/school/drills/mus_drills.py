"""``mus drills`` and ``mus drill``: how the exercises go, and exercises at the terminal."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from assistant.files.atomic import write_whole
from assistant.files.paths import own_data_dir
from assistant.files.process import UsageError
from assistant.files.profile_files import find_profile
from assistant.files.resources import languages, load_lexicon, nearest, read_text
from assistant.files.terminal import terminal_language
from assistant.language.lexicon import Lexicon, words_of
from assistant.messages.documents import parse_json
from assistant.rules.profile import Profile
from assistant.school.drills.exercises import (
    SKILLS,
    DrillError,
    DrillKind,
    Exercise,
    drilled,
    kind_of,
)
from assistant.school.drills.page import load_judge, skill_views
from assistant.school.drills.positions import exercise_of, is_judged
from assistant.school.drills.schedule import (
    DrillGrade,
    DrillProgress,
    answered,
    grade_of,
    next_exercise,
    progress_from,
    progress_to,
    skills_of,
    skipped,
)
from assistant.school.drills.told import (
    DrillTongue,
    choice_heard,
    choice_text,
    drill_tongue,
    exercise_view,
    grade_view,
    step_of,
)
from assistant.school.judge import Judge
from assistant.school.lessons import heard_as
from assistant.school.lessons.mus_lessons import HeardAnswers, answer_source
from assistant.school.players.maestro import why_untaught

DRILLED = "drills.json"
"""The file of the progress."""
USUAL_COUNT = 10
MOST = 1000
Asked = Callable[[Exercise], int | None]
"""Waits for an answer: its number, or None where no more comes."""
SKIPPED = -1
"""The learner goes on without an answer."""


def add_parser(commands: Any) -> None:
    """Declare both commands."""
    listed = commands.add_parser(
        "drills",
        help="how you do in the exercises",
        description="List what the exercises train, and how you do at each.",
        epilog="examples: mus drills; mus drill",
    )
    _add_usual(listed)
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(run=run_list)
    one = commands.add_parser(
        "drill",
        help="exercises without end",
        description="Do exercises at the terminal: who wins, what cards are worth, whether to want "
        "a bet, to cut, and what to throw. What was wrong comes again sooner. An answer is its "
        "number, its words, or a call in any wording; an empty line skips one. With --mic answers "
        "are said aloud. Progress is kept.",
        epilog="examples: mus drill; mus drill quieres --count 5; mus drill gana.pares-3-4711",
    )
    one.add_argument(
        "what", nargs="?", metavar="KIND", default="",
        help="gana, vale, quieres, cortas or tiras, one skill, or one exercise by its name",
    )  # fmt: skip
    _add_usual(one)
    one.add_argument("--count", type=int, metavar="N", help="so many exercises; default: 10")
    one.add_argument("--seed", type=int, metavar="N", help="the same exercises each time")
    ear = one.add_mutually_exclusive_group()
    ear.add_argument(
        "--mic", nargs="?", const="", metavar="NAME", help="answer aloud, into this microphone"
    )
    ear.add_argument("--listen", type=Path, metavar="FILE.wav", help="hear the answers in there")
    one.add_argument(
        "--json", action="store_true", help="print exercises with their answers as JSON"
    )
    one.set_defaults(run=run_drill)


def _add_usual(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=languages("drills"), help="default: the terminal's")
    parser.add_argument(
        "--profile", metavar="NAME|FILE", help="house rules by name; 'mus profiles' lists them"
    )


def run_list(args: argparse.Namespace) -> int:
    """Do ``mus drills``."""
    told, profile, judge = drill_tongue(_language(args)), _profile(args), load_judge()
    words = told.words
    rows = skill_views(read_drills(), told, judged=_is_judged(profile, judge))
    if args.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    for row in rows:
        how = words("terminal.new")
        if row["asked"]:
            how = words("terminal.row", right=row["right"], asked=row["asked"], level=row["level"])
        print(f"{row['skill']:16} {row['title']:36} {how}")
    print(words("terminal.start"))
    return 0


def run_drill(args: argparse.Namespace) -> int:
    """Do ``mus drill``."""
    told, profile, judge = drill_tongue(_language(args)), _profile(args), load_judge()
    words = told.words
    count = USUAL_COUNT if args.count is None else args.count
    if not 1 <= count <= MOST:
        raise UsageError("--count goes from 1 to {most}.", most=MOST)
    dice = random.Random(args.seed)
    name = args.what if "-" in args.what else ""
    skills = () if name else _skills(args.what, profile, judge)
    progress = read_drills()

    def next_one() -> Exercise:
        asked = name or next_exercise(progress, time.time(), skills, dice)
        return exercise_of(asked, profile, judge)

    if args.json:
        rows: list[dict[str, Any]] = []
        while len(rows) < (1 if name else count):
            exercise = next_one()
            rows.append(_row(exercise, profile, told))
            best = exercise.choices[exercise.best]
            progress = answered(progress, exercise, best, time.time())  # so that all kinds come
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    right = done = 0
    with closing(answer_source(args)) if _aloud(args) else nullcontext() as source:
        spoken = drill_tongue(nearest("lexicon", _language(args)))
        lexicon = load_lexicon((nearest("lexicon", _language(args)),))
        ready = (lambda: None) if args.listen else lambda: print(words("terminal.listening"))
        ears = HeardAnswers(source, lexicon, ready) if source else None
        for _ in range(1 if name else count):
            exercise = next_one()
            again = exercise.name in getattr(progress.skills.get(exercise.skill), "wrong", ())
            print("\n".join(_page(exercise, told, again=again)))
            choice = _answer(exercise, told, spoken, lexicon, ears)
            if choice is None:
                break
            if choice == SKIPPED:
                progress = skipped(progress, exercise.name)
                continue
            graded = grade_view(exercise, choice, profile, told)
            print(f"{graded['result']} {graded['why']}\n")
            done += 1
            right += grade_of(exercise.choices[choice]) is DrillGrade.RIGHT
            progress = answered(progress, exercise, exercise.choices[choice], time.time())
            write_drills(progress)
    print(words("terminal.over", right=right, asked=done))
    return 0


def _language(args: argparse.Namespace) -> str:
    return args.language or nearest("drills", terminal_language())


def _aloud(args: argparse.Namespace) -> bool:
    return args.mic is not None or args.listen is not None


def _profile(args: argparse.Namespace) -> Profile:
    base = find_profile(args.profile).profile if args.profile is not None else Profile()
    return drilled(base)


def _is_judged(profile: Profile, judge: Judge | None) -> bool:
    return judge is not None and why_untaught(profile, judge.tables.lore.kings) is None


def _skills(asked: str, profile: Profile, judge: Judge | None) -> tuple[str, ...]:
    """The skills of a kind, a single one, or all. Raises UsageError."""
    able = skills_of((), judged=_is_judged(profile, judge))
    found = tuple(skill for skill in able if asked in ("", skill, str(kind_of(skill))))
    if found:
        return found
    if asked in (*SKILLS, *DrillKind) and is_judged(kind_of(asked)):
        raise UsageError("maestro never learnt these house rules, so nobody can grade that.")
    raise UsageError(
        "There are no exercises {asked!r}: choose from {known}.",
        asked=asked[:30],
        known=", ".join(DrillKind),
    )


# ---- An exercise on paper -----------------------------------------------------------------------


def _page(exercise: Exercise, told: DrillTongue, *, again: bool) -> list[str]:
    view, words = exercise_view(exercise, told, again=again), told.words
    level = words("terminal.level", level=view["level"])
    lines = [f"{view['title']}  [{level}]"]
    if again:
        lines.append(words("terminal.again"))
    lines += view["facts"]
    for line in view["lines"]:
        lines.append(f"    {line['who']}: {' '.join(line['cards']) or '«' + line['words'] + '»'}")
    if view["hand"]:
        lines.append(f"    {' '.join(view['hand'])}")
    lines.append(view["question"])
    if exercise.kind is not DrillKind.WINS:
        lines += [f"  {n}. {text}" for n, text in enumerate(view["choices"], start=1)]
    lines.append(words("terminal.throw" if view["throws"] else "terminal.how"))
    return lines


def _answer(
    exercise: Exercise,
    told: DrillTongue,
    spoken: DrillTongue,
    lexicon: Lexicon,
    ears: HeardAnswers | None,
) -> int | None:
    """The number of the learner's answer; SKIPPED, or None where no more comes."""
    step, words = step_of(exercise, spoken), told.words
    while True:
        if ears is not None:
            verdict = ears.answer(step)
            if verdict is None:
                return None
        else:
            try:
                text = input("> ").strip()
            except (EOFError, KeyboardInterrupt):
                return None
            if not text:
                return SKIPPED
            if (number := _typed_number(exercise, text, told)) is not None:
                return number
            verdict = heard_as(step, words_of(text), lexicon)
        if verdict.understood:
            return choice_heard(exercise, step, verdict.what)
        print(words("terminal.unclear", what=verdict.what))


def _typed_number(exercise: Exercise, text: str, told: DrillTongue) -> int | None:
    """A typed answer: the places of cards, its words, or its number; None for anything else."""
    if exercise.kind is DrillKind.THROWS:
        places = set(text.replace(" ", ""))
        if places <= set("1234"):
            return sum(1 << int(place) - 1 for place in places) - 1
        return None
    texts = [choice_text(exercise, at, told) for at in range(len(exercise.choices))]
    if text in texts:
        return texts.index(text)
    if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(texts):
        return int(text) - 1
    return None


def _row(exercise: Exercise, profile: Profile, told: DrillTongue) -> dict[str, Any]:
    """An exercise for a machine: its answers, and what each costs."""
    graded = grade_view(exercise, exercise.best, profile, told)
    answers = [
        {"text": choice_text(exercise, at, told), "right": one.right, "cost": one.cost}
        for at, one in enumerate(exercise.choices)
    ]
    view = exercise_view(exercise, told, again=False)
    return {**view, "answers": answers, "best": exercise.best, "why": graded["why"]}


# ---- The progress of this machine ---------------------------------------------------------------


def drills_path() -> Path:
    """Where the progress is kept (XDG); it need not be there."""
    return own_data_dir() / DRILLED


def read_drills(path: Path | None = None) -> DrillProgress:
    """The progress that is kept on this machine, or in another file. Raises UsageError."""
    path = path or drills_path()
    if not path.exists():
        return DrillProgress()
    try:
        return progress_from(parse_json(read_text(path)))
    except (ValueError, DrillError) as error:
        raise UsageError(
            "{path} holds no progress: take it away to begin anew.", path=path
        ) from error


def write_drills(progress: DrillProgress) -> None:
    """Write the progress, all or nothing. Raises OSError."""
    write_whole(drills_path(), json.dumps(progress_to(progress), ensure_ascii=False) + "\n")
