"""The time of a call from its last sound to the journal and to the page."""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assistant.cli.app import Session
from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import Block, FileSource
from assistant.files.settings import Settings
from assistant.rules.errors import MusError
from assistant.table.runner import News
from assistant.table.table import Table
from scripts.lab.rendering import spectators

TOO_LATE = 3.0
"""Seconds after which an answer belongs to another call."""


class TimedSource(FileSource):
    """A recording in real time that remembers when its first sample sounded."""

    began = 0.0

    def blocks(self) -> Iterator[Block]:
        """The sound from the beginning."""
        self.began = time.monotonic()
        yield from super().blocks()


class CommitClock:
    """A listener that notes when each change was in the journal."""

    def __init__(self) -> None:
        self.committed: list[float] = []

    def told(self, news: News, _table: Table) -> None:
        """Note the time of a handled message, whose changes are in the journal."""
        if news.updates:
            self.committed.append(time.monotonic())


class Page(threading.Thread):
    """Follows the events of the dashboard, like a browser, and notes when the table changed."""

    def __init__(self, url: str) -> None:
        super().__init__(name="page", daemon=True)
        self.changed: list[float] = []
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._connection.request("GET", "/events")
        self._answer = self._connection.getresponse()

    def run(self) -> None:
        """Follow them until the server ends the stream."""
        seq = 0
        while line := self._answer.readline():
            if not line.startswith(b"data: {"):
                continue
            snapshot: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
            if seq and snapshot["seq"] > seq:
                self.changed.append(time.monotonic())
            seq = snapshot["seq"]
        self._connection.close()


def settings_for(wav: Path, script: Path, journal: Path, model: Path | None) -> Settings:
    """The settings of a ``mus play`` that listens to a recording in real time."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    words = ["--listen", str(wav), "--cards", str(script), "--journal", str(journal)]
    words += ["--voice", "off", "--port", "0", "--new"]
    words += ["--model", str(model)] if model else []
    return settings_from(parser.parse_args(words))


@contextmanager
def onlookers(url: str, count: int) -> Iterator[None]:
    """Keep this many pages open meanwhile, in a process of their own."""
    if not count:
        yield
        return
    command = [sys.executable, spectators.__file__, url, str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "ready":
            raise MusError(f"Not all of {count} pages could be opened.")
        try:
            yield
        finally:
            process.terminate()


def play(
    settings: Settings, ends: list[float], watching: int = 0
) -> tuple[list[float], list[float]]:
    """Play a recording whose calls end at ``ends``. Returns seconds to the journal and to the page.

    Each change belongs to the last call that had ended by then. ``watching``: the number of pages
    open beside the one that is timed.
    """
    assert settings.listen is not None
    source, clock = TimedSource(settings.listen, realtime=True), CommitClock()
    session = Session(settings, source=source)
    with session, onlookers(session.server.url, watching):
        session.house.tell(clock)
        page = Page(session.server.url)
        page.start()
        session.ear.ended.wait()
        session.settle()
        time.sleep(0.5)
    page.join(10)
    began = source.began
    return _delays(clock.committed, began, ends), _delays(page.changed, began, ends)


def _delays(times: list[float], began: float, ends: list[float]) -> list[float]:
    delays = []
    for at in times:
        before = [end for end in ends if end <= at - began]
        if before and at - began - before[-1] < TOO_LATE:
            delays.append(at - began - before[-1])
    return delays
