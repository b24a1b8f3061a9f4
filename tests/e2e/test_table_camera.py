"""A whole table with a camera, whose picture is visible before and after a hand, never in it."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from assistant.eye.calibration import save_calibration
from tests.e2e.live_table import LiveTable, live
from tests.e2e.table_process import TIMEOUT
from tests.eye.cameras import Web, web_camera
from tests.eye.test_at_table import calibration, shown

QUICK = 0.1
"""Seconds from one picture of the camera to the next."""


@pytest.fixture
def web() -> Web:
    web = Web()
    web.every = QUICK
    pictures = shown()  # drawn before the table waits for the first one
    web.shows = lambda number: pictures[number % len(pictures)]
    return web


@pytest.fixture
def table(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveTable]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    save_calibration(tmp_path / "table", calibration())
    with (
        web_camera(web) as url,
        live(tmp_path / "t.db", "--camera", url, "--table", tmp_path / "table") as table,
    ):
        yield table


def asked(table: LiveTable, path: str) -> Any:
    with urllib.request.urlopen(f"{table.url}{path}", timeout=TIMEOUT) as answer:
        data = answer.read()
        return json.loads(data) if answer.headers["Content-Type"] == "application/json" else data


def until(what: Callable[[], Any], seconds: float = TIMEOUT) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.1)
    return None


def posted(table: LiveTable, path: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{table.url}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def press(table: LiveTable, **what: Any) -> None:
    posted(table, "api/press", {**what, "seen": table.snapshot()["seq"]})


def play_to_the_showdown(table: LiveTable) -> None:
    """Nobody bets or holds anything, as far as they say."""
    for _ in range(30):
        now = table.snapshot()
        if now["phase"] in ("showdown", "count"):
            return
        turn = [one["call"] for one in now["actions"] if one["seat"] == now["to_speak"]]
        kinds = {call["type"]: call for call in reversed(turn)}  # the first of each kind
        if now["phase"].endswith("?"):
            press(table, call={**kinds["Declare"], "holds": False})
        else:
            press(table, call=kinds.get("Cut") or kinds["Pass"])


def test_the_picture_is_seen_while_nobody_plays_and_a_hand_is_corrected(table: LiveTable) -> None:
    live_picture = until(lambda: asked(table, "api/camera/live")["picture"])
    assert len(live_picture["cards"]) >= 4
    address = f"api/camera/live.jpg?number={live_picture['number']}"
    assert asked(table, address)[:2] == b"\xff\xd8"

    first = next(one for one in table.snapshot()["actions"])
    press(table, call=first["call"])  # who is mano
    assert asked(table, "api/camera/live") == {"picture": None, "why": "cards"}
    with pytest.raises(HTTPError, match="404"):
        asked(table, address)
    assert table.snapshot()["read"] == []

    play_to_the_showdown(table)
    assert until(lambda: table.snapshot()["phase"] == "count")
    assert asked(table, "api/camera/live")["why"] is None
    press(table, command="undo")
    now = table.snapshot()
    read = {one["seat"]: one["cards"] for one in now["read"]}
    seat = now["missing"][0]
    cards = [one["card"] for one in read[seat]]
    other = next(one for one in read[seat] if one["likely"])
    cards[cards.index(other["card"])] = other["likely"][0]
    posted(table, "api/cards", {"seat": seat, "cards": cards, "deal": now["deal"]})
    assert table.snapshot()["seats"][seat - 1]["hand"] == cards
    assert table.snapshot()["read"] == []
