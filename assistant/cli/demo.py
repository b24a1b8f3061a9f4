"""The demo at a table: captions of its recording, and the way out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict

from flask import Blueprint, Response, jsonify, request

from assistant.messages import Accepted, Heard
from assistant.page.app import feature_pages
from assistant.page.house import House
from assistant.page.incoming import body_of
from assistant.rules.events import SeatInferred
from assistant.table.runner import News
from assistant.table.table import Table


class DemoView(TypedDict):
    """A caption of the demo, and whether its recording is over.

    ``words``: what was said last, "" before the first call; ``seat``: whose call the table took it
    for, None if it was no call.
    """

    over: bool
    words: str
    seat: int | None


class Demo:
    """The listener that keeps the caption. Any thread may call any method."""

    def __init__(self, house: House) -> None:
        """Add the caption to each snapshot of the house."""
        self._board = house.board
        self._now: DemoView = {"over": False, "words": "", "seat": None}
        self._board.extend(self._shown)

    def told(self, news: News, table: Table) -> None:
        """Keep what was said. The board, which gets the news next, shows it."""
        if isinstance(news.message, Heard) and news.message.text:
            self._now = {**self._now, "words": news.message.text, "seat": _speaker_of(news, table)}

    def over(self) -> None:
        """Show that the recording is over."""
        self._now = {**self._now, "over": True}
        self._board.refresh()

    def _shown(self) -> Mapping[str, object]:
        return {"demo": self._now}


def _speaker_of(news: News, table: Table) -> int | None:
    """The seat that the last call is taken for, said by its player or understood by the table."""
    calls = [one for one in news.outcomes if isinstance(one, Accepted)]
    if not calls:
        return None
    inferred = [event.seat for event in calls[-1].events if isinstance(event, SeatInferred)]
    seat = getattr(calls[-1].call, "seat", None) or (inferred[-1] if inferred else None)
    return seat if seat and seat <= table.state.players else None


def demo_pages(leave: Callable[[], None]) -> Blueprint:
    """Make the route by which a page leaves the demo for a table of people."""
    pages = feature_pages("demo", "demo")

    @pages.post("/api/demo/end")
    def end() -> Response:
        body_of(request)
        leave()
        return jsonify(ended=True)

    return pages


def install(house: House, leave: Callable[[], None]) -> Demo | None:
    """Caption the demo, if a house plays it. ``leave`` opens the table without it."""
    if not house.settings.demo:
        return None
    demo = Demo(house)
    house.tell(demo)
    house.show(demo_pages(leave))
    return demo
