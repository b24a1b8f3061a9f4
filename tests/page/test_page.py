"""The files of the pages: small, complete, self-contained, and without inline code."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import combinations
from math import dist
from pathlib import Path
from typing import cast

import pytest
from flask.testing import FlaskClient

from assistant.eye.hand_photos import Workshop
from assistant.eye.page import Zones
from assistant.files.resources import load_texts, odds_table
from assistant.page.app import KINDS
from assistant.rules.profile import Profile
from assistant.school.lessons.page import ClassroomPort
from assistant.telephones.seats import TelephoneSeats
from scripts.lab import make_fonts
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.learning import LearningBoard
from tests.page.past import history_of
from tests.page.setting_up import settled_setup
from tests.school.drills.making import drills_of
from tests.tables import each_row
from tests.telephones.stand_in import KeptLines

MAX_WEIGHT = 200_000
"""The largest total size of a page in bytes, unpacked, without the fonts."""
MAX_SENT = 140_000
"""The most that a page's first visit sends, in bytes: packed, with the fonts."""
NAMESPACES = {b"http://www.w3.org/2000/svg"}


class Elements(HTMLParser):
    """Collects every start tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


class Reported:
    """The report of an evening."""

    def page(self, _asked: Sequence[str] = ()) -> tuple[str, str] | None:
        return "La noche", "<h1>La noche</h1>"

    def pdf(self, _asked: Sequence[str] = ()) -> bytes | None:
        return b"%PDF-"


class Season:
    """The season of a table."""

    def page(self, _asked: Sequence[str] = ()) -> tuple[str, str]:
        return "La temporada", "<h1>La temporada</h1>"


@pytest.fixture
def client(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A table with an eye, and so with all pages."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    zones = Zones(tmp_path, None, lambda _table: None)
    workshop = Workshop("mus", lambda _deck: None)
    board = LearningBoard()
    return create_app(
        board,
        learner=board.apprentice,
        web_dir=web,
        camera=zones,
        workshop=workshop,
        history=history_of(board),
        setup=settled_setup(),
        odds=odds_table(Profile()),
        reports=Reported(),
        seasons=Season(),
        classroom=cast(ClassroomPort, object()),  # the pages alone are asked for
        drills=drills_of(),
        telephones=TelephoneSeats(KeptLines(), 4),
    ).test_client()


PATHS = [
    "/",
    "/watch",
    "/phone",
    "/history",
    "/showdown",
    "/camera",
    "/decks",
    "/setup",
    "/apprentice",
    "/drills",
    "/odds",
    "/report",
    "/season",
    "/overlay",
    "/lessons",
    "/glossary",
    "/senas",
    "/microphone",
]


@pytest.fixture(params=PATHS)
def page(client: FlaskClient, request: pytest.FixtureRequest) -> str:
    return client.get(request.param).get_data(as_text=True)


def linked(page: str, web: Path) -> set[Path]:
    """The files that a page loads, its modules' imports included."""
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', page)
    todo = [web / "static" / path for path in named]
    seen: set[Path] = set()
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            if path.suffix == ".js":
                names = re.findall(r'from "\./([^"]+)"', path.read_text("utf-8"))
                todo += [path.parent / name for name in names]
    return seen


def loaded(page: str, web: Path) -> int:
    """The size of a page with everything it links to but its fonts, words included."""
    seen = {path for path in linked(page, web) if path.suffix != ".woff2"}
    [(code, kind)] = re.findall(r'href="/words/(\w+)/(\w+)\.json"', page)
    texts = [load_texts(f"page/{part}", code) for part in KINDS[kind]]
    words = json.dumps(texts, ensure_ascii=False).encode()
    return len(page.encode()) + len(words) + sum(path.stat().st_size for path in seen)


def files(web: Path) -> list[Path]:
    return [path for path in sorted(web.rglob("*")) if path.is_file()]


def modules(web: Path) -> list[Path]:
    """The scripts of all pages. There are some, so that a loop over them checks something."""
    found = sorted((web / "static" / "js").glob("*.js"))
    assert found
    return found


def test_a_page_has_no_inline_code_or_style(page: str) -> None:
    for tag, attributes in Elements(page).found:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if tag == "script":
            assert attributes.get("src")


