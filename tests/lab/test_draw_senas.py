"""The drawings of the señas: each gesture has one, and the script draws it."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from assistant.rules.profile import Senas
from assistant.school.lessons.mus_senas import LISTS, load_senas, signs_of


@pytest.mark.parametrize("name", LISTS)
def test_r58_every_gesture_has_a_drawing(name: Senas, checkout: Path) -> None:
    for sign in signs_of(load_senas(name)):
        drawing = (checkout / "web/static/senas" / f"{sign.draw}.svg").read_text("utf-8")
        assert ET.fromstring(drawing).attrib["viewBox"] == "0 0 200 200"


def test_the_committed_drawings_equal_those_of_the_script(checkout: Path, tmp_path: Path) -> None:
    script = checkout / "scripts" / "lab" / "draw_senas.py"
    subprocess.run([sys.executable, str(script), "--out", str(tmp_path)], check=True, timeout=60)
    made = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    shipped = (checkout / "web/static/senas").iterdir()
    assert made == {path.name: path.read_text("utf-8") for path in shipped}
    assert len(set(made.values())) == len(made), "no two gestures look the same"
