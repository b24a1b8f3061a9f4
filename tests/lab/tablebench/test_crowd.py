"""The people who talk behind a table: two groups kept apart, pauses, and a known loudness."""

import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")
pytest.importorskip("pyroomacoustics", reason="needs the train extra")

from scripts.lab.rendering.voices import Floats, Manner, Voice, VoiceError
from scripts.lab.speechlab import packaged, split
from scripts.lab.speechlab.audio import RATE
from scripts.lab.tablebench import crowd

GROUPS = (crowd.DEVELOP, crowd.QUOTE)
MANIFEST = (
    ("gc_zohra_coudoin", "es", "number"),
    ("gc_antoni_bella", "ca", "word"),
    ("gc_smart4kids", "es", "word"),
    ("somebody", "en", "sentence"),
    ("room", "-", "noise"),
)
"""The speaker, language and kind of each recording in the folder."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Recordings of two seconds, one tone for each speaker, some of them faint."""
    import soundfile

    crowd.persons.cache_clear()
    rows = ["path\ttext\tlang\tkind\tspeaker\tlicence"]
    for at, (speaker, language, kind) in enumerate(MANIFEST):
        tone = np.sin(2 * np.pi * (300 + 100 * at) * np.arange(2 * RATE) / RATE)
        soundfile.write(tmp_path / f"{speaker}.wav", 0.3 * tone / 5**at, RATE)
        rows.append(f"{speaker}.wav\t\t{language}\t{kind}\t{speaker}\tMIT")
    (tmp_path / "manifest.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def fast_voices(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Voices that hum in place of an engine; yields the texts they were given."""
    said: list[tuple[str, str]] = []

    def hum(voice: Voice, text: str, _manner: Manner) -> Floats:
        said.append((voice.name, text))
        if text == "corrige":
            raise VoiceError("a sound that this voice does not have")
        time = np.arange(round(0.06 * RATE * len(text))) / RATE
        return np.asarray(0.1 * np.sin(2 * np.pi * 200 * time), np.float32)

    monkeypatch.setattr(crowd, "speak_cached", hum)
    monkeypatch.setattr(crowd, "_voices", lambda group: [_Hums(v) for v in _real(group)])
    return said


_real = crowd._voices


class _Hums:
    """A voice that every machine has."""

    def __init__(self, voice: Voice) -> None:
        self.name = voice.name

    def installed(self) -> bool:
        return True

    def write(self, _text: str, _manner: Manner, _wav: Path) -> None:
        raise AssertionError("the test hums")


def _people(folder: Path | None) -> dict[str, set[str]]:
    return {group: {one.name for one in crowd.persons(group, folder)} for group in GROUPS}


def test_no_voice_is_in_both_groups_and_the_quoted_ones_only_measure() -> None:
    voices = {group: {voice.name for voice in _real(group)} for group in GROUPS}
    assert not voices[crowd.DEVELOP] & voices[crowd.QUOTE]
    assert voices[crowd.QUOTE] <= set(split.UNSEEN_ENGINES)
    assert voices[crowd.DEVELOP] <= set(split.MEASURING_ENGINES)


def test_no_person_and_no_file_is_in_both_groups(folder: Path) -> None:
    people = _people(folder)
    assert {"gc_antoni_bella", "somebody"} <= people[crowd.DEVELOP]
    assert "gc_zohra_coudoin" in people[crowd.QUOTE] <= split.MEASURING_SPEAKERS
    assert not people[crowd.DEVELOP] & people[crowd.QUOTE]
    files = [
        {clip for one in crowd.persons(group, folder) for clip in one.clips} for group in GROUPS
    ]
    assert not files[0] & files[1]


def test_nobody_behind_the_table_talks_in_the_language_of_the_game(folder: Path) -> None:
    assert "gc_smart4kids" not in _people(folder)[crowd.DEVELOP]


def test_only_two_held_out_roles_of_the_castilian_game_are_in_the_quoted_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packaged, "_DRASCULA", tmp_path)
    for language in ("es", "en"):
        (tmp_path / language).mkdir()
        for name in ("1", "2", "3", "4", "B1", "BJ1", "D1", "D2", "VB7"):
            (tmp_path / language / f"{name}.ALS").write_bytes(b"\x80" * 100)
    (tmp_path / "es" / "5.ALS").symlink_to(tmp_path / "es" / "1.ALS")
    crowd.persons.cache_clear()
    quoted = {one.name: one.clips for one in crowd.persons(crowd.QUOTE, None)}
    acted = {name: clips for name, clips in quoted.items() if name.startswith("drascula")}
    assert {name: [clip.name for clip in clips] for name, clips in acted.items()} == {
        "drascula_es_BJ": ["BJ1.ALS"], "drascula_es_D": ["D1.ALS", "D2.ALS"],
    }  # fmt: skip
    for name in acted:
        with pytest.raises(ValueError, match="must not train"):
            split.check_trains(name)
    (english,) = crowd.persons(crowd.DEVELOP, None)
    assert english.name in split.DEVELOPING_SPEAKERS
    assert 0 < len(english.clips) < 9
    assert all(split.develops(clip) for clip in english.clips)
    crowd.persons.cache_clear()


