"""A fresh machine: the page sets the table up, and then a game begins."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from assistant.files.settings import read_settings
from assistant.voice.synthesis import wav_seconds
from tests.e2e.browsing import OVERFLOWING, SIZES
from tests.e2e.live_table import LiveTable
from tests.e2e.pulse import Pulse
from tests.e2e.table_process import command
from tests.e2e.test_page_axe import found_everywhere
from tests.eye.cameras import Web, web_camera

pytestmark = pytest.mark.browser
NAMES = ("Ana", "Luis", "Carmen", "Julio")
TABLE_WITHIN = 60_000
"""The longest time in milliseconds until the table has reopened."""
SETTLES = 150
"""The milliseconds in which an entered hand is accepted."""


@contextmanager
def fresh(home: Path, *options: str, env: dict[str, str] | None = None) -> Iterator[LiveTable]:
    """Run ``mus play`` with empty folders."""
    with subprocess.Popen(
        command("play", "--port", "0", *options),
        env={**os.environ, **(env or {}), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield LiveTable(process)
        finally:
            process.terminate()
            process.wait(10)
            assert process.stderr
            told = process.stderr.read()
            assert "Traceback" not in told, told


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    with fresh(tmp_path, "--voice", "off") as table:
        yield table


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        locale="es-ES",
        reduced_motion="reduce",
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


@pytest.fixture
def envido(espeak: str, tmp_path: Path) -> Path:
    """A recording of one call."""
    wav = tmp_path / "envido.wav"
    subprocess.run([espeak, "-v", "es", "-w", str(wav), "envido cinco"], check=True)
    return wav


def settings(home: Path) -> dict[str, object]:
    return dict(read_settings(home / "mus" / "settings.toml"))


def set_up(page: Page, table: LiveTable) -> None:
    """Open the page by the address in the terminal."""
    page.goto(table.url)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def begun(page: Page) -> None:
    expect(page.locator("#seats")).to_be_visible(timeout=TABLE_WITHIN)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def tap(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).first.tap()


def tap_call(page: Page, label: str) -> None:
    """Tap a call and wait until the table has taken it."""
    version = page.locator("main").get_attribute("data-version")
    page.locator("#actions, #centre").get_by_role("button", name=label, exact=True).first.tap()
    expect(page.locator("main")).not_to_have_attribute("data-version", version or "")


def table_of(page: Page, table: LiveTable) -> dict[str, Any]:
    """The table's present snapshot."""
    shown: dict[str, Any] = page.request.get(table.url.replace("setup", "api/snapshot")).json()
    return shown


