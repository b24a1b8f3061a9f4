"""Mutation testing: which mutants are made, which are killed, and what a run remembers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.lab.mutating.explained import (
    Explanation,
    ExplanationError,
    explanation_of,
    read_explanations,
)
from scripts.lab.mutating.figures import as_text, figures, set_apart_explained
from scripts.lab.mutating.memory import Memory, fingerprint
from scripts.lab.mutating.mutants import Mutant, meaning, mutants, mutants_of
from scripts.lab.mutating.pool import KILLED, SURVIVED, TIMEOUT, Baseline, Pool, Result
from scripts.lab.mutating.trial import Plan

SOURCE = "def double(n: int) -> int:\n    return n * 2\n"


def changed(was: str, now: str, module: str = "assistant.rules.hands", line: int = 1) -> Mutant:
    return Mutant(module, "Op", line, was, now, now)


# --- mutants --------------------------------------------------------------------------------------


def made_of(source: str) -> set[str]:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is for scripts/lab/mutate alone")
    return {mutant.now for mutant in mutants("m", source)}


@pytest.mark.parametrize(
    ("source", "mutated"),
    [
        ("x = 1 if a < b else 2\n", "x = 1 if a <= b else 2"),
        ("T = {A: 1, B: 2}\n", "T = {B: 2}"),
        ("T = (A, B, C)\n", "T = (A, C)"),
        ("f(a, key=b)\n", "f(a)"),
        ("def f():\n    g()\n", "pass"),
        ("def f():\n    return 1\n", "pass"),
        ("x = 'code'\n", "x = 'XcodeX'"),
        ("x = a in b\n", "x = a not in b"),
        ("x = a not in b\n", "x = a in b"),
        ("@property\ndef f(): return g\n", ""),
    ],
)
def test_each_kind_of_mutation_is_made(source: str, mutated: str) -> None:
    plain = {text.replace(" ", "").replace(",)", ")") for text in made_of(source)}
    assert mutated.replace(" ", "") in plain


@pytest.mark.parametrize("source", ["x: A | B\n", '"""doc"""\n', "raise_ = 'two words'\n"])
def test_source_that_no_test_could_check_gives_no_mutant(source: str) -> None:
    assert made_of(source) == set()


def test_mutants_are_unique_and_valid_programs() -> None:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is for scripts/lab/mutate alone")
    made = [mutant.source for mutant in mutants("m", "def f(a):\n    return a == 1 and a < 9\n")]
    assert len(made) == len(set(map(meaning, made))) > 5


def test_mutants_are_cached_for_one_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is for scripts/lab/mutate alone")
    monkeypatch.chdir(tmp_path)
    file = Path("sums.py")
    file.write_text(SOURCE)
    made = mutants_of(file)
    assert made == list(mutants("sums", SOURCE))
    (kept,) = Path("build/mutants").iterdir()
    told = kept.read_text().replace("NumberReplacer", "Kept")
    kept.write_text(told)
    assert "Kept" in {mutant.operator for mutant in mutants_of(file)}
    file.write_text(SOURCE.replace("2", "3"))
    assert mutants_of(file) == list(mutants("sums", SOURCE.replace("2", "3")))
    assert len(list(Path("build/mutants").iterdir())) == 1


def test_annotations_and_docstrings_mean_nothing_and_the_existence_of_a_field_does() -> None:
    assert meaning(SOURCE) == meaning("def double(n):\n    return n * 2\n")
    assert meaning("x: int = 1") == meaning("x: str = 1") != meaning("x = 1")


# --- trials, on a small project -------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n")
    (tmp_path / "sums.py").write_text(SOURCE)
    (tmp_path / "test_sums.py").write_text(
        "from sums import double\n\ndef test_two():\n    assert double(2) == 4\n"
    )
    return tmp_path


TRY = """
import sys
sys.path.insert(0, sys.argv[1])
from scripts.lab.mutating.mutants import Mutant
from scripts.lab.mutating.pool import Pool, try_the_project
from scripts.lab.mutating.trial import Plan
plan = Plan(("test_sums.py",))
baseline = try_the_project(plan)
assert baseline.failed == (), baseline.failed
head = "def double(n):\\n    return "
made = [Mutant("sums", "Op", 2, "", "", head + text) for text in sys.argv[2:]]
pool = Pool(plan, baseline, 1)
pool.limit = 3
print(*sorted(f"{r.mutant.source[len(head):]}: {r.outcome} {r.by}".strip() for r in
      pool.results(made)), sep="\\n")
