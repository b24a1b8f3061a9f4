"""Jobs that are shared by several processes. Results come in the order of the jobs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from types import TracebackType
from typing import TypeVar

from assistant.ear import Recogniser
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_toml
from assistant.language.lexicon import Lexicon
from scripts.lab.earbench.plan import Ground
from scripts.lab.rendering.wordings import Wordings

Job = TypeVar("Job")
Result = TypeVar("Result")
EVERY = 10.0
"""Seconds between two lines of progress."""
_here: list[object] = []


def ground() -> Ground:
    """What this process of the ear's bench was given to work with."""
    given = _here[-1]
    assert isinstance(given, Ground)
    return given


def given() -> object:
    """What this process was given, by any bench."""
    return _here[-1]


@cache
def lexicon() -> Lexicon:
    """The Spanish lexicon, read once in each process."""
    return load_lexicon()


@cache
def wordings() -> Wordings:
    """The wordings of each call."""
    return Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"))


def new_ear() -> Recogniser:
    """A new ear with the grammar of the table. It takes 30 ms."""
    return Recogniser(ground().model, lexicon().grammar())


class Crew:
    """Processes that take jobs. With one worker, this process does them all."""

    def __init__(self, given: object, workers: int) -> None:
        self._given = given
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Crew:
        if self._workers > 1:
            self._pool = ProcessPoolExecutor(
                self._workers,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_settle_apart,
                initargs=(self._given,),
            )
        _settle(self._given)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _here.pop()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def each(
        self, what: str, task: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> Iterator[Result]:
        """The result of each job, in order. The caller may stop asking."""
        began = told = time.monotonic()
        results = self._results(task, jobs)
        for done, result in enumerate(results, start=1):
            if time.monotonic() - told > EVERY:
                told = time.monotonic()
                minutes = (told - began) / 60
                print(f"{what}: {done} of {len(jobs)}, {minutes:.1f} min", file=sys.stderr)
            yield result

    def _results(self, task: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        if self._pool is None:
            yield from map(task, jobs)
            return
        ahead: deque[Future[Result]] = deque()
        try:
            for job in jobs:
                ahead.append(self._pool.submit(task, job))
                if len(ahead) > self._workers:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()


def _settle_apart(given: object) -> None:
    """Let a worker end at once at Ctrl-C, because its parent reports."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(1))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _settle(given)


def _end_with_parent() -> None:
    """End with the parent, because half a gigabyte must not wait for a killed one for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _settle(given: object) -> None:
    _here.append(given)
