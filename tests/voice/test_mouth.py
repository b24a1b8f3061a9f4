"""The engine's process: it speaks, it dies, it is made anew, and the game never notices."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.voice import VoiceError, VoiceSettings
from assistant.voice.mouth import Mouth
from tests.voice.parts import needs_speech

pytestmark = pytest.mark.slow

SENTENCE = "Cinco de deje para Norte y Sur; en total, un amarraco."
DIES = (sys.executable, "-c", "import os; os.abort()")
STUCK = (sys.executable, "-c", "import sys; [None for _ in sys.stdin]")


@pytest.fixture
def mouth() -> Iterator[Mouth]:
    mouth = Mouth(VoiceSettings())
    yield mouth
    mouth.close()


def pid_of(mouth: Mouth) -> int:
    process = mouth._process
    assert isinstance(process, subprocess.Popen)
    return process.pid


@needs_speech
def test_one_process_says_sentence_after_sentence(mouth: Mouth, tmp_path: Path) -> None:
    mouth.check()
    first = pid_of(mouth)
    lengths = [mouth.render(SENTENCE, tmp_path / f"{i}.wav") for i in range(3)]
    assert pid_of(mouth) == first
    assert min(lengths) > 1.5
    assert max(lengths) - min(lengths) < 0.2


@needs_speech
def test_a_process_that_was_killed_is_replaced_and_the_sentence_said(
    mouth: Mouth, tmp_path: Path
) -> None:
    before = mouth.render(SENTENCE, tmp_path / "before.wav")
    os.kill(pid_of(mouth), signal.SIGSEGV)
    assert mouth.render(SENTENCE, tmp_path / "after.wav") == pytest.approx(before, abs=0.2)


@needs_speech
def test_ctrl_c_does_not_cut_the_last_sentence(mouth: Mouth, tmp_path: Path) -> None:
    before = mouth.render(SENTENCE, tmp_path / "before.wav")
    first = pid_of(mouth)
    os.kill(first, signal.SIGINT)
    assert mouth.render(SENTENCE, tmp_path / "after.wav") == pytest.approx(before, abs=0.2)
    assert pid_of(mouth) == first


@needs_speech
def test_softer_is_softer_from_the_next_sentence_on(mouth: Mouth, tmp_path: Path) -> None:
    loud, soft = tmp_path / "loud.wav", tmp_path / "soft.wav"
    mouth.render(SENTENCE, loud)
    mouth.volume = 0.0
    mouth.render(SENTENCE, soft)
    assert any(loud.read_bytes()[44:])
    assert not any(soft.read_bytes()[44:])


@needs_speech
def test_what_the_engine_complains_of_comes_over(mouth: Mouth, tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="could not be spoken"):
        mouth.render(SENTENCE, tmp_path / "nowhere" / "said.wav")
    assert mouth.render(SENTENCE, tmp_path / "said.wav") > 1.5


@needs_speech
def test_a_voice_that_is_not_there_is_told_each_time() -> None:
    mouth = Mouth(VoiceSettings(name="nobody's"))
    for _ in range(2):
        with pytest.raises(VoiceError, match="no voice is"):
            mouth.check()


def test_an_engine_that_always_dies_is_told_in_one_sentence(tmp_path: Path) -> None:
    mouth = Mouth(VoiceSettings(), DIES)
    with pytest.raises(VoiceError, match="dies each time"):
        mouth.render(SENTENCE, tmp_path / "never.wav")
    with pytest.raises(VoiceError, match="--reinstall"):
        mouth.check()


def test_an_engine_that_does_not_answer_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.voice.mouth.PATIENCE", 0.2)
    mouth = Mouth(VoiceSettings(), STUCK)
    began = time.monotonic()
    with pytest.raises(VoiceError, match="dies each time"):
        mouth.render(SENTENCE, tmp_path / "never.wav")
    assert time.monotonic() - began < 2


@needs_speech
def test_the_process_ends_with_its_mouth(mouth: Mouth) -> None:
    mouth.check()
    pid = pid_of(mouth)
    mouth.close()
    assert not Path(f"/proc/{pid}").exists()
