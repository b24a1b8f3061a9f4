"""Speech synthesis with pyttsx3: real engines and real files."""

import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.voice import VoiceError, VoiceSettings
from assistant.voice.port import respelt
from assistant.voice.synthesis import Synthesiser, choose_voice, voice_named, wav_seconds
from tests.tables import each_row
from tests.voice.parts import needs_speech

SENTENCE = "Cinco de deje para Norte y Sur; en total, un amarraco."


@needs_speech
def test_one_engine_speaks_sentence_after_sentence(tmp_path: Path) -> None:
    """Users report engines that speak once and never again."""
    voice = Synthesiser(VoiceSettings())
    lengths = [voice.render(SENTENCE, tmp_path / f"{i}.wav") for i in range(5)]
    assert min(lengths) > 1.5
    assert max(lengths) - min(lengths) < 0.2


@needs_speech
def test_the_first_sentence_of_an_engine_is_whole_even_if_it_is_long(tmp_path: Path) -> None:
    """Without a remedy, the first run of an engine returns before anything is spoken."""
    voice = Synthesiser(VoiceSettings())
    first = voice.render(" ".join([SENTENCE] * 20), tmp_path / "first.wav")
    assert first > 20 * 1.5
    assert voice.render(SENTENCE, tmp_path / "second.wav") < first / 10


@needs_speech
def test_an_engine_works_in_another_thread_than_the_first_one(tmp_path: Path) -> None:
    first = Synthesiser(VoiceSettings())
    here = first.render(SENTENCE, tmp_path / "here.wav")
    lengths: list[float] = []
    thread = threading.Thread(
        target=lambda: lengths.append(
            Synthesiser(VoiceSettings()).render(SENTENCE, tmp_path / "there.wav")
        )
    )
    thread.start()
    thread.join(10)
    assert lengths == pytest.approx([here], abs=0.2)


@needs_speech
def test_sentences_are_complete_on_a_busy_machine(tmp_path: Path) -> None:
    """espeak-ng speaks in a thread of its own. The end of one sentence must not cut the next."""
    voice = Synthesiser(VoiceSettings())
    wav = tmp_path / "said.wav"
    wanted = {text: voice.render(text, wav) for text in (SENTENCE, "Paso.")}
    stop = threading.Event()

    def be_busy() -> None:
        while not stop.is_set():
            sum(range(1000))

    busy = [threading.Thread(target=be_busy) for _ in range(3)]
    for thread in busy:
        thread.start()
    try:
        for _ in range(10):
            for text, length in wanted.items():
                assert voice.render(text, wav) == pytest.approx(length, abs=0.2)
    finally:
        stop.set()
        for thread in busy:
            thread.join()


@needs_speech
def test_a_sentence_waits_until_espeak_has_taken_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While espeak-ng takes settings, the driver believes that it speaks, and would cancel it."""
    wanted = Synthesiser(VoiceSettings()).render(SENTENCE, tmp_path / "wanted.wav")
    espeak: Any = sys.modules["pyttsx3.drivers._espeak"]
    set_one, plays = espeak.SetParameter, espeak.IsPlaying
    taken_at = [0.0]
    cancelled: list[float] = []

    def set_slowly(*args: int) -> int:
        taken_at[0] = time.monotonic() + 0.1
        return int(set_one(*args))

    monkeypatch.setattr(espeak, "SetParameter", set_slowly)
    monkeypatch.setattr(espeak, "IsPlaying", lambda: plays() or int(time.monotonic() < taken_at[0]))
    monkeypatch.setattr(espeak, "Cancel", lambda: cancelled.append(time.monotonic()))
    voice = Synthesiser(VoiceSettings())
    for _ in range(2):
        said = voice.render(SENTENCE, tmp_path / "said.wav")
        assert said == pytest.approx(wanted, abs=0.05)
    assert cancelled == []


@pytest.mark.slow
@needs_speech
def test_an_engine_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    voice = Synthesiser(VoiceSettings())
    before = voice.render(SENTENCE, tmp_path / "before.wav")
    engine = engine_class()
    alive = engine.runAndWait
    deaths: list[Any] = []

    def dies_once(self: Any) -> None:
        if not deaths:
            deaths.append(self)
            raise RuntimeError("run loop already started")
        alive(self)

    monkeypatch.setattr(engine, "runAndWait", dies_once)
    assert voice.render(SENTENCE, tmp_path / "after.wav") == pytest.approx(before, abs=0.2)
    assert len(deaths) == 1


@needs_speech
def test_an_engine_that_stays_dead_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_class(), "runAndWait", lambda _self: None)
    monkeypatch.setattr("assistant.voice.synthesis.PATIENCE", 0.1)
    with pytest.raises(VoiceError, match="could not be spoken"):
        Synthesiser(VoiceSettings()).render(SENTENCE, tmp_path / "never.wav")


def engine_class() -> Any:
    """The class of the engines in pyttsx3."""
    import pyttsx3.engine

    return pyttsx3.engine.Engine


@needs_speech
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_engine_that_never_ends_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk raises an error in the driver's callback, and its loop would run for ever."""
    voice = Synthesiser(VoiceSettings())
    before = voice.render(SENTENCE, tmp_path / "before.wav")
    driver: Any = sys.modules["pyttsx3.drivers.espeak"]
    with monkeypatch.context() as full_disk:
        full_disk.setattr("assistant.voice.synthesis.PATIENCE", 0.2)
        full_disk.setattr(driver, "wave", SimpleNamespace(open=_no_space))
        with pytest.raises(VoiceError, match="could not be spoken: the engine is stuck"):
            voice.render(SENTENCE, tmp_path / "never.wav")
    assert voice.render(SENTENCE, tmp_path / "after.wav") == pytest.approx(before, abs=0.2)


