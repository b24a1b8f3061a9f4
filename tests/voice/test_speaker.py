"""The voice on the loudspeaker, with real speech and real player processes."""

import logging
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.voice import Pyttsx3Voice, SaidSentence, Voice, VoiceSettings
from tests.contracts.voice_contract import VoiceContract
from tests.voice.parts import ENDLESS, QUIET, GateLog, needs_player, needs_speech, until

pytestmark = [pytest.mark.slow, needs_speech]


class Listener(logging.Handler):
    """Keeps the sentences that the log reports as spoken."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class TestPyttsx3Voice(VoiceContract):
    @pytest.fixture(autouse=True)
    def listen(self) -> Iterator[None]:
        self.listener = Listener()
        log = logging.getLogger("mus.voice")
        log.addHandler(self.listener)
        log.setLevel(logging.INFO)
        yield
        log.removeHandler(self.listener)
        log.setLevel(logging.NOTSET)

    def make(self) -> Voice:
        return Pyttsx3Voice(player=QUIET)

    def spoken_by(self, _voice: Voice) -> list[str]:
        return self.listener.said


def test_the_gate_is_shut_exactly_while_each_sentence_sounds() -> None:
    gate = GateLog()
    voice = Pyttsx3Voice(gate=gate, player=QUIET)
    voice.say("Corta Oeste.", seq=1)
    voice.say("Grande en paso.", seq=1)
    voice.close()
    assert gate.moves == ["shut", "open", "shut", "open"]


def test_each_sentence_is_told_with_its_length_when_its_sound_begins() -> None:
    gate, begun = GateLog(), []

    def begins(said: SaidSentence, seconds: float) -> None:
        begun.append((said, seconds, gate.moves[-1]))

    voice = Pyttsx3Voice(gate=gate, player=QUIET, on_begin=begins)
    voice.say("Corta Oeste.", seq=4)
    voice.say("Grande cinco y pares siete. Doce a una.", seq=4)
    voice.close()
    assert [(said.text, said.seq) for said, _, _ in begun] == [
        ("Corta Oeste.", 4),
        ("Grande cinco y pares siete. Doce a una.", 4),
    ]
    assert {move for _, _, move in begun} == {"shut"}
    assert 0.3 < begun[0][1] < begun[1][1] < 10


def test_the_gate_opens_again_when_a_sentence_is_cut_short() -> None:
    gate = GateLog()
    voice = Pyttsx3Voice(gate=gate, player=ENDLESS)
    voice.say("Grande en paso, una para Norte y Sur.", seq=1)
    assert gate.wait_for("shut")
    began = time.monotonic()
    voice.silence()
    assert gate.wait_for("shut", "open")
    assert time.monotonic() - began < 2
    voice.close()


def test_the_gate_opens_again_when_the_loudspeaker_fails() -> None:
    gate = GateLog()
    voice = Pyttsx3Voice(gate=gate, player=("false",))
    voice.say("Corta Oeste.", seq=1)
    assert gate.wait_for("shut", "open")
    voice.close()


def test_an_old_sentence_gives_way_to_an_urgent_one() -> None:
    gate = GateLog()
    voice = Pyttsx3Voice(gate=gate, player=ENDLESS)
    voice.say("Grande en paso, una para Norte y Sur.", seq=1)
    assert gate.wait_for("shut")
    voice.say("Órdago de Norte a la grande.", seq=2, urgent=True)
    assert gate.wait_for("shut", "open", "shut")
    voice.silence()
    voice.close()


@needs_player
def test_a_sentence_reaches_the_loudspeaker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own player is used, and ALSA records what the sound card would have played."""
    played, config = tmp_path / "played.wav", tmp_path / "asound.conf"
    config.write_text(
        "</usr/share/alsa/alsa.conf>\n"
        f'pcm.!default {{ type file slave.pcm null file "{played}" format wav }}\n'
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
    voice = Pyttsx3Voice(player=("aplay", "-q"))
    voice.say("Órdago de Norte a la grande.", seq=1)
    voice.close()
    with wave.open(str(played), "rb") as sound:
        assert sound.getnframes() / sound.getframerate() > 1.0


@pytest.mark.parametrize(
    ("settings", "player"),
    [(VoiceSettings(), ("false",)), (VoiceSettings(language="xx"), QUIET)],
    ids=["no loudspeaker", "no voice"],
)
def test_a_machine_that_cannot_speak_logs_one_warning_and_the_game_goes_on(
    settings: VoiceSettings, player: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    voice = Pyttsx3Voice(settings, player=player)
    for _ in range(3):
        voice.say("Corta Oeste.", seq=1)
    voice.close()
    warnings = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert "use --voice off" in warnings[0]


def test_a_sentence_cut_short_is_no_failure_of_the_loudspeaker(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hangs = tmp_path / "hangs"
    gate = GateLog()
    player = ("sh", "-c", f"test -e {hangs} && exec sleep 60; exit 1")
    voice = Pyttsx3Voice(gate=gate, player=player)
    voice.say("Uno.", seq=1)
    assert gate.wait_for("shut", "open")
    hangs.touch()
    voice.say("Dos.", seq=2)
    assert gate.wait_for("shut", "open", "shut")
    voice.silence()
    assert gate.wait_for("shut", "open", "shut", "open")
    hangs.unlink()
    voice.say("Tres.", seq=3)
    voice.close()
    warnings = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(warnings) == 1


def test_a_loudspeaker_that_comes_back_is_used_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plug = tmp_path / "plug"
    gate = GateLog()
    voice = Pyttsx3Voice(gate=gate, player=("sh", "-c", f"test -e {plug}"))
    voice.say("Uno.", seq=1)
    assert gate.wait_for("shut", "open")
    plug.touch()
    voice.say("Dos.", seq=2)
    assert gate.wait_for("shut", "open", "shut", "open")
    plug.unlink()
    voice.say("Tres.", seq=3)
    voice.close()
    warnings = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(warnings) == 2  # one for each time that it went missing


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    voice = Pyttsx3Voice(player=QUIET)
    voice.say("Corta Oeste.", seq=1)
    assert until(lambda: any(tmp_path.iterdir()))
    voice.close()
    assert list(tmp_path.iterdir()) == []


def test_a_voice_lets_a_player_finish_before_it_speaks() -> None:
    gate = GateLog()
    gate.somebody_speaks = True
    voice = Pyttsx3Voice(gate=gate, player=QUIET)
    voice.say("Corta Oeste.", seq=1)
    assert until(lambda: voice.busy)
    assert not gate.wait_for("shut", "open", seconds=0.5)
    gate.somebody_speaks = False
    assert gate.wait_for("shut", "open")
    voice.close()


def test_a_voice_waits_only_so_long_for_a_player_who_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.voice.speaker.POLITE", 0.2)
    gate = GateLog()
    gate.somebody_speaks = True
    voice = Pyttsx3Voice(gate=gate, player=QUIET)
    voice.say("Corta Oeste.", seq=1)
    assert gate.wait_for("shut", "open")
    voice.close()


def test_a_sentence_silenced_while_it_waits_is_not_spoken() -> None:
    gate = GateLog()
    gate.somebody_speaks = True
    voice = Pyttsx3Voice(gate=gate, player=QUIET)
    voice.say("Corta Oeste.", seq=1)
    assert until(lambda: voice.busy)
    voice.silence()
    assert until(lambda: not voice.busy)
    voice.close()
    assert gate.moves == []
