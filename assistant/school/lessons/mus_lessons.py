"""``mus lessons`` and ``mus lesson``: the list of lessons, and one of them at the terminal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assistant.ear import AudioSource, Block, FileSource, MicrophoneSource, Recogniser
from assistant.ear.speech_model import load_stand_ins
from assistant.files.process import UsageError
from assistant.files.resources import load_lexicon, load_wording, model_dir
from assistant.files.settings import read_settings, whole
from assistant.language.lexicon import Lexicon, words_of
from assistant.language.sentences import Wording
from assistant.messages import Heard
from assistant.school.lessons import (
    AnswerVerdict,
    Kind,
    Lesson,
    LessonStep,
    Mood,
    Shown,
    Walk,
    begin,
    chosen,
    come_to,
    heard_as,
    phrases_for,
)
from assistant.school.lessons.files import (
    at_the_terminal,
    heard_in,
    languages,
    load_lesson,
    load_lessons,
    read_progress,
    write_progress,
)
from assistant.school.lessons.walk import lesson_rows

Hear = Callable[[LessonStep], AnswerVerdict | None]
"""Waits for the answer to a step; None where no more comes."""
WIDE = 78
"""The most letters of a line at the terminal."""


def add_parser(commands: Any) -> None:
    """Declare both commands."""
    listed = commands.add_parser(
        "lessons",
        help="the lessons that teach the game",
        description="List the lessons, and how far you have come in each.",
        epilog="examples: mus lessons; mus lesson 1",
    )
    listed.add_argument("--language", choices=languages(), help="default: the terminal's")
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(run=run_list)
    one = commands.add_parser(
        "lesson",
        help="go through a lesson",
        description="Go through a lesson at the terminal. An answer is its number, its words, or a "
        "call in any wording; an empty line goes on. With --mic answers are said aloud, and heard "
        "by the table's own ear. Progress is kept.",
        epilog="examples: mus lesson 1; mus lesson el-deje --mic; mus lesson 5 --listen FILE.wav",
    )
    one.add_argument("name", metavar="NAME", help="its name, a part of it, or its number")
    one.add_argument("--language", choices=languages(), help="default: the terminal's")
    one.add_argument("--again", action="store_true", help="begin at its first step")
    ear = one.add_mutually_exclusive_group()
    ear.add_argument(
        "--mic", nargs="?", const="", metavar="NAME", help="answer aloud, into this microphone"
    )
    ear.add_argument("--listen", type=Path, metavar="FILE.wav", help="hear the answers in there")
    one.add_argument(
        "--json", action="store_true", help="print the lesson, or what was heard, as JSON"
    )
    one.set_defaults(run=run_one)


def run_list(args: argparse.Namespace) -> int:
    """Do ``mus lessons``."""
    language = args.language or at_the_terminal()
    rows = lesson_rows(load_lessons(language), read_progress())
    if args.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    words = _words(language)
    for row in rows:
        how = words("new")
        if row["done"]:
            how = words("done", right=row["right"], asked=row["asked"])
        if row["at"]:
            how = words("begun", at=row["at"] + 1, of=row["steps"])
        print(f"{row['name'][:2]}  {row['title']:30} {how}")
    print(words("how"))
    return 0


def run_one(args: argparse.Namespace) -> int:
    """Do ``mus lesson``."""
    language = args.language or at_the_terminal()
    lesson = load_lesson(args.name, language)
    if args.json and args.listen is None:
        if args.mic is not None:
            raise UsageError("--json goes with --listen, or alone: it prints the lesson.")
        print(json.dumps(_told(lesson), ensure_ascii=False))
        return 0
    kept = read_progress()
    at = 0 if args.again or args.listen else kept.at.get(lesson.name, 0)
    lexicon, words = load_lexicon((heard_in(language),)), _words(language)
    rows: list[dict[str, Any]] = []
    tell: Callable[[str], None] = _nobody if args.json else print
    walk = begin(lesson, at)
    tell(f"\n{lesson.title}\n")
    if args.listen is None and args.mic is None:
        walk = _gone_through(walk, lambda step: _typed(step, lexicon), tell, words, rows)
    else:
        with closing(answer_source(args)) as source:
            ready = _nobody if args.listen else tell
            heard = HeardAnswers(source, lexicon, lambda: ready(words("listening")))
            walk = _gone_through(walk, heard.answer, tell, words, rows)
    write_progress(come_to(kept, walk))
    if args.json:
        over = walk.mood is Mood.OVER
        told = {"name": lesson.name, "answers": rows, "over": over, "right": walk.right}
        print(json.dumps(told, ensure_ascii=False))
    return 0


def _gone_through(
    walk: Walk,
    hear: Hear,
    tell: Callable[[str], None],
    words: Wording,
    rows: list[dict[str, Any]],
) -> Walk:
    """Go on step by step until the end, or until no more answers come."""
    printed = -1
    while step := walk.step:
        if walk.at != printed:
            printed = walk.at
            tell("\n".join(_page(step, walk, words)))
        if walk.mood in (Mood.SHOWN, Mood.RIGHT):
            walk = walk.next()
            continue
        verdict = hear(step)
        if verdict is None:
            tell(words("left"))
            return walk
        if verdict is SKIP:
            walk = walk.next()
            continue
        rows.append({"line": step.line, **asdict(verdict)})
        walk = walk.answered(verdict)
        tell(_answer(verdict, words))
    asked = sum(one.kind is not Kind.READ for one in walk.lesson.steps)
    tell(words("over", right=walk.right, asked=asked))
    return walk


SKIP = AnswerVerdict(right=False, understood=False, what="skip")
"""The learner goes on without an answer."""


def _typed(step: LessonStep, lexicon: Lexicon) -> AnswerVerdict | None:
    """An answer from the keyboard."""
    try:
        text = input("> ").strip()
    except (EOFError, KeyboardInterrupt):  # either way it is left here, and goes on there
        return None
    if not text:
        return SKIP
    if step.kind is Kind.CHOOSE and text.isascii() and text.isdigit():
        number = int(text) - 1
        if 0 <= number < len(step.answers):
            return chosen(step, number)
    return heard_as(step, words_of(text), lexicon)


def answer_ear(step: LessonStep, lexicon: Lexicon, model: Path) -> Recogniser:
    """The table's recogniser, with a step's answers among its phrases.

    Raises ModelError, UsageError.
    """
    return Recogniser(model, phrases_for(step, lexicon), curated=load_stand_ins())


class HeardAnswers:
    """Answers from sound, by the real ear; each utterance that is an answer is one."""

    def __init__(self, source: AudioSource, lexicon: Lexicon, ready: Callable[[], None]) -> None:
        """``ready`` is called whenever it begins to listen for the next answer."""
        self._blocks: Iterator[Block] = iter(source.blocks())
        self._lexicon = lexicon
        self._ready = ready

    def answer(self, step: LessonStep) -> AnswerVerdict | None:
        """The next utterance. Raises SpeechError."""
        recogniser = answer_ear(step, self._lexicon, model_dir())
        for number, block in enumerate(self._blocks):
            if number == 0:
                self._ready()
            for result in recogniser.feed(block):
                if isinstance(result, Heard) and result.words:
                    return heard_as(step, result.words, self._lexicon)
        for heard in recogniser.flush():
            if heard.words:
                return heard_as(step, heard.words, self._lexicon)
        return None


def answer_source(args: argparse.Namespace) -> AudioSource:
    """The sound that --mic or --listen names."""
    if args.listen:
        return FileSource(args.listen, realtime=False)
    kept = whole(read_settings())
    return MicrophoneSource(args.mic or str(kept["mic"]) or None, channels=int(kept["channels"]))


def _page(step: LessonStep, walk: Walk, words: Wording) -> Iterator[str]:
    yield f"[{walk.at + 1}/{len(walk.lesson.steps)}]"
    for paragraph in step.text:
        yield from _wrapped(paragraph)
    yield from (f"    {_line(one, words)}" for one in step.shown)
    if step.question:
        yield from _wrapped(step.question)
    for number, answer in enumerate(step.answers, start=1):
        yield f"  {number}. {answer.text}"
    if step.kind is Kind.SAY:
        yield words("say")


def _line(one: Shown, words: Wording) -> str:
    match one.kind:
        case "call":
            return f"{one.who or words('somebody')}: «{one.words}»"
        case "cards":
            return f"{one.who}: {' '.join(one.cards)}" if one.who else " ".join(one.cards)
        case _:
            return ", ".join(f"{who} {count}" for who, count in one.stones)


def _answer(verdict: AnswerVerdict, words: Wording) -> str:
    if not verdict.understood:
        return words("unclear", what=verdict.what)
    key = "right" if verdict.right else "wrong"
    return " ".join(filter(None, (words(key, what=verdict.what), verdict.why))) + "\n"


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + len(word) >= WIDE:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line


def _told(lesson: Lesson) -> dict[str, Any]:
    """A lesson for a machine: answers and all."""
    steps = [
        {
            "line": step.line,
            "kind": str(step.kind),
            "text": list(step.text),
            "shown": [asdict(one) for one in step.shown],
            "question": step.question,
            "answers": [asdict(answer) for answer in step.answers],
            "say": step.say,
        }
        for step in lesson.steps
    ]
    return {"name": lesson.name, "title": lesson.title, "about": lesson.about, "steps": steps}


def _words(language: str) -> Wording:
    """The sentences of the command. Raises UsageError, SentenceError."""
    return load_wording("lessons", language)


def _nobody(_text: str) -> None:
    """Print nothing, as only JSON is printed."""
