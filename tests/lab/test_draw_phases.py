"""The drawing of the phases: it is up to date and shows every transition."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from assistant.rules.phases import TRANSITIONS, Phase
from scripts.lab import draw_phases

SVG = "{http://www.w3.org/2000/svg}"


def test_the_committed_drawing_is_up_to_date(checkout: Path) -> None:
    """If this fails, run scripts/lab/draw_phases.py and commit its output."""
    assert (checkout / "docs/phases.md").read_text("utf-8") == draw_phases.page()
    assert (checkout / "docs/phases.svg").read_text("utf-8") == draw_phases.svg()


def test_every_phase_and_every_transition_is_drawn() -> None:
    drawing = ET.fromstring(draw_phases.svg())
    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    expected = [trigger.value for _, trigger in TRANSITIONS] + [phase.value for phase in Phase]
    assert texts == expected


def test_no_two_phases_are_drawn_in_one_place() -> None:
    assert set(draw_phases.PLACES) == set(Phase)
    assert len(set(draw_phases.PLACES.values())) == len(Phase)


def test_the_text_names_every_transition() -> None:
    lines = draw_phases.mermaid().splitlines()
    for (source, trigger), target in TRANSITIONS.items():
        assert f"    {source.name} --> {target.name}: {trigger.value}" in lines


def test_dot_is_printed_and_nothing_is_written(checkout: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "scripts/lab/draw_phases.py", "--dot"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout == draw_phases.dot()
    assert printed.stdout.count(" -> ") == len(TRANSITIONS)
