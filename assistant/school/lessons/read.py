"""The parts of a lesson, and its reader: a game and its prose (docs/lessons.md).

The game is a ``.mus`` script, the same in all languages. The prose is one file a language.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
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
from assistant.language.sentences import SentenceError, Wording
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
    """An event at the lesson's table, as it is shown.

    kind    "call", "cards", or "stones"
    who     the player; for cards it may be "Tú", or empty
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

    line     where it begins in the game, from 1
    text     paragraphs
    answers  those to choose, in the order they are offered in; empty where nothing is chosen
    say      the call to be said, in one wording of the language; "" where none is
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
    """A lesson: its game's name without the ending, its title, and what it plays.

    ``about`` is one sentence for the list of lessons. ``script`` is the whole game, to be played
    through the rules; its calls are Spanish in every language.
    """

    name: str
    title: str
    about: str
    steps: tuple[LessonStep, ...]
    script: Script


@dataclass(frozen=True, slots=True)
class LessonTongue:
    """What the lessons of a language share, beside their prose.

    words  the sentences of lessons.toml
    calls  each call of the games, which are Spanish, as it is said in the language; empty where
           the table is called at in Spanish, too
    """

    words: Wording
    calls: Mapping[str, str] = field(default_factory=dict)

    def call(self, spanish: str) -> str:
        """A call of a game as it is said. Raises SentenceError if the language lacks it."""
        if not self.calls:
            return spanish
        if spanish not in self.calls:
            raise SentenceError("{call}: the language has no words for this call.", call=spanish)
        return self.calls[spanish]


# ---- Reading a lesson: the game has marks of its own in a ``.mus`` script, the prose has texts ---
#
# The game:
#     #: 1                    a step, numbered from 1; the texts are in the prose, under [1]
#     #> Ana: R R 7 4         cards to look at, which nobody plays; "you" is the learner
#     #> you mano: R R 7 4    the same, and whose hand it is is mano
#     1: envido               any line of a script: played, and shown with its step
#     #! say: envido          a call to be said aloud, in a step without answers to choose
#     #! when: mus            where the deal stands then, a phase or "bet"; usually found by itself
#
# A blank line ends a step. Lines of a script without a step beside them are played unseen.
#
# The prose of a step: text (a blank line parts paragraphs), ask (a question), right and why (the
# right answer, and why it is; or only why, of a call), and wrong, the wrong answers, each with why.


BET = "bet"
"""The moment in which a bet waits for its answer."""
YOU, MANO = "you", "mano"
KEYS = frozenset({"text", "ask", "right", "why", "wrong"})
NO_STEP = 0
"""The number of lines that are no step."""


@dataclass(slots=True)
class _Draft:
    """A step while the lines of its game are read."""

    line: int
    number: int = NO_STEP
    shown: list[Shown] = field(default_factory=list)
    say: str = ""
    context: Context | None = None


def parse_lesson(
    name: str,
    game: str,
    prose: Mapping[str, str],
    tongue: LessonTongue,
    lookup: Lookup = no_profiles,
) -> Lesson:
    """Read a lesson. ``prose``: the texts of its file by key, "1.ask".

    Raises ScriptError, with the line, if the game is none, and SentenceError, with the key, if the
    prose does not fit it.
    """
    script = parse_script(game, lookup)
    happens = dict(_happens(script, tongue))
    drafts = [_Draft(1)]
    for line, content in enumerate(game.removeprefix("\ufeff").splitlines(), start=1):
        content = content.strip()
        draft = drafts[-1]
        if not content:
            drafts.append(_Draft(line + 1))
        elif content.startswith("#:"):
            number = sum(one.number != NO_STEP for one in drafts) + 1
            if draft.number != NO_STEP or content[2:].strip() != str(number):
                raise ScriptError(line, f"the next step is '#: {number}', after a blank line.")
            draft.number = number
        elif content[:2] in _READERS:
            if draft.number == NO_STEP:
                raise ScriptError(line, "a step begins with its number, as in '#: 1'.")
            _READERS[content[:2]](draft, line, content[2:].strip(), tongue)
        elif line in happens:
            draft.shown += happens[line]
    steps = tuple(_step(name, one, prose) for one in drafts if one.number != NO_STEP)
    if not steps:
        raise ScriptError(1, "a lesson needs a step ('#: 1').")
    _check_keys(prose, len(steps))
    return Lesson(name, prose["title"], prose["about"], steps, script)


def _check_keys(prose: Mapping[str, str], steps: int) -> None:
    """Raise SentenceError where the prose lacks a head, or speaks of what is not in the game."""
    for head in ("title", "about"):
        if head not in prose:
            raise SentenceError("{key}: this sentence is missing.", key=head)
    for key in prose:
        number, _, what = key.partition(".")
        known = number.isdecimal() and 1 <= int(number) <= steps and what.split(".")[0] in KEYS
        if not known and key not in ("title", "about"):
            raise SentenceError("{key}: the game has no step for this sentence.", key=key)


