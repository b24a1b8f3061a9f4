"""Two models, one ear: they agree on what is dear, or the table is asked."""

from collections.abc import Hashable
from pathlib import Path

import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.decoder import Decoders
from assistant.ear.recogniser import Partial, Recogniser
from assistant.ear.second_pass import SecondOpinion
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import load_model
from assistant.messages import Heard, Word
from tests.ear.conftest import GRAMMAR, Say
from tests.ear.other_models import lacking

BEGINS = 40.0
"""Seconds of the stream: the second decoder's times begin anew, those of the ear do not."""


def means(words: tuple[Word, ...]) -> tuple[Hashable, ...]:
    """An órdago is dear, and nothing else."""
    return tuple(word.text for word in words if word.text == "órdago")


def spoken(ear: SecondOpinion, sound: Samples, begins: float = BEGINS) -> list[Heard]:
    found: list[Heard | Partial] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += ear.feed(Block(samples, begins + (start + len(samples)) / RATE))
    return [one for one in [*found, *ear.flush()] if isinstance(one, Heard)]


class Counted(Decoders):
    """Decoders that count how often one of them is asked for."""

    asked = 0

    def of(self, phrases):  # type: ignore[no-untyped-def]
        self.asked += 1
        return super().of(phrases)


def test_two_ears_that_hear_the_same_agree_on_every_call(model_dir: Path, say: Say) -> None:
    second = Counted(load_model(model_dir), GRAMMAR, {})
    ear = SecondOpinion(Recogniser(model_dir, GRAMMAR), second, means)
    sound = say(0.5, "paso", 0.8, "órdago", 0.8, "no quiero", 0.8, "órdago", 0.8)
    heard = spoken(ear, sound)
    assert [one.text for one in heard] == ["paso", "órdago", "no quiero", "órdago"]
    assert not any(one.disputed for one in heard)
    assert second.asked == 2, "only what is dear is heard again"


def test_a_dear_call_that_the_second_ear_hears_otherwise_is_disputed(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    # What sounds like "órdago" is "paso" to this model, and the other way round.
    other = lacking(model_dir, tmp_path / "other", órdago="swap", paso="órdago", swap="paso")
    ear = SecondOpinion(
        Recogniser(model_dir, GRAMMAR), Decoders(load_model(other), GRAMMAR, {}), means
    )
    heard = spoken(ear, say(0.5, "órdago", 0.8, "paso", 0.8))
    assert [(one.text, one.disputed) for one in heard] == [("órdago", True), ("paso", False)]


def test_a_second_ear_with_stand_ins_agrees_by_them(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    other = lacking(model_dir, tmp_path / "other", órdago="ordago", hordago="horda")
    ear = SecondOpinion(
        Recogniser(model_dir, GRAMMAR), Decoders(load_model(other), GRAMMAR, {}), means
    )
    (heard,) = spoken(ear, say(0.5, "órdago", 0.8))
    assert (heard.text, heard.disputed) == ("órdago", False)


def test_an_ear_has_no_opinion_on_words_that_it_cannot_hear(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    other = lacking(model_dir, tmp_path / "other", órdago="zzz", hordago="horda")
    second = Decoders(load_model(other), GRAMMAR, {})
    assert not second.hears("órdago")
    ear = SecondOpinion(Recogniser(model_dir, GRAMMAR), second, means)
    (heard,) = spoken(ear, say(0.5, "órdago", 0.8))
    assert not heard.disputed


def test_what_the_voice_breaks_off_is_judged_too(model_dir: Path, tmp_path: Path, say: Say) -> None:
    other = lacking(model_dir, tmp_path / "other", órdago="swap", paso="órdago", swap="paso")
    ear = SecondOpinion(
        Recogniser(model_dir, GRAMMAR), Decoders(load_model(other), GRAMMAR, {}), means
    )
    sound = say(0.5, "órdago", 0.05)
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        ear.feed(Block(samples, (start + len(samples)) / RATE))
    (heard,) = ear.break_off()
    assert (heard.text, heard.disputed) == ("órdago", True)


@pytest.mark.parametrize("begins", [0.0, 3600.0])
def test_the_sound_that_is_heard_again_is_that_of_the_utterance(
    model_dir: Path, say: Say, begins: float
) -> None:
    second = Decoders(load_model(model_dir), GRAMMAR, {})
    ear = SecondOpinion(Recogniser(model_dir, GRAMMAR), second, means)
    fed = len(say(0.3, "órdago", 0.3)) / RATE
    spoken(ear, say(2.0, "no hay mus", 1.5, "órdago", 0.8), begins)
    assert second.of(GRAMMAR).fed / RATE == pytest.approx(fed, abs=0.3)
