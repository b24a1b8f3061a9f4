"""Whether an answer is right: one that was tapped, or words as they were heard or typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.lessons.data import Answer, Kind, LessonStep
from assistant.lexicon import START, Context, Lexicon, Spoken, Talk, fold, words_of
from assistant.messages import Command, Word
from assistant.rules.calls import Call, Refuse
from assistant.rules.phases import Phase

MOMENTS = (
    Context(Phase.GRANDE),
    Context(Phase.GRANDE, pending=True),
    Context(Phase.PARES_SAY),
    Context(Phase.JUEGO_SAY),
    Context(Phase.MUS),
    Context(Phase.COUNT),
)
"""A lesson need not say where the deal stands: the first in which its words are a call is taken."""
_COUNT = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W_]+")

Said = tuple[Call | Command, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an answer.

    right       whether it was right
    understood  whether it was an answer at all; if not, nothing is held against anybody
    what        the answer that was taken, or the words
    why         a sentence about it
    """

    right: bool
    understood: bool = True
    what: str = ""
    why: str = ""


def chosen(step: LessonStep, number: int) -> Verdict:
    """The answer of that number, from 0. Raises IndexError where there is none."""
    if number < 0:
        raise IndexError(number)
    answer = step.answers[number]
    return Verdict(answer.right, what=answer.text, why=answer.why)


def heard_as(step: LessonStep, words: Sequence[Word], lexicon: Lexicon) -> Verdict:
    """Judge what was said: a call by what it means, an answer by its words or its number."""
    text = " ".join(word.text for word in words)
    if step.kind is Kind.SAY:
        return _call(step, words, lexicon, text)
    for number, answer in enumerate(step.answers):
        if _is(answer, words, lexicon):
            return chosen(step, number)
    if (named := _number(step, words, lexicon)) is not None:
        return chosen(step, named)
    return Verdict(right=False, understood=False, what=text)


def phrases_for(step: LessonStep, lexicon: Lexicon) -> tuple[str, ...]:
    """What the ear listens for: the table's phrases, and the answers whose words it knows."""
    known = lexicon.vocabulary()
    answers = [" ".join(_LETTERS.findall(answer.text.lower())) for answer in step.answers]
    fits = [text for text in answers if text and set(text.split()) <= known]
    return (*lexicon.grammar(), *fits)


def call_of(step: LessonStep, lexicon: Lexicon) -> tuple[Said, Context]:
    """The call that is to be said, and when. Raises ValueError where the words are none."""
    words = words_of(step.say)
    for context in (step.context,) if step.context else MOMENTS:
        if said := _read(words, context, lexicon):
            return said, context
    raise ValueError(f"line {step.line}: {step.say!r} is no call.")


def _call(step: LessonStep, words: Sequence[Word], lexicon: Lexicon, text: str) -> Verdict:
    wanted, context = call_of(step, lexicon)
    heard = _read(tuple(words), context, lexicon)
    # What is a call elsewhere was understood, and is wrong here.
    elsewhere = any(_read(tuple(words), other, lexicon) for other in MOMENTS)
    right = len(heard) == len(wanted) and all(map(_same, heard, wanted))
    return Verdict(right, bool(heard) or elsewhere, text, step.why if right else "")


def _read(words: tuple[Word, ...], context: Context, lexicon: Lexicon) -> Said:
    """All calls of an utterance; none where any part of it is no call."""
    calls: list[Call | Command] = []
    for segment in lexicon.segments(words):
        rest, link = segment, START
        while rest:
            reading = lexicon.read(rest, context, link)
            if isinstance(reading, Talk):
                return ()
            if isinstance(reading, Spoken):
                calls.append(reading.what)
            rest, link = rest[reading.taken :], reading.link
    return tuple(calls)


def _same(heard: Call | Command, wanted: Call | Command) -> bool:
    """Whether two wordings are one call: whose it is does not count, nor a lance left unsaid."""
    if isinstance(heard, Command) or isinstance(wanted, Command):
        return heard is wanted
    if isinstance(heard, Refuse) and isinstance(wanted, Refuse):
        return True  # "no queremos" says the same for two
    lance = wanted.lance or heard.lance
    return replace(heard, seat=None, lance=lance) == replace(wanted, seat=None, lance=lance)


def _is(answer: Answer, words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether these are an answer's own words, or the same call, or a yes or no like it."""
    own = words_of(answer.text)
    if [fold(word.text) for word in own] == [fold(word.text) for word in words]:
        return True
    if (lexicon.is_yes(words) and lexicon.is_yes(own[:1])) or (
        lexicon.is_no(words) and lexicon.is_no(own[:1])
    ):
        return True
    for context in MOMENTS:
        meant, heard = _read(own, context, lexicon), _read(tuple(words), context, lexicon)
        if meant and len(meant) == len(heard) and all(map(_same, heard, meant)):
            return True
    return False


def _number(step: LessonStep, words: Sequence[Word], lexicon: Lexicon) -> int | None:
    """The answer that a number names: by what it says where answers are numbers, else by place."""
    told = lexicon.number(words)
    if told is None and len(words) == 1 and words[0].text.isascii() and words[0].text.isdigit():
        told = int(words[0].text)
    counts = [_COUNT.match(answer.text) for answer in step.answers]
    if any(counts):
        values = [int(count[0]) if count else None for count in counts]
        return values.index(told) if told is not None and told in values else None
    return told - 1 if told is not None and 1 <= told <= len(step.answers) else None
