"""Looking back on the page: the match deal by deal and step by step, the report, the season."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from flask import Blueprint, Response, jsonify, render_template
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from assistant.eye.at_table import ShowdownEvidence
from assistant.files.resources import load_phrases, nearest
from assistant.page import BoardError
from assistant.page.app import feature_pages, languages_asked, menu
from assistant.page.house import House
from assistant.review.chronicle import chronicle, deal_svg
from assistant.review.evening import Telling, read_match, report_words, spoken
from assistant.review.mus_chronicle import PICTURES, load_words
from assistant.review.mus_season import season_words
from assistant.review.report import EveningReport, Weigh, inside, report, weigh_alone
from assistant.review.season import (
    MatchPlayed,
    are_different,
    match_played,
    next_pairs,
    season,
    season_blocks,
)
from assistant.rules.errors import HistoryError, MusError
from assistant.rules.history import Record, fold
from assistant.table.journal import tables
from assistant.table.runner import Runner
from assistant.table.snapshot import LogPhrases, Snapshot, snapshot
from assistant.table.snapshot.past import DealToldView, DealView, deal_told, deal_views

Languages = Sequence[str]
"""The languages that a page asks for, the nearest first; the table's own serves without one."""

# ---- The report of the running table, counted once for each moment of the game -------------------


class LiveReport:
    """Reads the records of the running table; called from any thread, and changes nothing."""

    def __init__(self, runner: Runner, weigh: Weigh = weigh_alone) -> None:
        """``weigh`` judges the answers."""
        self._runner, self._weigh = runner, weigh
        self._lock = threading.Lock()
        self._counted: tuple[tuple[int, float], EveningReport] | None = None
        self._told: dict[str, Telling] = {}
        self._papers: dict[str, bytes] = {}

    def page(self, asked: Languages = ()) -> tuple[str, str] | None:
        """The title and the inside of the page; None before the first deal. Raises BoardError."""
        with self._lock:
            told = self._telling(asked)
        return (told.title, told.inside()) if told else None

    def pdf(self, asked: Languages = ()) -> bytes | None:
        """The same on paper; None before the first deal. Raises BoardError."""
        with self._lock:
            told = self._telling(asked)
            if told is None:
                return None
            if told.language not in self._papers:
                self._papers[told.language] = told.pdf()
            return self._papers[told.language]

    def _telling(self, asked: Languages) -> Telling | None:
        table = self._runner.table
        if not table.state.deal:
            return None
        records = table.records.copy()
        moment = len(records), records[0].at
        language = nearest("report", *asked, table.state.profile.voice)
        try:
            # It takes a second or two, so it is counted once for all requests.
            if self._counted is None or self._counted[0] != moment:
                self._counted = moment, report([records], self._weigh)
                self._told, self._papers = {}, {}
            if language not in self._told:
                self._told[language] = Telling.of(self._counted[1], language)
        except HistoryError:
            return None
        except MusError as error:
            raise BoardError(str(error)) from error
        return self._told[language]


# ---- The report of the match that is being played, as a page and as a PDF -----------------------


class Reports(Protocol):
    """The report of the running match. Every method may be called from any thread."""

    def page(self, asked: Languages = (), /) -> tuple[str, str] | None:
        """The title and the inside of the page, as HTML that is safe; None before the first deal.

        Raises BoardError.
        """

    def pdf(self, asked: Languages = (), /) -> bytes | None:
        """The same on paper; None before the first deal. Raises BoardError."""


def report_pages(reports: Reports) -> Blueprint:
    """Make the page and the paper."""
    pages = feature_pages("report", menu="reports")

    @pages.get("/report")
    def report() -> str:
        title, inside = reports.page(languages_asked()) or ("", "")
        # The report escapes every text of its own.
        return render_template("report.html", title=title, inside=Markup(inside))

    @pages.get("/report.pdf")
    def report_pdf() -> Response:
        paper = reports.pdf(languages_asked())
        if paper is None:
            return Response(status=404)
        answer = Response(paper, mimetype="application/pdf")
        answer.headers["Content-Disposition"] = "inline; filename=mus.pdf"
        return answer

    return pages


