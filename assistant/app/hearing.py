"""The ear of a table: its model, the words that the model lacks, and a second model's opinion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.app.attention import attend
from assistant.app.dear import dear_in
from assistant.app.resources import load_stand_ins
from assistant.app.settings import Settings
from assistant.lexicon import Lexicon, context_of
from assistant.messages import Word
from assistant.rules.engine import missing_hands
from assistant.rules.phases import Phase
from assistant.rules.state import State
from assistant.speech import Hears, Recogniser, SecondOpinion
from assistant.speech.decoder import Decoders
from assistant.speech.grammar import vocabulary
from assistant.speech.model import load_model
from assistant.speech.reheard import LEAST, WAYS, Reheard


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
    asked: Callable[[], bool] = lambda: False,
    seats: Sequence[str] = (),
) -> Hears:
    """What hears a table whose ``state`` is asked for, and whether it has ``asked`` something.

    ``seats``: the players' names. Raises ModelError, UsageError.
    """
    curated = load_stand_ins()
    second = None
    if settings.second is not None:
        phrases = lexicon.whole_grammar(seats)
        second = Decoders(load_model(settings.second), phrases, curated)
    return ear_of(settings.model, lexicon, state, asked, seats, second)


def ear_of(
    model: Path,
    lexicon: Lexicon,
    state: Callable[[], State],
    asked: Callable[[], bool] = lambda: False,
    seats: Sequence[str] = (),
    second: Decoders | None = None,
    least: float = LEAST,
) -> Hears:
    """The ear of a table, with one model; ``second``: another one's opinion of what is dear.

    ``least``: the margin from which an utterance may be a hand; see Reheard.

    Raises ModelError, UsageError.
    """
    phrases, curated = lexicon.whole_grammar(seats), load_stand_ins()
    loaded = load_model(model)
    recogniser = Recogniser(model, phrases, curated=curated, loaded=loaded)
    attend(recogniser, lexicon, state, asked)
    first: Hears = recogniser
    if second is not None:
        first = SecondOpinion(recogniser, second, dear_in(lexicon, state))
    hands = Decoders(loaded, phrases, curated, hypotheses=WAYS)

    def narrow() -> Sequence[str] | None:
        now = state()
        if now.phase is not Phase.SHOWDOWN or not missing_hands(now):
            return None
        return lexicon.hand_grammar(context_of(now))

    def is_hand(words: Sequence[Word]) -> bool:
        return lexicon.names_hand(words, context_of(state()))

    return Reheard(
        first,
        hands,
        lambda: recogniser.phrases_now(),
        narrow,
        is_hand,
        recogniser.spoken_before,
        least,
    )
