"""The voice in WAV files: one file of all sentences, a cache of single ones, and pronunciations."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.voice import Sounds, Voice, VoiceError, VoiceSettings, WavVoice, seconds_of
from assistant.voice import wav as pronounce
from assistant.voice.wav import GAP, NotOfferedError, Pronouncer
from tests.contracts.voice_contract import VoiceContract
from tests.voice.parts import needs_speech, until

# ---- The voice that speaks into a file ----------------------------------------------------------


pytestmark = [pytest.mark.slow, needs_speech]


def lines(path: Path) -> list[tuple[float, float, str]]:
    """The lines of the log beside the sound: start, end, sentence."""
    rows = [line.split(maxsplit=2) for line in path.read_text("utf-8").splitlines()]
    return [(float(start), float(end), text) for start, end, text in rows]


def loudness(path: Path, start: float, end: float) -> float:
    """The mean absolute value of the samples between two times, 0 to 32768."""
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

    def spoken_by(self, _voice: Voice) -> list[str]:
        return [text for _, _, text in lines(self.path.with_suffix(".log"))]


def test_the_log_has_the_times_of_each_sentence_with_silence_between_them(tmp_path: Path) -> None:
    path = tmp_path / "voice.wav"
    voice = WavVoice(path)
    for seq, text in enumerate(("Corta Oeste.", "Órdago de Norte a la grande.", "¡Partida!")):
        voice.say(text, seq=seq)
    voice.close()
    told = lines(tmp_path / "voice.log")
    assert [text for _, _, text in told] == [
        "Corta Oeste.",
        "Órdago de Norte a la grande.",
        "¡Partida!",
    ]
    for start, end, _ in told:
        assert end - start > 0.3
        assert loudness(path, start, end) > 300
        assert loudness(path, end + 0.05, end + GAP - 0.05) == 0.0


def test_the_files_are_complete_after_each_sentence(tmp_path: Path) -> None:
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


def test_rate_and_volume_change_the_sound(tmp_path: Path) -> None:
    measured = {}
    for name, settings in {
        "plain": VoiceSettings(),
        "fast": VoiceSettings(rate=300),
        "soft": VoiceSettings(volume=0.25),
    }.items():
        path = tmp_path / f"{name}.wav"
        voice = WavVoice(path, settings)
        voice.say("Órdago de Norte a la grande.", seq=1)
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


# ---- Sentences as WAV files in memory: each is made once, and a limited number is kept ----------


def test_a_sentence_is_a_sound_and_is_made_only_once() -> None:
    sounds = Sounds(VoiceSettings("es"))
    envido = sounds.of("Envido.")
    assert envido[:4] == b"RIFF"
    assert 0.3 < seconds_of(envido) < 3.0
    assert sounds.of("Envido.") is envido
    sounds.close()


def test_the_cache_keeps_a_limited_number_of_sentences() -> None:
    sounds = Sounds(VoiceSettings("es"), most=60_000)
    first = sounds.of("Órdago a la grande.")
    for text in ("Uno.", "Dos.", "Tres."):
        sounds.of(text)
        assert sounds.size <= 60_000 or sounds.size == len(sounds.of(text))
    assert sounds.of("Órdago a la grande.") is not first
    sounds.close()


# ---- Pronunciations: a page may hear only the texts that it was given ---------------------------


@pytest.fixture
def pronouncer() -> Iterator[Pronouncer]:
    one = Pronouncer(Sounds(VoiceSettings()))
    yield one
    one.close()


@needs_speech
def test_a_call_becomes_a_sound_that_a_browser_plays(pronouncer: Pronouncer) -> None:
    pronouncer.offer(["Envido", "No quiero"])
    for text in ("Envido", "No quiero"):
        with wave.open(io.BytesIO(pronouncer(text))) as sound:
            assert 0.3 < sound.getnframes() / sound.getframerate() < 3
    assert pronouncer("Envido") is pronouncer("Envido"), "the sound is made only once"


def test_a_text_that_no_page_was_given_is_not_spoken(pronouncer: Pronouncer) -> None:
    pronouncer.offer(["Envido", "", "a" * (pronounce.LONGEST + 1)])
    for text in ("En un lugar de la Mancha", "", "a" * (pronounce.LONGEST + 1)):
        with pytest.raises(NotOfferedError):
            pronouncer(text)


@needs_speech
def test_only_the_newest_texts_may_be_asked_for(
    pronouncer: Pronouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pronounce, "OFFERED", 3)
    pronouncer.offer(["mus", "paso", "quiero", "órdago"])
    with pytest.raises(NotOfferedError):
        pronouncer("mus")
    assert pronouncer("paso")


@needs_speech
def test_a_machine_that_cannot_speak_says_so() -> None:
    mute = Pronouncer(Sounds(VoiceSettings(name="nobody has this voice")))
    mute.offer(["mus"])
    try:
        with pytest.raises(VoiceError, match="choose one of"):
            mute("mus")
    finally:
        mute.close()
