"""The command ``mus report``: the last evening as a page and as a PDF, and its refusals."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.files.resources import languages
from assistant.files.settings import default_journal
from assistant.language.sentences import SentenceError, wording_from
from assistant.review.evening import Telling, report_words, text_of
from assistant.review.history import LiveReport
from assistant.review.report import SHAPE, Drawing, Heading, Label, Weigh, dated, report
from assistant.review.report.shape import Count
from assistant.rules.history import Record, fold
from assistant.table.journal import SqliteJournal
from tests.review.report.evenings import juego
from tests.tables import each_row

LANGUAGES = ("en", "es", "eu")
DAY = 24 * 3600.0
PHONE = 390
"""The width of a telephone in pixels."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """An evening with two juegos, and another one a month earlier."""
    path = tmp_path / "table.sqlite3"
    write(path, "game-1", juego(3), -30 * DAY)
    write(path, "game-2", juego(1))
    write(path, "game-3", juego(2), 3600.0)
    return path


def write(path: Path, table: str, records: tuple[Record, ...], later: float = 0.0) -> None:
    moved = [Record(one.seq, one.batch, one.at + later, one.event) for one in records]
    with closing(SqliteJournal(path, table)) as journal:
        journal.append(moved)


def run_report(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    status = main(["report", *map(str, words)])
    said = capsys.readouterr()
    return status, said.out, said.err


def figures(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, object]:
    status, out, _ = run_report(capsys, *words, "--json")
    assert status == 0
    found: dict[str, object] = json.loads(out)
    return found


def test_the_last_evening_is_reported_and_both_files_are_written(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run_report(capsys, "--journal", journal, "--out", tmp_path / "out")
    assert status == 0
    assert out.startswith("JUGADOR A JUGADOR\n")
    assert "Partidas: 2." in out
    page, paper = (Path(line) for line in out.splitlines()[-2:])
    assert page.parent == paper.parent == tmp_path / "out"
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert paper.read_bytes().startswith(b"%PDF-")


def test_without_a_folder_the_files_are_written_beside_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    default_journal().parent.mkdir(parents=True)
    write(default_journal(), "game-1", juego(1))
    status, out, _ = run_report(capsys)
    assert status == 0
    assert Path(out.splitlines()[-1]).parent == default_journal().parent / "reports"


def test_the_matches_are_chosen_by_evening_day_or_name(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert figures(capsys, "--journal", journal)["matches"] == 2
    assert figures(capsys, "--journal", journal, "--since", "2020-01-01")["matches"] == 3
    one = figures(capsys, "game-1", "--journal", journal)
    assert (one["matches"], one["deals"]) == (1, report([juego(3)]).deals)


@each_row(
    "words, why",
    [
        (["--since", "gestern"], "write a day as 2026-01-31"),
        (["--since", "2199-01-01"], "take an earlier --since"),
        (["game-9"], "no table 'game-9'"),
        (["game-1", "--since", "2020-01-01"], "choose one of them"),
        (["--language", "fr"], "invalid choice"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    journal: Path, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    status, out, error = run_report(capsys, *words, "--journal", journal)
    assert (status, out) == (2, "")
    assert why in error
    assert error.count("\n") == 1


def test_a_missing_empty_or_wrong_journal_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, none, early = (tmp_path / name for name in ("missing", "none", "early"))
    none.write_bytes(b"not a database at all, but some bytes" * 100)
    write(early, "game-1", juego(1)[:1])
    for path, why in ((missing, "no journal"), (none, "none"), (early, "Nothing was dealt")):
        status, out, error = run_report(capsys, "--journal", path)
        assert (status, out) == (2, "")
        assert why in error


def test_a_folder_that_cannot_be_written_is_named(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    status, _, error = run_report(capsys, "--journal", journal, "--out", blocked)
    assert status == 2
    assert "cannot be written" in error


class Links(HTMLParser):
    """Everything in a page that a browser would fetch or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag] if tag in ("script", "link", "img", "iframe") else []
        self.found += [key for key, _ in attrs if key in ("src", "href") or key.startswith("on")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_self_contained_in_every_language(language: str) -> None:
    assert languages("report") == LANGUAGES
    page = Telling.of(report([juego(1)]), language).page()
    assert f'<html lang="{language}">' in page
    assert Links(page).found == []
    assert page.count("<svg ") >= 5
    assert len(set(re.findall(r' id="([^"]+)"', page))) == len(re.findall(r' id="', page))
    assert not re.search(r"\{\w+\}", page.partition("</style>")[2])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_has_a_page_for_each_player_and_one_for_all(language: str) -> None:
    paper = Telling.of(report([juego(1)]), language).pdf()
    assert len(re.findall(rb"/Type /Page\b", paper)) == 5
    assert len(paper) < 200_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_explanation_of_terms_comes_last(language: str) -> None:
    told = Telling.of(report([juego(1)]), language)
    headings = [block.text for block in told.blocks if isinstance(block, Heading)]
    assert headings[-1] == report_words(language)("read.title")


@each_row("language", LANGUAGES)
@each_row("alone", [True, False])
@each_row(
    "gain, key, form",
    [(1.2, "gain", "one"), (2.0, "gain", "many"), (-0.9, "loss", "one"), (0.4, "even", "")],
)
def test_one_stone_is_singular_and_no_stone_is_neither_won_nor_lost(
    language: str, alone: bool, gain: float, key: str, form: str
) -> None:
    words = report_words(language)
    found = report([juego(1)])
    one = found.pairs[0].players[0]
    decision = replace(one.decisions[0], gain=gain, alone=alone)
    player = replace(one, decisions=(decision,))
    pair = replace(found.pairs[0], players=(player,))
    told = "\n".join(text_of(Telling.of(replace(found, pairs=(pair,)), language).blocks))
    what = "stones" if alone else "points"
    n = words(f"{what}.{form}", n=round(abs(gain))) if form else ""
    assert words(f"player.{'alone_' if alone else ''}{key}", **{what: n}) in told


def player_in_words(language: str, count: Count) -> list[str]:
    """The sentences of a report about a player with these counts."""
    found = report([juego(1)])
    player = replace(found.pairs[0].players[0], count=count, decisions=())
    pair = replace(found.pairs[0], players=(player,))
    return text_of(Telling.of(replace(found, pairs=(pair,)), language).blocks)


@each_row(
    "language, bets, answers, dejes",
    [
        ("es", "{}ganados, 2 (+7); perdidos, ninguno.", "{}ganados, ninguno; perdidos, 1 (−3).",
         "Dejes ganados: ninguno. Dejes regalados: 2 (piedras: 3)."),
        ("eu", "{}2 irabazita (+7), galdutakorik ez.", "{}irabazitakorik ez, 1 galduta (−3).",
         "Irabazitako «ez dut nahi»: bat ere ez. Emandakoak: 2 (harriak: 3)."),
        ("en", "{}2 won (+7), none lost.", "{}none won, 1 lost (−3).",
         "Dejes won: none. Given away: 2 (stones: 3)."),
    ],
)  # fmt: skip
def test_none_is_a_word_and_its_stones_are_left_out(
    language: str, bets: str, answers: str, dejes: str
) -> None:
    count = Count(
        bets=Counter({"won": 2, "won stones": 7}),
        answers=Counter({"lost": 1, "lost stones": 3}),
        dejes_given=2,
        deje_stones_given=3,
    )
    told = player_in_words(language, count)
    words = report_words(language)
    for key, ending in (("bets", bets), ("answers", answers)):
        begins = words.texts[f"player.{key}"].partition("{")[0]
        assert ending.format(begins) in told
    assert dejes in told
    cells = next(line for line in told if line.endswith("  0"))
    assert "(0)" not in cells
    assert not any("−0" in line or "+0" in line for line in told)


@each_row(
    "language, day, written",
    [
        ("es", date(2026, 11, 29), "29 de noviembre de 2026"),
        ("es", date(2030, 1, 1), "1 de enero de 2030"),
        ("eu", date(2026, 11, 29), "2026ko azaroak 29"),
        ("eu", date(2030, 1, 1), "2030eko urtarrilak 1"),
        ("eu", date(2031, 12, 31), "2031ko abenduak 31"),
        ("en", date(2026, 11, 29), "29 November 2026"),
    ],
)
def test_a_day_is_written_as_people_write_it(language: str, day: date, written: str) -> None:
    assert dated(day, report_words(language)) == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_day_of_the_evening_is_in_words(language: str) -> None:
    found = report([juego(1)])
    told = Telling.of(found, language)
    day = dated(datetime.fromtimestamp(found.began), report_words(language))
    assert day in text_of(told.blocks)
    assert told.title.endswith(f" · {day}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_letter_of_a_picture_is_too_small_on_a_telephone(language: str) -> None:
    shown = PHONE - 2 * 13 - 2  # without the margins and the frame
    blocks = Telling.of(report([juego(1)]), language).blocks
    drawings = [block for block in blocks if isinstance(block, Drawing)]
    assert drawings
    for drawing in drawings:
        sizes = [shape.size for shape in drawing.shapes if isinstance(shape, Label)]
        assert min(sizes) * shown / drawing.width >= 11


def test_names_are_plain_text_on_the_page_and_in_the_pdf() -> None:
    rude = ("<b>Ana</b>", "Łukasz & Co", "{deal}", "Iñaki 🂡")
    told = Telling.of(report([juego(1, rude)]), "es")
    page = told.page()
    assert "&lt;b&gt;Ana&lt;/b&gt;" in page
    assert "<b>Ana" not in page
    assert "Łukasz &amp; Co" in page
    assert told.pdf().startswith(b"%PDF-")


def test_a_missing_or_wrong_text_is_named() -> None:
    words = dict(report_words("es").texts)
    nested: dict[str, object] = {}
    for key, text in words.items():
        before, _, last = key.rpartition(".")
        part = nested.setdefault(before, {}) if before else nested
        assert isinstance(part, dict)
        part[last] = text
    assert wording_from(nested, SHAPE).texts == words
    with pytest.raises(SentenceError, match="nobody: there is no such sentence"):
        wording_from({**nested, "nobody": ""}, SHAPE)
    del nested["title"]
    with pytest.raises(SentenceError, match="title: this sentence is missing"):
        wording_from(nested, SHAPE)


class Table:
    """The part of a running table that the report needs."""

    def __init__(self, records: tuple[Record, ...]) -> None:
        self.table = self
        self.records = list(records)
        self.state = fold(records)


def test_the_report_of_a_running_table_is_made_again_only_after_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[int] = []

    def counting(matches: list[list[Record]], weigh: Weigh) -> object:
        counted.append(len(matches[0]))
        return report(matches, weigh)

    monkeypatch.setattr("assistant.review.history.report", counting)
    half = len(juego(1)) // 2
    table = Table(juego(1)[:half])
    live = LiveReport(table)  # type: ignore[arg-type]
    first, paper = live.page(), live.pdf()
    assert first
    assert "Jugador a jugador" in first[0]
    assert paper
    assert live.page() == first
    basque = live.page(("xx", "eu"))
    assert basque
    assert "Jokalariz jokalari" in basque[0]
    assert live.pdf(("eu",)) != paper
    assert live.pdf() == paper
    assert counted == [half]
    table.records[:] = juego(1)
    later = live.page()
    assert later
    assert later != first
    assert counted == [half, len(juego(1))]


def test_before_the_first_deal_there_is_no_live_report() -> None:
    live = LiveReport(Table(juego(1)[:1]))  # type: ignore[arg-type]
    assert live.page() is None
    assert live.pdf() is None
