"""What a lesson is, and reading one: a ``.mus`` script whose comments teach (docs/lessons.md)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from assistant.language.lexicon import Context
from assistant.language.script import (
    Cards,
    Expect,
    Lookup,
    Said,
    Score,
    Script,
    ScriptError,
    parse_script,
)
from assistant.language.script.read import no_profiles
from assistant.rules.cards import format_hand, parse_hand
from assistant.rules.errors import CardError, Translatable
from assistant.rules.phases import Phase
from assistant.rules.state import SIDE_LETTERS

# ---- What a lesson is: steps that show something, and most of them ask for something ------------


class Kind(StrEnum):
    """What a step asks of the learner."""

    READ = "read"
    """Nothing: it is read, or heard."""
    CHOOSE = "choose"
    """One of several answers."""
    SAY = "say"
    """A call, said aloud: any wording of it will do."""


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """One answer to choose, and why it is right or wrong."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What happens at the lesson's table, as far as it is shown.

    kind    "call", "cards", or "stones"
    who     the player; for cards it may be anybody's name or empty
    words   what he said
    cards   as letters, ``R C S 7 6 5 4 3 2 1``
    stones  of each side, by its players' names: ("Norte y Sur", 3)
    """

    kind: str
    who: str = ""
    words: str = ""
    cards: tuple[str, ...] = ()
    stones: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step: what it shows, and what it asks, if anything.

    line     where it begins in the file, from 1
    text     paragraphs
    answers  those to choose, in the order they are offered in; empty where nothing is chosen
    say      the call to be said, in one wording; "" where none is
    why      told once that was said
    context  where the deal stands when it is said
    """

    line: int
    text: tuple[str, ...]
    shown: tuple[Shown, ...] = ()
    question: str = ""
    answers: tuple[LessonAnswer, ...] = ()
    say: str = ""
    why: str = ""
    context: Context | None = None

    @property
    def kind(self) -> Kind:
        """What it wants."""
        if self.say:
            return Kind.SAY
        return Kind.CHOOSE if self.answers else Kind.READ

    @property
    def aloud(self) -> str:
        """Its text and question, as they are read aloud."""
        return " ".join(filter(None, (*self.text, self.question)))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: its file's name without the ending, its title, and what it plays.

    ``about`` is one sentence for the list of lessons. ``script`` is the whole file as a script, to
    be played through the rules.
    """

    name: str
    title: str
    about: str
    steps: tuple[LessonStep, ...]
    script: Script


# ---- Reading a lesson: a ``.mus`` script whose comments teach (docs/lessons.md) -----------------
#
#     #% Title                the next such line says what the lesson is about
#     #: text                 shown; a bare "#:" begins a paragraph
#     #> Ana: R R 7 4         cards to look at, which nobody plays
#     1: envido               any line of a script: played, and shown with its step
#     #? question
#     #= answer = why         the right answer
#     #- answer = why         a wrong answer
#     #! say: envido = why    a call to be said aloud, in a step without answers to choose
#     #! when: mus            where the deal stands then, a phase or "bet"; usually found by itself
#
# A blank line ends a step. Lines of a script without any text beside them are played unseen.


BET = "bet"
"""The moment in which a bet waits for its answer."""
FEWEST = 2
"""A question has at least so many answers."""


@dataclass(slots=True)
class _Draft:
    """A step while its lines are read."""

    line: int
    text: list[list[str]] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    question: str = ""
    answers: list[LessonAnswer] = field(default_factory=list)
    say: str = ""
    why: str = ""
    context: Context | None = None
    teaches: bool = False


def parse_lesson(name: str, text: str, lookup: Lookup = no_profiles) -> Lesson:
    """Read a lesson. Raises ScriptError, with the line, if the text is no lesson."""
    script = parse_script(text, lookup)
    happens = dict(_happens(script))
    titles: list[str] = []
    steps: list[LessonStep] = []
    draft = _Draft(1)
    for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        content = content.strip()
        if not content:
            steps += _finished(name, draft)
            draft = _Draft(line + 1)
        elif content.startswith("#%"):
            titles.append(content[2:].strip())
        elif content[:2] in _READERS:
            draft.teaches = True
            _READERS[content[:2]](draft, line, content[2:].strip())
        elif line in happens:
            draft.shown += happens[line]
    steps += _finished(name, draft)
    if not titles or not steps:
        raise ScriptError(1, "a lesson needs a title ('#% ...') and a text ('#: ...').")
    return Lesson(name, titles[0], " ".join(titles[1:]), tuple(steps), script)


def _finished(name: str, draft: _Draft) -> Iterator[LessonStep]:
    """The step, if it teaches anything. Raises ScriptError if its question is incomplete."""
    if not draft.teaches:
        return
    right = sum(answer.right for answer in draft.answers)
    if draft.answers and (right != 1 or len(draft.answers) < FEWEST or not draft.question):
        raise ScriptError(
            draft.line, "a question ('#? ...') needs one right answer ('#= ...') and wrong ones."
        )
    if draft.question and not draft.answers and not draft.say:
        raise ScriptError(draft.line, "a question needs answers ('#= ...', '#- ...').")
    if draft.say and draft.answers:
        raise ScriptError(draft.line, "a step has answers to choose, or something to say.")
    answers = list(draft.answers)
    # In a file the right answer comes first; the learner must not find that out.
    random.Random(f"{name}/{draft.question}").shuffle(answers)
    text = tuple(" ".join(lines) for lines in draft.text if lines)
    yield LessonStep(
        draft.line,
        text,
        tuple(draft.shown),
        draft.question,
        tuple(answers),
        draft.say,
        draft.why,
        draft.context,
    )


def _text(draft: _Draft, _line: int, rest: str) -> None:
    if not rest or not draft.text:
        draft.text.append([])
    if rest:
        draft.text[-1].append(rest)


def _hand(draft: _Draft, line: int, rest: str) -> None:
    who, colon, cards = rest.rpartition(":")
    try:
        hand = parse_hand(cards)
    except CardError as error:
        raise ScriptError(line, str(error)) from error
    draft.shown.append(
        Shown("cards", who.strip() if colon else "", cards=tuple(format_hand(hand).split()))
    )


def _question(draft: _Draft, line: int, rest: str) -> None:
    if not rest:
        raise ScriptError(line, "'#?' needs a question.")
    draft.question = f"{draft.question} {rest}".strip()


def _answer(right: bool) -> Callable[[_Draft, int, str], None]:
    def read(draft: _Draft, line: int, rest: str) -> None:
        text, equals, why = rest.partition(" = ")
        if not equals or not text.strip() or not why.strip():
            raise ScriptError(line, "an answer is 'what = why', as in '#= 1 = Se llama deje.'")
        draft.answers.append(LessonAnswer(text.strip(), right, why.strip()))

    return read


def _order(draft: _Draft, line: int, rest: str) -> None:
    key, _, value = rest.partition(":")
    what, _, why = value.partition(" = ")
    match key.strip():
        case "say" if what.strip():
            draft.say, draft.why = what.strip(), why.strip()
        case "when" if what.strip():
            draft.context = _context(line, what.strip())
        case _:
            raise ScriptError(line, "'#!' is 'say: CALL = why' or 'when: PHASE'.")


def _context(line: int, name: str) -> Context:
    if name == BET:
        return Context(Phase.GRANDE, pending=True)
    if name not in {phase.value for phase in Phase}:
        known = ", ".join([BET, *(phase.value for phase in Phase)])
        raise ScriptError(
            line, Translatable("when: {name!r} is none of {known}.", name=name[:20], known=known)
        )
    return Context(Phase(name))


_READERS: dict[str, Callable[[_Draft, int, str], None]] = {
    "#:": _text,
    "#>": _hand,
    "#?": _question,
    "#=": _answer(True),
    "#-": _answer(False),
    "#!": _order,
}


def _happens(script: Script) -> Iterator[tuple[int, list[Shown]]]:
    """What each line of a script shows."""
    for step in script.steps:
        match step:
            case Said(heard=heard):
                who = script.seats[heard.seat - 1] if heard.seat else ""
                yield step.line, [Shown("call", who, heard.text)]
            case Cards(seat=seat, hand=hand):
                cards = tuple(format_hand(hand).split())
                yield step.line, [Shown("cards", script.seats[seat - 1], cards=cards)]
            case Score(stones=stones):
                yield step.line, _stones(script, stones)
            case Expect(items=items):
                told = tuple((key, int(value)) for key, value in items if key in SIDE_LETTERS)
                yield step.line, _stones(script, told)


def _stones(script: Script, stones: tuple[tuple[str, int], ...]) -> list[Shown]:
    named = tuple(
        (" y ".join(script.seats[SIDE_LETTERS.index(side) :: script.sides]), count)
        for side, count in stones
    )
    return [Shown("stones", stones=named)] if named else []
