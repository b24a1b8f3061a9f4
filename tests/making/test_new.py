"""scripts/new in a copy of the files: what it writes, what it lists, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from assistant.language.lexicon import words_of
from scripts.making.__main__ import main
from scripts.making.changes import Changes, MakingError, added_to_list
from scripts.making.wording import ALOUD, heard, lexicon
from tests.language.lexicon.cases import context_at

COPIED = (
    *("docs/rules.md", "assistant/rules/profile.py", "scripts/lab/train_model.py"),
    *("scripts/lab/speechlab", "tests/language/lexicon", "tests/ear/wordings.toml"),
    *("tests/rules/options.toml", "tests/rules/test_house_rules.py"),
    *("tests/messages/test_codec_events.py", "models/mus-es/graph/words.txt"),
)


@pytest.fixture
def copy(checkout: Path, tmp_path: Path) -> Path:
    """A copy of the files that scripts/new changes."""
    texts = sorted((checkout / "models").rglob("*.toml"))
    for source in [*(checkout / name for name in COPIED), *texts]:
        target = tmp_path / source.relative_to(checkout)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    return tmp_path


def texts_of(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.suffix in (".toml", ".py", ".md"))
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


def new(folder: Path, capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """The JSON output of the command, which must succeed."""
    assert main([*args, "--json"], folder) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


# --- a wording ------------------------------------------------------------------------------------


def test_a_wording_is_read_as_the_call_that_it_means(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = texts_of(copy)
    told = new(copy, capsys, "wording", "voy con todo", "--means", "ordago", "--no-graph")
    after = texts_of(copy)
    assert told["files"] == sorted(
        (name for name in after if after[name] != before[name]), key=told["files"].index
    )
    assert (told["new_words"], told["missing"]) == ([], [])
    reading = lexicon(Changes(copy), ("es",)).read(words_of("voy con todo"), context_at("open"))
    assert "Ordago" in repr(reading)
    cases = tomllib.loads(after["tests/language/lexicon/es.toml"])["case"]
    saying = [case for case in cases if "voy con todo" in case["say"]]
    assert [case["calls"] for case in saying] == [["ordago"]]
    assert "voy con todo" in Changes(copy).toml(ALOUD)["es"]


def test_a_wording_is_added_to_the_cases_of_the_one_like_it(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    like = ("--means", "refuse", "--like", "son muchas", "--no-graph")
    told = new(copy, capsys, "wording", "son demasiadas", *like)
    assert told["new_words"] == ["demasiadas"]
    cases = tomllib.loads((copy / "tests/language/lexicon/es.toml").read_text("utf-8"))["case"]
    assert all(("son demasiadas" in case["say"]) is ("son muchas" in case["say"]) for case in cases)
    table = tomllib.loads((copy / "scripts/lab/speechlab/vocabulary.toml").read_text("utf-8"))
    assert "demasiadas" in table["words"]["calls"].split()


def test_optional_words_are_added_in_both_forms(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new(copy, capsys, "wording", "[ya] lo dejo", "--means", "refuse", "--no-graph")
    cases = tomllib.loads((copy / "tests/language/lexicon/es.toml").read_text("utf-8"))["case"]
    said = {wording for case in cases for wording in case["say"]}
    assert {"ya lo dejo", "lo dejo"} <= said


def test_a_new_word_of_basque_is_spelt_as_basque(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new(copy, capsys, "wording", "dena jokatu", "--means", "ordago", "--lang", "eu", "--no-graph")
    table = tomllib.loads((copy / "scripts/lab/speechlab/vocabulary.toml").read_text("utf-8"))
    assert "jokatu" in table["basque"]["calls"].split()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("órdago", "--means", "ordago"), "stands in"),
        (("quiero", "--means", "refuse"), "would refuse it: The phrase 'quiero' stands twice"),
        (("voy", "--means", "todo"), "--means todo: choose one of mus"),
        (("voy", "--means", "ordago", "--like", "quiero"), "no row of 'ordago' says that"),
        (("voy [con", "--means", "ordago"), "bracket without its partner"),
        (("", "--means", "ordago"), "is no wording"),
        (("voy {x}", "--means", "ordago"), "may hold words"),
        (("voy", "--means", "ordago", "--lang", "xx"), "There is no lexicon of 'xx'"),
    ],
)
def test_an_impossible_wording_is_refused_and_nothing_is_written(
    copy: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    before = texts_of(copy)
    assert main(["wording", *args], copy) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("new: ")
    assert said in told.err
    assert texts_of(copy) == before


@pytest.mark.slow
def test_a_new_word_is_heard_once_the_graph_is_built_again(
    copy: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = [tool for tool in ("fstconvert", "espeak-ng") if shutil.which(tool) is None]
    # Not imported here: in a process that has loaded kaldifst, vosk hangs while loading.
    missing += [] if find_spec("kaldifst") else ["kaldifst"]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    shutil.copytree(checkout / "models/mus-es", copy / "models/mus-es", dirs_exist_ok=True)
    like = ("--means", "refuse", "--like", "son muchas")
    told = new(copy, capsys, "wording", "son demasiadas", *like)
    assert (told["heard"], told["missing"]) == ("son demasiadas", [])
    assert heard(Changes(copy), "son muchas", "es") == "son muchas"


@pytest.mark.slow
def test_without_its_tools_the_graph_is_not_built_and_one_sentence_says_what_to_install(
    copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(copy))
    shutil.copytree(
        Path(__file__).parents[2] / "models/mus-es", copy / "models/mus-es", dirs_exist_ok=True
    )
    assert main(["wording", "voy demasiado", "--means", "ordago", "--json"], copy) == 1
    (missing,) = json.loads(capsys.readouterr().out)["missing"]
    assert missing.startswith("The ear does not know the word yet: ")
    assert "libfst-tools" in missing or "kaldifst" in missing


# --- a house rule ---------------------------------------------------------------------------------

RULES = [
    (("no_renvido", "--choices", "on,off", "--default", "off", "--row", "R23"), "SWITCH"),
    (("max_bet", "--choices", "0-200", "--default", "0", "--row", "R21"), "from_to(0, 200"),
    (("tempo", "--choices", "slow,fast", "--default", "slow", "--row", "R04"), "one_of(Tempo)"),
]


@pytest.mark.parametrize(("args", "values"), RULES)
def test_a_house_rule_gets_a_record_texts_a_page_entry_and_a_test(
    copy: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], values: str
) -> None:
    key, row = args[0], args[-1]
    before = texts_of(copy)
    told = new(copy, capsys, "rule", *args, "--means", "something of the house")
    after = texts_of(copy)
    assert {name for name in after if after[name] != before[name]} == set(told["files"])
    assert f"    {key}: " in after["assistant/rules/profile.py"]
    assert values in after["assistant/rules/profile.py"]
    assert f"| `{key}` |" in after["docs/rules.md"]
    assert f"`{key}`" in next(x for x in after["docs/rules.md"].split("\n") if f"| {row} |" in x)
    pinned = tomllib.loads(after["tests/rules/options.toml"])[key]
    assert f"def {pinned['held_by'][0]}()" in after["tests/rules/test_house_rules.py"]
    assert any("name, means" in missing for missing in told["missing"])
    code_and_texts = [name for name in told["files"] if not name.startswith("tests/")]
    assert len(code_and_texts) <= 5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"key": "min_bet"}, "There is a house rule min_bet already"),
        ({"key": "Max-Bet"}, "small letters"),
        ({"--choices": "one"}, "at least two words"),
        ({"--default": "maybe"}, "the default among them"),
        ({"--choices": "0-5", "--default": "9"}, "choose 0 to 5"),
        ({"--row": "R61"}, "a row of docs/rules.md is R01 to R60"),
        ({"--before": "nothing"}, "--before nothing: choose one of kings"),
        ({"--means": " "}, "say in plain words"),
    ],
)
def test_an_impossible_house_rule_is_refused_and_nothing_is_written(
    copy: Path, capsys: pytest.CaptureFixture[str], change: dict[str, str], said: str
) -> None:
    given = {"key": "max_bet", "--choices": "on,off", "--default": "on", "--row": "R21"}
    given = given | {"--means": "largest first bet"} | change
    args = [part for key, value in given.items() for part in (key, value)][1:]
    before = texts_of(copy)
    assert main(["rule", *args], copy) == 2
    assert said in capsys.readouterr().err
    assert texts_of(copy) == before


@pytest.mark.slow
@pytest.mark.parametrize(("args", "values"), RULES)
def test_the_tests_of_a_copy_fail_for_the_missing_parts_and_nothing_else(
    checkout: Path, tmp_path: Path, args: tuple[str, ...], values: str
) -> None:
    """Whole folders are copied, so that the copy's own code and tests run."""
    for name in ("assistant", "models", "tests", "docs", "scripts"):
        shutil.copytree(
            checkout / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copyfile(checkout / "pyproject.toml", tmp_path / "pyproject.toml")
    assert main(["rule", *args, "--means", "something of the house"], tmp_path) == 0
    tested = ["tests/rules/test_rows.py", "tests/rules/test_options_held.py"]
    tested += ["tests/rules/test_profile_options.py", "tests/messages/test_codec_events.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tested],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert values
    assert "1 failed" in done.stdout, done.stdout[-3000:]
    assert f"{args[0]}: " in done.stdout
    assert "holds nothing yet" in done.stdout


# --- wordings and house rules ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ("wording", "voy con todo", "--means", "ordago"),
        ("rule", *RULES[0][0], "--means", "something of the house"),
    ],
)
def test_a_dry_run_lists_everything_and_writes_nothing(
    copy: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]
) -> None:
    before = texts_of(copy)
    assert main([*args, "--dry-run"], copy) == 0
    assert capsys.readouterr().out.startswith("Would change:\n")
    assert texts_of(copy) == before


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('say = ["a"]', 'say = ["a", "x"]'),
        ("say = []", 'say = ["x"]'),
        ("say = [\"a]\", 'b]']  # c", 'say = ["a]", \'b]\', "x"]  # c'),
        ('say = [\n  "a",\n  "b",\n]', 'say = [\n  "a",\n  "b", "x"\n]'),
        ('say = ["a"]\nsay2 = ["b"]', 'say = ["a", "x"]\nsay2 = ["b"]'),
    ],
)
def test_a_string_is_added_at_the_end_of_a_list(text: str, after: str) -> None:
    assert added_to_list(text, 0, "say", "x") == after
    assert tomllib.loads(after)