def _no_space(*_args: object) -> None:
    raise OSError("No space left on device")


@needs_speech
def test_the_engine_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The standard output belongs to the commands."""
    Synthesiser(VoiceSettings()).render(SENTENCE, tmp_path / "said.wav")
    assert capfd.readouterr() == ("", "")


@needs_speech
def test_a_folder_that_cannot_hold_the_sound_is_reported_in_one_sentence(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    with pytest.raises(VoiceError, match="could not be spoken"):
        Synthesiser(VoiceSettings()).render(SENTENCE, tmp_path / "nowhere" / "said.wav")
    assert len(recwarn) == 0


@needs_speech
def test_a_checked_voice_can_speak_in_its_own_thread(tmp_path: Path) -> None:
    voice = Synthesiser(VoiceSettings())
    voice.check()
    assert voice.render(SENTENCE, tmp_path / "said.wav") > 1.5
    voice.close()


def test_a_machine_without_the_library_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyttsx3", None)  # as if it could not be imported
    with pytest.raises(VoiceError, match="apt install espeak-ng") as refused:
        Synthesiser(VoiceSettings()).check()
    assert "\n" not in str(refused.value)


@each_row(
    "text, read",
    [
        ("Juego?", "hooaygo?"),
        ("Duples of kings, and juego.", "Duples of kings, and hooaygo."),
        ("Órdago on juego, from Sí.", "ordergo on hooaygo, from Sí."),
        ("Juegos to Juegolas: 3.", "Juegos to Juegolas: 3."),
    ],
)
def test_whole_words_that_a_voice_would_misread_are_respelt(text: str, read: str) -> None:
    assert respelt(text, {"juego": "hooaygo", "órdago": "ordergo"}) == read


@needs_speech
def test_a_respelt_word_sounds_as_it_is_spelt(tmp_path: Path) -> None:
    plain, told = VoiceSettings("en"), VoiceSettings("en", sounds={"juego": "a lance of the game"})
    lengths = [Synthesiser(told).render("Juego", tmp_path / "told.wav")]
    lengths += [Synthesiser(plain).render("A lance of the game", tmp_path / "plain.wav")]
    lengths += [Synthesiser(plain).render("Juego", tmp_path / "misread.wav")]
    assert lengths[0] == pytest.approx(lengths[1], abs=0.05)
    assert lengths[0] > lengths[2] + 0.2


def voice_of(name: str, *languages: str | bytes) -> SimpleNamespace:
    return SimpleNamespace(id=name, languages=list(languages))


@each_row(
    "language, chosen",
    [
        ("es", "roa/es"),
        ("es-419", "roa/es-419"),
        ("ES", "roa/es"),
        ("eu", "eu"),
        ("en", "gmw/en"),
        ("en-us", "gmw/en-us"),
        ("pt", "pt-br"),
        ("e", None),
        ("ca", None),
    ],
)
def test_the_default_voice_of_a_language_is_chosen(language: str, chosen: str | None) -> None:
    voices = [
        voice_of("gmw/en-029", "en-029"),
        voice_of("gmw/en-us", "en-us"),
        voice_of("gmw/en-gb-scotland", "en-gb-scotland"),
        voice_of("gmw/en", "en-gb"),
        voice_of("roa/es-419", "es-419"),
        voice_of("roa/es", "es"),
        voice_of("eu", b"\x05eu"),
        voice_of("pt-br", "pt_BR"),
        voice_of("robot"),
    ]
    assert choose_voice(voices, language) == chosen


def test_a_file_that_is_no_sound_has_no_length(tmp_path: Path) -> None:
    (tmp_path / "x.wav").write_bytes(b"")
    with pytest.raises(EOFError):
        wav_seconds(tmp_path / "x.wav")


VOICES = [SimpleNamespace(id=id, name=name, languages=[]) for id, name in
          [("roa/es", "Spanish (Spain)"), ("roa/es-419", "Spanish (Latin America)"),
           ("eu", "Basque")]]  # fmt: skip


@each_row(
    "name, chosen",
    [
        ("basque", "eu"),
        ("latin", "roa/es-419"),
        ("ROA/ES", "roa/es"),
        ("Spanish (Spain)", "roa/es"),
    ],
)
def test_a_voice_is_chosen_by_a_part_of_its_name(name: str, chosen: str) -> None:
    assert voice_named(VOICES, name) == chosen


@each_row("name, said", [("spanish", "more than one"), ("french", "no voice is")])
def test_a_name_that_fits_no_single_voice_is_refused_with_some_names(name: str, said: str) -> None:
    with pytest.raises(VoiceError, match=said) as error:
        voice_named(VOICES, name)
    assert "Spanish (Spain)" in str(error.value)


def test_a_name_that_no_voice_has_is_refused_with_the_voices_of_the_language() -> None:
    voices = [
        SimpleNamespace(id=code, name=name, languages=[code])
        for code, name in (("af", "Afrikaans"), ("es-419", "Spanish (Latin America)"))
    ]
    with pytest.raises(VoiceError) as error:
        voice_named(voices, "nobody", "es")
    assert "Spanish (Latin America)" in str(error.value)
    assert "Afrikaans" not in str(error.value)
