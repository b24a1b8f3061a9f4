"""Sound leaves by the system's own player, and never holds the game up."""

import threading
import time
import wave
from pathlib import Path

import pytest

from assistant.voice import VoiceError
from assistant.voice.mouth import find_player, play, try_player
from tests.voice.parts import ENDLESS, needs_player

pytestmark = pytest.mark.slow


@pytest.fixture
def beep(tmp_path: Path) -> Path:
    """A second of sound."""
    path = tmp_path / "beep.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 22050, 0, "NONE", "not compressed"))
        sound.writeframes(bytes(range(200)) * 220)
    return path


@needs_player
def test_the_loudspeaker_gets_the_very_samples(
    beep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ALSA itself writes down what the sound card would have played."""
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
def test_a_machine_without_a_sound_card_is_told_at_once(
    beep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "asound.conf").write_text("")  # no card, no default: as in a container
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


def test_a_player_that_fails_without_a_word_is_told_by_its_status(beep: Path) -> None:
    with pytest.raises(VoiceError, match=r"\(sh: exit 3\)"):
        play(("sh", "-c", "exit 3"), beep, 1.0, threading.Event())


def test_a_machine_without_a_player_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VoiceError, match="apt install alsa-utils"):
        find_player()


@needs_player
@pytest.mark.parametrize("card", [False, True])
def test_a_player_is_tried_and_not_only_looked_for(
    card: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed aplay says nothing of a sound card: "✓ altavoz" is told where one plays."""
    config = "</usr/share/alsa/alsa.conf>\npcm.!default { type null }\n" if card else ""
    (tmp_path / "asound.conf").write_text(config)
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    monkeypatch.setattr("assistant.voice.mouth.PLAYERS", (("aplay", "-q"),))
    if card:
        assert try_player() == ("aplay", "-q")
    else:
        with pytest.raises(VoiceError, match="Nobody hears the voice"):
            try_player()
