"""The classroom in a real browser: a lesson by taps, a word aloud, a quiz of the señas."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer, serve
from assistant.page.app import page_words
from assistant.rules.profile import Senas
from assistant.school.lessons import Kind
from assistant.school.lessons.files import load_lesson, load_lessons, read_progress
from assistant.school.lessons.mus_senas import load_senas
from tests.e2e.browsing import OVERFLOWING, PHONE, SMALL, SMALL_TARGETS, opened
from tests.e2e.test_page_axe import found_everywhere, page_of
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.school.lessons.classrooms import classroom_of

pytestmark = pytest.mark.browser

SIZES = [(320, 640), (390, 844), (1280, 900)]
NAME = "01-que-es-un-lance"
SPOKEN = "05-envidar-y-querer"
"""A lesson whose second step asks for speech."""


@pytest.fixture
def server(
    board: FakeBoard, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DashboardServer]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("assistant.speakers.voice_lessons.OPENS_IN", 0.0)
    classroom = classroom_of()
    server = serve(create_app(board, web_dir=checkout / "web", classroom=classroom), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()
    classroom.close()


@pytest.fixture
def phone(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    yield from opened(browser, server, SIZES[1])


def at_page(page: Page, server: DashboardServer, path: str) -> None:
    page.goto(f"{server.url}{path}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    _, _, lesson = path.partition("#")
    if lesson:  # from another lesson only the part after the # changes: the page stays
        expect(page.locator("#lesson-title")).to_have_text(load_lesson(lesson).title)


def answer(page: Page, at: int) -> None:
    """Give the right answer to a step. A spoken step is skipped, because nobody hears here."""
    step = load_lesson(NAME).steps[at]
    if step.kind is Kind.CHOOSE:
        right = next(answer for answer in step.answers if answer.right)
        page.locator(".choices button").filter(has_text=right.text).first.click()
        expect(page.locator(".told.fine")).to_contain_text(right.why)


def test_a_lesson_is_completed_by_taps_and_its_progress_kept(
    phone: Page, server: DashboardServer
) -> None:
    at_page(phone, server, "lessons")
    expect(phone.locator("#lessons li")).to_have_count(len(load_lessons("es")))
    phone.get_by_role("button", name="Empezar: Qué es un lance").click()
    steps = load_lesson(NAME).steps
    for at in range(len(steps)):
        expect(phone.locator("#lesson .state")).to_have_text(f"Paso {at + 1} de {len(steps)}")
        answer(phone, at)
        phone.locator(".moves button").nth(1).click()
    expect(phone.locator(".over")).to_have_text("¡Lección terminada!")
    asked = sum(step.kind is not Kind.READ for step in steps)
    expect(phone.locator("#lesson")).to_contain_text(f"{asked - 1} de {asked} a la primera")
    assert read_progress().done == {NAME: asked - 1}
    phone.get_by_role("link", name="Todas las lecciones").click()
    expect(phone.locator("#lessons .done")).to_have_count(1)


def test_a_wrong_answer_is_explained_and_may_be_corrected(
    phone: Page, server: DashboardServer
) -> None:
    at_page(phone, server, f"lessons#{NAME}")
    phone.get_by_role("button", name="Seguir").click()
    phone.get_by_role("button", name="El juego").click()
    expect(phone.locator(".told.wrong")).to_contain_text("No. Prueba otra vez. El juego es el")
    phone.get_by_role("button", name="La chica").click()
    expect(phone.locator(".told.fine")).to_contain_text("¡Bien!")
    expect(phone.locator(".next")).to_be_focused()
    phone.reload()
    expect(phone.locator("#lesson .state")).to_have_text("Paso 2 de 7")


def test_without_a_microphone_the_page_does_not_ask_for_speech(
    phone: Page, server: DashboardServer
) -> None:
    at_page(phone, server, "lessons")
    expect(phone.locator("#hello")).to_contain_text("Puedes contestar tocando.")
    at_page(phone, server, f"lessons#{SPOKEN}")
    expect(phone.locator(".choices")).to_be_visible()
    expect(phone.locator(".aloud")).to_have_count(0)
    phone.get_by_role("button", name="Saltar").click()
    expect(phone.locator(".aloud")).to_contain_text("Aquí no hay micrófono")
    expect(phone.locator(".aloud")).to_contain_text(load_lesson(SPOKEN).steps[1].say)
    expect(phone.locator(".aloud button")).to_have_count(0)
    phone.get_by_role("button", name="Seguir").click()
    expect(phone.locator("#lesson .state")).to_contain_text("Paso 3 de")


def test_a_microphone_lost_during_a_lesson_is_reported(
    browser: Browser, server: DashboardServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.school.lessons.classroom.Pupil.hears", True)
    phone = page_of(browser, f"{server.url}lessons", "light")
    expect(phone.locator("#hello")).to_contain_text("tocando o hablando.")
    phone.goto(f"{server.url}lessons#{NAME}")
    phone.get_by_role("button", name="Seguir").click()
    expect(phone.locator("#lesson .asks")).to_be_visible()
    with phone.expect_response("**/api/lessons/*") as refused:
        phone.get_by_role("button", name="Contestar hablando").click()
    assert refused.value.status == 422
    expect(phone.locator(".told.wrong")).to_have_text(
        "No hay micrófono con que oír: contesta tocando."
    )
    phone.context.close()


def test_a_word_is_looked_up_and_heard(phone: Page, server: DashboardServer) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    at_page(phone, server, "glossary")
    phone.get_by_label("Buscar una palabra").fill("ORDAGO")
    expect(phone.locator("#terms h2").first).to_have_text("órdago")
    with phone.expect_response("**/api/sound?lang=es") as sounded:
        phone.get_by_role("button", name="Oír «órdago»").click()
    assert sounded.value.headers["content-type"] == "audio/wav"
    assert sounded.value.body()[:4] == b"RIFF"
    expect(phone.locator("#say")).to_be_hidden()
    phone.get_by_label("Buscar una palabra").fill("paella")
    expect(phone.locator("#count")).to_have_text("No hay ninguna palabra así.")


def test_the_senas_are_drawn_and_asked(phone: Page, server: DashboardServer) -> None:
    at_page(phone, server, "senas")
    expect(phone.locator("#signs li")).to_have_count(14)
    phone.get_by_role("button", name="Keinuak, en Euskadi").click()
    expect(phone.locator("#signs li")).to_have_count(8)
    expect(phone.locator("#forbidden")).to_contain_text("Hacer una seña de algo que no se lleva.")
    broken = "() => [...document.images].filter((i) => !i.complete || !i.naturalWidth).length"
    phone.wait_for_load_state("networkidle")
    assert phone.evaluate(broken) == 0
    for number in range(1, 6):
        phone.locator("#go").click()
        expect(phone.locator("#question .choices button")).to_have_count(4)
        phone.locator("#question .choices button").first.click()
        expect(phone.locator("#told")).to_contain_text("»: ")
        expect(phone.locator("#score")).to_contain_text(f"de {number} acertadas")
    assert read_progress().quiz["euskadi"].asked == 5


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("played", [Senas.OFF, Senas.INTERPENAS])
def test_r58_a_table_without_senas_says_so_and_teaches_none_first(
    browser: Browser, board: FakeBoard, checkout: Path, played: Senas
) -> None:
    """A table that makes señas sees its own list; elsewhere a list is shown to whoever asks."""
    classroom = classroom_of(senas=played)
    app = create_app(board, web_dir=checkout / "web", classroom=classroom)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, SIZES[1]):
            at_page(page, server, "senas")
            if played is Senas.OFF:
                expect(page.locator("#none")).to_contain_text("Aquí se juega sin señas")
                expect(page.locator("#signs, #quiz, #no")).to_have_count(3)
                assert page.locator(":is(#signs, #quiz, #no):visible").count() == 0
                assert found_everywhere(page) == []
                page.get_by_role("button", name="Señas del Reglamento Interpeñas 1996").click()
            else:
                expect(page.locator("#none")).to_be_hidden()
            expect(page.locator("#signs-title")).to_have_text(
                "Señas del Reglamento Interpeñas 1996"
            )
            expect(page.locator("#quiz")).to_be_visible()
            assert found_everywhere(page) == []
    finally:
        server.stop()
        classroom.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_pages_of_the_classroom_fit_every_screen(
    browser: Browser, server: DashboardServer, size: tuple[int, int]
) -> None:
    for page in opened(browser, server, size):
        for path in ("lessons", f"lessons#{NAME}", "lessons#10-la-cuenta", "glossary", "senas"):
            at_page(page, server, path)
            for _ in range(8 if "#" in path else 1):
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
                assert page.evaluate(OVERFLOWING) == [], path
                assert page.evaluate(SMALL_TARGETS) == [], path
                following = page.locator(".moves button").nth(1)
                if following.count():
                    step = following.element_handle()
                    following.click()
                    page.wait_for_function("step => !step.isConnected", arg=step)


@pytest.mark.parametrize("code", ["eu", "en"])
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=lambda size: str(size[0]))
def test_the_pages_teach_and_fit_in_basque_and_english(
    browser: Browser, server: DashboardServer, size: tuple[int, int], code: str
) -> None:
    for page in opened(browser, server, size):
        for path in ("lessons", "lessons#14-el-descarte", "glossary", "senas"):
            before, mark, lesson = path.partition("#")
            page.goto(f"{server.url}{before}?lang={code}{mark}{lesson}")
            expect(page.locator("main")).to_have_attribute("aria-busy", "false")
            if lesson:
                told = load_lesson(lesson, code)
                expect(page.locator("#lesson-title")).to_have_text(told.title)
                expect(page.locator(".asks")).to_have_text(told.steps[0].question)
            if path == "senas":
                title = load_senas(Senas.FEM, code)["title"]
                expect(page.locator("#signs-title")).to_have_text(title)
            foot = page_words("school", code)["school"]["unread"]
            expect(page.locator(".unread")).to_have_text(foot)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
            assert page.evaluate(OVERFLOWING) == [], path
            assert page.evaluate(SMALL_TARGETS) == [], path


@pytest.mark.parametrize("path", ["lessons", f"lessons#{NAME}", "glossary", "senas"])
def test_axe_finds_nothing_serious_in_the_classroom(
    browser: Browser, server: DashboardServer, path: str
) -> None:
    page = page_of(browser, f"{server.url}{path}")
    if "#" in path:
        page.get_by_role("button", name="Seguir").click()
        page.get_by_role("button", name="El juego").click()
        expect(page.locator(".told.wrong")).to_be_visible()
    if path == "senas":
        page.locator("#go").click()
        page.locator("#question .choices button").first.click()
        expect(page.locator("#told")).to_contain_text("»: ")
    assert found_everywhere(page) == []
    page.context.close()