@pytest.mark.parametrize("group", GROUPS)
def test_talk_is_reproducible_from_its_seed(group: str, folder: Path) -> None:
    once = crowd.talk(group, 3, 6, 1, folder, television=True)
    assert len(once) == 6 * RATE
    assert once.dtype == np.float32
    assert np.array_equal(once, crowd.talk(group, 3, 6, 1, folder, television=True))
    assert not np.array_equal(once, crowd.talk(group, 3, 6, 2, folder, television=True))


@pytest.mark.parametrize("group", GROUPS)
def test_the_same_people_can_say_nothing_that_they_say_otherwise(
    group: str, folder: Path, fast_voices: list[tuple[str, str]]
) -> None:
    first = crowd.tracks(group, 4, 8, 1, folder)
    once = set(fast_voices)
    fast_voices.clear()
    other = crowd.tracks(group, 4, 8, 1, folder, other_words=True)
    again = fast_voices[len(once) :]  # it first goes through what they say otherwise
    assert len(first) == len(other) == 4
    assert not any(np.array_equal(*pair) for pair in zip(first, other, strict=True))
    assert again
    assert once.isdisjoint(again)
    assert {voice for voice, _ in again} == {voice for voice, _ in once}


@pytest.mark.parametrize("people", [1, 4])
def test_frames_with_speech_have_a_level_of_one(people: int, folder: Path) -> None:
    sound = crowd.talk(crowd.QUOTE, people, 20, 3, folder)
    frames = np.sqrt(np.square(sound.reshape(-1, 320)).mean(1))
    loud = frames[frames > 0.06 * np.percentile(frames, 95)]
    assert np.sqrt(np.square(loud).mean()) == pytest.approx(1, abs=0.02)


def test_one_talker_pauses_and_a_television_hardly_does(folder: Path) -> None:
    silent = []
    for television in (False, True):
        sound = crowd.talk(crowd.DEVELOP, 1, 60, 5, folder, television=television)
        frames = np.sqrt(np.square(sound.reshape(-1, 1600)).mean(1))
        silent.append(np.mean(frames < 0.1))
    assert 0.1 < silent[0] < 0.6
    assert silent[1] < silent[0] / 2


def test_about_one_sentence_in_six_is_a_call_of_another_table(
    folder: Path, fast_voices: list[tuple[str, str]]
) -> None:
    crowd.talk(crowd.QUOTE, 8, 300, 1, folder)
    calls = sum(text in crowd.CALLS for _, text in fast_voices)
    assert 0.25 < calls / len(fast_voices) < 0.42, "a third of the half that the voices speak"


def test_at_other_tables_voices_only_call_and_hardly_pause(
    folder: Path, fast_voices: list[tuple[str, str]]
) -> None:
    talk, tables = (
        crowd.talk(crowd.QUOTE, 1, 60, 5, folder, tables=tables) for tables in (False, True)
    )
    fast_voices.clear()
    crowd.talk(crowd.QUOTE, 8, 60, 1, folder, tables=True)
    assert fast_voices
    assert {text for _, text in fast_voices} <= set(crowd.TABLE_CALLS)
    silent = [
        np.mean(np.sqrt(np.square(sound.reshape(-1, 1600)).mean(1)) < 0.1)
        for sound in (talk, tables)
    ]
    assert silent[1] < silent[0]


def test_without_recordings_only_voices_talk_and_the_group_says_so(
    monkeypatch: pytest.MonkeyPatch, fast_voices: list[tuple[str, str]]
) -> None:
    monkeypatch.setattr(crowd, "_recordings", lambda _group, _folder: iter(()))
    crowd.persons.cache_clear()
    assert any("no recording of any person" in note for note in crowd.notes(crowd.QUOTE, None))
    crowd.talk(crowd.QUOTE, 4, 200, 1, None)
    calls = sum(text in crowd.CALLS for _, text in fast_voices)
    assert 0.1 < calls / len(fast_voices) < 0.25
    monkeypatch.setattr(crowd, "_voices", lambda _group: [])
    with pytest.raises(crowd.CrowdError, match="Nobody of the group 'quote'"):
        crowd.talk(crowd.QUOTE, 4, 20, 1, None)
    crowd.persons.cache_clear()


def test_all_sentences_are_equally_loud_and_none_is_too_long(folder: Path) -> None:
    dice = random.Random(1)
    for person in crowd.persons(crowd.DEVELOP, folder):
        for _ in range(5):
            said = crowd._recorded(person)(dice, crowd.Repeated())
            assert crowd.SENTENCE[0] * RATE <= len(said) <= crowd.SENTENCE[1] * RATE
            assert np.sqrt(np.square(said).mean()) == pytest.approx(0.08, rel=0.1)


def test_a_group_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no group 'both'"):
        _real("both")