def test_everything_a_page_links_to_exists(page: str, client: FlaskClient) -> None:
    asked = {
        str(attributes.get(key))
        for tag, attributes in Elements(page).found
        for key in ("src", "href")
        if tag in ("script", "link") and attributes.get(key)
    }
    assert len(asked) >= 4
    for path in asked:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["Cache-Control"] == "no-cache"
        answer.close()


def test_every_module_imports_only_existing_modules(web: Path) -> None:
    scripts = web / "static" / "js"
    for path in modules(web):
        for name in re.findall(r'from "([^"]+)"', path.read_text("utf-8")):
            assert name.startswith("./"), f"{path.name}: {name}"
            assert (scripts / name).is_file(), f"{path.name}: {name}"


def test_every_name_that_a_module_imports_is_exported(web: Path) -> None:
    scripts = web / "static" / "js"
    for path in modules(web):
        found = re.findall(r'import \{([^}]+)\} from "([^"]+)"', path.read_text("utf-8"))
        for names, module in found:
            text = (scripts / module).read_text("utf-8")
            for name in re.findall(r"\w+", names):
                assert re.search(rf"export (function|const|let) {name}\b", text), (
                    f"{module}: {name}"
                )


def test_the_pages_need_no_other_server(web: Path) -> None:
    everything = files(web)
    assert everything
    for path in everything:
        addresses = set(re.findall(rb"https?://[^\s\"'<>)]+", path.read_bytes()))
        assert addresses <= NAMESPACES, path.name


@each_row("path", PATHS)
@each_row("code", ["es", "eu", "en"])
def test_a_page_is_small_in_every_language(
    client: FlaskClient, web: Path, path: str, code: str
) -> None:
    page = client.get(f"{path}?lang={code}").get_data(as_text=True)
    assert f'href="/words/{code}/' in page
    assert 15_000 < loaded(page, web) < MAX_WEIGHT


@each_row("path", PATHS)
def test_a_first_visit_sends_little(client: FlaskClient, web: Path, path: str) -> None:
    def sent(address: str) -> int:
        with client.get(address, headers={"Accept-Encoding": "gzip, deflate, br"}) as answer:
            assert answer.status_code == 200, address
            return len(answer.data)

    page = client.get(path).get_data(as_text=True)
    needed = linked(page, web)
    assert len([file for file in needed if file.suffix == ".woff2"]) == 4
    [words] = re.findall(r'href="(/words/[^"]+)"', page)
    parts = [path, words, *(f"/{file.relative_to(web)}" for file in needed)]
    assert 60_000 < sum(map(sent, parts)) < MAX_SENT


