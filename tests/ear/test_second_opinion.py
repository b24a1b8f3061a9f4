"""A second model's opinion on costly calls."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.decoder import Decoders
from assistant.ear.recogniser import Partial, Recogniser
from assistant.ear.second_opinion import BIG, SecondOpinion, dear_in
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import load_model
from assistant.messages import Heard, Word
from assistant.rules import calls as c
from assistant.rules.phases import Lance
from tests.ear.conftest import GRAMMAR, Say
from tests.ear.other_models import lacking
from tests.ear.test_hearing import CUT, _state
from tests.lexicons import spanish
from tests.table.sounds import words
from tests.tables import each_row

# ---- Two models: they agree on a costly call, or the table is asked -----------------------------


BEGINS = 40.0
"""Stream seconds. The second decoder's times start at 0, those of the ear do not."""


def means(words: tuple[Word, ...]) -> tuple[Hashable, ...]:
    """Only an órdago is costly."""
    return tuple(word.text for word in words if word.text == "órdago")


def spoken(ear: SecondOpinion, sound: Samples, begins: float = BEGINS) -> list[Heard]:
    found: list[Heard | Partial] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += ear.feed(Block(samples, begins + (start + len(samples)) / RATE))
    return [one for one in [*found, *ear.flush()] if isinstance(one, Heard)]


class Counted(Decoders):
    """Decoders that count how often each of them is used."""

    asked = 0

    def of(self, phrases):  # type: ignore[no-untyped-def]
        self.asked += 1
        return super().of(phrases)


def test_two_equal_models_agree_on_every_call(model_dir: Path, say: Say) -> None:
    second = Counted(load_model(model_dir), GRAMMAR, {})
    ear = SecondOpinion(Recogniser(model_dir, GRAMMAR), second, means)
    sound = say(0.5, "paso", 0.8, "órdago", 0.8, "no quiero", 0.8, "órdago", 0.8)
    heard = spoken(ear, sound)
    assert [one.text for one in heard] == ["paso", "órdago", "no quiero", "órdago"]
    assert not any(one.disputed for one in heard)
    assert second.asked == 2, "only costly calls are heard again"


def test_a_costly_call_that_the_second_model_hears_otherwise_is_disputed(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    # What sounds like "órdago" is "paso" to this model, and vice versa.
    other = lacking(model_dir, tmp_path / "other", órdago="swap", paso="órdago", swap="paso")
    ear = SecondOpinion(
        Recogniser(model_dir, GRAMMAR), Decoders(load_model(other), GRAMMAR, {}), means
    )
    heard = spoken(ear, say(0.5, "órdago", 0.8, "paso", 0.8))
    assert [(one.text, one.disputed) for one in heard] == [("órdago", True), ("paso", False)]


def test_a_second_model_agrees_by_its_stand_ins(model_dir: Path, tmp_path: Path, say: Say) -> None:
    other = lacking(model_dir, tmp_path / "other", órdago="ordago", hordago="horda")
    ear = SecondOpinion(
        Recogniser(model_dir, GRAMMAR), Decoders(load_model(other), GRAMMAR, {}), means
    )
    (heard,) = spoken(ear, say(0.5, "órdago", 0.8))
    assert (heard.text, heard.disputed) == ("órdago", False)


def test_a_model_has_no_opinion_on_words_that_it_cannot_hear(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
    other = lacking(model_dir, tmp_path / "other", órdago="zzz", hordago="horda")
    second = Decoders(load_model(other), GRAMMAR, {})
    assert not second.hears("órdago")
    ear = SecondOpinion(Recogniser(model_dir, GRAMMAR), second, means)
    (heard,) = spoken(ear, say(0.5, "órdago", 0.8))
    assert not heard.disputed


def test_an_utterance_cut_off_by_the_assistants_voice_is_judged_too(
    model_dir: Path, tmp_path: Path, say: Say
) -> None:
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
def test_the_second_pass_hears_the_sound_of_the_utterance(
    model_dir: Path, say: Say, begins: float
) -> None:
    second = Decoders(load_model(model_dir), GRAMMAR, {})
    ear = SecondOpinion(Recogniser(model_dir, GRAMMAR), second, means)
    fed = len(say(0.3, "órdago", 0.3)) / RATE
    spoken(ear, say(2.0, "no hay mus", 1.5, "órdago", 0.8), begins)
    assert second.of(GRAMMAR).fed / RATE == pytest.approx(fed, abs=0.3)


# ---- Which calls are costly: by their words, and by the state of the table ----------------------


@each_row(
    "said, text, dear",
    [
        (CUT, "órdago", [c.Ordago()]),
        (CUT, "órdago a la grande", [c.Ordago(lance=Lance.GRANDE)]),
        ((*CUT, c.Ordago()), "quiero", [c.Accept()]),
        ((*CUT, c.Ordago()), "no quiero", []),
        ((*CUT, c.Bet()), "quiero", []),
        ((*CUT, c.Bet()), "órdago", [c.Ordago()]),
        (CUT, "órdago quiero", [c.Ordago(), c.Accept()]),
        (CUT, "envido diez", [c.Bet(stones=BIG)]),
        (CUT, "envido nueve", []),
        ((*CUT, c.Bet()), "veinte más", [c.Raise(stones=20)]),
        (CUT, "envido quiero", []),
        (CUT, "paso", []),
        (CUT, "[unk]", []),
        ((), "no hay mus", []),
    ],
)
def test_an_ordago_its_acceptance_and_a_large_bet_are_costly(
    said: tuple[c.Call, ...], text: str, dear: list[c.Call]
) -> None:
    assert dear_in(spanish(), lambda: _state(*said))(words(text)) == tuple(dear)


def test_the_costly_calls_follow_the_table() -> None:
    now = _state(*CUT)
    means = dear_in(spanish(), lambda: now)
    assert means(words("quiero")) == ()
    now = _state(*CUT, c.Ordago())
    assert means(words("quiero")) == (c.Accept(),)
