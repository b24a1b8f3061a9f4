"""The ear of a table: its endpointing policy, its grammar of the moment, and how it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from assistant.ear import (
    NEARLY,
    PATIENCE,
    PAUSE,
    SETTLED,
    PauseAfter,
    Recogniser,
    Renewable,
    SecondOpinion,
    pause_by_words,
)
from assistant.ear.decoder import Decoders
from assistant.ear.second_opinion import dear_in
from assistant.ear.second_pass import LEAST, WAYS, Reheard, Wanted
from assistant.ear.second_stage import SecondStage
from assistant.ear.speech_model import load_model, load_stand_ins, vocabulary
from assistant.ear.spotting import Spotter
from assistant.files.settings import Settings
from assistant.language.lexicon import GoesOn, Lexicon, Moment, OpenQuestion, Spoken, context_of
from assistant.messages import Word
from assistant.rules.calls import Call
from assistant.rules.engine import decide, missing_hands
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.phases import Phase
from assistant.rules.state import State

# ---- Endpointing policy: wait as long as what was said may still become another call ------------


BETWEEN_CARDS = 0.75
"""Seconds that a player may look at his next card before he names it."""
DECLARING = frozenset({Moment.PARES, Moment.JUEGO})


def pause_after(lexicon: Lexicon, state: Callable[[], State]) -> PauseAfter:
    """The endpointing policy for a table; ``state`` is called at every end of speech.

    It runs on the ear's thread. A state is never changed, so the newest one may be read.
    """

    def seconds(text: str) -> float:
        context = context_of(state())
        match lexicon.goes_on(text, context):
            case GoesOn.NO:
                return SETTLED
            case GoesOn.RARELY:
                return NEARLY
            case _ if context.moment in DECLARING:
                # A "no" to "¿pares?" refuses no bet, so there is no "quiero" to wait for.
                return PAUSE
            case GoesOn.DEARLY if context.moment is Moment.SHOWDOWN:
                return BETWEEN_CARDS
            case GoesOn.DEARLY:
                return PATIENCE
            case GoesOn.OFTEN:
                return pause_by_words(text)

    return seconds


# ---- The grammar and the pause, following the table ---------------------------------------------


Policy = TypeVar("Policy")


def while_it_stands(
    state: Callable[[], State],
    asked: Callable[[], OpenQuestion | None],
    work_out: Callable[[State, OpenQuestion | None], Policy],
) -> Callable[[], Policy]:
    """Cache what ``work_out`` gives for as long as the table and its question stay the same.

    The ear asks for it with every block of sound. ``asked``: the question that stands.
    """
    kept: list[tuple[State, OpenQuestion | None, Policy]] = []

    def now() -> Policy:
        table, question = state(), asked()
        if not kept or kept[0][0] is not table or kept[0][1] != question:
            kept[:] = [(table, question, work_out(table, question))]
        return kept[0][2]

    return now


def attend(
    recogniser: Recogniser,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], OpenQuestion | None] = lambda: None,
) -> None:
    """Make a recogniser follow the table: wordings that fit its ``state`` become likelier.

    ``asked``: the question that stands there, so that its answers are expected. Both are
    called on the ear's thread. A state is never changed, so the newest one may be read.
    """

    def phrases(table: State, question: OpenQuestion | None) -> Sequence[str]:
        return lexicon.grammar(context_of(table, question))

    recogniser.pause_after = pause_after(lexicon, state)
    recogniser.phrases_now = while_it_stands(state, asked, phrases)


# ---- Building the ear: its model, stand-ins for words that the model lacks, the second passes ----


HAND = 0.7, 7.0, 1.0, 4.0
"""Of a hand that is named, in seconds: the least and the most speech; the pause after which it is
heard as a whole, because talk behind the table may split it into several utterances, or hide it;
and the longest pause between two cards that are laid one by one."""
GRAMMARS = 24
"""Decoders of the second pass: each moment of a table has two grammars, its own and the full
one."""
CALL = 0.15, 4.0
"""Seconds that a call or an answer takes at least and at most."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which of a table's words a model has.

    words      how many words the table has
    missing    those that the model lacks
    stand_ins  what the model listens for in their place; words without one cannot be heard
    unheard    phrases with a word that cannot be heard
    """

    words: int
    missing: tuple[str, ...]
    stand_ins: Mapping[str, tuple[str, ...]]
    unheard: tuple[str, ...]

    def told(self) -> dict[str, Any]:
        """As JSON."""
        missing = {word: list(self.stand_ins.get(word, ())) for word in self.missing}
        return {"words": self.words, "missing": missing, "unheard": list(self.unheard)}

    @property
    def silent(self) -> tuple[str, ...]:
        """The words that cannot be heard."""
        return tuple(word for word in self.missing if word not in self.stand_ins)


def vocabulary_of(model: Path, lexicon: Lexicon, seats: Sequence[str] = ()) -> Vocabulary:
    """Compare a model's words with a table's, and check that it accepts their grammar.

    ``seats``: the players' names, which are words of the table, too. Raises ModelError, UsageError.
    """
    phrases = lexicon.whole_grammar(seats)
    decoders = Decoders(load_model(model), phrases, load_stand_ins())
    grammar = decoders.fit(phrases)
    decoders.of(phrases)
    ways = decoders.stand_ins.chosen.items()
    return Vocabulary(
        len(vocabulary(phrases)),
        grammar.missing,
        {word: tuple(" ".join(way) for way in found) for word, found in ways},
        grammar.left_out,
    )


def state_after(words: Sequence[Word], state: State, lexicon: Lexicon) -> State | None:
    """How the table stands once a call was made; None where that is not clear."""
    reading = lexicon.read(words, context_of(state))
    if not isinstance(reading, Spoken) or not isinstance(reading.what, Call):
        return None
    try:
        return decide(state, reading.what).state
    except (IllegalCall, AmbiguousCall):
        return None


def open_ear(
    settings: Settings,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], OpenQuestion | None] = lambda: None,
    seats: Sequence[str] = (),
) -> Renewable:
    """Open the ear of a table; ``asked`` gives the question that stands there.

    ``seats``: the players' names. Raises ModelError, UsageError.
    """
    curated = load_stand_ins()
    second = None
    if settings.second is not None:
        phrases = lexicon.whole_grammar(seats)
        second = Decoders(load_model(settings.second), phrases, curated)
    stage = SecondStage.of_model(settings.model)
    return ear_of(settings.model, lexicon, state, asked, seats, second, stage=stage)


def ear_of(
    model: Path,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], OpenQuestion | None] = lambda: None,
    seats: Sequence[str] = (),
    second: Decoders | None = None,
    least: float = LEAST,
    stage: SecondStage | None = None,
    kind: type[Reheard] = Reheard,
) -> Renewable:
    """The ear of a table; ``second``: another model, which must confirm dear calls.

    ``asked``: the question that stands there. ``least``: the margin from which an
    utterance may be a hand. ``stage`` tells calls from talk; with None no call gets a second pass.
    ``kind``: ``Reheard`` or a subclass of it.

    Raises ModelError, UsageError.
    """
    phrases, curated = lexicon.whole_grammar(seats), load_stand_ins()
    loaded = load_model(model)
    recogniser = Recogniser(model, phrases, curated=curated, loaded=loaded)
    attend(recogniser, lexicon, state, asked)
    first: Renewable = recogniser
    if second is not None:
        first = SecondOpinion(recogniser, second, dear_in(lexicon, state))
    again = Decoders(loaded, phrases, curated, hypotheses=WAYS, kept=GRAMMARS)

    def call_of(now: State, question: OpenQuestion | None) -> Wanted | None:
        if now.phase in (Phase.SHOWDOWN, Phase.COUNT, Phase.OVER) and question is None:
            return None
        context = context_of(now)

        def said(words: Sequence[Word]) -> bool:
            return lexicon.is_one_call(words, context) or (
                question is not None and any(lexicon.answers(question.code, words, context))
            )

        def after(words: Sequence[Word]) -> Wanted | None:
            then = state_after(words, now, lexicon)
            return call_of(then, None) if then else None

        expected = lexicon.expected_grammar(context_of(now, question))
        return Wanted(expected, said, *CALL, after=after)

    def wants(now: State, question: OpenQuestion | None) -> Sequence[Wanted]:
        context = context_of(now)
        hands: tuple[Wanted, ...] = ()
        if now.phase is Phase.SHOWDOWN and missing_hands(now):
            named = partial(lexicon.names_hand, context=context)
            laid = partial(lexicon.lays_hand, context=context)
            hands = (Wanted(lexicon.hand_grammar(context), named, *HAND, laid),)
        call = call_of(now, question)
        return (*hands, call) if call else hands

    return kind(
        first,
        again,
        lambda: recogniser.phrases_now(),
        while_it_stands(state, asked, wants),
        lambda: recogniser.front,
        stage,
        least,
        partial(Spotter.of_model, model) if stage else None,
    )
