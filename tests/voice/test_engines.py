"""Voices of Piper and RHVoice and recorded ones: found, chosen, heard, and reported on failure.

Commands that take the same options stand in for Piper and RHVoice, and write what they were asked
into a file. The sound that they write is real.
"""

from __future__ import annotations

import json
import re
import wave
from pathlib import Path

import numpy as np
import pytest

from assistant.files.paths import data_dir
from assistant.voice import SpokenLine, Timbre, VoiceError, VoiceSettings, engines
from assistant.voice.engines import (
    RecordedEngine,
    RHVoiceEngine,
    installed_voices,
    join_pieces,
    piper_dir,
    read_piece,
    recorded_dir,
    silence,
    voice_meant,
)
from assistant.voice.speaker import Mouth
from assistant.voice.synthesis import Synthesiser, VoiceEngines
from scripts.lab import make_tones
from tests.tables import each_row
from tests.voice.parts import needs_speech

FAKE = """#!/usr/bin/env python3
import json, sys, wave
words = sys.argv[1:]
json.dump({"words": words, "text": sys.stdin.read()}, open(%(log)r, "w"))
out = words[words.index(%(option)r) + 1]
with wave.open(out, "wb") as sound:
    sound.setparams((1, 2, 16000, 0, "NONE", "not compressed"))
    sound.writeframes(b"\\x00\\x10" * 16000)
"""
BROKEN = "#!/bin/sh\necho 'warming up'\necho 'model is damaged' >&2\nexit 3\n"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("assistant.voice.engines.RHVOICE_SHARES", (tmp_path / "RHVoice",))
    monkeypatch.setattr("assistant.voice.engines.PIPER_SHARES", ())


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of commands, the first of the path."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/local/bin:/usr/bin:/bin")
    return folder


def command(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def asked(tools: Path) -> tuple[list[str], str]:
    """The options and the text that the stand-in was given."""
    told = json.loads((tools / "asked.json").read_text())
    return told["words"], told["text"]


def piper_voice(name: str = "es_ES-davefx-medium", code: str = "es_ES") -> Path:
    model = piper_dir() / f"{name}.onnx"
    model.parent.mkdir(parents=True, exist_ok=True)
    model.write_bytes(b"onnx")
    model.with_name(f"{model.name}.json").write_text(json.dumps({"language": {"code": code}}))
    return model


def rhvoice_voice(share: Path, name: str = "Mateo", language: str = "Spanish") -> None:
    folder = share / "voices" / name.lower()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "voice.info").write_text(f"name={name}\nlanguage={language}\nformat=4\n")


def record(words: str, seconds: float, name: str = "abuela", rate: int = 16_000) -> None:
    """A recording of these words: a tone."""
    folder = recorded_dir() / "es" / name
    folder.mkdir(parents=True, exist_ok=True)
    at = np.arange(round(seconds * rate)) / rate
    with wave.open(str(folder / f"{words}.wav"), "wb") as sound:
        sound.setparams((1, 2, rate, 0, "NONE", "not compressed"))
        sound.writeframes((8000 * np.sin(2 * np.pi * 220 * at)).astype("<i2").tobytes())


# ---- What is installed, and what a name means ---------------------------------------------------


def test_every_installed_voice_is_listed_with_its_language(tmp_path: Path) -> None:
    piper_voice()
    piper_voice("eu_ES-maider-low", "eu_ES")
    (piper_dir() / "half.onnx").write_bytes(b"")  # without its settings it cannot speak
    rhvoice_voice(tmp_path / "RHVoice")
    rhvoice_voice(tmp_path / "RHVoice", "Anna", "Russian")
    record("una", 0.2)
    assert [(voice.name, voice.language) for voice in installed_voices()] == [
        ("piper: es_ES-davefx-medium", "es"),
        ("piper: eu_ES-maider-low", "eu"),
        ("recorded: abuela", "es"),
        ("rhvoice: Anna", "russian"),
        ("rhvoice: Mateo", "es"),
    ]


