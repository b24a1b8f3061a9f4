"""The page's files: small, complete, ours alone, and without a line of inline code."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

MAX_WEIGHT = 80_000
"""Bytes of everything the page loads."""
NAMESPACES = {"http://www.w3.org/2000/svg"}


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture
def page(client: FlaskClient) -> str:
    return client.get("/").get_data(as_text=True)


def files(web: Path) -> list[Path]:
    return [path for path in sorted(web.rglob("*")) if path.is_file()]


def test_nothing_on_the_page_is_inline(page: str) -> None:
    for tag, attributes in Elements(page).found:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if tag == "script":
            assert attributes.get("src")


def test_everything_the_page_asks_for_is_there(page: str, client: FlaskClient) -> None:
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


def test_every_module_imports_only_modules_that_are_there(web: Path) -> None:
    scripts = web / "static" / "js"
    for path in scripts.glob("*.js"):
        for name in re.findall(r'from "([^"]+)"', path.read_text("utf-8")):
            assert name.startswith("./"), f"{path.name}: {name}"
            assert (scripts / name).is_file(), f"{path.name}: {name}"


def test_every_name_a_module_imports_is_exported(web: Path) -> None:
    scripts = web / "static" / "js"
    for path in scripts.glob("*.js"):
        found = re.findall(r'import \{([^}]+)\} from "([^"]+)"', path.read_text("utf-8"))
        for names, module in found:
            text = (scripts / module).read_text("utf-8")
            for name in re.findall(r"\w+", names):
                assert re.search(rf"export (function|const) {name}\b", text), f"{module}: {name}"


def test_the_page_needs_nobody_elses_server(web: Path) -> None:
    for path in files(web):
        addresses = set(re.findall(r"https?://[^\s\"'<>)]+", path.read_text("utf-8")))
        assert addresses <= NAMESPACES, path.name


def test_the_page_is_light(web: Path) -> None:
    assert sum(path.stat().st_size for path in files(web)) < MAX_WEIGHT


def test_the_page_never_makes_html_out_of_text(web: Path) -> None:
    for path in (web / "static" / "js").glob("*.js"):
        text = path.read_text("utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in text, f"{path.name}: {way}"


def test_every_icon_that_is_used_is_drawn(page: str, web: Path) -> None:
    used = set(re.findall(r'<use href="#([\w-]+)"', page))
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', page))
    assert used
    assert used <= drawn
    stones = (web / "static" / "js" / "stones.js").read_text("utf-8")
    shapes = int(re.findall(r"SHAPES = (\d+)", stones)[0])
    assert {f"{kind}-{i}" for kind in ("amarraco", "piedra") for i in range(shapes)} <= drawn


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("text", "ground"),
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
        ("side-a", "panel"),
        ("side-b", "panel"),
        ("good", "paper"),
        ("good", "panel"),
        ("on-alarm", "alarm"),
        ("paper", "ink"),
    ],
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(
    web: Path, scheme: str, text: str, ground: str
) -> None:
    css = (web / "static" / "css" / "base.css").read_text("utf-8")
    light, _, dark = css.partition("@media (prefers-color-scheme: dark)")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    if scheme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", dark))
    assert contrast(colours[text], colours[ground]) >= 4.5