# ---- The season: all matches of the journal -----------------------------------------------------


PAIRED = 4
"""How many players, in two sides, the page proposes the next pairs for."""


class JournalSeason:
    """Reads a journal, each match once; called from any thread, and changes nothing."""

    def __init__(self, runner: Runner, path: Path) -> None:
        self._runner = runner
        self._path = path
        self._lock = threading.Lock()
        self._played: dict[tuple[str, int], MatchPlayed | None] = {}

    def page(self, asked: Languages = ()) -> tuple[str, str]:
        """The title and the inside of the page. Raises BoardError."""
        state = self._runner.table.state
        try:
            with self._lock:
                found = season(self._matches())
            language = nearest("season", *asked, state.profile.voice)
            words, dates = season_words(language), report_words(spoken(language))
        except MusError as error:
            raise BoardError(str(error)) from error
        paired = (len(state.seats), state.sides) == (PAIRED, 2) and are_different(state.seats)
        pairs = next_pairs(state.seats, found) if paired else ()
        return words("title"), inside(season_blocks(found, words, dates, pairs))

    def _matches(self) -> list[MatchPlayed]:
        keys = [(info.table_id, info.last_seq) for info in tables(self._path)]
        self._played = {
            key: self._played[key]
            if key in self._played
            else match_played(read_match(self._path, key[0]))
            for key in keys
        }
        return [one for one in self._played.values() if one]


class SeasonPort(Protocol):
    """The season. Every method may be called from any thread."""

    def page(self, asked: Languages = (), /) -> tuple[str, str]:
        """The title and the inside of the page, as HTML that is safe. Raises BoardError."""


def season_pages(seasons: SeasonPort) -> Blueprint:
    """Make the page."""
    pages = feature_pages("season", menu="seasons")

    @pages.get("/season")
    def played() -> str:
        title, told = seasons.page(languages_asked())
        # The season escapes every text of its own.
        return render_template("season.html", **menu(), title=title, inside=Markup(told))

    return pages


# ---- Looking back at the match that is being played: its deals, and the table at any step -------


MOST_DRAWN = 40
"""How many pictures are kept of the match as it stands; each deal has one."""


class Replay:
    """Reads the records of the running table; called from any thread, and changes nothing."""

    def __init__(
        self, runner: Runner, phrases: LogPhrases, evidence: ShowdownEvidence | None = None
    ) -> None:
        """``evidence``: the pictures of the showdowns, where there is a camera."""
        self._runner = runner
        self._phrases = phrases
        self._evidence = evidence
        self._drawing = threading.Lock()
        self._drawn: tuple[tuple[int, float], dict[tuple[str, int, str], str | None]] = (
            (0, 0.0),
            {},
        )

    def deals(self) -> list[DealView]:
        """All deals that count."""
        return deal_views(self._runner.table.records.copy())

    def deal(self, deal: int, asked: Languages = ()) -> DealToldView | None:
        """All of a deal; None where there is no such deal. Raises BoardError."""
        table = self._runner.table
        return deal_told(table.records.copy(), deal, table.state, self._sentences(asked))

    def picture(self, deal: int) -> bytes | None:
        """What the camera read at a deal's showdown, as JPEG; None where it saw none."""
        view = next((view for view in self.deals() if view["deal"] == deal), None)
        # An older picture is of another match's deal with the same number.
        return self._evidence.picture(deal, view["at"]) if view and self._evidence else None

    def drawing(self, of: str, deal: int, asked: Languages = ()) -> str | None:
        """A picture as SVG of the match ("score", "lances") or of a "deal"; None: no such deal."""
        table = self._runner.table
        language = nearest("chronicle", *asked, table.state.profile.voice)
        records = table.records.copy()
        moment = len(records), records[0].at
        with self._drawing:  # drawn once for all who look on, one picture at a time
            if self._drawn[0] != moment:
                self._drawn = moment, {}
            drawn = self._drawn[1]
            if (of, deal, language) not in drawn:
                if len(drawn) >= MOST_DRAWN:
                    drawn.clear()
                drawn[of, deal, language] = self._draw(records, language, of, deal)
            return drawn[of, deal, language]

    def _draw(self, records: list[Record], language: str, of: str, deal: int) -> str | None:
        told, words = chronicle(records), load_words(language)
        if of in PICTURES:
            return PICTURES[of](told, words)
        found = told.deal(deal)
        return deal_svg(found, words) if found else None

    def at(self, seq: int, asked: Languages = ()) -> Snapshot | None:
        """The table as it stood after a record; None where there is none of that number.

        Raises BoardError.
        """
        records = self._runner.table.records[:seq]
        state = fold(records) if len(records) == seq else None
        return snapshot(state, records, self._sentences(asked), version=seq) if state else None

    def _sentences(self, asked: Languages) -> LogPhrases:
        """The sentences of the nearest language asked for, or the table's. Raises BoardError."""
        voice = self._runner.table.state.profile.voice
        language = nearest("phrases", *asked, voice)
        try:
            return self._phrases if language == voice else _phrases_of(language)
        except MusError as error:
            raise BoardError(str(error)) from error


