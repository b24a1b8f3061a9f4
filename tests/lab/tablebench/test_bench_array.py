"""The bench of an array: its options, its rooms, and what its gain means."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("pyroomacoustics", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.files.resources import model_dir
from scripts.lab import bench_array
from scripts.lab.bench_array import LEVELS, ONE, Listened, gain
from scripts.lab.earbench import work
from scripts.lab.tablebench import places, trial
from scripts.lab.tablebench.trial import Ground, Job, Room


@pytest.fixture(autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUS_BENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
    places.place.cache_clear()


@pytest.mark.parametrize("asked", [["--places", "0"], ["--rooms", "church"], ["--jobs", "0"]])
def test_an_impossible_request_is_refused_in_one_sentence(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_array.main(asked) == 2
    told = capsys.readouterr().err
    assert told.startswith("bench_array: ")
    assert told.count("\n") == 1


def test_the_gain_is_how_much_less_noise_one_microphone_would_need() -> None:
    one = [10, 20, 30, 40, 50]
    assert gain(one, 20, 6.0) == pytest.approx(0, abs=1e-3)
    assert gain(one, 30, 6.0) == pytest.approx(3, abs=1e-3)
    assert gain(one, 25, 6.0) == pytest.approx(1.5, abs=1e-3)
    assert gain(one, 90, 6.0) == pytest.approx(LEVELS[-1] - 6)
    assert gain([10, 20, 15, 40, 50], 20, 6.0) < 3.001, "a row that falls by chance is no gain"


def test_rooms_are_heard_and_counted_by_both(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Listened] = []

    def heard(one: Listened) -> int:
        assert isinstance(work.given(), Ground)
        asked.append(one)
        return 12 if one.by == ONE else 36

    monkeypatch.setattr(bench_array, "hear", heard)
    assert (
        bench_array.main(["--develop", "--places", "2", "--rooms", "kitchen", "--jobs", "1"]) == 0
    )
    assert len(asked) == 2 * (len(LEVELS) + 1)
    told = capsys.readouterr().out
    assert "25.0%" in told
    assert "75.0%" in told
    assert "+9.0 dB" in told


def test_a_call_in_a_quiet_room_is_heard_by_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_array, "EACH", 3)
    monkeypatch.setattr(bench_array, "CALLS", ("envido", "no quiero", "paso"))
    monkeypatch.setattr(trial, "GROUPS", {"develop": "espeak"})
    noise = np.random.default_rng(1).normal(size=16_000).astype(np.float32)
    with work.Crew(Ground(model_dir(), None, {"kitchen": noise}), 1):
        job = Job("develop", 270_000, Room("kitchen", 40.0))
        assert bench_array.hear(Listened(job, bench_array.ARRAY)) >= 2