@each_row(
    "name, meant",
    [
        ("piper: es_ES-davefx-medium", "piper: es_ES-davefx-medium"),
        ("Piper:davefx", "piper: es_ES-davefx-medium"),
        ("piper", "piper: es_ES-davefx-medium"),
        ("es_ES-davefx-medium", "piper: es_ES-davefx-medium"),
        ("mateo", "rhvoice: Mateo"),
        ("recorded: abuela", "recorded: abuela"),
        ("Spanish (Spain)", None),
        ("davefx", None),
    ],
)
def test_a_voice_is_chosen_by_its_name(name: str, meant: str | None) -> None:
    piper_voice()
    piper_voice("eu_ES-maider-low", "eu_ES")
    rhvoice_voice(engines.RHVOICE_SHARES[0])
    record("una", 0.2)
    found = voice_meant(name, "es")
    assert (found.name if found else None) == meant


def test_a_part_of_two_names_is_refused_with_both() -> None:
    piper_voice("es_ES-carlfm-x_low")
    piper_voice("es_ES-davefx-medium")
    with pytest.raises(VoiceError, match=r"more than one voice .*carlfm-x_low, .*davefx-medium"):
        voice_meant("piper: es_ES", "es")


@each_row(
    "name, told",
    [
        ("piper: davefx", "install it (pip install piper-tts)"),
        ("rhvoice: Mateo", "install it (apt install rhvoice)"),
        ("recorded: abuela", "There is no voice 'recorded: abuela' in "),
    ],
)
def test_a_voice_that_is_not_there_is_told_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, told: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VoiceError) as refused:
        VoiceEngines(VoiceSettings(name=name)).check()
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


# ---- What the commands are asked ----------------------------------------------------------------


@pytest.mark.slow
def test_piper_is_asked_for_the_sentence_at_the_voices_rate(tools: Path, tmp_path: Path) -> None:
    command(tools / "piper", FAKE % {"log": str(tools / "asked.json"), "option": "--output_file"})
    model, path = piper_voice(), tmp_path / "said.wav"
    voice = VoiceEngines(VoiceSettings(name="piper: davefx", rate=225, sounds={"juego": "huego"}))
    voice.check()
    assert voice.render("¿Juego? Una para Íñigo.", path) == pytest.approx(1.0)
    words, text = asked(tools)
    assert words[:4] == ["--model", str(model), "--output_file", str(path)]
    assert words[4:] == ["--length_scale", "0.80"]
    assert text == "¿huego? Una para Íñigo.\n"


@pytest.mark.slow
def test_rhvoice_is_asked_for_the_sentence_with_rate_and_pitch(tools: Path, tmp_path: Path) -> None:
    log = str(tools / "asked.json")
    command(tools / "RHVoice-test", FAKE % {"log": log, "option": "-o"})
    rhvoice_voice(tmp_path / "RHVoice")
    path = tmp_path / "said.wav"
    voice = VoiceEngines(VoiceSettings(name="rhvoice: mateo", rate=198, pitch=40))
    assert voice.render("Corta Norte.", path) == pytest.approx(1.0)
    words, text = asked(tools)
    assert words == ["-p", "Mateo", "-o", str(path), "-r", "110", "-t", "90"]
    assert text == "Corta Norte.\n"


@pytest.mark.slow
def test_a_voice_that_fails_is_reported_in_one_sentence_and_leaves_no_old_sound(
    tools: Path, tmp_path: Path
) -> None:
    command(tools / "piper", BROKEN)
    piper_voice()
    path = tmp_path / "said.wav"
    path.write_bytes(b"the sentence before")
    with pytest.raises(VoiceError, match=r"medium cannot speak \(model is damaged\): install"):
        VoiceEngines(VoiceSettings(name="piper: davefx")).render("Corta Norte.", path)
    assert not path.exists()


