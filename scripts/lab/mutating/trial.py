"""One mutant against the tests, in a process of its own.

It is forked from one where pytest and Hypothesis are loaded and the project is not.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

import pytest
from hypothesis import Phase, settings

MEMORY = 4 << 30
"""Bytes that a mutant may take. If it collects without end, it dies and not the machine."""
EXAMPLES = 10
"""How many examples Hypothesis tries on a mutant. On the project itself it tries a hundred."""
FEW: Mapping[str, Any] = {
    "max_examples": EXAMPLES,
    "database": None,
    # No shrinking, because it takes half a minute for an example that nobody sees.
    "phases": (Phase.explicit, Phase.generate),
}
"""What Hypothesis is told."""
LONG = 0.2
"""Seconds from which on a test's further parameters are left out, because they tell much the
same."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the tests run: those to leave out, and those that go first."""

    paths: tuple[str, ...]
    leave_out: frozenset[str] = frozenset()
    rank: Mapping[str, float] | None = None
    """Test -> place; lower goes earlier."""


class _Mutated(SourceFileLoader):
    """Loads a module from another text than that of its file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._text = source

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - as Python asks
        return compile(self._text, self.path, "exec", dont_inherit=True)


class Swap(MetaPathFinder):
    """Finds one module with its mutated text, and leaves the others to Python."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, source

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002 - as Python asks
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname == self.module else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Mutated(fullname, spec.origin, self.source)
        return spec


class Watch:
    """A pytest plugin that orders the tests and notes the result of each."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self.plan.leave_out]
        rank = self.plan.rank
        if rank is not None:
            items.sort(key=lambda item: rank.get(item.nodeid, 0.0))
        for item in items:
            # A machine of rules that Hypothesis drives has its settings on its TestCase.
            case: Any = getattr(item.parent, "obj", None)
            if isinstance(getattr(case, "settings", None), settings):
                case.settings = settings(case.settings, **FEW)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


class _Fewer:
    """Few examples for every property, whatever profile the tests' own files load."""

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        if isinstance(collector, pytest.Session):
            settings.register_profile("mutants", settings.default, **FEW)
            settings.load_profile("mutants")


def run_tests(plan: Plan, *, first_failure_ends: bool) -> Watch:
    """Run the tests in this process, without their output."""
    watch = Watch(plan)
    # Hypothesis is loaded already, and pytest would warn of this.
    options = [
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:terminal",
        "-p",
        "no:unraisableexception",  # this would collect garbage twice in a run
        "--assert=plain",  # nobody reads the message of a mutant's failure
        "-o",
        "addopts=",
    ]
    options += ["--import-mode=importlib", "-m", "not slow"]
    if first_failure_ends:
        options.append("-x")
    code = pytest.main([*options, *plan.paths], plugins=[watch, _Fewer()])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not watch.failed:
        watch.failed.append(f"pytest ended with {code!s}")
    return watch


def be_the_trial(plan: Plan, swap: Swap | None, answer: Path, limit: int) -> NoReturn:
    """The whole life of a forked process: run the tests on a mutant, write the result, end.

    Without ``swap`` the unchanged project is tried, all of it, and the modules that it loaded are
    reported. ``limit``: the processor seconds that it may take.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # Processor seconds, so that a busy machine is not taken for an endless loop.
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the process ends with it
    if swap is not None:
        sys.meta_path.insert(0, swap)
    told: dict[str, Any]
    try:
        watch = run_tests(plan, first_failure_ends=swap is not None)
        told = {"failed": watch.failed, "seconds": watch.seconds}
    except BaseException:
        told = {"failed": ["pytest itself broke off"], "error": traceback.format_exc()}
    if swap is None:
        told["loaded"] = sorted(sys.modules)
    answer.write_text(json.dumps(told), "utf-8")
    os._exit(0)
