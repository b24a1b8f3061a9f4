"""The bench of the hub: its figures and its pictures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.rules.errors import MusError
from scripts.lab.bench_hub import (
    Figures,
    back_after,
    idle_look,
    latencies,
    panels,
    told,
    told_hubs,
)
from scripts.lab.hubbench.curve import drawn


def figures(tables: int, backlog: bool = False, hubs: int = 1) -> Figures:
    return Figures(
        tables=tables,
        hubs=hubs,
        calls=10,
        events=20,
        events_per_s=30.0 * tables,
        p50_ms=None if backlog else 150,
        p99_ms=None if backlog else 400,
        most_ms=None if backlog else 600,
        hub_mb=120.0,
        hub_cpu=0.0 if tables < 20 else 0.4,
        broker_cpu=0.1,
        database_cpu=0.2,
        event_bytes=300.0,
        hub_seconds=10.0 + hubs,
    )


def test_the_delay_of_a_call_ends_at_the_first_board_that_has_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("a 3 10.0\nb 2 10.0\na 5 11.0\n# 7 1.0\n")
    seen = [("a", 1, 10.1), ("b", 2, 10.2), ("a", 4, 10.5), ("a", 9, 11.25), ("a", 10, 12.0)]
    assert latencies(log, seen) == pytest.approx([500, 200, 250])


def test_a_call_that_never_reached_the_board_has_no_delay(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("a 3 10.0\n")
    with pytest.raises(MusError, match="never showed a at 3"):
        latencies(log, [("a", 2, 10.1)])


def test_the_curves_are_drawn_as_a_picture() -> None:
    found = [figures(n, backlog) for n in (10, 200, 1300) for backlog in (False, True)]
    picture = ElementTree.fromstring(drawn(panels(found)))
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 7
    assert all(len(line.get("points", "").split()) == 3 for line in lines)


def test_what_was_missed_during_a_cut_is_timed_from_the_lines_return(tmp_path: Path) -> None:
    """What was called after the return does not count, however late it came."""
    log = tmp_path / "log"
    log.write_text("a 3 10.0\nb 2 19.0\na 5 21.0\n# 7 1.0\n")
    seen = [("a", 3, 22.0), ("b", 2, 25.5), ("a", 5, 40.0)]
    assert back_after(log, seen, 20.0) == pytest.approx(5.5)


def test_several_hubs_are_told_beside_one_for_the_same_work() -> None:
    found = [figures(1300, backlog, hubs) for hubs in (1, 3) for backlog in (False, True)]
    assert list(told_hubs(found)) == [
        "3 hubs, at a table's pace: 1.18 times the processor time of one",
        "3 hubs, events that waited: 1.18 times the processor time of one",
    ]


def test_an_idle_look_is_timed_at_so_many_tables() -> None:
    looks = idle_look(30, "sqlite")
    assert looks.keys() == {"board", "page"}
    assert all(0 < milliseconds < 100 for milliseconds in looks.values())


def test_a_run_is_summarised_in_a_line() -> None:
    assert "p99 400 ms" in told(figures(10))
    assert "20 events that waited" in told(figures(10, backlog=True))
