"""Pages in another language than the table's: their log, calls, questions and refusals."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.files import resources
from assistant.files.resources import load_phrases
from assistant.language.phrases import Phrases
from assistant.language.sentences import SentenceError
from assistant.messages import Pressed
from assistant.page import DashboardServer, serve
from assistant.page.app import TONGUE
from assistant.rules.calls import Accept, Cut
from assistant.table.snapshot import Snapshot, snapshot
from tests.page.apps import create_app
from tests.page.listener import Listener
from tests.page.test_board import faint
from tests.page.wired import Wired

CUT = {"es": "Norte corta", "eu": "Norte: musik ez", "en": "Norte cuts"}
BOTH = {"es": "Envido 2 a las dos", "eu": "Biak 2 enbido", "en": "Envido 2 on both"}
SURE = {
    "es": "¿Has dicho «Envido 2»?",
    "eu": "«2 enbido» esan duzu?",
    "en": "Did you say “Envido 2”?",
}
NO_BET = {
    "es": "No hay envite que contestar.",
    "eu": "Ez dago erantzuteko enbidorik.",
    "en": "There is no bet to answer.",
}
LANGUAGES = ["es", "eu", "en"]


@pytest.fixture
def wired() -> Iterator[Wired]:
    wired = Wired()
    wired.runner.start()
    yield wired
    wired.runner.stop()


@pytest.fixture
def server(wired: Wired, web: Path) -> Iterator[DashboardServer]:
    server = serve(create_app(wired.board, web_dir=web), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def labels(shown: Snapshot) -> list[str]:
    return [action["label"] for action in shown["actions"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_log_and_calls_are_in_the_language_of_the_page(wired: Wired, language: str) -> None:
    assert BOTH[language] in labels(wired.board.in_language(language))
    wired.say("no hay mus")
    table, page = wired.board.snapshot(), wired.board.in_language(language)
    assert page["log"][-1]["text"] == CUT[language]
    assert BOTH[language] in labels(page)
    assert page["heard"] is not None
    assert page["heard"]["text"] == "no hay mus"  # the words are what was said
    assert page["heard"]["say"] == CUT[language]
    # Nothing else differs, and a button means the same call everywhere.
    assert [one["call"] for one in page["actions"]] == [one["call"] for one in table["actions"]]
    told = {"actions", "log", "heard"}
    assert {key for key in table if table[key] != page[key]} <= told  # type: ignore[literal-required]
    assert page["language"] == "es"  # a page that asks for none follows the table


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_and_refusals_are_in_the_language_of_the_page(
    wired: Wired, language: str
) -> None:
    wired.say("no hay mus")
    wired.post(faint("envido"))
    question = wired.board.in_language(language)["question"]
    assert question is not None
    assert question["text"] == SURE[language]
    (said,) = wired.board.press(Pressed(Accept(seat=2)), (language,))
    assert said == {"outcome": "refused", "text": NO_BET[language]}


def test_each_moment_is_told_as_a_snapshot_of_that_language_tells_it(wired: Wired) -> None:
    for words in ("", "no hay mus", "envido", "qué calor hace", "cinco más", "deshaz"):
        if words:
            wired.say(words)
        wired.runner.drain()
        table = wired.runner.table
        for language in LANGUAGES:
            page = wired.board.in_language(language)
            made = snapshot(table.state, table.records, load_phrases(language), version=1)
            assert page["log"] == made["log"]
            assert page["actions"] == made["actions"]


def test_a_page_gets_the_first_language_that_has_sentences(wired: Wired) -> None:
    assert wired.board.in_language() is wired.board.snapshot()
    assert wired.board.in_language("", "xx", "../eu") is wired.board.snapshot()
    assert wired.board.in_language("xx", "en-GB") == wired.board.in_language("en")


def test_a_moment_is_told_once_for_all_pages_of_a_language(
    wired: Wired, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    plain = Phrases.log_line

    def counted(self: Phrases, *args: object) -> str:
        told.append(args[0])
        return plain(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Phrases, "log_line", counted)
    wired.post(Pressed(Cut(seat=1)))  # a tap, which can have been no other call
    before = len(told)
    for _ in range(50):
        wired.board.in_language("en")
    assert len(told) == before + len(wired.board.snapshot()["log"]) + 1  # and what was heard


def test_a_language_whose_file_is_spoilt_leaves_the_tables_sentences(
    wired: Wired, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def spoilt(_code: str) -> Phrases:
        raise SentenceError("phrases.toml: say.pass: this sentence is missing.")

    monkeypatch.setattr("assistant.page.board.load_phrases", spoilt)
    with caplog.at_level(logging.WARNING, "mus"):
        for _ in range(2):
            assert wired.board.in_language("en")["log"] == wired.board.snapshot()["log"]
    assert len(caplog.records) == 1
    assert "say.pass" in caplog.text


def test_a_feature_tells_its_part_in_the_language_of_the_page(wired: Wired) -> None:
    wired.board.extend(lambda: {"match": "Mesa"}, lambda phrases: {"match": phrases.code})
    wired.board.extend(lambda: {"demo": None})
    shown = {code: wired.board.in_language(code)["match"] for code in LANGUAGES}  # type: ignore[typeddict-item]
    assert shown == {"es": "Mesa", "eu": "eu", "en": "en"}
    assert wired.board.in_language("en")["demo"] is None  # type: ignore[typeddict-item]


def test_every_stream_has_its_own_language_and_so_have_its_changes(
    wired: Wired, server: DashboardServer
) -> None:
    pages = {code: Listener(server, asked=f"?lang={code}") for code in LANGUAGES}
    table = Listener(server)
    for code, page in pages.items():
        assert page.response.headers["Content-Language"] == code
        assert BOTH[code] in labels(page.next())
    assert table.next() == wired.board.snapshot()
    wired.say("no hay mus")
    wired.runner.drain()
    for code, page in pages.items():
        told = page.next()
        while told["version"] < wired.board.snapshot()["version"]:
            told = page.next()
        assert told["log"][-1]["text"] == CUT[code]
        assert BOTH[code] in labels(told)
        assert told["language"] == "es"
        page.close()
    table.close()


def test_a_stream_keeps_few_languages_whatever_pages_ask_for(
    wired: Wired, server: DashboardServer
) -> None:
    for n in range(20):
        page = Listener(server, asked=f"?lang=x{n}")
        assert page.response.headers["Content-Language"] == "es"
        page.next()
        page.close()
    assert set(wired.board._translations) <= set(resources.languages("phrases"))


@pytest.mark.parametrize(("kept", "asked", "code"), [("eu", "", "eu"), ("eu", "?lang=en", "en")])
def test_a_device_that_keeps_a_language_taps_and_looks_in_it(
    wired: Wired, web: Path, kept: str, asked: str, code: str
) -> None:
    client = create_app(wired.board, web_dir=web).test_client()
    client.set_cookie(TONGUE, kept)
    wired.say("no hay mus")
    assert BOTH[code] in labels(client.get(f"/api/snapshot{asked}").get_json())
    body = {"call": {"type": "Accept", "seat": 2}, "seen": wired.board.snapshot()["seq"]}
    told = client.post(f"/api/press{asked}", json=body).get_json()["outcomes"]
    assert told == [{"outcome": "refused", "text": NO_BET[code]}]
