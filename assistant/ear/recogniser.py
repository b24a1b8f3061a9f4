"""The recogniser: blocks of sound become utterances, by Vosk with a grammar and our endpointing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.ear.at_table import REFUSALS, Front, of_the_table
from assistant.ear.audio import RATE, WIDTH
from assistant.ear.decoder import Decoders, likely, surest
from assistant.ear.endpoint import FAINT, Endpoint
from assistant.ear.network import Learnt
from assistant.ear.source import Block, FileSource
from assistant.ear.speech_model import UNKNOWN, Curated, Grammar, ModelError, StandIns, load_model
from assistant.ear.voice_activity import LEAST, PitchedVoice, VoiceActivity
from assistant.ear.voice_activity import LEEWAY as VOICE_LEEWAY
from assistant.messages import Heard, Hypothesis, Word

log = logging.getLogger("mus.ear")

PAUSE = 0.30
"""Seconds of silence that end an utterance. The pause inside "no ... quiero" stays under 0.25 s,
and the lexicon parts two calls at 0.30 s in any case (bench_latency.py, docs/ear.md)."""
PATIENCE = 0.50
"""Seconds of silence after a word that something dear may follow: "no ... quiero" must not end as
"no", which somebody else would then take back with "quiero"; nor "ez ... dut nahi" as "ez"."""
SETTLED = 0.15
"""The same after a call whose meaning nothing can change any more: the table says which."""
NEARLY = 0.22
"""The same after a call that seldom goes on to mean something else."""
STABLE = 0.10
"""Seconds for which the partial result must be unchanged, so that the decoder has caught up."""
LONGEST = 12.0
"""The longest utterance in seconds: talk without a pause must flood neither decoder nor table."""
LEEWAY = 0.06
"""The error of Vosk's times in seconds: two of its frames."""
UNEXPLAINED = 0.15
"""An utterance with so many seconds of speech outside all words is talk; a knock is shorter."""
LEAD = 0.10
"""The last seconds of the silence before an utterance are fed to it again: a decoder that begins in
the middle of a quick answer loses its first sound."""
ONSET = 0.30
"""Seconds before a player's first loud sound that belong to it, where others were heard before."""
SURE = 0.5
"""From this probability on, an utterance teaches how loud the table's voices are."""
GAP = 0.15
"""A jump of stream time by so many seconds parts what was said before it from what comes after."""


@dataclass(frozen=True, slots=True)
class Partial:
    """A partial result: the utterance under way so far; ``end`` is the stream time."""

    text: str
    end: float


PauseAfter = Callable[[str], float]
"""The endpointing policy: words so far -> seconds of silence that end the utterance, SETTLED at
least."""


PhrasesNow = Callable[[], Sequence[str]]
"""The grammar for the next utterance: the same words, weighed anew. Asked before every block, so
it returns the very same object while nothing has changed."""


def pause_by_words(text: str) -> float:
    """The endpointing policy where nothing is known of the table."""
    return PATIENCE if text.rpartition(" ")[2] in REFUSALS else PAUSE


