"""Vosk's decoders, one for each grammar, and the n-best hypotheses of an utterance."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import Any

from assistant.ear.audio import RATE, WIDTH
from assistant.ear.speech_model import (
    NONE,
    UNKNOWN,
    Curated,
    Grammar,
    StandIns,
    choose,
    fit,
    vocabulary,
)
from assistant.messages import Hypothesis, Word

# ---- The n-best hypotheses: the probability of each, and the confidence of each word of the best -


Words = tuple[Word, ...]
_PROBABILITY = attrgetter("probability")


def likely(ways: Iterable[tuple[Words, float]]) -> tuple[Hypothesis, ...]:
    """Hypotheses with their posterior probabilities, the likeliest first.

    The decoder scores each hypothesis with the log likelihood of sound and grammar together (the
    acoustic scale of a chain model is 1), so the posteriors among those kept are the softmax of the
    scores. Silence, a hypothesis without words, is one of them. Empty where there is only silence.
    """
    scored, top, said = [], -math.inf, False
    for words, score in ways:
        scored.append((words, score))
        top, said = max(top, score), said or bool(words)
    if not said:
        return ()
    weights = [math.exp(score - top) for _, score in scored]
    whole = sum(weights)
    found = []
    for (words, _), weight in zip(scored, weights, strict=True):
        found.append(Hypothesis(words, weight / whole))
    return tuple(sorted(found, key=_PROBABILITY, reverse=True))


def surest(hypotheses: tuple[Hypothesis, ...]) -> Words:
    """The words of the likeliest hypothesis that has any, each with its confidence.

    A word's confidence is the summed probability of all hypotheses that have it at this time.
    """
    best = next(way.words for way in hypotheses if way.words)
    return tuple(
        replace(word, confidence=min(1.0, sum([_with(word, way) for way in hypotheses])))
        for word in best
    )


def _with(word: Word, way: Hypothesis) -> float:
    """The probability of a hypothesis if it has this word at this time, else 0."""
    middle = (word.start + word.end) / 2
    for other in way.words:
        if other.text == word.text and other.start <= middle <= other.end:
            return way.probability
    return 0.0


# ---- Vosk's decoders, one for each grammar, kept until their moment of the game comes again -----
# Vosk can give a decoder another grammar, but never frees the one before: that costs 61 kB a time
# with the lexicon's, 100 MB in 200 deals. So there is one decoder for each grammar. One that is
# dropped frees all its memory, and one that is kept is ready at once.


HYPOTHESES = 10
"""Length of the n-best list; hypotheses beyond it are all unlikely."""
STALE = 20.0
"""Seconds of sound without a final result (a pause) after which a decoder holds too much memory."""
OLD = 180.0
"""Seconds of sound after which a decoder is replaced when its moment comes again. Every word that
it hears for the first time adds to the graph that it keeps: 0.6 MB an hour for all decoders."""
KEPT = 12
"""Decoders that are kept, each with about 1.5 MB once it has heard talk. A table's moments have
nine grammars, and others for the seconds in which a question or an article waits for an answer."""


class Decoder:
    """A Vosk decoder with one grammar. Its times count only the sound that it was fed itself."""

    def __init__(
        self,
        model: Any,
        phrases: Sequence[str],
        stand_ins: StandIns = NONE,
        hypotheses: int = HYPOTHESES,
    ) -> None:
        """``phrases``: in words of the model, and ``[unk]``. Results are given in words of ours."""
        import vosk

        self._stand_ins = stand_ins
        # Vosk reads no \u escapes: ASCII would lose words with an accent.
        self._vosk = vosk.KaldiRecognizer(model, RATE, json.dumps(phrases, ensure_ascii=False))
        self._vosk.SetWords(True)
        self._vosk.SetMaxAlternatives(hypotheses)
        self._goes_on = False
        self.fed = 0
        """Samples so far."""
        self._begun = 0

    def hear(self, sounds: Iterable[bytes]) -> dict[str, Any]:
        """Decode these sounds, one after the other, as an utterance of their own."""
        self._goes_on = False
        for sound in sounds:
            self.fed += len(sound) // WIDTH
            self._vosk.AcceptWaveform(sound)
        return self.final_result()

    def accept(self, sound: bytes) -> bool:
        """Decode some more; whether the utterance is over by Vosk's own rule."""
        self._goes_on = False
        self.fed += len(sound) // WIDTH
        return bool(self._vosk.AcceptWaveform(sound))

    def partial(self) -> str:
        """What the utterance under way sounds like so far."""
        heard = str(json.loads(self._vosk.PartialResult()).get("partial", ""))
        if not self._stand_ins.chosen:
            return " ".join(heard.split())
        return " ".join([word for word, _ in self._stand_ins.ours(tuple(heard.split()))])

    def result(self) -> dict[str, Any]:
        """The utterance that Vosk ended; what is fed next goes on from the same sound."""
        self._goes_on = True
        return self._told(self._vosk.Result())

    def final_result(self) -> dict[str, Any]:
        """End the utterance here and return it; what is fed next is heard by itself."""
        self._begun = self.fed
        return self._told(self._vosk.FinalResult())

    @property
    def is_stale(self) -> bool:
        """Whether it holds so much past sound that it should begin anew: 1.2 MB a minute.

        Vosk itself frees that only after ten minutes, or with a final result.
        """
        return self.fed - self._begun > STALE * RATE

    @property
    def is_old(self) -> bool:
        """Whether it has heard so much that a new decoder in its place would take less memory."""
        return self.fed > OLD * RATE

    def rest(self) -> None:
        """Let it begin anew when it is used again, because what it heard last is long ago by then.

        After a result of its own, Vosk would hear the next sound as going on from it. The only way
        to stop that is to end an utterance, here an empty one.
        """
        if self._goes_on:
            self.accept(b"")
            self.final_result()

    def _told(self, result: str) -> dict[str, Any]:
        """A result of Vosk's in our words."""
        found: dict[str, Any] = json.loads(result)
        for way in found.get("alternatives", ()) if self._stand_ins.chosen else ():
            if "result" in way:
                way["result"] = _ours(way["result"], self._stand_ins)
        return found


