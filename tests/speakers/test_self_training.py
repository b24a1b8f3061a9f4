"""The ear learns the voices of a table from the calls that counted there."""

from __future__ import annotations

import argparse
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.cli.app import Session
from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import Block, Ear, Recogniser, Renewable
from assistant.ear.audio import RATE, Samples
from assistant.ear.network import (
    PRONUNCIATIONS,
    Learnt,
    load_base,
    pronunciations,
    save_model,
)
from assistant.ear.source import BLOCK, FileSource
from assistant.ear.speech_model import load_model
from assistant.files.resources import load_lexicon, model_dir
from assistant.files.settings import Settings
from assistant.messages import Heard
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.speakers import self_training
from assistant.speakers.self_training import (
    FEWEST,
    RIPE,
    CallsTaken,
    SelfTraining,
    TakenCall,
    learnt,
    packed,
    readings_of,
    unpacked,
)
from assistant.speakers.voice_lessons import VoiceLessons
from assistant.table.journal import MemoryJournal
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from tests.lexicons import spanish
from tests.speakers.test_attributing import spoken_call
from tests.table.sounds import later, sounding

SEATS = ("Norte", "Oeste", "Sur", "Este")


class Learner:
    """A listener that hands the news to the calls that teach."""

    def __init__(self) -> None:
        self.calls = CallsTaken(spanish())

    def told(self, news: News, table: Table) -> None:
        self.calls.told(news, table)


class PlayedTable:
    """A real table with a learner, and a second of sound behind each thing that is said."""

    def __init__(self) -> None:
        opening = number(open_game(Profile(), SEATS), 0, at=1.0)
        journal = MemoryJournal()
        journal.append(opening)

        def no_other_game() -> Any:
            raise AssertionError("one game is played")

        self.runner = Runner(Table(spanish(), opening), journal, no_other_game, clock=lambda: 2.0)
        self.learner = Learner()
        self.runner.listeners.append(self.learner)
        self.at = 0.0

    def say(self, sure: float = 1.0, /, *, text: str, **how: bool) -> None:
        """Somebody says something; the rest of the probability is unknown speech."""
        ways = {text.replace(" ", "_"): sure}
        if sure < 1:
            ways["UNK"] = 1 - sure
        for _ in range(round(2.5 * RATE / BLOCK)):
            self.at += BLOCK / RATE
            self.learner.calls.feed(Block(np.full(BLOCK, round(self.at), np.int16), self.at))
        heard = replace(later(sounding(**ways), self.at - 1.5), **how)  # type: ignore[arg-type]
        self.learner.calls.heard(heard)
        self.runner.post(replace(heard)).result(5)

    def taught(self) -> list[str]:
        """The calls that teach, once the deal is over."""
        return [" ".join(call.words) for call in self.learner.calls.newest()]

    def end_the_deal(self) -> None:
        """Somebody wins the match by an órdago, and shows his cards."""
        for text in ("órdago", "quiero"):
            self.say(text=text)
        for hand in ("rey rey as as", "caballo sota seis cuatro") * 2:
            self.say(text=hand)


@pytest.fixture
def table() -> Iterator[PlayedTable]:
    table = PlayedTable()
    table.runner.start()
    yield table
    table.runner.stop()


def test_a_call_teaches_once_its_deal_is_over(table: PlayedTable) -> None:
    table.say(text="no hay mus")
    table.say(text="paso")
    assert table.taught() == []
    table.end_the_deal()
    assert table.taught()[:4] == ["no hay mus", "paso", "órdago", "quiero"]


def test_a_call_that_eight_others_have_followed_teaches_before_its_deal_is_over(
    table: PlayedTable,
) -> None:
    table.say(text="no hay mus")
    for _ in range(RIPE - 1):
        table.say(text="paso")
    assert table.taught() == []
    table.say(text="paso")
    assert table.taught() == ["no hay mus"]


def test_a_call_that_was_taken_back_teaches_nothing(table: PlayedTable) -> None:
    table.say(text="no hay mus")
    table.say(text="envido")
    table.say(text="corrige")
    table.say(text="paso")
    table.end_the_deal()
    assert table.taught()[:3] == ["no hay mus", "paso", "órdago"]


