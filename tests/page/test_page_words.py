"""The words of the pages: the same keys in every language, and every key that is asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from assistant.files import resources
from assistant.files.resources import languages, load_texts, text_file
from assistant.language.sentences import SentenceError, flatten, shape_of
from assistant.page import BoardError
from assistant.page.app import KINDS, TONGUE, page_words, table_app
from assistant.table.snapshot import Snapshot
from tests.page.fake_board import FakeBoard

PARTS = ("table", "setup", "school", "hall", "practice", "refusals")
OBJECTS = {
    "W": "table", "S": "setup", "L": "school", "H": "hall", "P": "practice", "REFUSALS": "refusals"
}  # fmt: skip
"""The name of each part of the words in the scripts."""
OWN = ("length", "map", "indexOf")
"""The methods of a list of words."""


def scripts(checkout: Path) -> dict[str, str]:
    """The scripts of the pages by name, without their comments."""
    found = {}
    for path in sorted((checkout / "web" / "static" / "js").glob("*.js")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        found[path.name] = re.sub(r"(?m)(^|\s)//.*$", "", text)
    assert found
    return found


@pytest.mark.parametrize("part", PARTS)
def test_every_language_has_the_same_keys_and_placeholders(part: str) -> None:
    spanish = shape_of(flatten(load_texts(f"page/{part}", "es")))
    there = languages(f"page/{part}")
    assert {"es", "eu"} <= set(there)
    assert "en" in there or part == "refusals"
    for code in there:
        assert shape_of(flatten(load_texts(f"page/{part}", code))) == spanish, code


@pytest.mark.parametrize(
    ("code", "voice"), [("es", "la voz"), ("eu", "ahotsak"), ("en", "the voice")]
)
def test_the_menu_says_that_the_voice_alone_stays_in_the_language_of_the_table(
    code: str, voice: str
) -> None:
    said = load_texts("page/table", code)["page"]["tonguesHint"]
    log = re.search(r'(?m)^log = "(.*)"$', text_file("page/table", code).read_text("utf-8"))
    assert log
    assert log[1] not in said
    label = load_texts("phrases", code)["label"]["deal"]
    assert label not in said
    assert voice in said


def test_mus_corrido_has_one_name_in_basque(checkout: Path) -> None:
    assert "mus jarraia" in text_file("page/table", "eu").read_text("utf-8")
    for path in (checkout / "models" / "eu").rglob("*.toml"):
        assert "korritu" not in path.read_text("utf-8"), path


def test_every_word_that_a_script_asks_for_exists(checkout: Path) -> None:
    asked = 0
    for name, text in scripts(checkout).items():
        for part, path in re.findall(
            r"(?:(?<![\w.$])|(?<=\.\.\.))(W|S|L|H|P|REFUSALS)((?:\??\.[A-Za-z_]\w*)+)", text
        ):
            place: Any = load_texts(f"page/{OBJECTS[part]}", "es")
            for key in re.findall(r"\w+", path):
                if isinstance(place, list) and key in OWN:
                    break
                assert key in place, (name, part + path)
                place = place[key]
            asked += 1
    assert asked > 300


def test_a_page_is_sent_the_words_that_its_scripts_ask_for(checkout: Path) -> None:
    sources = scripts(checkout)
    base = (checkout / "web" / "templates" / "base.html").read_text("utf-8")
    looked_at = set()
    for template in sorted((checkout / "web" / "templates").glob("*.html")):
        text = template.read_text("utf-8")
        named = re.findall(r"{% block words %}(\w+){% endblock %}", text)
        sent = KINDS[named[0] if named else "table"]
        todo, seen = re.findall(r"js/([\w-]+\.js)", text + base), set[str]()
        while todo:
            script = todo.pop()
            if script not in seen:
                seen.add(script)
                todo += re.findall(r'from "\./([^"]+)"', sources[script])
        for part in ("S", "L", "P"):
            if any(
                re.search(rf"(?:(?<![\w.$])|(?<=\.\.\.)){part}\??\.", sources[script])
                for script in seen
            ):
                looked_at.add(part)
                assert OBJECTS[part] in sent, (template.name, part)
    assert looked_at == {"S", "L", "P"}


def test_every_word_of_a_template_exists(checkout: Path) -> None:
    table, hall = (set(load_texts(f"page/{part}", "es")["page"]) for part in ("table", "hall"))
    templates = sorted((checkout / "web" / "templates").glob("*.html"))
    assert templates
    for path in templates:
        text = path.read_text("utf-8")
        known = hall if path.name.startswith(("hall", "tournament")) else table
        assert set(re.findall(r"\{\{ page\.(\w+) \}\}", text)) <= known, path.name
        shown = re.sub(r"\{[{%].*?[%}]\}|<[^>]*>", "", text)
        assert not re.search(r"[^\W\d_]{2,} [^\W\d_]{2,}", shown), path.name


def test_no_script_contains_sentences(checkout: Path) -> None:
    """A string with a letter beyond ASCII, or that is a sentence, belongs in the text files."""
    for name, text in scripts(checkout).items():
        assert not re.search(r"\.(es|eu|en)\.js$", name)
        for one in re.findall(r'"([^"\n]*)"|`([^`]*)`', text):
            string = re.sub(r"\$\{[^}]*\}", "", "".join(one))
            assert not re.search(r"[^\W\d_]", re.sub(r"[A-Za-zx]", "", string)), (name, string)
            assert not re.match(r"[A-Z]\w+ [a-z]+ [a-z]+", string), (name, string)


@pytest.mark.parametrize(
    ("asked", "table", "code", "undo"),
    [
        ("", "es", "es", "Deshacer"),
        ("", "eu", "eu", "Desegin"),
        ("en", "eu", "en", "Undo"),
        ("en-GB", "es", "en", "Undo"),
        ("xx", "eu", "eu", "Desegin"),
        ("../es", "gl", "es", "Deshacer"),
    ],
)
def test_a_page_comes_in_its_language(
    checkout: Path, asked: str, table: str, code: str, undo: str
) -> None:
    app = table_app(BoardIn(table), web_dir=checkout / "web")
    with app.test_request_context(f"/?lang={asked}"):
        page = app.jinja_env.get_template("table.html").render(**context(app))
    assert f'<html lang="{code}" data-table="{table}">' in page
    assert f"<span>{undo}</span>" in page
    assert f'href="/words/{code}/table.json"' in page


@pytest.mark.parametrize(
    ("kept", "asked", "code"),
    [
        ("eu", "", "eu"),
        ("eu", "?lang=en", "en"),
        ("xx", "", "es"),
        ("../es", "", "es"),
        ("", "", "es"),
    ],
)
def test_a_device_keeps_its_own_language_until_an_address_names_another(
    checkout: Path, kept: str, asked: str, code: str
) -> None:
    client = table_app(BoardIn("es"), web_dir=checkout / "web").test_client()
    client.set_cookie(TONGUE, kept)
    page = client.get(f"/{asked}").text
    assert f'<html lang="{code}" data-table="es">' in page
    pressed = re.findall(r'lang="(\w+)" aria-label="(\w+)" aria-pressed="(\w+)"', page)
    names = [("es", "Español"), ("eu", "Euskara"), ("en", "English")]
    assert pressed == [(one, name, str(one == code).lower()) for one, name in names]


class BoardIn(FakeBoard):
    """A table that speaks this language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def snapshot(self) -> Snapshot:
        return {**super().snapshot(), "language": self._language}