@pytest.mark.slow
def test_a_voice_that_hangs_is_given_up(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.voice.engines.DEADLINE_S", 0.2)
    command(tools / "RHVoice-test", "#!/bin/sh\nexec sleep 60\n")
    with pytest.raises(VoiceError, match=r"Mateo cannot speak \(it takes longer than 0.2 s\)"):
        RHVoiceEngine(VoiceSettings(), "Mateo").render("Hola.", tmp_path / "a.wav", Timbre())


@pytest.mark.slow
def test_a_volume_holds_for_every_engine(tools: Path, tmp_path: Path) -> None:
    command(tools / "piper", FAKE % {"log": str(tools / "asked.json"), "option": "--output_file"})
    piper_voice()
    voice, path = VoiceEngines(VoiceSettings(name="piper", volume=0.5)), tmp_path / "said.wav"
    voice.render("Corta Norte.", path)
    assert np.abs(read_piece(path).samples).max() == 0x1000 // 2


@pytest.mark.slow
def test_the_voices_own_process_speaks_by_the_chosen_engine(tools: Path, tmp_path: Path) -> None:
    """The whole way that the table goes: settings, process, command, file."""
    command(tools / "piper", FAKE % {"log": str(tools / "asked.json"), "option": "--output_file"})
    piper_voice()
    mouth = Mouth(VoiceSettings(name="piper: davefx"))
    try:
        mouth.check()
        assert "piper: es_ES-davefx-medium" in mouth.voices()
        assert mouth.render("Corta Norte.", tmp_path / "said.wav") == pytest.approx(1.0)
    finally:
        mouth.close()
    assert asked(tools)[1] == "Corta Norte.\n"


# ---- Recorded voices ----------------------------------------------------------------------------


class Other:
    """The voice for what was not recorded: it keeps what it was asked for."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def check(self) -> None:
        """It can always speak."""

    def render(self, text: str, path: Path, timbre: Timbre) -> float:
        assert timbre == Timbre()
        self.said.append(text)
        return join_pieces([silence(1.0, 8000)], path)


def test_a_sentence_is_put_together_from_the_longest_recordings(tmp_path: Path) -> None:
    for words, seconds in (("una", 0.2), ("para", 0.9), ("para norte y sur", 0.5), ("a", 0.1)):
        record(words, seconds)
    record("tres", 0.3, rate=22_050)
    record("cinco", 0.4)
    other = Other()
    voice, path = RecordedEngine(recorded_dir() / "es" / "abuela", other), tmp_path / "said.wav"
    voice.check()
    seconds = voice.render("Una para Norte y Sur. Tres a cinco.", path, Timbre())
    assert seconds == pytest.approx(0.2 + 0.5 + 0.3 + 0.3 + 0.1 + 0.4 + 0.3, abs=0.01)
    assert read_piece(path).rate == 16_000
    assert other.said == []


def test_a_sentence_with_a_word_that_was_not_recorded_is_said_by_the_other_voice(
    tmp_path: Path,
) -> None:
    record("una", 0.2)
    other = Other()
    voice = RecordedEngine(recorded_dir() / "es" / "abuela", other)
    assert voice.render("Una para Ana.", tmp_path / "said.wav", Timbre()) == pytest.approx(1.0)
    assert other.said == ["Una para Ana."]


def test_a_folder_that_holds_no_sound_is_named_with_what_to_do() -> None:
    folder = recorded_dir() / "es" / "abuela"
    folder.mkdir(parents=True)
    with pytest.raises(VoiceError, match="has no recordings: put WAV files there"):
        RecordedEngine(folder, Other()).check()
    (folder / "una.wav").write_bytes(b"RIFF no sound")
    with pytest.raises(VoiceError, match=r"una\.wav is no sound that can be played"):
        RecordedEngine(folder, Other()).check()


# ---- Pauses, tones, and the voice that was always there -----------------------------------------


@needs_speech
def test_a_style_pauses_between_two_sentences(tmp_path: Path) -> None:
    path, text = tmp_path / "said.wav", "Corta Norte. Habla Sur."
    plain = VoiceEngines(VoiceSettings()).render(text, path)
    slow = VoiceEngines(VoiceSettings(pause=1.0)).render(text, path)
    assert 0.8 < slow - plain < 1.5


@needs_speech
def test_a_voice_speaks_lower_where_a_style_says_so(tmp_path: Path) -> None:
    sounds = []
    for pitch in (50, 20):
        path = tmp_path / f"{pitch}.wav"
        VoiceEngines(VoiceSettings(pitch=pitch)).render("Corta Norte.", path)
        sounds.append(path.read_bytes())
    assert sounds[0] != sounds[1]


@needs_speech
def test_the_plain_voice_sounds_as_it_did_before_there_were_others(tmp_path: Path) -> None:
    one, other = tmp_path / "one.wav", tmp_path / "other.wav"
    seconds = VoiceEngines(VoiceSettings(volume=0.5)).render("Corta Norte.", one)
    assert Synthesiser(VoiceSettings(volume=0.5)).render("Corta Norte.", other) == pytest.approx(
        seconds, abs=0.05
    )
    loud = [float(np.std(read_piece(path).samples)) for path in (one, other)]
    assert loud[0] == pytest.approx(loud[1], rel=0.15)  # no two sentences of espeak-ng are equal


@needs_speech
@each_row("moment", ["ordago", "juego", "match"])
def test_tones_go_before_the_sentence_of_a_moment(tmp_path: Path, moment: str) -> None:
    voice, path = VoiceEngines(VoiceSettings()), tmp_path / "said.wav"
    plain = voice.render("Órdago de Norte.", path)
    tones = read_piece(data_dir("models") / "sounds" / f"{moment}.wav")
    with_tones = voice.render("Órdago de Norte.", path, tones=moment)
    assert with_tones == pytest.approx(plain + len(tones.samples) / tones.rate, abs=0.05)
    assert np.array_equal(read_piece(path).samples[: len(tones.samples)], tones.samples)
    loudest = np.abs(read_piece(path).samples[len(tones.samples) :]).max()
    assert 0.1 < np.abs(tones.samples).max() / loudest < 0.6, "softer than the voice"


@pytest.mark.slow
@needs_speech
def test_tones_reach_the_voices_own_process(tmp_path: Path) -> None:
    mouth = Mouth(VoiceSettings())
    try:
        plain = mouth.render("Órdago.", tmp_path / "plain.wav")
        line = SpokenLine("Órdago.", tones="ordago")
        assert mouth.render(line, tmp_path / "tones.wav") == pytest.approx(plain + 0.6, abs=0.05)
    finally:
        mouth.close()


def test_the_tones_that_ship_are_those_that_the_script_makes() -> None:
    for name, tones in make_tones.MOMENTS.items():
        shipped = data_dir("models") / "sounds" / f"{name}.wav"
        assert shipped.read_bytes() == make_tones.wav_of(tones)


def test_the_page_plays_the_same_tones_as_the_voice() -> None:
    text = (data_dir("web") / "static" / "js" / "tones.js").read_text("utf-8")
    page = {
        name: tuple(map(int, tones.split(",")))
        for name, tones in re.findall(r"^  (\w+): \[([\d, ]+)\],$", text, re.MULTILINE)
    }
    assert {name: page[name] for name in make_tones.MOMENTS} == make_tones.MOMENTS
    assert f"const TONE_S = {make_tones.TONE_S};" in text


def test_a_broken_piper_voice_does_not_hide_the_others() -> None:
    model = piper_voice()
    model.with_name(f"{model.name}.json").write_text("{")
    assert [voice.name for voice in installed_voices()] == ["piper: es_ES-davefx-medium"]
    assert installed_voices()[0].language == "es"
