"""An ear that recognises the voices of enrolled players."""

from __future__ import annotations

import argparse
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import Block, Recogniser
from assistant.ear.audio import RATE, Samples, to_int16
from assistant.ear.source import BLOCK
from assistant.files.resources import load_lexicon, model_dir
from assistant.files.settings import Settings
from assistant.messages import Heard
from assistant.rules.engine import open_game
from assistant.rules.history import fold, number
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.speakers.enrolled import keep, own_dir, write_wav
from assistant.speakers.enrolment import SaidPrompt
from assistant.speakers.who_spoke import Attributing, seated, tells_apart
from tests.speakers.test_mus_enrol import prompts

SEATS = ("Ana", "Eva", "Luis", "Juan")
VOICES = {"Ana": "es+f2", "luis": "es-419+m3"}
WITHIN = 600.0
# Voices are adapted here, and the machine may be busy.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("own_folder"),
]


def spoken_call(voice: str, text: str, pause: float = 1.0) -> Samples:
    """A call in a quiet room, and so many seconds of the room after it."""
    from scripts.lab.rendering.voices import Espeak, Manner, speak

    sound = speak(Espeak(voice), text, Manner())
    sound = np.concatenate(
        [np.zeros(RATE // 5, np.float32), sound, np.zeros(round(pause * RATE), np.float32)]
    )
    hiss = np.random.default_rng(1).normal(size=len(sound)) * 5e-4
    return to_int16((sound + hiss).astype(np.float32))


def state_of(*seats: str) -> State:
    state = fold(number(open_game(Profile(), seats, 1), 0, 0.0))
    assert state is not None
    return state


def settings(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(words), {})


class Listening:
    """A table that listens, and its clock."""

    def __init__(self, made: Settings) -> None:
        self.state = state_of(*SEATS)
        recogniser = Recogniser(model_dir(), load_lexicon().grammar())
        self.ear = Attributing(recogniser, made, lambda: self.state)
        self.now = 0.0

    def hear(self, sound: Samples, levels: tuple[float, ...] = ()) -> list[Heard]:
        found: list[Heard] = []
        for at in range(0, len(sound), BLOCK):
            samples = sound[at : at + BLOCK]
            self.now += len(samples) / RATE
            block = Block(samples, self.now, levels)
            found += [one for one in self.ear.feed(block) if isinstance(one, Heard)]
        return [*found, *self.ear.flush()]

    def learn_the_voices(self) -> None:
        """Let the table begin, and wait until it knows the voices of its players."""
        self.hear(np.zeros(BLOCK, np.int16))
        until(nobody_learns)


def nobody_learns() -> bool:
    return not any(one.name == "voiceprints" for one in threading.enumerate())


def until(happened: Callable[[], Any]) -> Any:
    end = time.monotonic() + WITHIN
    while not (found := happened()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def readings() -> dict[str, list[SaidPrompt]]:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    return {
        name: [SaidPrompt(text, spoken_call(voice, text, pause=0.1)) for text in prompts()[:8]]
        for name, voice in VOICES.items()
    }


@pytest.fixture
def learnt(own_folder: Path, readings: dict[str, list[SaidPrompt]]) -> None:
    assert not own_folder.exists(), "nobody else has enrolled"
    for name, rows in readings.items():
        keep(name, "es", rows)


@pytest.fixture
def listening() -> Iterator[Listening]:
    table = Listening(settings())
    yield table
    table.ear.close()


@pytest.mark.usefixtures("learnt")
def test_an_enrolled_player_is_recognised_by_his_voice(listening: Listening) -> None:
    first = listening.hear(spoken_call(VOICES["luis"], "no quiero"))
    assert [one.text for one in first] == ["no quiero"], "the ear hears before it knows any voice"
    assert not first[0].voices
    listening.learn_the_voices()
    for name, seat in (("luis", 3), ("Ana", 1)):
        [heard] = listening.hear(spoken_call(VOICES[name], "no quiero"))
        shares = heard.voices[-1].seats
        assert len(shares) == 4
        assert shares.index(max(shares)) == seat - 1
        assert max(shares) > 0.8


@pytest.mark.usefixtures("learnt")
def test_other_people_at_the_table_are_not_taken_for_players_who_left(listening: Listening) -> None:
    listening.learn_the_voices()
    [heard] = listening.hear(spoken_call(VOICES["Ana"], "paso"))
    assert heard.voices
    listening.state = state_of("Pepe", "Eva", "Marta", "Juan")
    assert [one.voices for one in listening.hear(spoken_call(VOICES["Ana"], "paso"))] == [()]


def test_a_broken_recording_leaves_the_speaker_to_the_turn(
    readings: dict[str, list[SaidPrompt]],
    listening: Listening,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name, rows in readings.items():
        keep(name, "es", rows)
    (own_dir() / "Ana" / "01.wav").write_bytes(b"x")
    with caplog.at_level(logging.WARNING, "mus.ear"):
        assert [one.text for one in listening.hear(spoken_call("es", "paso"))] == ["paso"]
        until(lambda: "told by the turn alone" in caplog.text)
    assert "'Ana' cannot be read" in caplog.text


@pytest.mark.usefixtures("learnt")
def test_closing_a_table_does_not_wait_for_the_voices(listening: Listening) -> None:
    listening.hear(np.zeros(BLOCK, np.int16))
    listening.ear.close()
    until(nobody_learns)


def test_the_channel_in_front_of_a_seat_tells_who_sits_there() -> None:
    made = replace(settings("--channels", "4"), seat_channels=(2, 1, 4, 3))
    table = Listening(made)
    table.hear(np.zeros(2 * RATE, np.int16), (-60.0, -60.0, -60.0, -60.0))
    [heard] = table.hear(spoken_call("es", "envido cinco"), (-34.0, -28.0, -34.0, -34.0))
    shares = heard.voices[-1].seats
    assert shares.index(max(shares)) == 0, "the second channel is in front of the first seat"


def test_names_match_in_small_and_capital_letters() -> None:
    assert seated(("Ana", "Eva", "LUIS"), ["luis", "Ana", "Pepe"]) == {1: "Ana", 3: "luis"}


def test_with_one_enrolled_voice_or_a_recording_the_turn_tells_the_speaker(tmp_path: Path) -> None:
    assert not tells_apart(settings())
    keep("Ana", "es", [SaidPrompt("mus", np.zeros(1600, np.int16))])
    assert not tells_apart(settings())
    keep("Luis", "es", [SaidPrompt("mus", np.zeros(1600, np.int16))])
    assert tells_apart(settings())
    wav = tmp_path / "a.wav"
    write_wav(wav, np.zeros(1600, np.int16))
    assert not tells_apart(settings("--listen", str(wav)))
    assert tells_apart(settings("--channels", "2"))
