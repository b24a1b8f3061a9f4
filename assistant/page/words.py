"""The words of a page: it comes in one language, and asks for what its scripts say as JSON.

They stand in ``models/<language>/page/``: ``table.toml`` for every page, and one file more for the
hall, for the reasons of its desk, and for practice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from assistant.files.resources import languages, load_texts, load_wording, nearest
from assistant.page.port import BoardError
from assistant.rules.errors import MusError

KINDS = {
    "table": ("table",),
    "practice": ("table", "practice"),
    "hall": ("table", "hall", "refusals"),
}
"""Kind of a page -> the files of words that its scripts use."""
REFUSALS = "refusals"
"""A language may lack this one: the desk of a tournament says it in English."""


def add_words(app: Flask, kind: str, language: Callable[[], str]) -> None:
    """Give every template the words of its page, and let scripts ask for theirs.

    A page speaks the language that ``?lang=`` asks for, else ``language()``, and Spanish where
    neither has words. ``kind`` is that of the app's pages; ``page`` in a template is the table of
    that name in the kind's own file.
    """

    @app.context_processor
    def words() -> dict[str, Any]:
        table = language()
        code = nearest("page/table", request.args.get("lang", ""), table)
        own = page_words(kind, code)
        return {"code": code, "words_kind": kind, "page": own["page"], "table_language": table}

    @app.get("/words/<code>/<asked>.json")
    def words_as_json(code: str, asked: str) -> Response:
        if asked not in KINDS or code not in languages("page/table"):
            raise NotFound("There are no such words: open the page again.")
        answer = Response(_written(code, asked), mimetype="application/json")
        answer.headers["Cache-Control"] = "no-cache"  # asked for again, and not sent if unchanged
        answer.add_etag()
        answer.make_conditional(request)
        return answer


@lru_cache
def _written(code: str, kind: str) -> str:
    named = {part: page_words(part, code) for part in KINDS[kind]}
    words = {"code": code, **{part: texts for part, texts in named.items() if texts}}
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


@lru_cache
def page_words(part: str, code: str) -> Mapping[str, Any]:
    """One file of a page's words, checked; empty where the language may lack it and does.

    Raises BoardError where a file, which a player may have edited, cannot be used.
    """
    name = f"page/{part}"
    if part == REFUSALS and code not in languages(name):
        return {}
    try:
        load_wording(name, code)
        return load_texts(name, code)
    except MusError as error:
        raise BoardError(str(error)) from error
