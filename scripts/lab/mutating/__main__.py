"""Mutation testing of the rules: does a test notice each small change to the code?

docs/mutation.md says what is tried and why. A run that was cut short goes on where it stopped.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import NoReturn

from scripts.lab.mutating.explained import ExplanationError, read_explanations
from scripts.lab.mutating.figures import as_text, figures, set_apart_explained
from scripts.lab.mutating.memory import Memory, fingerprint
from scripts.lab.mutating.mutants import Mutant, mutants_of
from scripts.lab.mutating.pool import Baseline, Pool, Result, load_what_is_not_ours, try_the_project
from scripts.lab.mutating.trial import Plan

ROOT = Path(__file__).resolve().parents[3]
RULES = Path("assistant/rules")
TESTS = ("tests/rules", "tests/test_games.py", "tests/lab/test_draw_phases.py")
CODE = ("assistant", "scripts/lab/mutating/trial.py")
DATA = ("tests/games", "tests/conftest.py", "tests/tables.py")
MEMORY = Path("build/mutation.jsonl")
BYTECODE = Path("build/mutation-bytecode")
INSTALL = ".venv/bin/python -m pip install --require-hashes -r requirements/mutate.txt"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. 0: done; 1: a survivor without explanation; 2: it cannot be done."""
    parser = _parser()
    args = parser.parse_args(argv)
    if find_spec("cosmic_ray") is None:
        parser.error(f"Cosmic Ray is not installed. Type: {INSTALL}")
    os.chdir(ROOT)
    # The tests are compiled once, whatever the environment says. A mutant is never written to disk.
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(ROOT / BYTECODE)
    try:
        known = read_explanations()
    except ExplanationError as error:
        parser.error(str(error))
    modules = _modules(args.modules, parser)
    plan, baseline = _prepared(parser, leave_out_failing=args.leave_out_failing)
    _say(f"Making the mutants of {len(modules)} modules.")
    # Spawned, so that Cosmic Ray is not in the process that the trials are forked from.
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        paths = [RULES / f"{name}.py" for name in modules]
        tried = [mutant for made in pool.map(mutants_of, paths) for mutant in made]
    memory = Memory(
        MEMORY,
        fingerprint(ROOT, CODE),
        fingerprint(ROOT, (*TESTS, *DATA)),
        keep_killed=args.keep_killed,
    )
    tried = [mutant for mutant in tried if int(mutant.key, 16) % args.one_in == 0]
    untried, tried = set_apart_explained(tried, known if args.take_explained else ())
    results = _all_results(tried, memory, Pool(plan, baseline, args.jobs))
    found = figures([*untried, *results], known)
    found["one_in"] = args.one_in
    found["tests"] = {
        "tried": len(baseline.seconds) - len(plan.leave_out),
        "left_out": sorted(plan.leave_out),
    }
    print(json.dumps(found, indent=2) if args.json else as_text(found))
    return 1 if found["survivors"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/lab/mutate", description=__doc__)
    parser.add_argument(
        "modules", nargs="*", help="modules of assistant/rules, as 'hands'; default: all"
    )
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--keep-killed",
        action="store_true",
        help="count a mutant that was killed before as killed, if its module is the same",
    )
    parser.add_argument(
        "--one-in",
        type=_positive,
        default=1,
        metavar="N",
        help="try only one in N of the mutants, always the same ones",
    )
    parser.add_argument(
        "--take-explained",
        action="store_true",
        help="count the explained mutants as survivors, without trying them",
    )
    parser.add_argument(
        "--leave-out-failing",
        action="store_true",
        help="leave out the tests that fail on the unchanged code",
    )
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be: write a whole number, 1 or more.")
    return int(text)


def _modules(names: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    there = sorted(path.stem for path in RULES.glob("*.py") if path.stem != "__init__")
    for name in names:
        if name not in there:
            parser.error(f"{name!r} is no module of the rules: choose of {', '.join(there)}.")
    return list(names) or there


def _prepared(parser: argparse.ArgumentParser, *, leave_out_failing: bool) -> tuple[Plan, Baseline]:
    """Try the unchanged project first, so that a test that fails anyway counts for nothing."""
    _say("Running the tests on the code as it is.")
    plan = Plan(TESTS)
    baseline = try_the_project(plan)
    load_what_is_not_ours(baseline.loaded)
    gc.freeze()  # so that no fork looks again through what they share
    failed = set(baseline.failed)
    if failed and not leave_out_failing:
        _refuse_failing(sorted(failed), parser)
    plan = Plan(TESTS, leave_out=baseline.too_long | failed)
    return plan, baseline


def _refuse_failing(failed: list[str], parser: argparse.ArgumentParser) -> NoReturn:
    parser.error(
        f"{len(failed)} tests fail on the code as it is, {failed[0]} among them: mend them first, "
        "or go on without them by --leave-out-failing."
    )


def _all_results(tried: Sequence[Mutant], memory: Memory, pool: Pool) -> list[Result]:
    results = memory.known(tried)
    done = {result.mutant.key for result in results}
    bar = _Bar(len(tried), len(results))
    for result in pool.results(mutant for mutant in tried if mutant.key not in done):
        memory.remember(result)
        results.append(result)
        bar.step(result)
    bar.end()
    return results


class _Bar:
    """The progress of a run, on a terminal only."""

    WIDTH = 30

    def __init__(self, total: int, done: int) -> None:
        self._total, self._before, self._done = total, done, done
        self._lived = 0
        self._began = time.monotonic()
        if done:
            _say(f"{done} of {total} mutants were tried before.")

    def step(self, result: Result) -> None:
        self._done += 1
        self._lived += result.outcome == "survived"
        if sys.stderr.isatty():
            full = self.WIDTH * self._done // self._total
            left = (time.monotonic() - self._began) / (self._done - self._before)
            print(
                f"\r[{'#' * full:<{self.WIDTH}}] {self._done}/{self._total}, "
                f"{self._lived} survived, {left * (self._total - self._done) / 60:.0f} min left ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def end(self) -> None:
        seconds = time.monotonic() - self._began
        end = "\n" if sys.stderr.isatty() and self._done > self._before else ""
        _say(f"{end}{self._done - self._before} mutants tried in {seconds:.0f} s.")


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    # A request to end must reach the trials too, which are processes of their own.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        _say("\nCut short. The same command goes on from here.")
        sys.exit(130)
