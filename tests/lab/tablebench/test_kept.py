"""Evenings that were played are kept, and never mixed with those of other code or options."""

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")
pytest.importorskip("pyroomacoustics", reason="needs the train extra")

from assistant.rules.errors import MusError
from scripts.lab.tablebench import kept
from scripts.lab.tablebench.kept import KeptEvenings
from scripts.lab.tablebench.players import Tally
from scripts.lab.tablebench.trial import Ground, Job, Room

EVENING = Job("develop", 7, Room("talk", 12.0), (7, 8))
TALLIES = [Tally(exact=True, calls=17, at_once=15, delays=[0.2, 0.4]), Tally(given_up=True)]


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    model = tmp_path / "model"
    model.mkdir()
    (model / "final.mdl").write_bytes(b"weights")
    return Ground(model, None, {})


def test_a_run_that_was_stopped_finds_what_it_has_played(tmp_path: Path, ground: Ground) -> None:
    KeptEvenings(tmp_path / "work", ground).write(EVENING, TALLIES)
    again = KeptEvenings(tmp_path / "work", ground)
    assert again.read(EVENING) == TALLIES
    assert again.read(replace(EVENING, seed=9)) is None
    assert again.read(replace(EVENING, room=Room("quiet"))) is None
    assert again.read(replace(EVENING, before=(3,))) is None


def test_other_options_another_model_and_other_code_begin_anew(
    tmp_path: Path, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    KeptEvenings(work, ground).write(EVENING, TALLIES)
    assert KeptEvenings(work, replace(ground, things=5.0)).read(EVENING) is None
    assert KeptEvenings(work, replace(ground, oracle="words")).read(EVENING) is None
    assert KeptEvenings(work, replace(ground, human=tmp_path)).read(EVENING) is None
    other = tmp_path / "other"
    other.mkdir()
    (other / "final.mdl").write_bytes(b"other weights")
    assert KeptEvenings(work, replace(ground, model=other)).read(EVENING) is None
    monkeypatch.setattr(kept, "_CODE", ("assistant/rules",))
    assert KeptEvenings(work, ground).read(EVENING) is None


def test_without_a_folder_nothing_is_kept(ground: Ground) -> None:
    evenings = KeptEvenings(None, ground)
    evenings.write(EVENING, TALLIES)
    assert evenings.read(EVENING) is None


def test_a_damaged_file_is_told_in_one_sentence(tmp_path: Path, ground: Ground) -> None:
    evenings = KeptEvenings(tmp_path / "work", ground)
    evenings.write(EVENING, TALLIES)
    (file,) = (tmp_path / "work").iterdir()
    file.write_text("[{]", "utf-8")
    with pytest.raises(MusError, match="is damaged: delete it"):
        evenings.read(EVENING)