@lru_cache
def _phrases_of(language: str) -> LogPhrases:
    return load_phrases(language)


# ---- The history page: the deals of the match, and the table at each step of one ----------------


class HistoryPort(Protocol):
    """The match so far. Every method may be called from any thread."""

    def deals(self) -> list[DealView]:
        """All deals that count."""

    def deal(self, deal: int, asked: Languages = ()) -> DealToldView | None:
        """All of a deal; ``None`` where there is no such deal."""

    def picture(self, deal: int) -> bytes | None:
        """What the camera read at a deal's showdown, as JPEG; ``None`` where it saw none."""

    def drawing(self, of: str, deal: int, asked: Languages = ()) -> str | None:
        """A picture as SVG of the match ("score", "lances") or of a "deal"; None: no such deal."""

    def at(self, seq: int, asked: Languages = ()) -> Snapshot | None:
        """The table as it stood after a record; ``None`` where there is none of that number."""


def history_pages(history: HistoryPort) -> Blueprint:
    """Make the page and what it asks for."""
    pages = feature_pages("history", menu="past")

    @pages.get("/history")
    def look_back() -> str:
        return render_template("history.html", **menu())

    @pages.get("/showdown")
    def counted() -> str:
        return render_template("showdown.html")

    @pages.get("/api/history")
    def deals() -> Response:
        return jsonify(deals=history.deals())

    @pages.get("/api/history/<int:deal>")
    def told(deal: int) -> Response:
        found = history.deal(deal, languages_asked())
        if found is None:
            raise NotFound("There is no such deal in this match.")
        return jsonify(found)

    @pages.get("/api/history/<int:deal>/cards.jpg")
    def picture(deal: int) -> Response:
        data = history.picture(deal)
        if data is None:
            raise NotFound("No camera saw the cards of this deal.")
        return Response(data, mimetype="image/jpeg")

    @pages.get("/history/<any(score, lances):of>.svg")
    def drawn_match(of: str) -> Response:
        return _drawn(history.drawing(of, 0, languages_asked()))

    @pages.get("/history/deal-<int:deal>.svg")
    def drawn_deal(deal: int) -> Response:
        return _drawn(history.drawing("deal", deal, languages_asked()))

    @pages.get("/api/replay/<int:seq>")
    def replay(seq: int) -> Response:
        found = history.at(seq, languages_asked())
        if found is None:
            raise NotFound("There is no such step in this match.")
        return jsonify(found)

    return pages


def install(
    house: House, evidence: ShowdownEvidence | None = None, weigh: Weigh = weigh_alone
) -> None:
    """Let the page of a house look back: by deal, by player and, where games are kept, by season.

    ``evidence``: the pictures of its showdowns, if there is a camera. ``weigh`` judges answers.
    """
    house.show(history_pages(Replay(house.runner, house.phrases, evidence)))
    house.show(report_pages(LiveReport(house.runner, weigh)))
    if house.settings.journal:
        house.show(season_pages(JournalSeason(house.runner, house.settings.journal)))


def _drawn(svg: str | None) -> Response:
    if svg is None:
        raise NotFound("There is no such deal in this match.")
    return Response(svg, mimetype="image/svg+xml")
