"""Trials that run side by side: forked, timed, and ended with all they started when too slow."""

from __future__ import annotations

import importlib
import json
import os
import signal
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scripts.lab.mutating.mutants import Mutant
from scripts.lab.mutating.trial import LONG, Plan, Swap, be_the_trial

KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
PATIENCE = 3.0
"""A mutant may take this many times the processor seconds of an unharmed run."""
WHOLE_RUN = 300
"""Processor seconds that the tests may take on the unchanged project."""
ASLEEP = 20.0
"""A mutant may take this many times its processor limit by the clock. Some wait for ever."""
NOT_OF_THE_RULES = ("tests/rules/test_oracle.py::test_the_random_deals_take_every_course",)
"""A test of what the tests' own deals are like. It plays all of them, which takes eight seconds."""
LOOK = 0.005
"""Seconds between two looks at the trials that run."""
OURS = ("assistant", "tests", "scripts", "conftest", "__main__", "__mp_main__")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a mutant: the first test that failed, and the processor seconds it took."""

    mutant: Mutant
    outcome: str
    by: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """The tests on the unchanged project."""

    seconds: dict[str, float]
    failed: tuple[str, ...]
    loaded: tuple[str, ...]

    @property
    def too_long(self) -> frozenset[str]:
        """Further parameters of slow tests, all but the first of each, and one test by name."""
        left_out, met = set(NOT_OF_THE_RULES), set()
        for test, seconds in self.seconds.items():
            name = test.partition("[")[0]
            if name in met and seconds >= LONG:
                left_out.add(test)
            met.add(name)
        return frozenset(left_out)


@dataclass(slots=True)
class _Running:
    pid: int
    mutant: Mutant | None
    began: float
    answer: Path


def try_the_project(plan: Plan) -> Baseline:
    """Run the tests once on the unchanged project. Raises RuntimeError if they do not end."""
    with tempfile.TemporaryDirectory() as folder:
        running = _start(plan, None, Path(folder) / "answer")
        os.waitpid(running.pid, 0)
        told = _answer(running.answer)
    if told is None or "error" in told:
        raise RuntimeError(f"The tests cannot run at all. {told and told['error']}")
    return Baseline(told["seconds"], tuple(told["failed"]), tuple(told["loaded"]))


def load_what_is_not_ours(names: Iterable[str]) -> None:
    """Import the libraries that the tests need, so that each fork has them already."""
    for name in names:
        if name.partition(".")[0] not in OURS:
            with suppress(Exception):  # else the fork loads it, or nothing does
                importlib.import_module(name)


class Pool:
    """Tries ``jobs`` mutants at a time. What killed one of a module runs first for the next."""

    def __init__(self, plan: Plan, baseline: Baseline, jobs: int) -> None:
        self._plan = plan
        self._jobs = jobs
        self._kills: dict[str, Counter[str]] = {}
        self._seconds = baseline.seconds
        tried = sum(s for test, s in baseline.seconds.items() if test not in plan.leave_out)
        # At least five seconds, because the sum lacks the time to collect the tests.
        self.limit = 5 + round(PATIENCE * tried)

    def results(self, mutants: Iterable[Mutant]) -> Iterator[Result]:
        """The result of each mutant, in the order in which they end."""
        waiting, running = deque(mutants), list[_Running]()
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            stack.callback(_end_all, running)
            while waiting or running:
                while waiting and len(running) < self._jobs:
                    mutant = waiting.popleft()
                    plan = replace(self._plan, rank=self._rank(mutant.module))
                    running.append(_start(plan, mutant, folder / mutant.key, self.limit))
                time.sleep(LOOK)
                for one in list(running):
                    result = self._look(one)
                    if result is not None:
                        running.remove(one)
                        yield result

    def _rank(self, module: str) -> dict[str, float]:
        """The order of the tests: killers first, the most deadly at the head, then quick tests."""
        kills = self._kills.get(module, Counter())
        return {test: s - 1000.0 * kills[test] for test, s in self._seconds.items()}

    def _look(self, one: _Running) -> Result | None:
        assert one.mutant is not None
        ended, status, used = os.wait4(one.pid, os.WNOHANG)
        seconds = round(used.ru_utime + used.ru_stime, 2)
        if ended and os.WIFSIGNALED(status) and seconds >= self.limit - 1:
            return Result(one.mutant, TIMEOUT, "", seconds)
        if ended:
            told = _answer(one.answer)
            # No answer: the mutant ended the whole process, which no test run would overlook.
            failed = ["the process died"] if told is None else told["failed"]
            if not failed:
                return Result(one.mutant, SURVIVED, "", seconds)
            self._kills.setdefault(one.mutant.module, Counter())[failed[0]] += 1
            return Result(one.mutant, KILLED, failed[0], seconds)
        if time.monotonic() - one.began > ASLEEP * self.limit:
            _end(one)
            return Result(one.mutant, TIMEOUT, "", float(self.limit))
        return None


def _start(plan: Plan, mutant: Mutant | None, answer: Path, limit: int = WHOLE_RUN) -> _Running:
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            swap = Swap(mutant.module, mutant.source) if mutant else None
            be_the_trial(plan, swap, answer, limit)
        finally:
            os._exit(1)  # whatever happened, the parent's own code must not go on in the fork
    return _Running(pid, mutant, time.monotonic(), answer)


def _answer(path: Path) -> dict[str, Any] | None:
    if not path.exists():
        return None
    told: dict[str, Any] = json.loads(path.read_text("utf-8"))
    path.unlink()
    return told


def _end(one: _Running) -> None:
    with suppress(ProcessLookupError):
        os.killpg(one.pid, signal.SIGKILL)
    os.waitpid(one.pid, 0)


def _end_all(running: list[_Running]) -> None:
    for one in running:
        _end(one)
