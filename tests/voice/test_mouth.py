"""The voice's two processes: the synthesis is restarted when it dies, the player can be stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.voice import VoiceError, VoiceSettings
from assistant.voice.speaker import Mouth, find_player, play, try_player
from tests.voice.parts import ENDLESS, needs_player, needs_speech

# ---- The process of the engine: it is replaced when it dies, unnoticed by the game --------------


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
def test_one_process_speaks_sentence_after_sentence(mouth: Mouth, tmp_path: Path) -> None:
    mouth.check()
    first = pid_of(mouth)
    lengths = [mouth.render(SENTENCE, tmp_path / f"{i}.wav") for i in range(3)]
    assert pid_of(mouth) == first
    assert min(lengths) > 1.5
    assert max(lengths) - min(lengths) < 0.2


@needs_speech
def test_a_killed_process_is_replaced_and_the_sentence_spoken(mouth: Mouth, tmp_path: Path) -> None:
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
def test_a_lower_volume_holds_from_the_next_sentence_on(mouth: Mouth, tmp_path: Path) -> None:
    loud, soft = tmp_path / "loud.wav", tmp_path / "soft.wav"
    mouth.render(SENTENCE, loud)
    mouth.volume = 0.0
    mouth.render(SENTENCE, soft)
    assert any(loud.read_bytes()[44:])
    assert not any(soft.read_bytes()[44:])


@needs_speech
def test_the_warnings_of_the_engine_are_passed_on(mouth: Mouth, tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="could not be spoken"):
        mouth.render(SENTENCE, tmp_path / "nowhere" / "said.wav")
    assert mouth.render(SENTENCE, tmp_path / "said.wav") > 1.5


@needs_speech
def test_an_unknown_voice_is_reported_each_time() -> None:
    mouth = Mouth(VoiceSettings(name="nobody's"))
    for _ in range(2):
        with pytest.raises(VoiceError, match="no voice is"):
            mouth.check()


def test_an_engine_that_always_dies_is_reported_in_one_sentence(tmp_path: Path) -> None:
    mouth = Mouth(VoiceSettings(), DIES)
    with pytest.raises(VoiceError, match="dies each time"):
        mouth.render(SENTENCE, tmp_path / "never.wav")
    with pytest.raises(VoiceError, match="--reinstall"):
        mouth.check()


def test_an_engine_that_does_not_answer_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.voice.speaker.PATIENCE", 0.2)
    mouth = Mouth(VoiceSettings(), STUCK)
    began = time.monotonic()
    with pytest.raises(VoiceError, match="dies each time"):
        mouth.render(SENTENCE, tmp_path / "never.wav")
    assert time.monotonic() - began < 2


@needs_speech
def test_closing_a_mouth_ends_its_process(mouth: Mouth) -> None:
    mouth.check()
    pid = pid_of(mouth)
    mouth.close()
    assert not Path(f"/proc/{pid}").exists()


# ---- The system's player: it plays the sound and never holds up the game ------------------------


@pytest.fixture
def beep(tmp_path: Path) -> Path:
    """A WAV file of one second."""
    path = tmp_path / "beep.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 22050, 0, "NONE", "not compressed"))
        sound.writeframes(bytes(range(200)) * 220)
    return path


@needs_player
def test_the_loudspeaker_gets_the_samples_unchanged(
    beep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ALSA itself records what the sound card would have played."""
    played, config = tmp_path / "played.wav", tmp_path / "asound.conf"
    config.write_text(
        "</usr/share/alsa/alsa.conf>\n"
        f'pcm.!default {{ type file slave.pcm null file "{played}" format wav }}\n'
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
    assert play(("aplay", "-q"), beep, 1.0, threading.Event())
    with wave.open(str(beep), "rb") as sent:
        samples = sent.readframes(sent.getnframes())
    assert samples in played.read_bytes()


@needs_player
def test_a_machine_without_a_sound_card_is_reported_at_once(
    beep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "asound.conf").write_text("")  # no card and no default, as in a container
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    began = time.monotonic()
    with pytest.raises(VoiceError, match=r"^Nobody hears the voice \(aplay: ") as refused:
        play(("aplay", "-q"), beep, 1.0, threading.Event())
    assert time.monotonic() - began < 5
    assert "\n" not in str(refused.value)


def test_a_stop_ends_the_sound_at_once(beep: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    assert not play(ENDLESS, beep, 60.0, stop)
    assert time.monotonic() - began < 5


def test_a_sound_device_that_hangs_is_given_up(beep: Path) -> None:
    with pytest.raises(VoiceError, match="takes no sound"):
        play(ENDLESS, beep, 0.0, threading.Event(), stuck=0.1)


def test_a_player_that_fails_silently_is_reported_with_its_status(beep: Path) -> None:
    with pytest.raises(VoiceError, match=r"\(sh: exit 3\)"):
        play(("sh", "-c", "exit 3"), beep, 1.0, threading.Event())


def test_a_machine_without_a_player_is_reported_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VoiceError, match="apt install alsa-utils"):
        find_player()


@needs_player
@pytest.mark.parametrize("card", [False, True])
def test_a_player_is_tested_by_playing(
    card: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed aplay does not prove a sound card. "✓ altavoz" means that a sound was played."""
    config = "</usr/share/alsa/alsa.conf>\npcm.!default { type null }\n" if card else ""
    (tmp_path / "asound.conf").write_text(config)
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    monkeypatch.setattr("assistant.voice.speaker.PLAYERS", (("aplay", "-q"),))
    if card:
        assert try_player() == ("aplay", "-q")
    else:
        with pytest.raises(VoiceError, match="Nobody hears the voice"):
            try_player()