def test_a_missing_list_is_reported() -> None:
    with pytest.raises(MakingError, match="no list 'say'"):
        added_to_list('said = ["a"]', 0, "say", "x")


# --- a language -----------------------------------------------------------------------------------


def test_a_language_is_copied_and_its_untranslated_texts_are_listed(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = texts_of(copy)
    told = new(copy, capsys, "language", "fr", "--from", "en")
    after = texts_of(copy)
    assert {name for name in after if name not in before} == set(told["files"])
    assert {"models/fr/phrases.toml", "models/fr/apprentice.toml"} <= set(told["files"])
    assert tomllib.loads(after["models/fr/phrases.toml"])["language"] == "fr"
    left = told["untranslated"]["models/fr/phrases.toml"]
    assert "say.cut" in left
    assert not any(key.startswith(("numbers", "sounds", "language")) for key in left)
    phrases, table = copy / "models/fr/phrases.toml", tomllib.loads(after["models/fr/phrases.toml"])
    cut = table["say"]["cut"]
    phrases.write_text(after["models/fr/phrases.toml"].replace(cut, f"{cut} (fr)"), "utf-8")
    again = new(copy, capsys, "language", "fr", "--from", "en")
    assert again["files"] == []
    assert set(left) - set(again["untranslated"]["models/fr/phrases.toml"]) == {"say.cut"}
    assert any("its name under [calls]" in missing for missing in again["missing"])


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("FR",), "no code of a new language"),
        (("../fr",), "no code of a new language"),
        (("es",), "no code of a new language"),
        (("fr", "--from", "xx"), "models/xx has no phrases to copy"),
    ],
)
def test_an_impossible_language_is_refused(
    copy: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    before = texts_of(copy)
    assert main(["language", *args], copy) == 2
    assert said in capsys.readouterr().err
    assert texts_of(copy) == before
