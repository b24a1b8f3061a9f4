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

# ---- The ways to hear an utterance: how likely each is, and how sure each word of the likeliest


Words = tuple[Word, ...]
_PROBABILITY = attrgetter("probability")


def likely(ways: Iterable[tuple[Words, float]]) -> tuple[Hypothesis, ...]:
    """Hypotheses, the likeliest first, from words and log likelihoods.

    The decoder's scores are log likelihoods of sound and grammar together (the acoustic scale of a
    chain model is 1), so the probability of each way among those kept is their softmax. Silence,
    a way without words, is one of the ways. Nothing at all where silence is all there is.
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
    """The words of the likeliest way that has any, each with its confidence.

    A word's confidence is the probability of all the ways in which it stands where it stands here.
    """
    best = next(way.words for way in hypotheses if way.words)
    return tuple(
        replace(word, confidence=min(1.0, sum([_with(word, way) for way in hypotheses])))
        for word in best
    )


def _with(word: Word, way: Hypothesis) -> float:
    """The probability of a way, if it has this word at this time."""
    middle = (word.start + word.end) / 2
    for other in way.words:
        if other.text == word.text and other.start <= middle <= other.end:
            return way.probability
    return 0.0


# ---- Vosk's decoders, one for each grammar, kept for the next time that its moment comes --------
# Vosk can give a decoder another grammar, but never frees the one before: 61 kB a time with the
# lexicon's, 100 MB in 200 deals. A decoder that is let go frees all that it held, and one that is
# kept is there at once.


HYPOTHESES = 10
"""Ways to hear an utterance that are kept; beyond that nothing is likely."""
STALE = 20.0
"""Seconds of sound without a final result, as in a pause, after which a decoder holds too much."""
OLD = 180.0
"""Seconds of sound after which a decoder is made anew when its moment comes again. Every word that
it has not heard before adds to the graph that it keeps: 0.6 MB an hour for all of them."""
KEPT = 12
"""Decoders that are kept, each with about 1.5 MB once it has heard talk. A table's moments have
nine grammars, and as many again while an article waits for the table's word, which is rare."""


class Decoder:
    """One of Vosk's with one grammar. Its times count the sound that this very one was fed."""

    def __init__(
        self,
        model: Any,
        phrases: Sequence[str],
        stand_ins: StandIns = NONE,
        hypotheses: int = HYPOTHESES,
    ) -> None:
        """``phrases``: of words that the model knows, and ``[unk]``; told by our words."""
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
        """What all of these sounds are, one after the other, as an utterance of its own."""
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
        """What an utterance was that Vosk ended; what is fed next belongs to the same sound."""
        self._goes_on = True
        return self._told(self._vosk.Result())

    def final_result(self) -> dict[str, Any]:
        """What the utterance was that ends here; what is fed next is heard by itself."""
        self._begun = self.fed
        return self._told(self._vosk.FinalResult())

    @property
    def is_stale(self) -> bool:
        """Whether it holds so much past sound that it should begin anew: 1.2 MB for each minute.

        By itself Vosk lets go of it after ten minutes, or with a final result.
        """
        return self.fed - self._begun > STALE * RATE

    @property
    def is_old(self) -> bool:
        """Whether it has heard so much that another one in its place takes less memory."""
        return self.fed > OLD * RATE

    def rest(self) -> None:
        """Have it begin anew when it is taken up again: what it heard last is long ago by then.

        After a result of its own, Vosk would still hear the next sound as going on from it, and has
        no word for giving it up but that of ending an utterance, here an empty one.
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
    """The decoders of one model, of which those not used for longest are let go."""

    def __init__(
        self,
        model: Any,
        vocabulary_of: Sequence[str] = (),
        curated: Curated | None = None,
        hypotheses: int = HYPOTHESES,
        kept: int = KEPT,
    ) -> None:
        """``vocabulary_of``: phrases with all the words that any grammar will have.

        Those that the model lacks get stand-ins: ``curated`` ones, and other spellings; without
        ``curated`` none at all. ``hypotheses``: ways to hear an utterance that are kept;
        ``kept``: decoders.
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

    def knows(self, word: str) -> bool:
        """Whether the model has a word."""
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def hears(self, word: str) -> bool:
        """Whether the model has a word, or something that stands in for it; ``[unk]`` it has."""
        return word == UNKNOWN or word in self.stand_ins.chosen or self.knows(word)

    def fit(self, phrases: Sequence[str]) -> Grammar:
        """What of a grammar the model can hear."""
        return fit(phrases, self._known, self.stand_ins)

    def of(self, phrases: Sequence[str]) -> Decoder:
        """The decoder of a grammar, made where there is none or an old one (18 ms; Basque 57).

        To be asked for between two utterances.
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
    """Our words, each with the time of all that it was heard by."""
    found, at = [], 0
    for word, size in stand_ins.ours(tuple([str(one["word"]) for one in words])):
        last = words[at + size - 1]
        found.append({**words[at], "word": word, "end": last["end"]})
        at += size
    return found
