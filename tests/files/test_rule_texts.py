"""Every house rule has its texts in each language; a missing one is reported by file and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.files import resources
from assistant.files.resources import OF_THE_RULES, languages, load_phrases, load_table
from assistant.language.sentences import SentenceError
from assistant.rules.profile import OPTIONS

REFUSING = [key for key, rule in OPTIONS.items() if rule.refusal]


@pytest.fixture
def models(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The texts of each language, in a folder that the loader reads."""
    for path in checkout.glob("models/*/*.toml"):
        target = tmp_path / path.parent.name / path.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)
    monkeypatch.setattr(resources, "data_dir", lambda _name: tmp_path)
    return tmp_path


def test_some_rules_refuse_calls() -> None:
    assert {"min_bet", "min_raise"} <= set(REFUSING)


@pytest.mark.parametrize("language", languages("phrases"))
def test_each_language_of_the_voice_has_a_text_for_every_rule_that_refuses(language: str) -> None:
    for name in ("phrases", "apprentice"):
        section, _key = OF_THE_RULES[name]
        assert set(REFUSING) <= set(load_table(name, language)[section])


@pytest.mark.parametrize("language", ["es", "eu", "en"])
def test_every_language_has_the_record_texts_of_every_rule(language: str) -> None:
    assert list(load_table("record", language)["rules"]) == list(OPTIONS)


@pytest.mark.parametrize(
    ("language", "name", "key"),
    [
        ("es", "record", "record"),
        ("es", "phrases", "refused"),
        ("eu", "apprentice", "mistake"),
        ("en", "phrases", "refused"),
    ],
)
def test_a_rule_without_a_text_is_reported_with_its_file(
    models: Path, language: str, name: str, key: str
) -> None:
    path = models / language / "options.toml"
    lines = path.read_text("utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if line == "[min_bet]")
    at += next(i for i, line in enumerate(lines[at:]) if line.startswith(f"{key} = "))
    for instead in (f'{key} = ""', f"{key} = 3", ""):
        path.write_text("\n".join([*lines[:at], instead, *lines[at + 1 :]]), "utf-8")
        with pytest.raises(SentenceError) as caught:
            load_table(name, language)
        assert str(caught.value) == f"{path}: [min_bet] needs {key}, as text."


def test_a_rule_that_is_no_table_is_reported(models: Path) -> None:
    (models / "en" / "options.toml").write_text("min_bet = 3\n", "utf-8")
    with pytest.raises(SentenceError, match=r"\[min_bet\] needs refused"):
        load_phrases("en")