@pytest.mark.parametrize("path", ["/static/css/base.css", "/static/js/main.js", "/sw.js"])
def test_what_a_page_loads_is_packed_for_a_browser_that_takes_it(
    client: FlaskClient, path: str
) -> None:
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data)
    for answer in (plain, packed):
        assert answer.headers["Vary"] == "Accept-Encoding"
        again = {"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]}
        answer.close()
        with client.get(path, headers=again) as same:
            assert same.status_code == 304


@pytest.mark.parametrize("path", ["/", "/static/icon-192.png", "/static/fonts/text-400.woff2"])
def test_a_page_with_a_secret_and_what_is_packed_already_stay_as_they_are(
    client: FlaskClient, path: str
) -> None:
    with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
        assert "Content-Encoding" not in answer.headers


def test_the_fonts_hold_what_the_pages_say() -> None:
    """Else a letter in the middle of a word would come from another font."""
    ends = [one.removeprefix("U+").split("-") for one in make_fonts.LETTERS.split(",")]
    held = {chr(code) for one in ends for code in range(int(one[0], 16), int(one[-1], 16) + 1)}
    said = {
        letter
        for code in ("es", "eu", "en")
        for kind in KINDS
        for part in KINDS[kind]
        for letter in json.dumps(load_texts(f"page/{part}", code), ensure_ascii=False)
    }
    assert len(said) > 80
    assert {letter for letter in said - held if letter.isalpha()} == set()
    assert said - held <= set("−≈≠●○✓✗✕▸▾▶↶⚠")  # signs, which stand alone


def test_a_demo_alone_loads_the_captions_of_a_demo(web: Path) -> None:
    with create_app(FakeBoard(), web_dir=web, leave=lambda: None).test_client() as client:
        page = client.get("/").get_data(as_text=True)
    assert "css/demo.css" in page
    assert loaded(page, web) < MAX_WEIGHT
    with create_app(FakeBoard(), web_dir=web).test_client() as client:
        assert "css/demo.css" not in client.get("/").get_data(as_text=True)


def test_every_page_is_weighed(client: FlaskClient) -> None:
    """Each page of the menu, and each that it leads on to."""
    page = client.get("/").get_data(as_text=True)
    [menu] = re.findall(r'<dialog id="menu".*?</dialog>', page, re.DOTALL)
    led = set(re.findall(r'href="(/[a-z]*)"', menu))
    assert len(led) > 10
    assert led <= {*PATHS}


def test_no_script_makes_html_out_of_text(web: Path) -> None:
    for path in modules(web):
        text = path.read_text("utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in text, f"{path.name}: {way}"


def test_every_used_icon_is_drawn(client: FlaskClient, web: Path) -> None:
    page = client.get("/").get_data(as_text=True)
    used = set(re.findall(r'<use href="#([\w-]+)"', page))
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', page))
    assert used
    assert used <= drawn
    stones = (web / "static" / "js" / "stones.js").read_text("utf-8")
    shapes = int(re.findall(r"SHAPES = (\d+)", stones)[0])
    assert {f"{kind}-{i}" for kind in ("amarraco", "piedra") for i in range(shapes)} <= drawn


def colours_of(web: Path, scheme: str) -> dict[str, str]:
    """Every named colour of the light or the dark scheme."""
    css = (web / "static" / "css" / "base.css").read_text("utf-8")
    light, _, dark = css.partition("@media (prefers-color-scheme: dark)")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    if scheme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", dark))
    return colours


def linear(colour: str) -> list[float]:
    """Red, green and blue as linear light, 0 to 1."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@each_row(
    "text, ground",
    [
        ("ink", "paper"),
        ("ink", "panel"),
        ("muted", "paper"),
        ("muted", "panel"),
        ("on-felt", "felt"),
        ("on-felt", "felt-deep"),
        ("on-felt-soft", "felt"),
        ("on-gold", "gold"),
        ("gold", "on-gold"),
        ("gold", "felt-deep"),
        *((f"side-{letter}", "panel") for letter in "abcdef"),
        ("alarm", "panel"),
        ("good", "paper"),
        ("good", "panel"),
        ("on-alarm", "alarm"),
        ("paper", "ink"),
    ],
)
@each_row("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(web: Path, scheme: str, text: str, ground: str) -> None:
    colours = colours_of(web, scheme)
    assert contrast(colours[text], colours[ground]) >= 4.5


# How people with a cone deficiency see (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "all three": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
APART = 20
"""The CIELAB distance of two easily distinguished colours. A distance of 2 is just noticeable."""


def lab(colour: str, eyes: str) -> tuple[float, float, float]:
    """A colour in CIELAB (D65), as these eyes see it."""
    light = linear(colour)
    seen = (sum(part * c for part, c in zip(row, light, strict=True)) for row in EYES[eyes])
    red, green, blue = (min(1.0, max(0.0, c)) for c in seen)
    x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def root(c: float) -> float:
    return float(c ** (1 / 3)) if c > 0.008856 else 7.787 * c + 16 / 116


@each_row("eyes", EYES)
@each_row("scheme", ["light", "dark"])
def test_colour_blind_people_can_tell_the_sides_apart(web: Path, scheme: str, eyes: str) -> None:
    colours = colours_of(web, scheme)
    for one, other in combinations("abcdef", 2):
        places = (lab(colours[f"side-{letter}"], eyes) for letter in (one, other))
        assert dist(*places) >= APART, (one, other)


def test_every_side_has_a_stripe_pattern_of_its_own(web: Path) -> None:
    css = (web / "static" / "css" / "table.css").read_text("utf-8")
    stripes = re.findall(r"--stripe: ([^;]+);", css)
    assert len(stripes) == len(set(stripes)) == 6