def _step(name: str, draft: _Draft, prose: Mapping[str, str]) -> LessonStep:
    """A step of the game with its prose. Raises SentenceError if its question is incomplete."""
    number = draft.number

    def told(key: str) -> str:
        return prose.get(f"{number}.{key}", "")

    wrong = _wrong(number, prose)
    right, why, asks = told("right"), told("why"), told("ask")
    if draft.say and (right or wrong):
        raise SentenceError("{key}: a call is said here: no answers.", key=f"{number}.right")
    if draft.say or right or wrong or asks:
        needed = ("ask", "why") if draft.say else ("ask", "right", "why", "wrong.0.0")
        for key in needed:
            if not told(key):
                raise SentenceError("{key}: this question lacks it.", key=f"{number}.{key}")
    elif not told("text"):
        raise SentenceError("{key}: this step is missing.", key=f"{number}.text")
    answers = [LessonAnswer(right, right=True, why=why), *wrong] if right else []
    # In a file the right answer comes first; the learner must not find that out.
    random.Random(f"{name}/{number}").shuffle(answers)
    return LessonStep(
        draft.line,
        tuple(filter(None, (" ".join(one.split()) for one in told("text").split("\n\n")))),
        tuple(draft.shown),
        asks,
        tuple(answers),
        draft.say,
        why if draft.say else "",
        draft.context,
    )


def _wrong(number: int, prose: Mapping[str, str]) -> list[LessonAnswer]:
    answers: list[LessonAnswer] = []
    while text := prose.get(f"{number}.wrong.{len(answers)}.0"):
        why = prose.get(key := f"{number}.wrong.{len(answers)}.1")
        if not why:
            raise SentenceError("{key}: a wrong answer needs a reason.", key=key)
        answers.append(LessonAnswer(text, right=False, why=why))
    return answers


def _hand(draft: _Draft, line: int, rest: str, tongue: LessonTongue) -> None:
    who, _, cards = rest.rpartition(":")
    try:
        hand = parse_hand(cards)
    except CardError as error:
        raise ScriptError(line, str(error)) from error
    shown = tuple(format_hand(hand).split())
    draft.shown.append(Shown("cards", _who(who.strip(), tongue.words), cards=shown))


def _who(written: str, words: Wording) -> str:
    """Whose cards are shown, in the words of the language."""
    name, _, place = written.partition(" ")
    named = words("you") if name == YOU else name
    return words("is_mano", name=named) if place == MANO else named


def _order(draft: _Draft, line: int, rest: str, tongue: LessonTongue) -> None:
    key, _, value = rest.partition(":")
    match key.strip():
        case "say" if value.strip():
            draft.say = tongue.call(value.strip())
        case "when" if value.strip():
            draft.context = _context(line, value.strip())
        case _:
            raise ScriptError(line, "'#!' is 'say: CALL' or 'when: PHASE'.")


def _context(line: int, name: str) -> Context:
    if name == BET:
        return Context(Phase.GRANDE, pending=True)
    if name not in {phase.value for phase in Phase}:
        known = ", ".join([BET, *(phase.value for phase in Phase)])
        raise ScriptError(
            line, Translatable("when: {name!r} is none of {known}.", name=name[:20], known=known)
        )
    return Context(Phase(name))


_READERS: dict[str, Callable[[_Draft, int, str, LessonTongue], None]] = {
    "#>": _hand,
    "#!": _order,
}


def _happens(script: Script, tongue: LessonTongue) -> Iterator[tuple[int, list[Shown]]]:
    """What each line of a script shows."""
    for step in script.steps:
        match step:
            case Said(heard=heard):
                who = script.seats[heard.seat - 1] if heard.seat else ""
                yield step.line, [Shown("call", who, tongue.call(heard.text))]
            case Cards(seat=seat, hand=hand):
                cards = tuple(format_hand(hand).split())
                yield step.line, [Shown("cards", script.seats[seat - 1], cards=cards)]
            case Score(stones=stones):
                yield step.line, _stones(script, stones, tongue.words)
            case Expect(items=items):
                told = tuple((key, int(value)) for key, value in items if key in SIDE_LETTERS)
                yield step.line, _stones(script, told, tongue.words)


def _stones(script: Script, stones: tuple[tuple[str, int], ...], words: Wording) -> list[Shown]:
    named = tuple(
        (words.names(script.seats[SIDE_LETTERS.index(side) :: script.sides]), count)
        for side, count in stones
    )
    return [Shown("stones", stones=named)] if named else []
