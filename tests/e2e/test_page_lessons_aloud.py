"""A lesson answered aloud on the page: a real microphone, the real ear, and a deaf table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.pulse import Pulse
from tests.e2e.test_page_setup import fresh
from tests.speakers.test_mus_enrol import reading

pytestmark = [pytest.mark.browser, pytest.mark.audio]
WITHIN = 60_000
"""The milliseconds in which speech is judged on a busy machine."""


def test_an_answer_is_spoken_into_a_microphone(browser: Browser, tmp_path: Path) -> None:
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    wrong.mkdir()
    right.mkdir()
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    home = tmp_path / "home"
    with Pulse() as pulse, fresh(home, "--voice", "off", env=pulse.env) as table:
        root = table.url.removesuffix("setup")
        page.goto(f"{root}lessons#05-envidar-y-querer")
        page.get_by_role("button", name="Saltar").click()
        expect(page.locator("#lesson .asks")).to_have_text("Apuesta cinco piedras, en voz alta.")
        page.get_by_role("button", name="Contestar hablando").click()
        expect(page.locator(".listens")).to_be_visible(timeout=WITHIN)
        pulse.play(reading(["envido"], wrong))
        expect(page.locator("#lesson .told")).to_contain_text("«envido»", timeout=WITHIN)
        expect(page.locator("#lesson .told.wrong")).to_contain_text("No. Prueba otra vez.")
        expect(page.locator(".listens")).to_be_visible()  # he may try again without a tap
        expect(page.locator(".aloud .hint")).to_contain_text("Por ejemplo: «")
        pulse.play(reading(["envido cinco"], right))
        expect(page.locator("#lesson .told.fine")).to_contain_text(
            "«envido cinco» ¡Bien!", timeout=WITHIN
        )
        assert page.request.get(f"{root}api/snapshot").json()["heard"] is None
        kept = json.loads((home / "mus" / "lessons.json").read_text("utf-8"))
        assert kept["at"] == {"05-envidar-y-querer": 1}
    page.context.close()
