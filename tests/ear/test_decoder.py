"""Decoders, one for each grammar, and their n-best lists."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ear.audio import RATE
from assistant.ear.decoder import KEPT, Decoder, Decoders, likely, surest
from assistant.ear.recogniser import Recogniser
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import load_model
from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Context
from assistant.messages import Heard, Word
from assistant.rules.phases import Phase
from tests.ear.conftest import GRAMMAR, Say

# ---- Long sessions: changing the grammar costs neither memory nor words -------------------------


Phrases = tuple[str, ...]
STATUS = Path("/proc/self/status")
LEAK = 61
"""The kB of a grammar that Vosk never frees when it gets another."""
BETTING = (Phase.GRANDE, Phase.CHICA, Phase.PARES, Phase.JUEGO, Phase.PUNTO)


def resident_kb() -> int:
    line = next(row for row in STATUS.read_text().splitlines() if row.startswith("VmRSS:"))
    return int(line.split()[1])


def grammars(proposals: tuple[bool, ...]) -> list[Phrases]:
    """The grammars of all moments, with and without a proposed penalty that waits for the table."""
    lexicon = load_lexicon()
    contexts = [
        Context(phase, pending=pending, proposal=proposal)
        for proposal in proposals
        for phase in Phase
        for pending in (False, True)
        if phase in BETTING or not pending
    ]
    return list(dict.fromkeys(lexicon.grammar(context) for context in contexts))


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells how much memory there is")
@pytest.mark.parametrize(
    ("proposals", "switches"),
    [((False,), 400), ((False, True), 120)],
    ids=["grammars that are kept", "more grammars than are kept"],
)
def test_the_memory_of_the_ear_does_not_grow_with_the_moments_of_the_game(
    model_dir: Path, proposals: tuple[bool, ...], switches: int
) -> None:
    moments = grammars(proposals)
    assert (len(moments) > KEPT) == (True in proposals)
    recogniser, turn = Recogniser(model_dir, GRAMMAR), 0
    recogniser.phrases_now = lambda: moments[turn % len(moments)]
    hiss = np.rint(np.random.default_rng(0).standard_normal(BLOCK) * 15).astype(np.int16)
    before, known = 0, 2 * len(moments)
    for turn in range(known + switches):
        if turn == known:
            before = resident_kb()
        recogniser.feed(Block(hiss, (turn + 1) * BLOCK / RATE))
    assert resident_kb() - before < switches * LEAK / 4


def test_a_bounded_number_of_decoders_is_kept_and_one_grammar_has_one_decoder(
    model_dir: Path,
) -> None:
    decoders = Decoders(load_model(model_dir))
    first = decoders.of(GRAMMAR)
    for count in range(2 * KEPT):
        decoders.of((*GRAMMAR, *["paso"] * (count + 1)))
        assert decoders.of(list(GRAMMAR)) is first
        assert len(decoders) == min(count + 2, KEPT)
    for count in range(KEPT):
        decoders.of((*GRAMMAR, *["mus"] * (count + 1)))
    assert decoders.of(GRAMMAR) is not first


def test_a_decoder_that_has_heard_minutes_is_replaced_at_its_next_use(
    model_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.ear.decoder.OLD", 10.0)
    decoders = Decoders(load_model(model_dir))
    first, second = b"\0\0" * 9 * RATE, b"\0\0" * 2 * RATE
    decoder = decoders.of(GRAMMAR)
    decoder.accept(first)
    assert decoders.of(GRAMMAR) is decoder
    decoder.accept(second)
    assert decoders.of(GRAMMAR) is not decoder
    assert len(decoders) == 1


def test_a_decoder_starts_afresh_after_a_rest(model_dir: Path, say: Say) -> None:
    model = load_model(model_dir)
    rested, fresh = Decoder(model, GRAMMAR), Decoder(model, GRAMMAR)
    rested.accept(say(0.5, "envido").tobytes())
    rested.result()
    rested.rest()
    begun, sound, starts = rested.fed / RATE, say(0.1, "paso", 0.6).tobytes(), []
    for decoder, since in ((rested, begun), (fresh, 0.0)):
        decoder.accept(sound)
        words = decoder.final_result()["alternatives"][0]["result"]
        assert [word["word"] for word in words] == ["paso"]
        starts.append(words[0]["start"] - since)
    assert starts[0] == pytest.approx(starts[1], abs=0.001)


def test_words_heard_by_a_reused_decoder_have_their_true_times(
    recogniser: Recogniser, say: Say
) -> None:
    others: list[Phrases] = [GRAMMAR, (*GRAMMAR, "paso"), (*GRAMMAR, "mus")]
    said, at, starts, expected, now = say(0.7, "envido", 0.8), 0.0, [], [], others[0]
    recogniser.phrases_now = lambda: now
    for turn in (0, 1, 2, 1, 0, 2, 0):
        now = others[turn]
        expected.append(at + 0.7)
        for start in range(0, len(said), BLOCK):
            samples = said[start : start + BLOCK]
            at += len(samples) / RATE
            found = recogniser.feed(Block(samples, at))
            starts += [heard.words[0].start for heard in found if isinstance(heard, Heard)]
    assert starts == pytest.approx(expected, abs=0.08)


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells how much memory there is")
@pytest.mark.timeout(900)  # it computes, and the machine may be busy
def test_a_long_pause_takes_no_memory_and_the_call_after_it_is_heard(
    model_dir: Path, say: Say
) -> None:
    recogniser = Recogniser(model_dir, load_lexicon().grammar())
    dice, at, before = np.random.default_rng(1), 0.0, 0
    hiss = np.rint(dice.standard_normal(20 * RATE) * 30).astype(np.int16)
    while at < 6 * 60:
        for start in range(0, len(hiss), BLOCK):
            at += BLOCK / RATE
            assert not [one for one in recogniser.feed(Block(hiss[start : start + BLOCK], at))
                        if isinstance(one, Heard)]  # fmt: skip
        before = before or (resident_kb() if at > 70 else 0)
    assert resident_kb() - before < 2_500
    said, found, begins = say(0.5, "no quiero", 0.8), [], at
    for start in range(0, len(said), BLOCK):
        at += len(said[start : start + BLOCK]) / RATE
        found += recogniser.feed(Block(said[start : start + BLOCK], at))
    [heard] = [one for one in found if isinstance(one, Heard)]
    assert heard.text == "no quiero"
    assert heard.words[0].start == pytest.approx(begins + 0.5, abs=0.08)


# ---- N-best lists: probabilities that add up, and the confidence of words -----------------------


PASO = (Word("paso", 0.1, 0.4),)
VASO = (Word("vaso", 0.1, 0.4),)
YO_PASO = (Word("yo", 0.0, 0.1), Word("paso", 0.1, 0.4))


def test_scores_become_probabilities_in_descending_order() -> None:
    ways = likely([(VASO, -11.0), (PASO, -10.0)])
    assert [way.words for way in ways] == [PASO, VASO]
    assert ways[0].probability == pytest.approx(1 / (1 + math.exp(-1)))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=10))
def test_the_probabilities_of_all_hypotheses_add_up_to_one(scores: list[float]) -> None:
    ways = likely([(PASO, score) for score in scores])
    assert sum(way.probability for way in ways) == pytest.approx(1)


def test_silence_gives_no_utterance() -> None:
    assert likely([((), -3.0), ((), -4.0)]) == ()
    assert likely([]) == ()


def test_silence_among_the_hypotheses_keeps_its_probability() -> None:
    ways = likely([((), 0.0), (PASO, 0.0)])
    assert [way.probability for way in ways] == [0.5, 0.5]
    assert surest(ways) == (Word("paso", 0.1, 0.4, confidence=0.5),)


def test_the_confidence_of_a_word_is_that_of_all_hypotheses_with_it_there() -> None:
    words = surest(likely([(YO_PASO, 0.0), (PASO, 0.0), (VASO, 0.0)]))
    assert {word.text: round(word.confidence, 3) for word in words} == {"yo": 0.333, "paso": 0.667}


def test_the_same_word_at_another_time_adds_no_confidence() -> None:
    later = (Word("paso", 0.5, 0.8),)
    (word,) = surest(likely([(PASO, 0.5), (later, 0.0)]))
    assert word.confidence < 0.7
