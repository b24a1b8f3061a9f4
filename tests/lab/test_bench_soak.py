"""scripts/lab/bench_soak: its summary of an evening equals what happened."""

from __future__ import annotations

import json
import shutil

import pytest

from assistant.messages import Heard, Word
from scripts.lab import bench_soak
from scripts.lab.rendering.deal import Line


def test_late_words_are_told_from_words_that_nobody_said() -> None:
    lines = (Line(1.0, 1.5, "paso", 1, "es", 1), Line(3.0, 3.5, "envido", 2, "es", 2))
    heard = [Heard((Word("paso", 11.1, 11.5),)), Heard((Word("mus", 12.0, 12.2),))]
    assert bench_soak.offsets(lines, heard, 10.0) == [pytest.approx(0.1)]


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="not installed: espeak-ng")
def test_a_short_evening_is_heard_and_summarised(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("scripts.lab.speechlab.noise", reason="needs the train extra")
    assert bench_soak.main(["--hours", "0.03", "--voices", "espeak", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    [hour] = report["hours"]
    assert hour["deals"] >= 1
    assert hour["right"] > 0.5
    assert abs(hour["offset_s"]) < 0.1
    assert all(mb > 10 for _, mb in report["memory"])
    assert report["rss_growth_mb"] is None, "ten minutes were not heard"


def test_a_missing_voice_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_soak.main(["--voices", "nobody"]) == 2
    assert "There is no voice" in capsys.readouterr().err
