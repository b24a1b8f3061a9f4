"""An exercise in words: what it shows and asks, its answers, and why one of them is the best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypedDict

from assistant.files.resources import load_phrases, load_wording, nearest
from assistant.language.phrases import Phrases
from assistant.language.phrases.language import sentence
from assistant.language.sentences import Wording
from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.cards import HAND_SIZE, Hand, Rank
from assistant.rules.events import How
from assistant.rules.hands import ParesKind, value
from assistant.rules.phases import JUEGO, PARES, PUNTO, Lance
from assistant.rules.profile import Profile
from assistant.rules.state import LanceResult, State
from assistant.school.apprentice import Tongue, why_views
from assistant.school.apprentice.page import load_tongue
from assistant.school.drills.exercises import (
    COUNT_OF,
    KINDS,
    NAMES,
    PARES_OF,
    POINTS_OF,
    STONES_OF,
    DrillChoice,
    DrillKind,
    Exercise,
    pares_name,
)
from assistant.school.drills.positions import ME, places_of
from assistant.school.drills.schedule import DrillGrade, grade_of
from assistant.school.lessons import LessonAnswer, LessonStep

# ---- What is shown ------------------------------------------------------------------------------


class DrillLineView(TypedDict):
    """A hand or a call: whose it is, and the cards, or the words."""

    who: str
    cards: list[str]
    words: str


class ExerciseView(TypedDict):
    """An exercise, without its answer.

    lines    hands that lie open, or calls that were made
    throws   whether cards of ``hand`` are chosen; then there are no ``choices``
    again    whether it was wrong before
    """

    name: str
    kind: str
    title: str
    skill: str
    level: int
    facts: list[str]
    lines: list[DrillLineView]
    hand: list[str]
    question: str
    choices: list[str]
    throws: bool
    again: bool


class DrillGradeView(TypedDict):
    """What became of an answer.

    grade  "right", "doubtful" or "wrong"
    best   the best answer's number; costs: what each answer costs, as it is shown, "" if nothing
    lost   the points of the juego that the answer costs; None where it was right or wrong
    """

    grade: str
    result: str
    chosen: int
    best: int
    costs: list[str]
    lost: float | None
    why: str


@dataclass(frozen=True, slots=True)
class DrillTongue:
    """All words of the exercises in one language."""

    words: Wording
    phrases: Phrases
    tongue: Tongue


@lru_cache(maxsize=8)
def drill_tongue(language: str) -> DrillTongue:
    """The words of a language, or of Spanish. Raises UsageError, SentenceError."""
    code = nearest("drills", language)
    spoken = nearest("taught", code)
    return DrillTongue(load_wording("drills", code), load_phrases(code), load_tongue(code, spoken))


def exercise_view(exercise: Exercise, told: DrillTongue, *, again: bool) -> ExerciseView:
    """An exercise as a page or a terminal shows it."""
    words, kind = told.words, exercise.kind
    throws = kind is DrillKind.THROWS
    one = len(exercise.hands) == 1
    return {
        "name": exercise.name,
        "kind": str(kind),
        "title": words(f"kind.{kind}"),
        "skill": words(f"skill.{exercise.skill}"),
        "level": exercise.level,
        "facts": _facts(exercise, told),
        "lines": _lines(exercise, told),
        "hand": _cards(exercise.hands[0]) if one else [],
        "question": _question(exercise, told),
        "choices": []
        if throws
        else [choice_text(exercise, at, told) for at in range(len(exercise.choices))],
        "throws": throws,
        "again": again,
    }


def _cards(hand: Hand) -> list[str]:
    return [str(card.rank) for card in hand]


def _facts(exercise: Exercise, told: DrillTongue) -> list[str]:
    if exercise.sight is None:
        return []
    state, words = exercise.sight.state, told.words
    ours, theirs = state.stones
    facts = [words("facts.score", ours=ours, theirs=theirs, target=state.profile.target)]
    facts.append(words(f"facts.mano.{state.order().index(ME)}"))
    for result in state.results:
        if result.how in (How.PASSED, How.ACCEPTED, How.REFUSED, How.UNCONTESTED, How.NOBODY):
            facts.append(_closed(result, told))
    return facts


def _closed(result: LanceResult, told: DrillTongue) -> str:
    side = told.words("facts.ours" if result.side == "A" else "facts.theirs")
    filled = told.words(
        f"facts.{result.how}",
        the=told.tongue.language.lance(result.lance, "the"),
        stones=told.tongue.stones(result.stones),
        won=told.tongue.stones(result.won or (result.bet.deje if result.bet else 1)),
        side=side,
    )
    return sentence(filled)


def _lines(exercise: Exercise, told: DrillTongue) -> list[DrillLineView]:
    words = told.words
    lines: list[DrillLineView] = []
    if exercise.kind is DrillKind.WINS:
        last = len(exercise.hands) - 1
        for place, hand in enumerate(exercise.hands):
            who = words(f"place.{place}")
            if place == last > 1:
                who = words("last", n=place + 1)
            lines.append({"who": who, "cards": _cards(hand), "words": ""})
    if exercise.counted is not None:
        for seat, hand in zip(exercise.counted.order(), exercise.hands, strict=True):
            lines.append({"who": NAMES[seat - 1], "cards": _cards(hand), "words": ""})
    state = exercise.counted or (exercise.sight.state if exercise.sight else None)
    if state is None or exercise.kind is DrillKind.THROWS:
        return lines
    now = exercise.lance if exercise.counted else state.lance
    for lance, call in exercise.said:
        if lance is now:
            who = NAMES[(call.seat or 1) - 1] if exercise.counted else _who(call, told)
            lines.append({"who": who, "cards": [], "words": call_text(call, lance, state, told)})
    return lines


def _who(call: Call, told: DrillTongue) -> str:
    return told.words(f"who.{(call.seat or 1) - 1}")


def call_text(call: Call, lance: Lance | None, state: State, told: DrillTongue) -> str:
    """A call in a word or two."""
    if isinstance(call, c.Declare):
        call = replace(call, lance=lance)
    return told.phrases.label(call, state)


def _question(exercise: Exercise, told: DrillTongue) -> str:
    language = told.tongue.language
    kind, lance = exercise.kind, exercise.lance
    the = language.lance(lance, "the") if lance else ""
    if kind is DrillKind.WINS:
        return told.words("asks.gana", the=the)
    if kind is DrillKind.WORTH:
        return told.words(f"asks.{exercise.skill.partition('.')[2]}", the=the)
    if kind is DrillKind.WANTS and exercise.sight is not None and lance is not None:
        call = exercise.said[-1][1]
        bets = [one for _, one in exercise.said if isinstance(one, c.Bet | c.Raise | c.Ordago)]
        call = bets[-1] if bets else call
        state = exercise.sight.state
        return told.words(
            "asks.quieres",
            name=_who(call, told),
            call=call_text(call, lance, state, told),
            lance=language.lance(lance, "to"),
        )
    return told.words(f"asks.{kind}")


def choice_text(exercise: Exercise, at: int, told: DrillTongue) -> str:
    """An answer in words."""
    choice = exercise.choices[at]
    if choice.call is not None and exercise.sight is not None:
        return call_text(choice.call, exercise.lance, exercise.sight.state, told)
    if exercise.kind is DrillKind.THROWS:
        thrown = tuple(exercise.hands[0][place] for place in places_of(at + 1))
        assert exercise.sight is not None
        cards = told.tongue.cards(thrown, exercise.sight.state.profile)
        return told.words("why.throw", cards=cards)
    return told.words(f"pares.{choice.key}") if choice.key in KINDS else choice.key


# ---- What became of an answer -------------------------------------------------------------------


def grade_view(exercise: Exercise, at: int, profile: Profile, told: DrillTongue) -> DrillGradeView:
    """The grade of an answer, and why."""
    choice = exercise.choices[at]
    grade = grade_of(choice)
    return {
        "grade": str(grade),
        "result": told.words(f"result.{grade}"),
        "chosen": at,
        "best": exercise.best,
        "costs": [_cost_text(one, told) for one in exercise.choices],
        "lost": choice.cost,
        "why": _why(exercise, at, grade, profile, told),
    }


def _cost_text(choice: DrillChoice, told: DrillTongue) -> str:
    if choice.cost is None or choice.cost < 0.05:
        return ""
    return f"−{choice.cost:.1f}".replace(".", told.words("decimal"))


def _why(
    exercise: Exercise, at: int, grade: DrillGrade, profile: Profile, told: DrillTongue
) -> str:
    if exercise.kind is DrillKind.WINS:
        return _why_wins(exercise, grade, profile, told)
    if exercise.kind is DrillKind.WORTH:
        return _why_worth(exercise, profile, told)
    words = told.words
    best = sentence(choice_text(exercise, exercise.best, told))
    if at == exercise.best:
        return words("why.fine")
    if grade is DrillGrade.RIGHT:
        return words("why.close", best=best)
    lost = f"{exercise.choices[at].cost or 0.0:.1f}".replace(".", words("decimal"))
    return words("why.cost", what=sentence(choice_text(exercise, at, told)), best=best, lost=lost)


def _why_wins(exercise: Exercise, grade: DrillGrade, profile: Profile, told: DrillTongue) -> str:
    lance, won = exercise.lance, exercise.best
    assert lance is not None
    keys = {
        n: key
        for n, hand in enumerate(exercise.hands)
        if (key := value(hand, profile).key(lance)) is not None
    }
    other = max((n for n in keys if n != won), key=lambda n: (keys[n], -n))
    what = held_text(exercise.hands[won], lance, profile, told)
    words = told.words
    if keys[other] == keys[won]:
        said = [words("why.tie", n=won + 1, other=other + 1, what=what)]
    else:
        theirs = held_text(exercise.hands[other], lance, profile, told)
        said = [
            words("why.wins", n=won + 1, what=what),
            words("why.beats", other=other + 1, what=theirs),
        ]
    if grade is not DrillGrade.RIGHT:
        said.append(told.tongue(f"rule.{lance}"))
    return " ".join(said)


def held_text(hand: Hand, lance: Lance, profile: Profile, told: DrillTongue) -> str:
    """What a hand has in a lance: its cards, its pares, its points."""
    worth = value(hand, profile)
    if lance is PARES:
        if worth.pares is None:
            return told.words("held.nada")
        one, *other = (told.tongue.language.rank(strength) for strength in worth.pares.ranks)
        if worth.pares.kind is not ParesKind.DUPLES:
            return told.words(f"held.{worth.pares.kind.name.lower()}", rank=one)
        if other[0] == one:
            return told.words("held.duples_four", rank=one)
        return told.words("held.duples", rank=one, other=other[0])
    if lance in (JUEGO, PUNTO):
        return told.words("held.points", points=worth.points)
    return told.tongue.cards(hand, profile, low_first=lance is Lance.CHICA)


def _why_worth(exercise: Exercise, profile: Profile, told: DrillTongue) -> str:
    words, (hand, *_), what = told.words, exercise.hands, exercise.skill.partition(".")[2]
    points = value(hand, profile).points
    hidden = profile.kings == 8 and any(card.rank in (Rank.TRES, Rank.DOS) for card in hand)
    if what == COUNT_OF and exercise.counted is not None:
        views = why_views(exercise.counted, told.tongue)
        return next(view["text"] for view in views if view["lance"] == exercise.lance)
    if what == PARES_OF:
        said = words("why.kinds", what=held_text(hand, PARES, profile, told))
        mixed = pares_name(hand, profile) != pares_name(hand, Profile(kings=4))
        return f"{said} {words('why.eight_pares')}" if mixed else said
    parts = " + ".join(str(value((card,), profile).points) for card in hand)
    said = words("why.sum", parts=parts, points=points)
    if what == STONES_OF:
        stones = value(hand, profile).juego_stones
        key = {3: "real", 2: "juego"}.get(stones, "punto")
        said = words(f"why.{key}", points=points)
    if what in (POINTS_OF, STONES_OF) and hidden:
        said = f"{said} {words('why.eight')}"
    return said


# ---- Answers said aloud -------------------------------------------------------------------------


def step_of(exercise: Exercise, told: DrillTongue) -> LessonStep:
    """An exercise as a step of a lesson, whose answers the table's ear knows how to hear.

    For a throw the ear hears how many cards; the best throw of that many cards is then taken.
    """
    if exercise.kind is DrillKind.THROWS:
        texts = [str(n + 1) for n in range(HAND_SIZE)]
    else:
        texts = [choice_text(exercise, at, told) for at in range(len(exercise.choices))]
    # The grade says which answer is right, not the ear: here all are alike.
    return LessonStep(0, (), answers=tuple(LessonAnswer(text, False, "") for text in texts))


def choice_heard(exercise: Exercise, step: LessonStep, text: str) -> int:
    """The number of the answer that was heard. Raises ValueError where it is none."""
    at = [answer.text for answer in step.answers].index(text)
    if exercise.kind is not DrillKind.THROWS:
        return at
    same = [n for n in range(len(exercise.choices)) if len(places_of(n + 1)) == at + 1]
    return min(same, key=lambda n: exercise.choices[n].cost or 0.0)