def test_a_fresh_machine_comes_to_a_counted_deal_by_touch_alone(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    """Nobody types a command: the seats, a hand with a bet, the cards, the count."""
    assert table.url.endswith("/setup")
    page.goto(table.url.removesuffix("setup"))
    expect(page).to_have_url(table.url)
    expect(page.get_by_role("heading", name="Quiénes juegan")).to_be_visible()
    for place, name in enumerate(NAMES, start=1):
        page.locator(f'[data-place="{place}"] input').fill(name)
    tap(page, "Empezar la partida")
    begun(page)
    assert settings(tmp_path)["seats"] == " ".join(NAMES)
    page.locator("#question, #centre").get_by_role("button", name="Ana").first.tap()
    expect(page.locator(".seat.turn")).to_contain_text("Ana")
    for label in ("No hay mus", "Paso", "Envido 2", "Quiero", *["Paso"] * 4):
        tap_call(page, label)
    for label in ("Pares no", "Pares sí", "Pares no", "Pares no", *["Juego no"] * 4, *["Paso"] * 4):
        tap_call(page, label)
    for hand in ("RC54", "RR54", "S764", "C765"):
        for rank in hand:
            page.locator(f'#showdown .rank[data-rank="{rank}"]').tap()
        tap(page, "Poner cartas")
        page.wait_for_timeout(SETTLES)
    expect(page.locator(".main")).to_have_text("Contado")
    # Luis wins grande 2 and pares 1; Ana wins chica and punto in paso.
    expect(page.locator('.side[data-side="A"] .count')).to_have_text("2")
    expect(page.locator('.side[data-side="B"] .count')).to_have_text("3")
    page.goto(f"{table.url.removesuffix('setup')}showdown")
    expect(page.locator("main")).to_contain_text("Luis")


def test_why_a_voice_cannot_be_learnt_stays_on_the_page(page: Page, table: LiveTable) -> None:
    set_up(page, table)
    tap(page, "Aprender su voz")
    expect(page.locator("#voices .told.wrong").first).to_be_visible()
    for _ in range(2):  # the page goes on looking for voices that were learnt elsewhere
        with page.expect_response("**/api/setup/voices"):
            pass
    page.wait_for_timeout(100)
    expect(page.locator("#voices .told.wrong").first).to_be_visible()


def test_learning_while_people_play_is_turned_off_and_on_on_the_page(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    set_up(page, table)
    voices = page.locator("#voices")
    learnt = voices.get_by_text("De esta mesa aún no ha aprendido")
    expect(learnt).to_be_visible()
    learns = voices.get_by_label("Aprender también mientras jugáis")
    expect(learns).to_be_checked()
    learns.tap()
    expect(learnt).to_be_hidden()
    expect(page.locator("#say")).to_have_text("Guardado.")  # the table is open again
    assert settings(tmp_path)["learn"] is False
    learns.tap()
    expect(learnt).to_be_visible()
    assert settings(tmp_path)["learn"] is True


def test_axe_finds_nothing_serious_in_the_whole_set_up(page: Page, table: LiveTable) -> None:
    """A game, the rules, a voice that cannot be learnt here, and a fault in the names."""
    set_up(page, table)
    assert found_everywhere(page) == []
    page.locator("summary").first.tap()
    page.locator('[data-place="2"] input').fill("Norte")
    tap(page, "Aprender su voz")
    tap(page, "Empezar la partida")
    expect(page.locator("#say")).to_contain_text("nombres distintos")
    expect(page.locator("#voices .told.wrong").first).to_be_visible()
    assert found_everywhere(page) == []


def test_settings_are_kept_and_the_next_start_is_no_first_one(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    set_up(page, table)
    page.get_by_label("Cuánto dice").select_option("full")
    expect(page.locator("#say")).to_have_text("Guardado.", timeout=TABLE_WITHIN)
    page.get_by_label("Velocidad").fill("210")
    expect(page.locator("#say")).to_have_text("Guardado.", timeout=TABLE_WITHIN)
    page.get_by_label("Reglas").select_option("vasco")
    expect(page.locator("#rules .told")).to_have_text("Mus vasco.")
    tap(page, "Empezar la partida")
    begun(page)
    kept = {"level": "full", "rate": 210, "profile": "vasco"}
    assert {key: settings(tmp_path)[key] for key in kept} == kept
    table.process.terminate()
    table.process.wait(10)
    with fresh(tmp_path, "--voice", "off") as again:
        assert not again.url.endswith("/setup")
        page.goto(again.url)
        begun(page)


def test_a_table_of_three_single_players_can_be_set_up(page: Page, table: LiveTable) -> None:
    set_up(page, table)
    page.get_by_label("Cuántos juegan").select_option("3")
    expect(page.get_by_label("Reglas")).to_have_value("individual")
    tap(page, "Empezar la partida")
    begun(page)
    expect(page.locator(".side")).to_have_count(3)


def switch(page: Page, rule: str, answer: str) -> None:
    """Tap the answer to one of the six questions."""
    question = page.locator(f'[data-rule="{rule}"]')
    question.get_by_role("radio", name=answer, exact=True).tap()


def answered(page: Page) -> list[str]:
    """The answers that hold, from the first question to the last."""
    labels = page.locator(".ask label:has(input:checked)").all_inner_texts()
    assert len(labels) == page.locator(".ask").count() == 6
    return labels


def test_six_switches_over_a_profile_make_the_rules_of_the_next_game(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    """They begin at what the profile says, hold on top of it, and are remembered."""
    set_up(page, table)
    rules, said = page.locator("#rules"), page.locator("#rules .told")
    usual = ["8 reyes", "a 40", "5", "Al empezar", "No", "FEM"]
    assert answered(page) == usual
    expect(said).to_have_text("Mus corriente.")
    switch(page, "target", "a 30")
    switch(page, "kings", "4 reyes")
    expect(said).to_have_text("Mus corriente, pero con 4 reyes y a 30.")
    switch(page, "kings", "8 reyes")
    expect(said).to_have_text("Mus corriente, pero a 30.")
    page.get_by_label("Reglas").select_option("interpenas-1996")
    expect(said).to_have_text("Reglamento Interpeñas 1996.")
    expect(rules).to_contain_text("El de Cantabria, artículo por artículo")
    assert answered(page) == [*usual[:4], "Con sota", "Interpeñas"]
    for rule, answer in (("real31", "No"), ("match", "3"), ("corrido", "En cada juego"),
                         ("senas", "Euskadi"), ("target", "a 30")):  # fmt: skip
        switch(page, rule, answer)
    expect(rules).to_contain_text("Gana quien hace 2 juegos.")
    expect(said).to_have_text(
        "Reglamento Interpeñas 1996, pero a 30, al mejor de 3, con mus corrido en cada juego, "
        "sin la real y con las señas de Euskadi."
    )
    switch(page, "senas", "Sin señas")
    expect(said).to_contain_text("sin la real y sin señas.")
    switch(page, "senas", "Euskadi")
    tap(page, "Empezar la partida")
    begun(page)
    assert table_of(page, table)["target"] == 30
    assert settings(tmp_path)["profile"] == "interpenas-1996"
    assert settings(tmp_path)["rules"] == (
        "target=30 juegos=2 corrido=juego real31=off senas=euskadi"
    )
    set_up(page, table)
    assert answered(page) == ["8 reyes", "a 30", "3", "En cada juego", "No", "Euskadi"]
    expect(said).to_contain_text("Reglamento Interpeñas 1996, pero a 30")


def test_the_switches_offer_what_a_profile_of_ones_own_says(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    """Two of the same title are told apart; a rule that is in the way is told in one sentence."""
    own = tmp_path / "mus" / "profiles"
    own.mkdir(parents=True)
    head = 'title = "Las reglas de casa"\nexplains = "Las del bar."\n[rules]\n'
    cards = 'real31 = "suits"\nreal31_cards = "So 7o 7c 7e"\n'
    (own / "casa.toml").write_text(f'name = "casa"\n{head}min_bet = 33\ntarget = 35\n')
    (own / "bar.toml").write_text(f'name = "bar"\n{head}{cards}vacas = 3\ncorrido = "vaca"\n')
    set_up(page, table)
    titles = page.get_by_label("Reglas").locator("option").all_inner_texts()
    assert titles[:3] == ["Las reglas de casa (bar)", "Las reglas de casa (casa)", "Mus corriente"]
    assert len({*titles}) == len(titles) == 10
    said = page.locator("#rules .told")
    page.get_by_label("Reglas").select_option("bar")
    expect(page.locator("#rules .hint").last).to_have_text("Las del bar.")
    assert answered(page) == ["8 reyes", "a 40", "5 vacas", "En cada vaca", "Con sus palos", "FEM"]
    switch(page, "real31", "Con sota")
    expect(said).to_have_text("Las reglas de casa (bar), pero con la real de sota.")
    page.get_by_label("Reglas").select_option("casa")
    assert answered(page)[1] == "a 35"
    switch(page, "target", "a 30")
    tap(page, "Empezar la partida")
    expect(page.locator("#say")).to_have_text(
        "En estas reglas el primer envite no cabe en tan pocas piedras: juega a más."
    )
    assert settings(tmp_path) == {}
    page.get_by_label("Reglas").select_option("bar")
    switch(page, "real31", "Con sota")
    tap(page, "Empezar la partida")
    begun(page)
    assert settings(tmp_path)["rules"] == "real31=sota real31_cards=off"


def test_an_even_number_of_players_gets_its_rules_back_and_keeps_the_switches(
    page: Page, table: LiveTable
) -> None:
    set_up(page, table)
    switch(page, "target", "a 30")
    for count, name, title in (("3", "individual", "Cada uno para sí"),
                               ("4", "estandar", "Mus corriente")):  # fmt: skip
        page.get_by_label("Cuántos juegan").select_option(count)
        expect(page.get_by_label("Reglas")).to_have_value(name)
        expect(page.locator("#rules .told")).to_have_text(f"{title}, pero a 30.")


def test_rules_that_nobody_changes_stay_those_of_the_command_line(
    page: Page, tmp_path: Path
) -> None:
    words = ("--profile", "vasco", "--rules", "target=25 reenvido=plus2")
    with fresh(tmp_path, "--voice", "off", *words) as table:
        page.goto(f"{table.url}?lang=es")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        said = page.locator("#rules .told")
        expect(said).to_have_text("Mus vasco, pero a 25 y reenvido=plus2.")
        tap(page, "Empezar la partida")
        begun(page)
        assert table_of(page, table)["target"] == 25
        assert {"profile", "rules"}.isdisjoint(settings(tmp_path))


def test_an_impossible_setting_is_reported_and_changes_nothing(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    set_up(page, table)
    page.get_by_label("Cuántos juegan").select_option("3")
    page.get_by_label("Reglas").select_option("vasco")
    tap(page, "Empezar la partida")
    expect(page.locator("#say")).to_contain_text("cada uno para sí: elige esas reglas")
    assert settings(tmp_path) == {}
    page.get_by_label("Cuántos juegan").select_option("4")
    page.locator('[data-place="2"] input').fill("Norte")
    tap(page, "Empezar la partida")
    expect(page.locator("#say")).to_contain_text("nombres distintos")
    assert settings(tmp_path) == {}


def test_a_name_that_no_player_can_have_is_named_and_marked_and_nothing_shines_through_the_sentence(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    set_up(page, table)
    second = page.locator('[data-place="2"] input')
    for name, said, marked in [
        ("Norte", "«Norte» está dos veces", 2),
        ("Paso", "«Paso» es una palabra del juego", 1),
    ]:
        second.fill(name)
        tap(page, "Empezar la partida")
        expect(page.locator("#say")).to_contain_text(said)
        expect(page.locator(".places [aria-invalid]")).to_have_count(marked)
        expect(second).to_be_focused()
        ground = "node => getComputedStyle(node).backgroundColor"
        assert page.locator(".go").evaluate(ground) == page.locator("body").evaluate(ground)
    second.fill("Luis")
    expect(page.locator(".places [aria-invalid]")).to_have_count(0)
    assert settings(tmp_path) == {}


def test_the_voices_of_espeak_are_named_in_the_language_of_the_page(
    page: Page, table: LiveTable
) -> None:
    set_up(page, table)
    voices = page.locator('#voice label:has([name="voice_name"])')
    expect(voices.filter(has_text="Español (España)")).to_have_count(1)
    expect(voices.filter(has_text="Spanish")).to_have_count(0)
    page.goto(f"{table.url}?lang=eu")
    expect(voices.filter(has_text="Gaztelania (Espainia)")).to_have_count(1)


def test_a_missing_camera_leaves_the_table_as_it_was(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    set_up(page, table)
    camera = page.locator("#camera")
    camera.get_by_label("Cuál").select_option("other")
    camera.get_by_label("Otra, por su dirección", exact=True).fill("http://127.0.0.1:9/video")
    camera.get_by_label("Otra, por su dirección", exact=True).blur()
    expect(camera.locator(".told")).to_contain_text("127.0.0.1:9", timeout=TABLE_WITHIN)
    assert "camera" not in settings(tmp_path)
    assert table_of(page, table)["eye"] == "off"


def test_the_camera_picture_is_shown_but_never_cards_in_play(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    with web_camera(Web()) as address:
        set_up(page, table)
        camera = page.locator("#camera")
        camera.get_by_label("Cuál").select_option("other")
        camera.get_by_label("Otra, por su dirección", exact=True).fill(address)
        camera.get_by_label("Otra, por su dirección", exact=True).blur()
        expect(page.locator("#say")).to_have_text("Guardado.", timeout=TABLE_WITHIN)
        assert settings(tmp_path)["camera"] == address
        tap(page, "Mirar")
        expect(camera.locator("canvas")).to_be_visible()
        tap(page, "Empezar la partida")
        begun(page)
        page.locator("#question, #centre").get_by_role("button", name="Norte").first.tap()
        expect(page.locator(".seat.turn")).to_contain_text("Norte")
        set_up(page, table)
        tap(page, "Mirar")
        expect(camera.locator(".told")).to_contain_text("Hay cartas en juego")


def test_leaving_a_game_in_progress_needs_a_confirmation(page: Page, table: LiveTable) -> None:
    set_up(page, table)
    tap(page, "Empezar la partida")
    begun(page)
    page.locator("#question, #centre").get_by_role("button", name="Norte").first.tap()
    tap_call(page, "No hay mus")
    set_up(page, table)
    page.locator('[data-place="1"] input').fill("Ana")
    tap(page, "Empezar otra partida")
    assert table_of(page, table)["seats"][0]["name"] == "Norte"
    tap(page, "Sí, dejar ésta y empezar otra")
    begun(page)
    expect(page.locator("#seats")).to_contain_text("Ana")
    assert table_of(page, table)["deal"] == 0


def test_other_pages_follow_while_the_table_reopens(
    browser: Browser, page: Page, table: LiveTable
) -> None:
    other = browser.new_page(locale="es-ES")
    other.goto(table.url.replace("setup", "phone"))
    expect(other.locator("main")).to_have_attribute("aria-busy", "false")
    set_up(page, table)
    page.locator('[data-place="1"] input').fill("Ana")
    tap(page, "Empezar la partida")
    begun(page)
    expect(other.locator("#sides")).to_contain_text("Ana", timeout=TABLE_WITHIN)
    other.close()


@pytest.mark.parametrize("code", ["es", "eu", "en"])
def test_the_setup_fits_every_screen_in_every_language(
    page: Page, table: LiveTable, code: str
) -> None:
    for wide, high in ((320, 640), *SIZES, (3840, 2160)):
        page.set_viewport_size({"width": wide, "height": high})
        page.goto(f"{table.url}?lang={code}")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        expect(page.locator("html")).to_have_attribute("lang", code)
        assert page.evaluate(OVERFLOWING) == []


def test_an_answer_from_before_a_trial_that_comes_late_does_not_end_it(
    page: Page, table: LiveTable
) -> None:
    """A busy machine answers the page's look at the level only after the trial has begun."""
    told = {"state": "listening", "note": "", "better": "", "lost": 0, "decibels": -20.0}
    late = iter([0.0, 3.0, 1.0])
    begun = False

    def answer(route: Route) -> None:
        left = next(late, None) if begun else 0.0
        heard = [["envido", 0.99]] if left is None else []
        route.fulfill(json={**told, "left": left or 0.0, "heard": heard})

    def begin(route: Route) -> None:
        nonlocal begun
        begun = True
        route.fulfill(json={**told, "left": 3.0, "heard": []})

    page.route("**/api/setup/trial", answer)
    page.route("**/api/setup/listen", begin)
    set_up(page, table)
    tap(page, "Probar el micrófono")
    expect(page.locator("#mic .told.fine")).to_have_text("Se oye bien.")


@pytest.mark.audio
def test_trying_the_microphone_makes_no_call(page: Page, envido: Path, tmp_path: Path) -> None:
    """The heard words are shown with their probability."""
    with Pulse() as pulse, fresh(tmp_path, "--voice", "off", env=pulse.env) as table:
        set_up(page, table)
        mic = page.locator("#mic")
        expect(mic.get_by_role("button", name="Probar el micrófono")).to_be_enabled()
        tap(page, "Probar el micrófono")
        expect(mic.locator(".told")).to_contain_text("Di «envido»")
        loud = page.get_by_role("meter", name="Volumen que llega")
        with subprocess.Popen(["paplay", "--device=room", str(envido)], env=pulse.env):
            expect(loud).not_to_have_attribute("aria-valuenow", "-60")
        expect(mic.locator(".trial")).to_contain_text("envido")
        expect(mic.locator(".told.fine")).to_have_text("Se oye bien.")
        assert table_of(page, table)["heard"] is None
        assert table_of(page, table)["seq"] == 1


def test_the_page_offers_telephones_or_taps_in_place_of_one_microphone(
    page: Page, table: LiveTable, tmp_path: Path
) -> None:
    set_up(page, table)
    ways = page.locator("#mic").get_by_role("radio")
    expect(ways).to_have_count(3)
    expect(ways.nth(0)).to_be_checked()
    page.get_by_text("Los móviles de micrófono").tap()
    expect(page.locator("#mic .join img")).to_be_visible(timeout=TABLE_WITHIN)
    assert page.locator("#mic .join img").evaluate("image => image.decode().then(() => true)")
    expect(page.locator("#mic .address")).to_contain_text("/microphone")
    expect(page.locator("#mic .trial li")).to_have_count(4)
    expect(page.locator("#others input")).to_be_disabled()
    assert settings(tmp_path) == {"hearing": "telephones"}
    assert page.evaluate(OVERFLOWING) == []
    page.get_by_text("Nada: se toca").tap()
    expect(page.locator("#mic .hint")).to_contain_text("se toca en la página", timeout=TABLE_WITHIN)
    assert settings(tmp_path) == {"hearing": "taps"}
    tap(page, "Empezar la partida")
    begun(page)
    expect(page.locator("#ear")).to_contain_text("Sin micrófono")


def test_a_voice_and_a_style_are_heard_before_they_are_chosen(
    page: Page, espeak: str, tmp_path: Path
) -> None:
    """The table's loudspeaker says a little deal; a voice that fails says what to install."""
    assert espeak
    home, heard = tmp_path / "home", tmp_path / "heard.wav"
    tools = tmp_path / "tools"
    tools.mkdir()
    player = tools / "aplay"
    player.write_text(f'#!/bin/sh\nfor last; do :; done\ncp "$last" "{heard}"\n')
    player.chmod(0o755)
    model = home / "mus" / "piper" / "es_ES-davefx-medium.onnx"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"")
    model.with_name(f"{model.name}.json").write_text('{"language": {"code": "es_ES"}}')
    env = {"PATH": f"{tools}:/usr/bin:/bin"}
    with fresh(home, "--voice", "off", env=env) as table:
        page.goto(table.url)
        part = page.locator("#voice")
        expect(part.get_by_role("radio", name="Peña")).to_be_checked()
        seconds = {}
        for style in ("Sobrio", "Maestro"):
            heard.unlink(missing_ok=True)
            part.get_by_role("button", name=f"Oír: {style}").click()
            expect(part.get_by_role("button", name=f"Oír: {style}")).to_be_enabled(timeout=20_000)
            expect(part.locator(".told.wrong")).to_have_text("")
            seconds[style] = wav_seconds(heard)
        assert 1.5 < seconds["Sobrio"] < seconds["Maestro"] / 2
        part.get_by_role("button", name="Oír: piper: es_ES-davefx-medium").click()
        expect(part.locator(".told.wrong")).to_have_text(
            "Piper no está instalado: instálalo (pip install piper-tts), o elige otra voz.",
            timeout=20_000,
        )
        part.get_by_role("radio", name="Sobrio").check()
        part.get_by_role("radio", name="piper: es_ES-davefx-medium").check()
        expect(page.locator("#say")).to_have_text("Guardado.", timeout=TABLE_WITHIN)
    kept = {"style": "sobrio", "voice_name": "piper: es_ES-davefx-medium"}
    assert {key: settings(home)[key] for key in kept} == kept