def test_a_call_that_was_hardly_heard_teaches_nothing(table: PlayedTable) -> None:
    table.say(text="no hay mus")
    table.say(0.85, text="paso")
    table.end_the_deal()
    assert table.taught()[:2] == ["no hay mus", "órdago"]


def test_a_call_that_was_asked_about_and_confirmed_teaches(table: PlayedTable) -> None:
    table.say(text="no hay mus")
    table.say(0.6, text="órdago")
    table.say(text="sí")
    table.say(text="quiero")
    for hand in ("rey rey as as", "caballo sota seis cuatro") * 2:
        table.say(text=hand)
    assert table.taught()[:3] == ["no hay mus", "órdago", "quiero"]


def test_chat_between_a_question_and_its_answer_takes_nothing_from_what_is_learnt(
    table: PlayedTable,
) -> None:
    table.say(text="no hay mus")
    table.say(0.6, text="órdago")
    table.say(0.3, text="una")  # somebody orders a beer
    table.say(text="sí")
    table.say(text="quiero")
    for hand in ("rey rey as as", "caballo sota seis cuatro") * 2:
        table.say(text=hand)
    assert table.taught()[:3] == ["no hay mus", "órdago", "quiero"]


def test_a_call_that_was_asked_about_and_denied_teaches_nothing_later(
    table: PlayedTable,
) -> None:
    table.say(text="no hay mus")
    table.say(0.6, text="órdago")
    table.say(text="no")
    table.end_the_deal()
    assert table.taught().count("órdago") == 1, "the last one, which counted at once"


@pytest.mark.parametrize("how", ["over", "distant", "cut"])
def test_what_may_be_somebody_else_or_half_a_call_teaches_nothing(
    table: PlayedTable, how: str
) -> None:
    table.say(text="no hay mus")
    table.say(text="paso", **{how: True})
    table.end_the_deal()
    assert "paso" not in table.taught()


def test_a_call_is_kept_with_its_own_sound(table: PlayedTable) -> None:
    table.say(text="no hay mus")
    table.end_the_deal()
    first = table.learner.calls.newest()[0]
    assert len(first.sound) / RATE == pytest.approx(0.97 + 0.3, abs=0.05)
    assert set(first.sound) <= {1, 2, 3}, "the sound of its own moment"


def test_the_process_that_learns_gets_the_calls_as_they_are() -> None:
    calls = [TakenCall(("paso",), np.arange(5, dtype=np.int16)), TakenCall(("no", "hay"), SILENT)]
    for given, got in zip(calls, unpacked(packed(calls)), strict=True):
        assert got.words == given.words
        assert np.array_equal(got.sound, given.sound)


