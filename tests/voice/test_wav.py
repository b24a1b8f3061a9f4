"""The voice that speaks into a file."""

import wave
from pathlib import Path

import numpy as np
import pytest

from assistant.voice import Voice, VoiceError, VoiceSettings, WavVoice
from assistant.voice.wav import GAP
from tests.contracts.voice_contract import VoiceContract
from tests.voice.parts import needs_speech, until

pytestmark = [pytest.mark.slow, needs_speech]


def lines(path: Path) -> list[tuple[float, float, str]]:
    """What the list beside the sound tells: from, to, sentence."""
    rows = [line.split(maxsplit=2) for line in path.read_text("utf-8").splitlines()]
    return [(float(start), float(end), text) for start, end, text in rows]


def loudness(path: Path, start: float, end: float) -> float:
    """The mean size of the samples between two moments, 0 to 32768."""
    with wave.open(str(path), "rb") as sound:
        rate = sound.getframerate()
        sound.setpos(int(start * rate))
        samples = np.frombuffer(sound.readframes(int((end - start) * rate)), dtype="<i2")
    return float(np.abs(samples.astype(np.float64)).mean())


class TestWavVoice(VoiceContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "voice.wav"

    def make(self) -> Voice:
        return WavVoice(self.path)

    def told(self, _voice: Voice) -> list[str]:
        return [text for _, _, text in lines(self.path.with_suffix(".log"))]


def test_the_list_tells_where_each_sentence_sounds_and_silence_is_between(tmp_path: Path) -> None:
    path = tmp_path / "voice.wav"
    voice = WavVoice(path)
    for seq, text in enumerate(("Corta Oeste.", "Órdago a la grande, de Norte.", "¡Partida!")):
        voice.say(text, seq=seq)
    voice.close()
    told = lines(tmp_path / "voice.log")
    assert [text for _, _, text in told] == [
        "Corta Oeste.",
        "Órdago a la grande, de Norte.",
        "¡Partida!",
    ]
    for start, end, _ in told:
        assert end - start > 0.3
        assert loudness(path, start, end) > 300
        assert loudness(path, end + 0.05, end + GAP - 0.05) == 0.0


def test_the_files_are_whole_after_each_sentence(tmp_path: Path) -> None:
    path = tmp_path / "voice.wav"
    voice = WavVoice(path)
    voice.say("Corta Oeste.", seq=1)
    assert until(lambda: len(lines(tmp_path / "voice.log")) == 1)
    start, end, _ = lines(tmp_path / "voice.log")[0]
    assert loudness(path, start, end) > 300  # read while the voice still has the file open
    voice.close()


def test_a_voice_that_said_nothing_leaves_a_valid_file(tmp_path: Path) -> None:
    WavVoice(tmp_path / "voice.wav").close()
    with wave.open(str(tmp_path / "voice.wav"), "rb") as sound:
        assert sound.getnframes() == 0


def test_rate_and_volume_are_heard(tmp_path: Path) -> None:
    measured = {}
    for name, settings in {
        "plain": VoiceSettings(),
        "fast": VoiceSettings(rate=300),
        "soft": VoiceSettings(volume=0.25),
    }.items():
        path = tmp_path / f"{name}.wav"
        voice = WavVoice(path, settings)
        voice.say("Órdago a la grande, de Norte.", seq=1)
        voice.close()
        start, end, _ = lines(path.with_suffix(".log"))[0]
        measured[name] = (end - start, loudness(path, start, end))
    assert measured["fast"][0] < 0.8 * measured["plain"][0]
    assert measured["soft"][1] < 0.6 * measured["plain"][1]


def test_a_file_that_cannot_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match=r"voice\.wav cannot be written: .*\.$"):
        WavVoice(tmp_path / "nowhere" / "voice.wav")


def test_a_language_without_a_voice_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match=r"no voice for 'xx'.*use --voice off") as refused:
        WavVoice(tmp_path / "voice.wav", VoiceSettings(language="xx"))
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "voice.wav").exists()
