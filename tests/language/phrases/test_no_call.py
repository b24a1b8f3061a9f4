"""What the voice says of a deal is no call: a microphone that hears it must not play by it."""

from __future__ import annotations

import re

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Context, Lexicon, Spoken, words_of
from assistant.language.phrases import Phrases
from assistant.messages import Command
from assistant.rules.calls import NextDeal, Place
from assistant.rules.phases import BETTING, Phase
from tests.language.phrases.cases_voice import VOICE
from tests.rules.play import SEATS

SENTENCE_END = re.compile(r"(?<=[.?!]) ")
TRUE_ALREADY = (NextDeal, Place)
"""Calls that tell where the deal stands ("es mano Sur"), which is so when the voice says it."""
LANGUAGES = {"es": ("es",), "eu": ("es", "eu"), "en": ("es",)}
"""Language of the voice -> languages of the calls at its table."""


def calls_in(lexicon: Lexicon, sentence: str) -> set[str]:
    """What a sentence would be taken for, at any moment of a deal."""
    words = words_of(re.sub(r"[^\w\s]", " ", sentence.lower()))
    found = set()
    for phase in Phase:
        for pending in (False, True) if phase in BETTING else (False,):
            reading = lexicon.read(words, Context(phase, pending, seats=SEATS))
            if isinstance(reading, Spoken) and not isinstance(reading.what, TRUE_ALREADY):
                found.add(f"{phase}: {reading.what}")
    return found


def test_no_sentence_of_the_voice_is_a_call(phrases: Phrases) -> None:
    lexicon = load_lexicon(LANGUAGES[phrases.code])
    told = {case.tell(phrases) for case in VOICE} - {None}
    sentences = {part for text in told if text for part in SENTENCE_END.split(text)}
    taken = {text: calls for text in sentences if (calls := calls_in(lexicon, text))}
    assert taken == {}


def test_a_call_is_taken_for_one_by_the_same_measure() -> None:
    lexicon = load_lexicon(("es",))
    for call in ("Paso.", "Envido cinco.", "No quiero.", "Órdago a la grande."):
        assert calls_in(lexicon, call)
    assert str(Command.SCORE) in str(calls_in(lexicon, "¿Cómo vamos?"))