"""


def test_a_mutant_is_killed_by_a_test_survives_or_runs_out_of_time(
    checkout: Path, project: Path
) -> None:
    """This runs in another process: what is forked must not have loaded the project."""
    texts = ["n * 3", "n ** 2", "[1 for _ in iter(int, 1) if _]", "no_such_name"]
    done = subprocess.run(
        [sys.executable, "-c", TRY, checkout, *texts],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[1 for _ in iter(int, 1) if _]: timeout",
        "n * 3: killed test_sums.py::test_two",
        "n ** 2: survived",
        "no_such_name: killed test_sums.py::test_two",
    ]
    assert (project / "sums.py").read_text() == SOURCE


def test_only_the_first_parameter_of_a_long_test_is_kept() -> None:
    seconds = {"t.py::a[0]": 1.0, "t.py::a[1]": 1.0, "t.py::b[0]": 0.01, "t.py::b[1]": 0.01}
    left_out = Baseline(seconds, (), ()).too_long
    assert left_out & set(seconds) == {"t.py::a[1]"}


def test_a_slow_machine_gets_a_longer_time_limit() -> None:
    quick, slow = (Pool(Plan(()), Baseline({"t": s}, (), ()), 1).limit for s in (0.1, 30.0))
    assert 5 <= quick < 10
    assert slow >= 90


# --- explanations and figures ---------------------------------------------------------------------

SLOTS = Explanation("*", "slots=True", "slots=False", "memory only")


@pytest.mark.parametrize(
    ("was", "now", "covered"),
    [
        ("@dataclass(frozen=True, slots=True)", "@dataclass(frozen=True, slots=False)", True),
        ("@dataclass( slots=True)", "@dataclass(slots=False)", True),
        ("@dataclass(frozen=True, slots=True)", "@dataclass(frozen=False, slots=True)", False),
        ("x = 1", "x = 2", False),
    ],
)
def test_an_explanation_covers_exactly_its_own_mutation(was: str, now: str, covered: bool) -> None:
    assert SLOTS.covers(changed(was, now)) is covered


def test_an_explanation_for_one_module_covers_no_other() -> None:
    mine = Explanation("cards", "1", "2", "why")
    assert mine.covers(changed("1", "2", "assistant.rules.cards"))
    assert explanation_of(changed("1", "2"), [mine]) is None


def test_an_explanation_for_one_function_covers_no_other() -> None:
    source = "def f():\n    pass\n\ndef g():\n    pass\n"
    in_f, in_g = (Mutant("m", "Op", line, "return None", "pass", source) for line in (2, 5))
    known = Explanation("*", "return None", "pass", "the last of its function", within="g")
    assert (known.covers(in_f), known.covers(in_g)) == (False, True)


def test_the_projects_explanations_can_be_read_and_each_gives_a_reason() -> None:
    assert all(len(one.reason.split()) > 4 for one in read_explanations())


@pytest.mark.parametrize(
    "text", ["[[explained]]\nwas='1'\nnow='2'\n", "[[explained]]\nwhy='x'\n", "[["]
)
def test_a_malformed_file_of_explanations_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(ExplanationError, match=r"x\.toml"):
        read_explanations(tmp_path / "x.toml")


def test_an_explained_survivor_is_listed_apart_and_not_counted_as_killed() -> None:
    results = [
        Result(changed("slots=True", "slots=False"), SURVIVED, "", 1.0),
        Result(changed("a", "b", line=7), SURVIVED, "", 1.0),
        Result(changed("c", "d"), KILLED, "t", 1.0),
        Result(changed("e", "f"), TIMEOUT, "", 1.0),
    ]
    found = figures(results, [SLOTS])
    assert found["all"] == {
        "total": 4,
        "killed": 1,
        "timeout": 1,
        "survived": 2,
        "explained": 1,
        "unexplained": 1,
        "percent": 50.0,
    }
    assert [mutant["was"] for mutant in found["survivors"]] == ["a"]
    assert [mutant["reason"] for mutant in found["explained"]] == ["memory only"]
    assert "assistant/rules/hands.py:7: Op\n  - a\n  + b" in as_text(found)


def test_an_explained_mutant_may_be_listed_without_a_trial() -> None:
    mutants = [changed("slots=True", "slots=False"), changed("a", "b")]
    untried, to_try = set_apart_explained(mutants, [SLOTS])
    assert untried == [Result(mutants[0], SURVIVED, "", 0.0)]
    assert to_try == [mutants[1]]


# --- resuming a run -------------------------------------------------------------------------------


def test_a_run_is_resumed_where_the_last_one_stopped(tmp_path: Path) -> None:
    file, mutant, other = tmp_path / "m.jsonl", changed("a", "b"), changed("a", "c")
    first = Memory(file, "code", "tests")
    first.remember(Result(mutant, KILLED, "t", 1.0))
    with file.open("a") as cut_short:
        cut_short.write('["half')
    assert Memory(file, "code", "tests").known([mutant, other]) == [
        Result(mutant, KILLED, "t", 1.0)
    ]


@pytest.mark.parametrize(
    ("code", "tests", "keep", "kept"),
    [
        ("code", "tests", False, {"a", "b"}),
        ("code", "more", False, set()),
        ("code", "more", True, {"a"}),  # survivors are tried again
        ("other", "tests", False, set()),
        # its own module is unchanged, otherwise it would be another mutant
        ("other", "tests", True, {"a"}),
    ],
)
def test_results_are_valid_for_one_code_and_its_tests(
    tmp_path: Path, code: str, tests: str, keep: bool, kept: set[str]
) -> None:
    dead, alive = changed("x", "a"), changed("x", "b")
    memory = Memory(tmp_path / "m.jsonl", "code", "tests")
    memory.remember(Result(dead, KILLED, "t", 1.0))
    memory.remember(Result(alive, SURVIVED, "", 1.0))
    later = Memory(tmp_path / "m.jsonl", code, tests, keep_killed=keep)
    assert {result.mutant.now for result in later.known([dead, alive])} == kept


def test_a_changed_file_changes_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.py").write_text("1")
    before = fingerprint(tmp_path, ["a"])
    (tmp_path / "a/__pycache__").mkdir()
    (tmp_path / "a/__pycache__/x.pyc").write_text("compiled")
    assert fingerprint(tmp_path, ["a"]) == before
    (tmp_path / "a/x.py").write_text("2")
    assert fingerprint(tmp_path, ["a"]) != before


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--jobs", "0"], "write a whole number, 1 or more"),
        (["no_such_module"], "is no module of the rules"),
    ],
)
def test_a_wrong_option_gives_one_sentence_and_exit_code_2(
    checkout: Path, args: list[str], told: str
) -> None:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is for scripts/lab/mutate alone")
    done = subprocess.run(
        [sys.executable, "-m", "scripts.lab.mutating", *args],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
