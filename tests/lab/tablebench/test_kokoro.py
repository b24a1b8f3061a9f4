"""The neural voices of Kokoro, and how well the shipped ear understands them."""

import wave
from pathlib import Path

import numpy as np
import pytest

from assistant.ear import Ear, EchoGate, FileSource, Recogniser
from assistant.ear.audio import RATE
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon
from assistant.messages import Heard
from scripts.lab.rendering import kokoro
from scripts.lab.rendering.deal import write_wav
from scripts.lab.rendering.voices import FAMILIES, Manner, VoiceError, speak
from scripts.lab.speechlab import split

VOICES = FAMILIES["kokoro"]
CALLS = ("no hay mus", "envido cinco", "órdago")

needs_voices = pytest.mark.skipif(
    not all(voice.installed() for voice in VOICES),
    reason="needs onnxruntime, espeak-ng and Kokoro's files: see docs/bench-ears.md",
)


def test_all_kokoro_voices_are_unseen_and_no_other_voice_has_their_names() -> None:
    named = {name for name in split.MEASURING_ENGINES if name.startswith("kokoro:")}
    assert {voice.name for voice in VOICES} == named <= set(split.UNSEEN_ENGINES)
    assert len(named) == 8


def test_there_are_as_many_women_as_men() -> None:
    assert [speaker[1] for speaker in kokoro.SPEAKERS].count("f") == len(VOICES) / 2


def test_two_letters_of_one_sound_are_one_token_and_unknown_letters_give_none() -> None:
    assert kokoro.tokens("tʃ") == kokoro.tokens("ʧ") != kokoro.tokens("t")
    assert kokoro.tokens("a\u200d\nb") == kokoro.tokens("a b")


def test_a_missing_voice_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUS_KOKORO", str(tmp_path))
    assert not any(voice.installed() for voice in VOICES)
    with pytest.raises(VoiceError):
        VOICES[0].write("paso", Manner(), tmp_path / "said.wav")


@needs_voices
def test_faster_speech_is_shorter(tmp_path: Path) -> None:
    lengths = []
    for speed in (0.8, 1.0, 1.3):
        VOICES[0].write("treinta y una", Manner(speed), tmp_path / "said.wav")
        with wave.open(str(tmp_path / "said.wav")) as file:
            lengths.append(file.getnframes() / file.getframerate())
    assert 0.4 < lengths[2] < lengths[1] < lengths[0] < 2.5


@needs_voices
@pytest.mark.slow
def test_the_shipped_ear_hears_most_calls_of_the_kokoro_voices(tmp_path: Path) -> None:
    model = data_dir("models") / "mus-es"
    if not (model / "am").exists():
        pytest.skip("models/mus-es is not here")
    grammar, right = load_lexicon().grammar(), 0
    for voice in VOICES:
        for call in CALLS:
            sound = np.pad(speak(voice, call, Manner()), (RATE // 2, RATE))
            write_wav(tmp_path / "said.wav", sound)
            heard: list[Heard] = []
            source = FileSource(tmp_path / "said.wav", realtime=False)
            ear = Ear(source, Recogniser(model, grammar), EchoGate(), heard.append)
            ear.start()
            assert ear.join(60)
            right += [one.text for one in heard] == [call]
    assert right > 0.8 * len(VOICES) * len(CALLS)
