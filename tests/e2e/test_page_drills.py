"""The exercises in a real browser: by taps, on every screen, with progress for each telephone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer, serve
from assistant.school.drills.schedule import progress_from
from tests.e2e.browsing import OVERFLOWING, SCREENS, SMALL_TARGETS, opened, resized
from tests.e2e.test_page_axe import found_everywhere, page_of
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.school.drills.making import drills_of, made
from tests.school.lessons.classrooms import classroom_of

pytestmark = pytest.mark.browser

PHONE = (360, 740)
KINDS = ("gana", "vale", "quieres", "cortas", "tiras")
SECONDS = 30_000
"""Milliseconds that an exercise may take to be made on a busy machine."""
ANY_GRADE = re.compile("told (wrong|doubtful)")
BOTTOM = "(node) => node.getBoundingClientRect().bottom"


@pytest.fixture
def server(
    board: FakeBoard, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DashboardServer]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    classroom = classroom_of()
    app = create_app(board, web_dir=checkout / "web", classroom=classroom, drills=drills_of())
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()
    classroom.close()


def at_kind(page: Page, server: DashboardServer, kind: str) -> str:
    """Begin a kind of exercise; the name of the first."""
    page.goto("about:blank")
    with page.expect_response(
        lambda one: "/api/drills?" in one.url and '"next"' in (one.request.post_data or ""),
        timeout=SECONDS,
    ) as made_one:
        page.goto(f"{server.url}drills#{kind}")
    expect(page.locator("#exercise-title")).to_be_visible(timeout=SECONDS)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return str(made_one.value.json()["name"])


def answer(page: Page, name: str, *, right: bool = True) -> None:
    exercise = made(name)
    wrong = next(at for at, choice in enumerate(exercise.choices) if not choice.right)
    at = exercise.best if right else wrong
    if exercise.skill == "tiras":
        for place in range(4):
            if (at + 1) >> place & 1:
                page.locator(".throws button").nth(place).click()
        page.locator(".throw").click()
    else:
        page.locator(".choices button").nth(at).click()
    expect(page.locator("#exercise .told")).to_have_class("told fine" if right else ANY_GRADE)


def kept(page: Page) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('mus.drills')") or "null")


def test_an_exercise_is_answered_by_a_tap_and_the_telephone_keeps_how_it_went(
    browser: Browser, server: DashboardServer
) -> None:
    for page in opened(browser, server, PHONE):
        name = at_kind(page, server, "gana")
        answer(page, name, right=False)
        assert progress_from(kept(page)).skills[name.partition("-")[0]].wrong == (name,)
        expect(page.locator("#exercise .state").first).to_contain_text("0 de 1 bien")
        page.locator(".next").click()
        expect(page.locator(".choices button:enabled").first).to_be_visible(timeout=SECONDS)
        page.get_by_role("button", name="Dejarlo").click()
        page.locator(".mine summary").click()
        expect(page.locator(".mine table")).to_contain_text("1 por repetir")
        page.reload()
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        expect(page.locator(".kind .state").first).to_have_text("0 de 1 bien")


def test_another_telephone_begins_with_nothing(browser: Browser, server: DashboardServer) -> None:
    mine, yours = page_of(browser, f"{server.url}drills"), page_of(browser, f"{server.url}drills")
    answer(mine, at_kind(mine, server, "vale"), right=False)
    before = kept(mine)
    yours.reload()
    expect(yours.locator("main")).to_have_attribute("aria-busy", "false")
    assert yours.locator(".mine").count() == 0
    answer(yours, at_kind(yours, server, "gana"))
    assert kept(mine) == before
    assert not set(kept(yours)["skills"]) & set(before["skills"])
    mine.context.close()
    yours.context.close()


def test_progress_goes_to_another_telephone_as_a_file(
    browser: Browser, server: DashboardServer, tmp_path: Path
) -> None:
    old, new = page_of(browser, f"{server.url}drills"), page_of(browser, f"{server.url}drills")
    for page in (old, new):
        answer(page, at_kind(page, server, "vale"))
        page.get_by_role("button", name="Dejarlo").click()
        page.locator(".mine summary").click()
    with old.expect_download() as saved:
        old.get_by_role("button", name="Guardar en un archivo").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    new.locator("#take").set_input_files(file)
    new.wait_for_function(
        "json => localStorage.getItem('mus.drills') === json",
        arg=old.evaluate("localStorage.getItem('mus.drills')"),
    )
    spoilt = tmp_path / "other.json"
    spoilt.write_text('{"version": 1, "skills": 3}', "utf-8")
    before = kept(new)
    new.locator("#take").set_input_files(spoilt)
    expect(new.locator("#begin .told")).to_contain_text("no tiene progreso")
    assert kept(new) == before
    old.context.close()
    new.context.close()


@pytest.mark.parametrize("kind", KINDS)
def test_every_exercise_fits_every_screen(
    browser: Browser, server: DashboardServer, kind: str
) -> None:
    for page in opened(browser, server, PHONE):
        name = at_kind(page, server, kind)
        for told in (False, True):
            if told:
                answer(page, name, right=False)
                expect(page.locator(".next.primary")).to_be_visible()
            for size in SCREENS:
                resized(page, size)
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0], size
                assert page.evaluate(OVERFLOWING) == [], size
                assert page.evaluate(SMALL_TARGETS) == [], size
                if not told:
                    page.evaluate("scrollTo(0, 0)")
                    last = page.locator(".choices button, .throw").last
                    assert last.evaluate(BOTTOM) <= size[1], size
            resized(page, PHONE)


@pytest.mark.parametrize("kind", ["", "gana", "tiras"])
def test_axe_finds_nothing_serious_in_the_exercises(
    browser: Browser, server: DashboardServer, kind: str
) -> None:
    page = page_of(browser, f"{server.url}drills")
    if kind:
        name = at_kind(page, server, kind)
        assert found_everywhere(page) == []
        answer(page, name, right=False)
    assert found_everywhere(page) == []
    page.context.close()


def test_the_short_path_is_marked_and_leads_to_the_exercises(
    browser: Browser, server: DashboardServer
) -> None:
    for page in opened(browser, server, PHONE):
        page.goto(f"{server.url}lessons")
        expect(page.locator(".onpath")).to_have_count(7)
        page.goto(f"{server.url}lessons#08-juego")
        expect(page.locator("#lesson-title")).to_be_visible()
        while page.locator(".moves").count():
            step = page.locator(".moves button").nth(1).element_handle()
            page.locator(".moves button").nth(1).click()
            page.wait_for_function("step => !step.isConnected", arg=step)
        page.get_by_role("link", name="A los ejercicios").click()
        expect(page.locator(".kind")).to_have_count(5)
