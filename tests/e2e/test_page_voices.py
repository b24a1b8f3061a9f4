"""A player's voice is learnt on the page, through a microphone, and forgotten there."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.pulse import Pulse
from tests.e2e.test_page_setup import fresh, set_up, tap
from tests.speakers.test_mus_enrol import prompts, reading

pytestmark = [pytest.mark.browser, pytest.mark.audio, pytest.mark.timeout(400)]
READ = 9
"""The number of calls that are read. The others are skipped to save time."""
FITTED_WITHIN = 240_000
"""Milliseconds. Adaptation has the lowest priority on a busy machine."""


@pytest.fixture
def page(browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    return context.new_page()


def test_a_player_reads_his_voice_is_learnt_and_forgotten(page: Page, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    other = reading(["no hay mus"], wrong)
    right = reading(prompts()[:READ], tmp_path)
    kept = tmp_path / "home" / "mus"
    with Pulse() as pulse, fresh(tmp_path / "home", "--voice", "off", env=pulse.env) as table:
        set_up(page, table)
        voices = page.locator("#voices")
        expect(voices.get_by_label("Quién lee")).to_have_value("Norte")
        tap(page, "Aprender su voz")
        expect(voices.locator(".say")).to_have_text("mus")
        expect(voices.locator(".count")).to_have_text("Norte · 1 de 15")
        pulse.play(other)
        expect(voices.locator(".told.wrong").first).to_have_text(
            "Ha sonado a «no hay mus», y tocaba «mus». Otra vez."
        )
        pulse.play(right)
        expect(voices.locator(".count")).to_have_text(f"Norte · {READ + 1} de 15")
        for at in range(READ + 1, 16):
            expect(voices.locator(".count")).to_have_text(f"Norte · {at} de 15")
            tap(page, "Saltar")
        expect(voices.get_by_role("progressbar")).to_be_visible()
        expect(voices).to_contain_text(f"{READ} cantes", timeout=FITTED_WITHIN)
        expect(voices.get_by_role("progressbar")).to_be_hidden(timeout=FITTED_WITHIN)
        assert (kept / "ear" / "am" / "final.mdl").is_file()
        assert len(list((kept / "voices" / "Norte").glob("[0-9]*.wav"))) == READ
        # The table reopens with the learnt voice. A tap at that moment is not lost.
        lost: list[str] = []

        def lose_one(route: Route) -> None:
            if route.request.method == "GET" or lost:
                route.continue_()
            else:
                lost.append(route.request.url)
                route.abort()

        page.route("**/api/setup/voices", lose_one)
        tap(page, "Borrar")
        tap(page, "Sí, borrar")
        expect(voices).not_to_contain_text(f"{READ} cantes")
        assert not list((kept / "voices").iterdir())
        expect(page.locator("#voices .told.wrong")).to_have_count(0)
        assert lost
        assert not (kept / "ear").exists()