def test_the_words_of_a_script_are_sent_once_and_cached(checkout: Path) -> None:
    client = table_app(FakeBoard(), web_dir=checkout / "web").test_client()
    answer = client.get("/words/en/hall.json")
    words = answer.get_json()
    assert list(words) == ["code", "table", "hall"]  # the desk gives its reasons in English
    assert words["code"] == "en"
    assert words["table"] == load_texts("page/table", "en")
    # The order is that of the file, in which a list offers them.
    assert list(words["hall"]["t"]["formats"]) == list(
        load_texts("page/hall", "en")["t"]["formats"]
    )
    again = client.get("/words/en/hall.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for path in ("/words/xx/table.json", "/words/es/other.json", "/words/..%2Fes/table.json"):
        assert client.get(path).status_code == 404


def context(app: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    app.update_template_context(found)
    return found


def test_the_desk_gives_its_refusals_in_english() -> None:
    assert page_words("refusals", "eu")
    assert page_words("refusals", "en") == {}


def test_an_unusable_file_is_reported_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str, _code: str) -> None:
        raise SentenceError(f"{text_file(name, 'eu')}: undone: this sentence is missing.")

    page_words.cache_clear()
    monkeypatch.setattr("assistant.page.app.load_wording", broken)
    with pytest.raises(BoardError, match=r"eu/page/table\.toml: undone: this sentence is missing"):
        page_words("table", "eu")
    page_words.cache_clear()
    assert resources.SPANISH == "es"