class Recogniser:
    """A speech model with a grammar. Fed by one thread; the same object serves many sources."""

    def __init__(
        self,
        model_dir: Path,
        grammar: Sequence[str],
        pause_after: PauseAfter | None = None,
        voice: VoiceActivity | None = None,
        curated: Curated | None = None,
        loaded: Any = None,
    ) -> None:
        """Load the model.

        ``grammar``: phrases, one a string, of the lexicon's words and ``[unk]``. ``pause_after``:
        the endpointing policy. It may be set later, too; so may ``phrases_now``, by which the
        grammar follows the table. ``voice``: tells voices from knocks. ``curated``: stand-ins for
        words that the model lacks (None: none). ``loaded``: the model of that folder if it is
        loaded already (``load_model``).

        Raises ModelError where the folder holds no model, or no word of the grammar is in it.
        """
        self.pause_after: PauseAfter = pause_after or pause_by_words
        self.phrases_now: PhrasesNow = lambda: grammar
        self._phrases = grammar
        self._decoders = Decoders(loaded or load_model(model_dir), grammar, curated)
        self.grammar = self._decoders.fit(grammar)
        self.stand_ins = self._decoders.stand_ins
        _report(self.grammar, self.stand_ins, model_dir)
        _refuse_nothing(self.grammar, model_dir)
        self._decoder = self._decoders.of(grammar)
        self._endpoint = Endpoint()
        self._voice: VoiceActivity = voice or PitchedVoice()
        self._offset = 0.0
        self._fed = 0
        self._again = 0.0
        self._tail = b""
        self._lead = b""
        self._partial = self._told = ""
        self._decoding = False
        self._changed_at = 0.0
        self._began_at = 0.0
        self._since = 0.0
        self._renewed: Any = None

    def renew(self, learnt: Learnt) -> None:
        """Hear with another model of the same words from the next pause on; from any thread."""
        self._renewed = learnt.model

    def feed(self, block: Block) -> list[Heard | Partial]:
        """Take a block; return the utterances that it ended, or a new partial result."""
        results: list[Heard | Partial] = []
        start = block.end - len(block.samples) / RATE
        if abs(start - self.now) > GAP:
            results += self.flush()
            self._offset = start - self._fed / RATE
            self._tail = self._lead = b""
        results += self._attend()
        had_begun = self._endpoint.begun
        self._endpoint.feed(block.samples, block.cancelled)
        self._voice.feed(block.samples)
        if self._endpoint.begun and not had_begun:
            results += self._begin()
        self._hear_again()
        sound = block.samples.tobytes()
        ended = self._decoder.accept(sound)
        self._decoding = True
        self._fed += len(block.samples)
        self._tail = (self._tail + sound)[-round(ONSET * RATE) * WIDTH :]
        if ended:
            return [*results, *self._or_nothing(self._ended(self._vosks()))]
        if (text := self._decoder.partial()) != self._partial:
            self._changed(text)
        if (shown := self._shown()) != self._told:
            self._told = shown
            results.append(Partial(shown, self.now))
        if self._is_over():
            results += self._or_nothing(self.flush())
            self._lead = self._end_of_tail()
        return results

    def _attend(self) -> list[Heard | Partial]:
        """Change to the grammar of the table as it stands now, unless somebody is speaking.

        Another model is taken at such a moment, too.

        The old decoder's silence so far becomes a result. A change right after a result loses
        nothing; later, a decoder that begins anew might lose the first sound of a call.
        """
        phrases = self.phrases_now()
        speaking = self._partial or (self._decoding and self._endpoint.silence < STABLE)
        if speaking or (phrases is self._phrases and self._renewed is None):
            return []
        self._phrases = phrases
        results = self._or_nothing(self.flush())
        if self._renewed is not None:
            self._decoders.renew(self._renewed)
            self._renewed = None
        else:
            self._decoder.rest()
        self._decoder = self._decoders.of(phrases)
        self._lead = self._end_of_tail()
        return results

    def _begin(self) -> list[Heard | Partial]:
        """Somebody at the table begins to speak: drop what was heard behind the table before."""
        if not self._partial or self._endpoint.echoed:
            return []  # a call's first words may be hard to tell from the assistant's voice
        results = self._or_nothing(self.flush())
        self._endpoint.begun = True
        self._lead = self._tail
        return results

    def _shown(self) -> str:
        """The part of the partial result that is worth showing; "" while nobody has spoken.

        The decoder takes silence for a short word, and early unknown speech is often mere breath.
        """
        if self._endpoint.speech_within(self._since, self._fed / RATE - self._again) is None:
            return ""
        return " ".join(word for word in self._partial.split() if word != UNKNOWN)

    def _or_nothing(self, heard: list[Heard]) -> list[Heard | Partial]:
        """What was heard; if that is nothing, an empty partial result that clears the one shown."""
        told, self._told = self._told, ""
        if heard:
            return [*heard]
        return [Partial("", self.now)] if told else []

    def flush(self) -> list[Heard]:
        """End the utterance under way here and now."""
        return self._ended(self._decoder.final_result())

    @property
    def knows_the_table(self) -> bool:
        """Whether enough was heard to tell the table's voices from a residue of the assistant's."""
        return self._endpoint.knows_the_table

    @property
    def somebody_speaks(self) -> bool:
        """Whether a player is speaking, or has only just stopped and may go on."""
        return self._endpoint.begun and self._endpoint.silence < SETTLED

    @property
    def front(self) -> Front:
        """When somebody at the table spoke, as far as is known."""
        return Front(self._endpoint, self._offset + self._again, self._voice, self._partial)

    def break_off(self) -> list[Heard]:
        """End the utterance because the assistant begins to speak, at any moment.

        What was not finished, and might have become another call, is dropped.
        """
        said = _without_breath(self._partial)
        cut = self._endpoint.silence < SETTLED and self.pause_after(said) > NEARLY
        return [replace(heard, cut=cut) for heard in self.flush()]

    @property
    def now(self) -> float:
        """The stream time up to which sound was fed."""
        return self._offset + self._fed / RATE

    def _vosks(self) -> dict[str, Any]:
        """The utterance that Vosk ended by its own rule, mostly a pause without a word."""
        if not self._decoder.is_stale:
            return self._decoder.result()
        self._lead = self._end_of_tail()
        return self._decoder.final_result()

    def _end_of_tail(self) -> bytes:
        return self._tail[-round(LEAD * RATE) * WIDTH :]

    def _hear_again(self) -> None:
        """Feed the end of the silence before it to a new utterance; the clocks do not count it."""
        if not self._lead:
            return
        self._decoder.accept(self._lead)
        samples = len(self._lead) // WIDTH
        self._fed += samples
        self._offset -= samples / RATE
        self._again += samples / RATE
        self._lead = b""

    def _changed(self, text: str) -> None:
        if not self._partial:
            self._began_at = self.now
        if _without_breath(text) != _without_breath(self._partial):
            self._changed_at = self.now
        self._partial = text

    def _is_over(self) -> bool:
        if not self._partial:
            return False
        if self.now - self._began_at > LONGEST:
            return True
        if self._endpoint.crowded and not self._endpoint.begun:
            return False  # it is talk behind the table, which goes on
        if self._endpoint.silence < SETTLED or self.now - self._changed_at < STABLE:
            return False
        return self._endpoint.silence >= self.pause_after(_without_breath(self._partial))

    def _ended(self, result: dict[str, Any]) -> list[Heard]:
        self._partial, self._decoding = "", False
        ways = result.get("alternatives", ())
        hypotheses = likely((self._words(way), float(way["confidence"])) for way in ways)
        words = surest(hypotheses) if hypotheses else ()
        heard = Heard(words, hypotheses=hypotheses)
        if words:
            heard = self.front.judged(heard, words[0].start, words[-1].end)
        self._learn(hypotheses)
        self._endpoint.restart()
        self._since = self._fed / RATE - self._again
        return [heard] if hypotheses else []

    def _learn(self, hypotheses: tuple[Hypothesis, ...]) -> None:
        """Learn how loud the table's voices are from what was surely heard."""
        if not hypotheses or hypotheses[0].probability < SURE:
            return
        words = hypotheses[0].words
        if words and all(word.text != UNKNOWN for word in words):
            shift = self._offset + self._again
            self._endpoint.learn([(words[0].start - shift, words[-1].end - shift)])

    def _words(self, way: dict[str, Any]) -> tuple[Word, ...]:
        """The words of one hypothesis, and ``[unk]`` for speech that it leaves out.

        The decoder may take half a sentence of talk for silence and keep the part that sounds like
        a call. In a call said in one breath, all sound lies in its words.
        """
        found = [self._word(word) for word in way.get("result", ())]
        words = [word for word in found if word is not None]
        if not words:
            return ()
        if _is_unknown(words) and words[-1].end - words[0].start < LEEWAY:
            return ()  # the first moment of what somebody begins to say, and is heard again
        shift = self._offset + self._again
        spans = [(word.start - shift, word.end - shift) for word in words]
        if self._voice.voiced(spans[0][0] - VOICE_LEEWAY, spans[-1][1] + VOICE_LEEWAY) < LEAST:
            return ()  # a knock, a clink: nobody spoke
        words += [
            Word(UNKNOWN, shift + start, shift + end)
            for start, end in self._endpoint.unexplained(spans, self._since, UNEXPLAINED)
            if self._voice.voiced(start, end) >= LEAST  # plates clatter as loud
        ]
        words.sort(key=lambda word: word.start)
        return tuple(of_the_table(words, shift, self._endpoint))

    def _word(self, word: dict[str, Any]) -> Word | None:
        """A word of Vosk's, trimmed to its sound: Vosk counts the silence around it as part of it.

        None if all of it was silence: Vosk makes a short word of the hiss at an end.
        """
        missed = (self._fed - self._decoder.fed) / RATE  # what the other decoders heard
        start, end = word["start"] + missed - self._again, word["end"] + missed - self._again
        # No earlier than this utterance, because the last one may still sound just before it.
        first = max(start - LEEWAY, self._since - LEAD)
        span = self._endpoint.speech_within(first, end + LEEWAY)
        if span is None:
            span = self._endpoint.speech_within(first, end + LEEWAY, FAINT)
        if span is None:
            return None
        start, end = max(start, span[0], 0.0), min(end, span[1])
        shift = self._offset + self._again
        return Word(str(word["word"]), start=shift + start, end=shift + max(start, end))