SILENT: Samples = np.zeros(RATE // 2, np.int16)


def test_every_word_of_the_game_has_sounds_by_which_it_is_learnt() -> None:
    known = pronunciations(model_dir())
    phrases = " ".join(spanish().whole_grammar(())).split()
    assert set(phrases) - known.keys() <= {"[unk]"}


def test_a_call_with_a_name_is_left_out_because_names_have_no_sounds_there() -> None:
    base = load_base(model_dir())
    calls = [TakenCall(("habla", "xabier"), SILENT), TakenCall(("paso",), SILENT)]
    assert len(readings_of(calls, base, pronunciations(model_dir()))) == 1


def test_a_call_that_is_too_short_for_its_words_is_left_out() -> None:
    base = load_base(model_dir())
    calls = [TakenCall(("paso",), SILENT[: RATE // 10]), TakenCall(("paso",), SILENT)]
    assert len(readings_of(calls, base, pronunciations(model_dir()))) == 1


def settings(*words: str, learn: bool = True) -> Settings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(words), {"learn": learn})


class FakeHouse:
    """What ``install`` needs of a house."""

    def __init__(self, made: Settings) -> None:
        self.settings = made
        self.runner = PlayedTable().runner
        self.listeners: list[Any] = []

    def tell(self, listener: Any) -> None:
        self.listeners.append(listener)


FIT = Learnt("the fit")


class Deaf:
    """An ear that hears nothing, and remembers with what it was to go on."""

    knows_the_table = somebody_speaks = False

    def __init__(self) -> None:
        self.renewed: list[Learnt] = []

    def feed(self, _: Block) -> list[Any]:
        return []

    def flush(self) -> list[Heard]:
        return []

    def break_off(self) -> list[Heard]:
        return []

    def renew(self, learnt: Learnt) -> None:
        self.renewed.append(learnt)


def installed(
    made: Settings, ear: Deaf | None = None, before: SelfTraining | None = None
) -> SelfTraining | None:
    house = FakeHouse(made)
    return self_training.install(house, ear or Deaf(), before)  # type: ignore[arg-type]


def test_a_table_learns_and_a_recording_does_not(own_folder: Path, tmp_path: Path) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    shutil.copy(model_dir().parent / "demo" / "deals.wav", wav := tmp_path / "a.wav")
    assert installed(settings()) is not None
    assert installed(settings("--listen", str(wav))) is None


def test_a_table_that_was_told_not_to_learn_does_not(own_folder: Path) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    assert installed(settings(learn=False)) is None


def test_a_model_without_the_sounds_of_its_words_is_heard_as_it_is(
    own_folder: Path, tmp_path: Path
) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    other = shutil.copytree(model_dir(), tmp_path / "other")
    (other / PRONUNCIATIONS).unlink()
    assert installed(replace(settings(), model=other)) is None


def test_it_learns_more_rarely_each_time_but_never_more_rarely_than_it_forgets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    training = SelfTraining(Deaf(), model_dir(), spanish())
    learnt_at: list[int] = []
    monkeypatch.setattr(training, "_learn", lambda _: learnt_at.append(training._calls.count))
    table = PlayedTable().runner.table
    for _ in range(520):
        training._calls.count += 1
        training.told(News(SAID, (), ()), table)
        training.settle()
    assert learnt_at == [16, 24, 36, 54, 81, 121, 181, 271, 391, 511]


def taught(*words: str) -> SelfTraining:
    """What has learnt from twenty calls, and is closed because somebody changed a setting."""
    training = installed(settings(*words))
    assert training is not None
    training._calls._kept.extend([TakenCall(("paso",), SILENT)] * 20)
    training._calls.count, training._next = 20, 32
    training._hear_with(FIT, 16)
    training.close()
    return training


def test_what_a_table_has_learnt_stays_when_somebody_changes_a_setting(own_folder: Path) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    before = taught()
    again = installed(settings("--voice", "off"), ear := Deaf(), before)
    assert again is not None
    assert ear.renewed == [FIT]
    assert len(again._calls.newest()) == again._calls.count == 20
    assert again._next == 32
    assert again.learnt_from == 16


def test_what_was_learnt_through_another_microphone_is_of_no_use(own_folder: Path) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    again = installed(settings("--mic", "USB"), ear := Deaf(), taught())
    assert again is not None
    assert not ear.renewed
    assert again._calls.count == 0


def test_a_fit_that_a_change_of_settings_broke_off_is_made_at_the_next_call(
    monkeypatch: pytest.MonkeyPatch, own_folder: Path
) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    before = taught()
    hangs = threading.Event()
    before._thread = threading.Thread(target=hangs.wait)
    before._thread.start()
    again = installed(settings(), Deaf(), before)
    hangs.set()
    assert again is not None
    fits: list[int] = []
    monkeypatch.setattr(again, "_learn", lambda calls: fits.append(len(calls)))
    again.told(News(SAID, (), ()), PlayedTable().runner.table)
    again.settle()
    assert fits == [20]


def no_ear() -> Ear:
    raise AssertionError("nobody reads")


def test_the_page_is_told_from_how_many_calls_the_ear_has_learnt(own_folder: Path) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    assert VoiceLessons(no_ear, lambda: None).view()["learnt"] is None, "it does not learn"
    learns = SelfTraining(Deaf(), model_dir(), spanish())
    lessons = VoiceLessons(no_ear, lambda: None, learns)
    assert lessons.view()["learnt"] == 0
    learns._hear_with(FIT, 16)
    assert lessons.view()["learnt"] == 16


# ---- With sound: slow ---------------------------------------------------------------------------


TEXTS = ("envido", "quiero", "no quiero", "paso", "órdago", "mus", "no hay mus", "pares sí")


@pytest.fixture(scope="module")
def evening() -> list[TakenCall]:
    """Calls in a bad telephone's sound: a voice that the model has never heard like this."""
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    dice = np.random.default_rng(1)
    calls = []
    for text in TEXTS * 3:
        sound = spoken_call("es-419+f4", text, pause=0.1).astype(np.float64)
        muffled = np.convolve(sound, np.full(9, 1 / 9), "same") + dice.normal(size=len(sound)) * 60
        calls.append(TakenCall(tuple(text.split()), muffled.astype(np.int16)))
    return calls


@pytest.mark.slow
def test_learning_makes_calls_likelier_from_which_it_has_not_learnt(
    evening: list[TakenCall],
) -> None:
    assert learnt(model_dir(), evening) is not None


@pytest.mark.slow
def test_what_makes_nothing_better_is_not_used(evening: list[TakenCall]) -> None:
    wrong = [replace(call, words=("treinta", "y", "uno")) for call in evening[:8]]
    mixed = [wrong[at // 2] if at % 2 else call for at, call in enumerate(evening[:16])]
    right_held = [evening[at] if at % 5 == 0 else wrong[at % 8] for at in range(len(mixed))]
    assert learnt(model_dir(), right_held) is None


@pytest.mark.slow
def test_too_few_calls_teach_nothing(evening: list[TakenCall]) -> None:
    assert learnt(model_dir(), evening[:4]) is None


def until(happened: Callable[[], Any], within: float = 300.0) -> None:
    end = time.monotonic() + within
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_after_two_deals_the_ear_goes_on_with_what_it_has_learnt(
    evening: list[TakenCall],
) -> None:
    ear = Deaf()
    training = SelfTraining(ear, model_dir(), spanish())
    calls = training._calls
    calls._kept.extend(evening)
    calls.count = len(evening)
    assert calls.count >= FEWEST
    training.told(News(SAID, (), ()), PlayedTable().runner.table)
    until(lambda: ear.renewed)
    training.close()
    assert Recogniser(model_dir(), ["paso", "[unk]"], loaded=ear.renewed[0].model)


@pytest.mark.slow
def test_a_table_that_is_closed_stops_to_learn_at_once(evening: list[TakenCall]) -> None:
    ear = Deaf()
    training = SelfTraining(ear, model_dir(), spanish())
    training._calls._kept.extend(evening * 5)
    training._calls.count = len(evening) * 5
    training.told(News(SAID, (), ()), PlayedTable().runner.table)
    time.sleep(1.0)
    began = time.monotonic()
    training.close()
    training.settle()
    assert time.monotonic() - began < 5
    assert not ear.renewed


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_table_tries_to_learn_from_what_is_said_at_it(
    own_folder: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not own_folder.exists(), "nobody has enrolled"
    monkeypatch.setattr(self_training, "FEWEST", 8)
    monkeypatch.setattr(self_training, "RIPE", 1)
    words = ["--port", "0", "--voice", "off", "--mano", "1", "--journal", str(tmp_path / "t")]
    source = FileSource(model_dir().parent / "demo" / "deals.wav")
    with caplog.at_level("INFO", "mus.ear"), Session(settings(*words), source=source):
        # These voices are heard so well that it may find nothing to learn.
        until(lambda: "8 calls of this table" in caplog.text)


SAID = Heard(())


@pytest.mark.slow
def test_an_ear_goes_on_with_another_model_in_the_next_pause(tmp_path: Path) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    base = load_base(model_dir())
    deaf = [replace(layer, weights=layer.weights * 0) for layer in base.layers]
    save_model(tmp_path / "deaf", model_dir(), deaf)
    ear: Renewable = Recogniser(model_dir(), load_lexicon().grammar())
    assert texts(ear, 0.0) == ["no quiero"]
    ear.renew(Learnt(load_model(tmp_path / "deaf")))
    assert texts(ear, 10.0) != ["no quiero"]
    ear.renew(Learnt(load_model(model_dir())))
    assert texts(ear, 20.0) == ["no quiero"]


def texts(ear: Renewable, at: float) -> list[str]:
    """What an ear hears of a call."""
    sound = spoken_call("es+f2", "no quiero")
    found = []
    for first in range(0, len(sound), BLOCK):
        samples = sound[first : first + BLOCK]
        at += len(samples) / RATE
        found += [one for one in ear.feed(Block(samples, at)) if isinstance(one, Heard)]
    return [one.text for one in [*found, *ear.flush()]]
