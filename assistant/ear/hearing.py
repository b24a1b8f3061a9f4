"""The ear of a table: what it listens for now, and how long it waits for more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from assistant.ear import (
    NEARLY,
    PATIENCE,
    PAUSE,
    SETTLED,
    Hears,
    PauseAfter,
    Recogniser,
    SecondOpinion,
    pause_by_words,
)
from assistant.ear.decoder import Decoders
from assistant.ear.second_pass import LEAST, WAYS, Reheard, Wanted, dear_in
from assistant.ear.second_stage import SecondStage
from assistant.ear.speech_model import load_model, load_stand_ins, vocabulary
from assistant.files.settings import Settings
from assistant.language.lexicon import GoesOn, Lexicon, Moment, context_of
from assistant.messages import Word
from assistant.rules.engine import missing_hands
from assistant.rules.phases import Phase
from assistant.rules.state import State

# ---- How long the ear waits after what was said: as long as it may still become another call ----


BETWEEN_CARDS = 0.75
"""Seconds that a player may look at his next card before he names it."""
DECLARING = frozenset({Moment.PARES, Moment.JUEGO})


def pause_after(lexicon: Lexicon, state: Callable[[], State]) -> PauseAfter:
    """The pause for a table whose ``state`` is asked for at every end of speech.

    It is called on the ear's thread; a state is never changed, so the newest one may be read.
    """

    def seconds(text: str) -> float:
        context = context_of(state())
        match lexicon.goes_on(text, context):
            case GoesOn.NO:
                return SETTLED
            case GoesOn.RARELY:
                return NEARLY
            case _ if context.moment in DECLARING:
                # Who says "no" to "¿pares?" refuses no bet: there is no "quiero" to wait for.
                return PAUSE
            case GoesOn.DEARLY if context.moment is Moment.SHOWDOWN:
                return BETWEEN_CARDS
            case GoesOn.DEARLY:
                return PATIENCE
            case GoesOn.OFTEN:
                return pause_by_words(text)

    return seconds


# ---- What the ear of a table listens for, and how long it waits for more ------------------------


def attend(
    recogniser: Recogniser,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], bool] = lambda: False,
) -> None:
    """Have the ear follow the table whose ``state`` is asked for: what fits it is likelier.

    ``asked``: whether a question stands there, so that answers are expected. Both are called on the
    ear's thread; a state is never changed, so the newest one may be read.
    """
    recogniser.pause_after = pause_after(lexicon, state)
    recogniser.phrases_now = lambda: lexicon.grammar(context_of(state(), asked()))


# ---- The ear of a table: its model, the words that the model lacks, and a second model's opinion


HAND = 0.7, 7.0, 1.0
"""Seconds that a hand takes at least and at most, and of a pause in it: talk behind the table may
tear it into several utterances, or leave none of it."""
GRAMMARS = 24
"""Decoders that hear once more: each of a table's moments has two grammars, its own and all."""
CALL = 0.15, 4.0
"""Seconds that a call takes, or an answer, at least and at most."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a model has of a table's words.

    words      how many words the table has
    missing    those that the model lacks
    stand_ins  what the model listens for in their place; those without one are not heard
    unheard    phrases with a word that is not heard
    """

    words: int
    missing: tuple[str, ...]
    stand_ins: Mapping[str, tuple[str, ...]]
    unheard: tuple[str, ...]

    def told(self) -> dict[str, Any]:
        """For a machine."""
        missing = {word: list(self.stand_ins.get(word, ())) for word in self.missing}
        return {"words": self.words, "missing": missing, "unheard": list(self.unheard)}

    @property
    def silent(self) -> tuple[str, ...]:
        """The words that are not heard."""
        return tuple(word for word in self.missing if word not in self.stand_ins)


def vocabulary_of(model: Path, lexicon: Lexicon, seats: Sequence[str] = ()) -> Vocabulary:
    """Compare a model's words with those of a table, and see that it takes their grammar.

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


def open_ear(
    settings: Settings,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], str | None] = lambda: None,
    seats: Sequence[str] = (),
) -> Hears:
    """What hears a table whose ``state`` is asked for, and the code of what it has ``asked``.

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
    asked: Callable[[], str | None] = lambda: None,
    seats: Sequence[str] = (),
    second: Decoders | None = None,
    least: float = LEAST,
    stage: SecondStage | None = None,
    kind: type[Reheard] = Reheard,
) -> Hears:
    """The ear of a table, with one model; ``second``: another one's opinion of what is dear.

    ``asked``: the code of the question that stands there. ``least``: the margin from which an
    utterance may be a hand; ``stage``: tells calls from talk, None hears no call once more; see
    Reheard, of which ``kind`` is one.

    Raises ModelError, UsageError.
    """
    phrases, curated = lexicon.whole_grammar(seats), load_stand_ins()
    loaded = load_model(model)
    recogniser = Recogniser(model, phrases, curated=curated, loaded=loaded)
    attend(recogniser, lexicon, state, lambda: asked() is not None)
    first: Hears = recogniser
    if second is not None:
        first = SecondOpinion(recogniser, second, dear_in(lexicon, state))
    again = Decoders(loaded, phrases, curated, hypotheses=WAYS, kept=GRAMMARS)

    def wants() -> Sequence[Wanted]:
        now, question = state(), asked()
        context = context_of(now, question is not None)
        hands: tuple[Wanted, ...] = ()
        if now.phase is Phase.SHOWDOWN and missing_hands(now):
            named = partial(lexicon.names_hand, context=context)
            hands = (Wanted(lexicon.hand_grammar(context), named, *HAND),)
        if now.phase in (Phase.SHOWDOWN, Phase.COUNT, Phase.OVER) and question is None:
            return hands

        def said(words: Sequence[Word]) -> bool:
            return lexicon.is_one_call(words, context) or (
                question is not None and any(lexicon.answers(question, words, context))
            )

        return (*hands, Wanted(lexicon.expected_grammar(context), said, *CALL))

    return kind(
        first,
        again,
        lambda: recogniser.phrases_now(),
        wants,
        lambda: recogniser.front,
        stage,
        least,
    )