def _is_unknown(words: Sequence[Word]) -> bool:
    return all(word.text == UNKNOWN for word in words)


def _without_breath(partial: str) -> str:
    """A partial result without ``[unk]`` at its beginning and end.

    The decoder makes that of silence, or of somebody behind the table.
    """
    words = partial.split()
    while words and words[-1] == UNKNOWN:
        words.pop()
    while words and words[0] == UNKNOWN:
        words.pop(0)
    return " ".join(words)


def _refuse_nothing(grammar: Grammar, model_dir: Path) -> None:
    if all(phrase == UNKNOWN for phrase in grammar.phrases):
        raise ModelError(
            "The speech model in {model_dir} knows none of our words: choose a Spanish one.",
            model_dir=model_dir,
        )


def _report(grammar: Grammar, stand_ins: StandIns, model_dir: Path) -> None:
    if stand_ins.chosen:
        chosen = stand_ins.chosen.items()
        ways = [f"{word} by {' or '.join(map(' '.join, found))}" for word, found in chosen]
        log.info("The speech model in %s hears %s.", model_dir, ", ".join(ways))
    unheard = [word for word in grammar.missing if word not in stand_ins.chosen]
    if unheard:
        log.warning(
            "Words that the speech model in %s lacks: %d (%s). Phrases that cannot be heard: %d.",
            model_dir,
            len(unheard),
            ", ".join(unheard[:12]) + (" ..." if len(unheard) > 12 else ""),
            len(grammar.left_out),
        )


def transcribe(path: Path, recogniser: Recogniser) -> list[Heard]:
    """All utterances of a WAV file, with times from its beginning. Raises AudioError.

    The file is read as fast as the machine can, not in real time.
    """
    heard = [
        result
        for block in FileSource(path, realtime=False).blocks()
        for result in recogniser.feed(block)
        if isinstance(result, Heard)
    ]
    return heard + recogniser.flush()
