"""The second pass: an utterance heard again with the grammar of the moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.decoder import Decoders
from assistant.ear.endpoint import Endpoint
from assistant.ear.network import Learnt, load_base
from assistant.ear.recogniser import Partial, Recogniser
from assistant.ear.second_pass import WAYS, Reheard, Wanted
from assistant.ear.second_stage import SecondStage
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import load_model
from assistant.ear.spotting import Spotter
from assistant.messages import Heard, Hypothesis, Word
from tests.ear.conftest import GRAMMAR, Say

# ---- Hands heard once more with a grammar of cards alone: real Vosk, sound by espeak-ng ---------


CARDS = ("rey", "caballo", "sota", "siete", "seis", "cinco", "cuatro", "as")
HANDS = tuple(" ".join(pair) for pair in product(CARDS, repeat=2))


def four(words: Sequence[Word]) -> bool:
    return len(words) == 4


def in_pieces(pieces: Sequence[Sequence[Word]]) -> bool:
    return all(pieces) and sum(map(len, pieces)) == 4


def named(found: Sequence[Heard]) -> list[str]:
    """The hands that were heard."""
    hands = [one.narrowed.hypotheses[0].words for one in found if one.narrowed]
    return [" ".join(word.text for word in words) for words in hands]


def heard_by(ear: Reheard, sound: Samples, cancelled: bool = False) -> list[Heard]:
    found: list[Heard | Partial] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += ear.feed(Block(samples, (start + len(samples)) / RATE, cancelled=cancelled))
    return [one for one in [*found, *ear.flush()] if isinstance(one, Heard)]


def ear_with(model_dir: Path, narrow: tuple[str, ...] | None = HANDS) -> Reheard:
    first = Recogniser(model_dir, GRAMMAR)
    decoders = Decoders(load_model(model_dir), (*GRAMMAR, *HANDS), hypotheses=WAYS)
    wanted = (Wanted(narrow, four, 0.7, 7.0, 1.0, 2.0, in_pieces),) if narrow else ()
    return Reheard(first, decoders, lambda: GRAMMAR, lambda: wanted, lambda: first.front)


def test_a_hand_that_the_whole_grammar_lacks_is_heard_by_the_grammar_of_cards(
    model_dir: Path, say: Say
) -> None:
    (heard,) = heard_by(ear_with(model_dir), say(0.5, "rey, rey, seis, as", 1.0))
    assert heard.narrowed is not None
    best = heard.narrowed.hypotheses[0]
    assert [word.text for word in best.words] == ["rey", "rey", "seis", "as"]
    assert heard.narrowed.margin > 0
    assert best.words[0].start < 1.0
    assert best.words[-1].end > heard.words[-1].end - 0.3


def test_talk_is_not_heard_as_a_hand(model_dir: Path, say: Say) -> None:
    sound = say(0.5, "esta noche cenamos en casa de mi hermana con los niños", 1.0)
    assert [one.narrowed for one in heard_by(ear_with(model_dir), sound)] == [None]


def test_a_call_is_not_heard_as_a_hand(model_dir: Path, say: Say) -> None:
    found = heard_by(ear_with(model_dir), say(0.5, "no hay mus", 1.0, "no quiero", 1.0))
    assert [(one.text, one.narrowed) for one in found] == [
        ("no hay mus", None),
        ("no quiero", None),
    ]


def test_a_hand_in_two_pieces_is_put_together(model_dir: Path, say: Say) -> None:
    *_, last = heard_by(ear_with(model_dir), say(0.5, "rey, sota", 0.8, "siete, cuatro", 1.5))
    assert last.narrowed is not None
    best = last.narrowed.hypotheses[0]
    assert [word.text for word in best.words] == ["rey", "sota", "siete", "cuatro"]


def test_cards_that_are_named_one_by_one_are_put_together(model_dir: Path, say: Say) -> None:
    sound = say(0.5, "rey", 1.5, "sota", 1.2, "siete", 1.7, "cuatro", 1.5)
    *_, last = found = heard_by(ear_with(model_dir), sound)
    assert named(found) == ["rey sota siete cuatro"]
    assert last.narrowed is not None
    assert not last.narrowed.part
    (best, *_) = last.narrowed.hypotheses
    between = [after.start - word.end for word, after in pairwise(best.words)]
    assert between == [0.0, 0.0, 0.0], "one breath, for pauses part utterances"
    assert last.words[0].start == pytest.approx(best.words[0].start, abs=0.4)
    assert last.words[-1].end == pytest.approx(best.words[-1].end, abs=0.4)
    assert best.words[-1].end - best.words[0].start > 5.0, "stream time, pauses included"


def test_two_hands_whose_cards_are_named_one_by_one_are_not_mixed(
    model_dir: Path, say: Say
) -> None:
    first = ("rey", 1.5, "sota", 1.5, "siete", 1.5, "cuatro", 1.5)
    second = ("seis", 1.5, "seis", 1.5, "cinco", 1.5, "as", 1.5)
    found = heard_by(ear_with(model_dir), say(0.5, *first, *second))
    assert named(found) == ["rey sota siete cuatro", "seis seis cinco as"]


def test_what_was_said_before_cards_named_one_by_one_may_belong_to_them(
    model_dir: Path, say: Say
) -> None:
    cards = ("rey", 1.5, "sota", 1.5, "siete", 1.5, "cuatro", 1.5)
    *_, last = heard_by(ear_with(model_dir), say(0.5, "seis", 3.0, *cards))
    assert named([last]) == ["rey sota siete cuatro"]
    assert last.narrowed is not None
    assert last.narrowed.part


def test_pieces_that_are_far_apart_are_not_put_together(model_dir: Path, say: Say) -> None:
    found = heard_by(ear_with(model_dir), say(0.5, "rey, sota", 2.5, "siete, cuatro", 1.5))
    assert [one.narrowed for one in found] == [None] * len(found)


def test_a_hand_that_the_assistant_names_is_not_heard(model_dir: Path, say: Say) -> None:
    found = heard_by(ear_with(model_dir), say(0.5, "rey, rey, seis, as", 1.5), cancelled=True)
    assert [one.narrowed for one in found] == [None] * len(found)


def test_nothing_is_heard_again_where_the_moment_has_no_narrow_grammar(
    model_dir: Path, say: Say
) -> None:
    found = heard_by(ear_with(model_dir, None), say(0.5, "rey, rey, seis, as", 1.0))
    assert [one.narrowed for one in found] == [None] * len(found)


# ---- What the first hearing takes for silence ---------------------------------------------------


CALLS = ("paso", "envido", "no quiero")


class Deaf(Recogniser):
    """It takes every word for silence, as the ear does with some in a clattering kitchen."""

    def feed(self, block: Block) -> list[Heard | Partial]:
        super().feed(block)
        self._partial = ""
        return []

    def flush(self) -> list[Heard]:
        return []


def calls_with(
    model_dir: Path,
    first: Recogniser,
    kind: type[Reheard] = Reheard,
    spotter: Callable[[], Spotter | None] | None = None,
    wants: Callable[[], Sequence[Wanted]] | None = None,
) -> Reheard:
    def whole(words: Sequence[Word]) -> bool:
        return " ".join(word.text for word in words) in CALLS

    decoders = Decoders(load_model(model_dir), (*GRAMMAR, *CALLS), hypotheses=WAYS)
    wanted = (Wanted(CALLS, whole, 0.15, 4.0),)
    stage = SecondStage.of_model(model_dir)
    return kind(
        *(first, decoders, lambda: GRAMMAR, wants or (lambda: wanted), lambda: first.front, stage),
        spotter=spotter,
    )


def test_a_call_that_the_first_hearing_takes_for_silence_is_heard_again(
    model_dir: Path, say: Say
) -> None:
    ear = calls_with(model_dir, Deaf(model_dir, GRAMMAR))
    heard = heard_by(ear, say(0.5, "paso", 1.2, "no quiero", 1.2))
    assert named(heard) == ["paso", "no quiero"]
    assert [one.text for one in heard] == ["[unk]", "[unk]"]


class Late(Deaf):
    """It knows the words only when the second hearing has them already."""

    told = False

    def feed(self, block: Block) -> list[Heard | Partial]:
        super().feed(block)
        if block.end < 2.0 or self.told:
            return []
        self.told = True
        return [Heard((Word("paso", 0.6, 0.9),))]


def test_words_that_come_late_are_not_heard_twice(model_dir: Path, say: Say) -> None:
    ear = calls_with(model_dir, Late(model_dir, GRAMMAR))
    heard = heard_by(ear, say(0.5, "paso", 2.0))
    assert [one.text for one in heard] == ["[unk]"]


def test_a_stream_that_begins_anew_is_heard(model_dir: Path, say: Say) -> None:
    ear = calls_with(model_dir, Deaf(model_dir, GRAMMAR))
    for _ in range(2):
        assert named(heard_by(ear, say(0.5, "paso", 1.2))) == ["paso"]


def test_what_the_first_hearing_knows_is_not_heard_twice(model_dir: Path, say: Say) -> None:
    ear = calls_with(model_dir, Recogniser(model_dir, GRAMMAR))
    heard = heard_by(ear, say(0.5, "paso", 1.2, "no quiero", 1.2))
    assert [one.text for one in heard] == ["paso", "no quiero"]


# ---- What nobody pauses after: calls in running sound -------------------------------------------


class Spots(Reheard):
    """It spots calls as if people talked behind the table, from the first block on."""

    def _needs_spotter(self) -> bool:
        return True


class Running(Spots):
    """It hears nothing but what is spotted."""

    def _without_words(self) -> list[Heard]:
        return []


def spotting(model_dir: Path) -> Reheard:
    spotter = partial(Spotter.of_model, model_dir)
    return calls_with(model_dir, Deaf(model_dir, GRAMMAR), Running, spotter)


def test_a_call_is_heard_while_others_talk_on(model_dir: Path, say: Say) -> None:
    call, talk = say(2.0, "no quiero", 2.0), say("que mañana llueve y nos vamos al campo", 0.1)
    behind = np.resize(talk, len(call)) / 5
    heard = heard_by(spotting(model_dir), np.asarray(call + behind, np.int16))
    assert named(heard) == ["no quiero"]


def test_an_utterance_that_holds_a_call_comes_before_the_place_where_it_was_spotted(
    model_dir: Path, say: Say
) -> None:
    first, spotter = Recogniser(model_dir, GRAMMAR), partial(Spotter.of_model, model_dir)
    ear = calls_with(model_dir, first, Spots, spotter)
    heard = heard_by(ear, say(1.0, "paso", 1.5, "no quiero", 2.0))
    assert [one.text for one in heard] == ["paso", "no quiero"]


@pytest.mark.parametrize(("seconds", "needed"), [(4.0, False), (8.0, True)])
def test_a_spotter_begins_once_people_talk_on_behind_the_table(
    model_dir: Path, say: Say, monkeypatch: pytest.MonkeyPatch, seconds: float, needed: bool
) -> None:
    made: list[bool] = []
    ear = calls_with(model_dir, Deaf(model_dir, GRAMMAR), spotter=lambda: made.append(True))
    heard_by(ear, say(8.0))
    monkeypatch.setattr(Endpoint, "talk_behind", True)
    for at in np.arange(8.0, 8.0 + seconds, BLOCK / RATE):
        ear.feed(Block(np.zeros(BLOCK, np.int16), float(at) + BLOCK / RATE))
    assert bool(made) == needed


def test_a_quiet_table_needs_no_spotter_and_one_where_people_talk_has_what_was_learnt(
    model_dir: Path, say: Say
) -> None:
    made: list[Spotter] = []

    def spotter() -> Spotter | None:
        found = Spotter.of_model(model_dir)
        made.extend([found] if found else [])
        return found

    crowded = False

    class Sometimes(Reheard):
        def _needs_spotter(self) -> bool:
            return crowded

    ear = calls_with(model_dir, Recogniser(model_dir, GRAMMAR), Sometimes, spotter)
    first = load_base(model_dir).layers[0]
    lowest = [replace(first, bias=first.bias + 1)]
    ear.renew(Learnt(load_model(model_dir), lowest))
    heard_by(ear, say(1.0, "paso", 2.0))
    assert not made
    crowded = True
    heard_by(ear, say(0.5))
    (one,) = made
    assert np.array_equal(one._network.biases[0], lowest[0].bias)


@pytest.mark.parametrize("crowded", [False, True])
def test_what_an_ended_utterance_held_counts_later_only_where_people_talk_behind_the_table(
    model_dir: Path, say: Say, monkeypatch: pytest.MonkeyPatch, crowded: bool
) -> None:
    monkeypatch.setattr(Endpoint, "talk_behind", crowded)
    ear = spotting(model_dir)
    ear._before = 3.0  # there the utterance has ended
    heard = heard_by(ear, say(1.5, "no quiero", 3.0))
    assert named(heard) == (["no quiero"] if crowded else [])


@pytest.mark.parametrize("taken", [False, True])
def test_a_call_that_the_table_has_taken_does_not_answer_itself(
    model_dir: Path, say: Say, taken: bool
) -> None:
    before = (Wanted(("mus", "no hay mus"), bool, 0.15, 4.0),)
    then = (Wanted(CALLS, bool, 0.15, 4.0),)
    moment = before
    spotter = partial(Spotter.of_model, model_dir)
    ear = calls_with(model_dir, Deaf(model_dir, GRAMMAR), Running, spotter, lambda: moment)
    sound = say(1.5, "no quiero", 1.0)
    assert not heard_by(ear, sound)
    if taken:
        ear.added(Heard((Word("no", 1.5, 1.7), Word("quiero", 1.7, 2.1))))
        ear._before = 0.0
    moment = then
    later = [Block(np.zeros(BLOCK, np.int16), (len(sound) + at) / RATE)
             for at in range(BLOCK, 2 * RATE, BLOCK)]  # fmt: skip
    assert named([one for block in later for one in ear.feed(block) if isinstance(one, Heard)]) == (
        [] if taken else ["no quiero"]
    )


def test_a_piece_of_a_sentence_is_no_call(model_dir: Path, say: Say) -> None:
    sound = say(0.5, "mañana", 0.02, "no quiero", 0.02, "madrugar", 1.5)
    assert not heard_by(spotting(model_dir), sound)


def test_a_spotted_call_is_not_heard_again_with_what_follows(model_dir: Path, say: Say) -> None:
    ear = spotting(model_dir)
    heard = heard_by(ear, say(2.0, "no quiero", 2.0))
    assert named(heard) == ["no quiero"]
    ends = heard[0].words[-1].end
    before, after = (Word("no", 2.1, ends), Word("paso", ends + 0.6, ends + 0.9))
    rest = ear.added(Heard((before, after), hypotheses=(Hypothesis((before, after), 0.9),)))
    assert rest.words == (after,)
    assert [way.words for way in rest.hypotheses] == [(after,)]


@pytest.mark.parametrize("said", ["me voy a casa, que mañana madrugo", "hola"])
def test_talk_that_the_first_hearing_takes_for_silence_stays_unheard(
    model_dir: Path, say: Say, said: str
) -> None:
    assert not heard_by(calls_with(model_dir, Deaf(model_dir, GRAMMAR)), say(0.5, said, 1.2))


def test_the_assistants_own_voice_is_no_call(model_dir: Path, say: Say) -> None:
    ear = calls_with(model_dir, Deaf(model_dir, GRAMMAR))
    assert not heard_by(ear, say(0.5, "paso", 1.2), cancelled=True)


def test_a_knock_is_no_call(model_dir: Path) -> None:
    dice = np.random.default_rng(1)
    sound = dice.standard_normal(2 * RATE) * 10
    sound[RATE // 2 : RATE // 2 + RATE // 20] += dice.standard_normal(RATE // 20) * 8000
    ear = calls_with(model_dir, Deaf(model_dir, GRAMMAR))
    assert not heard_by(ear, np.asarray(sound, np.int16))
