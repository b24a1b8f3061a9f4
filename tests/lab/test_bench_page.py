"""scripts/lab/bench_page: its figures come from a game in play."""

from __future__ import annotations

import json

import pytest

from scripts.lab import bench_page


@pytest.mark.browser
def test_each_call_of_a_game_is_painted_on_the_wall_after_its_event(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_page, "FIRST", 2)
    monkeypatch.setattr(bench_page, "LIMIT_MS", 60_000)  # a busy machine is no failure
    assert bench_page.main(["--calls", "40", "--page", "watch", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    clocks = told["pages"]["/watch"]
    assert 0 < clocks["event"]["p50"] < clocks["call"]["p50"]
    monkeypatch.setattr(bench_page, "LIMIT_MS", 0)
    assert bench_page.main(["--calls", "1", "--page", "watch"]) == 1