class Decoders:
    """The decoders of one model; the least recently used ones are dropped."""

    def __init__(
        self,
        model: Any,
        vocabulary_of: Sequence[str] = (),
        curated: Curated | None = None,
        hypotheses: int = HYPOTHESES,
        kept: int = KEPT,
    ) -> None:
        """``vocabulary_of``: phrases with all the words that any grammar will have.

        Words that the model lacks get stand-ins: ``curated`` ones, or other spellings; without
        ``curated`` none at all. ``hypotheses``: length of the n-best list. ``kept``: how many
        decoders are kept.
        """
        self._model = model
        self._hypotheses, self._most = hypotheses, kept
        self.stand_ins = (
            NONE if curated is None else choose(vocabulary(vocabulary_of), self.knows, curated)
        )
        self._kept: OrderedDict[tuple[str, ...], Decoder] = OrderedDict()
        self._known = cache(self.knows)  # the moments' grammars have the same words

    def __len__(self) -> int:
        return len(self._kept)

    def renew(self, model: Any) -> None:
        """Decode with another model of the same words from now on."""
        self._model = model
        self._kept.clear()

    def knows(self, word: str) -> bool:
        """Whether the model has a word."""
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def hears(self, word: str) -> bool:
        """Whether the model has a word or a stand-in for it; it always has ``[unk]``."""
        return word == UNKNOWN or word in self.stand_ins.chosen or self.knows(word)

    def fit(self, phrases: Sequence[str]) -> Grammar:
        """The part of a grammar that the model can hear."""
        return fit(phrases, self._known, self.stand_ins)

    def of(self, phrases: Sequence[str]) -> Decoder:
        """The decoder of a grammar; made (18 ms; Basque 57) if there is none, or only an old one.

        Ask for it between two utterances.
        """
        decoder = self._kept.pop(key := tuple(phrases), None)
        if decoder is None or decoder.is_old:
            fitted = self.fit(phrases).phrases
            decoder = Decoder(self._model, fitted, self.stand_ins, self._hypotheses)
        self._kept[key] = decoder
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return decoder


def _ours(words: Sequence[dict[str, Any]], stand_ins: StandIns) -> list[dict[str, Any]]:
    """The words of ours, each with the time of all the model's words that it was heard as."""
    found, at = [], 0
    for word, size in stand_ins.ours(tuple([str(one["word"]) for one in words])):
        last = words[at + size - 1]
        found.append({**words[at], "word": word, "end": last["end"]})
        at += size
    return found
