"""Hands heard once more by a grammar of cards alone: real Vosk, sound by espeak-ng."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from assistant.ear.audio import RATE, Samples
from assistant.ear.decoder import Decoders
from assistant.ear.recogniser import Partial, Recogniser
from assistant.ear.second_pass import WAYS, Reheard, Wanted
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import load_model
from assistant.messages import Heard, Word
from tests.ear.conftest import GRAMMAR, Say

CARDS = ("rey", "caballo", "sota", "siete", "seis", "cinco", "cuatro", "as")
HANDS = tuple(" ".join(pair) for pair in product(CARDS, repeat=2))


def four(words: Sequence[Word]) -> bool:
    return len(words) == 4


def spoken(ear: Reheard, sound: Samples, cancelled: bool = False) -> list[Heard]:
    found: list[Heard | Partial] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += ear.feed(Block(samples, (start + len(samples)) / RATE, cancelled=cancelled))
    return [one for one in [*found, *ear.flush()] if isinstance(one, Heard)]


def ear_with(model_dir: Path, narrow: tuple[str, ...] | None = HANDS) -> Reheard:
    first = Recogniser(model_dir, GRAMMAR)
    decoders = Decoders(load_model(model_dir), (*GRAMMAR, *HANDS), hypotheses=WAYS)
    wanted = (Wanted(narrow, four, 0.7, 7.0, 1.0),) if narrow else ()
    return Reheard(first, decoders, lambda: GRAMMAR, lambda: wanted, lambda: first.front)


def test_a_hand_that_the_whole_grammar_lacks_is_heard_by_the_cards_alone(
    model_dir: Path, say: Say
) -> None:
    (heard,) = spoken(ear_with(model_dir), say(0.5, "rey, rey, seis, as", 1.0))
    assert heard.narrowed is not None
    best = heard.narrowed.hypotheses[0]
    assert [word.text for word in best.words] == ["rey", "rey", "seis", "as"]
    assert heard.narrowed.margin > 0
    assert best.words[0].start < 1.0
    assert best.words[-1].end > heard.words[-1].end - 0.3


def test_talk_is_no_hand(model_dir: Path, say: Say) -> None:
    sound = say(0.5, "esta noche cenamos en casa de mi hermana con los niños", 1.0)
    assert [one.narrowed for one in spoken(ear_with(model_dir), sound)] == [None]


def test_a_call_is_no_hand(model_dir: Path, say: Say) -> None:
    found = spoken(ear_with(model_dir), say(0.5, "no hay mus", 1.0, "no quiero", 1.0))
    assert [(one.text, one.narrowed) for one in found] == [
        ("no hay mus", None),
        ("no quiero", None),
    ]


def test_a_hand_in_two_pieces_is_put_together(model_dir: Path, say: Say) -> None:
    *_, last = spoken(ear_with(model_dir), say(0.5, "rey, sota", 0.8, "siete, cuatro", 1.5))
    assert last.narrowed is not None
    best = last.narrowed.hypotheses[0]
    assert [word.text for word in best.words] == ["rey", "sota", "siete", "cuatro"]


def test_pieces_that_are_far_apart_are_no_hand(model_dir: Path, say: Say) -> None:
    found = spoken(ear_with(model_dir), say(0.5, "rey, sota", 2.5, "siete, cuatro", 1.5))
    assert [one.narrowed for one in found] == [None] * len(found)


def test_a_hand_that_the_assistant_names_is_nobodys(model_dir: Path, say: Say) -> None:
    found = spoken(ear_with(model_dir), say(0.5, "rey, rey, seis, as", 1.5), cancelled=True)
    assert [one.narrowed for one in found] == [None] * len(found)


def test_nothing_is_heard_again_where_the_moment_asks_for_nothing(
    model_dir: Path, say: Say
) -> None:
    found = spoken(ear_with(model_dir, None), say(0.5, "rey, rey, seis, as", 1.0))
    assert [one.narrowed for one in found] == [None] * len(found)
