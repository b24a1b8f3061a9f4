"""A practice game by voice: three voices in the room, an echo, and a person who answers aloud."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.table_process import command
from tests.e2e.test_echo import Room
from tests.speakers.test_mus_enrol import reading

pytestmark = pytest.mark.audio

SOON = 80.0


class Played:
    """A running ``mus practice`` and the snapshots of its page."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        self.url = process.stdout.readline().split()[-1].removesuffix("practice")

    def snapshot(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}api/snapshot", timeout=60) as answer:
            shown: dict[str, Any] = json.load(answer)
        return shown

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        deadline = time.monotonic() + SOON
        while not true(shown := self.snapshot()):
            assert time.monotonic() < deadline, shown["practice"]
            time.sleep(0.05)
        return shown


@pytest.fixture
def room() -> Iterator[Room]:
    with Room() as made:
        yield made


@pytest.fixture
def game(room: Room, tmp_path: Path) -> Iterator[Played]:
    """A game whose company speaks softly into the room and hears everything in it."""
    config = tmp_path / "config" / "mus"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text("volume = 0.3\n", "utf-8")
    options = "--level paciente --seed 4 --voice on --mic default --port 0 --no-open".split()
    with subprocess.Popen(
        command("practice", *options),
        env={**os.environ, **room.env, "XDG_CONFIG_HOME": str(config.parent)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Played(process)
        finally:
            process.kill()


def sentences_of(shown: dict[str, Any], seat: int) -> list[str]:
    return [one["text"] for one in shown["practice"]["bubbles"] if one["seat"] == seat]


def test_the_person_is_heard_and_the_company_is_not(
    room: Room, game: Played, tmp_path: Path
) -> None:
    room.until(speaks=True)
    shown = game.until(lambda now: now["practice"]["offers"])
    room.until(speaks=False)
    shown = game.snapshot()
    others = [text for seat in (2, 3, 4) for text in sentences_of(shown, seat)]
    assert others
    assert shown["heard"] is None or not shown["heard"]["text"]
    room.play(reading(["no hay mus"], tmp_path))
    shown = game.until(lambda now: now["phase"] != "mus")
    assert shown["heard"]["text"] == "no hay mus"
    assert sentences_of(shown, 1) == ["No hay mus"]
    # The company answers and goes on to grande, and its sentences are not heard as calls.
    room.until(speaks=True)
    room.until(speaks=False)
    shown = game.snapshot()
    assert shown["heard"]["text"] in ("no hay mus", "")
