"""The loader of a language's files: the language it takes, and the files that one lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.files import resources
from assistant.files.paths import data_dir
from assistant.files.resources import (
    MissingText,
    languages,
    load_texts,
    load_wording,
    missing_texts,
    nearest,
    text_file,
)
from assistant.language.sentences import SentenceError

TAUGHT = {"glossary", "lessons", "lessons/01-que-es-un-lance", "senas"}


@pytest.fixture
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the languages, for a test to change."""
    for code in ("es", "en", "iparralde"):
        shutil.copytree(data_dir("models") / code, tmp_path / code)
    monkeypatch.setattr(resources, "data_dir", lambda _name: tmp_path)
    return tmp_path


def test_the_languages_of_a_file_are_those_that_have_it() -> None:
    assert {"en", "es", "eu"} <= set(languages("phrases"))
    assert {"es", "eu", "interpenas", "iparralde"} <= set(languages("lexicon"))
    assert "en" not in languages("lexicon")
    assert {"es", "eu"} <= set(languages("page/refusals"))
    assert languages("no/such") == ()


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        (("eu",), "eu"),
        (("en-gb",), "en"),
        (("EN-GB",), "en"),
        (("gl", "eu"), "eu"),
        (("",), "es"),
        (("../decks/mus",), "es"),
        ((), "es"),
    ],
)
def test_spanish_stands_in_for_a_language_without_the_file(
    wanted: tuple[str, ...], taken: str
) -> None:
    assert nearest("phrases", *wanted) == taken


def test_a_file_that_only_spanish_has_is_used_for_every_language() -> None:
    assert load_texts("glossary", "gl") == load_texts("glossary", "es")
    assert load_wording("lessons", "gl").texts == load_wording("lessons", "es").texts


def test_a_file_that_cannot_be_used_is_named(own_models: Path) -> None:
    path = text_file("report", "en")
    assert path.parent == own_models / "en"
    path.write_text(path.read_text("utf-8").replace('title = "', 'titel = "', 1), "utf-8")
    with pytest.raises(SentenceError, match=r"en/report\.toml: titel: there is no such sentence"):
        load_wording("report", "en")


def test_the_missing_files_of_a_language_are_listed() -> None:
    assert missing_texts("es") == ()
    files = {one.name for one in missing_texts("en")}
    assert files >= {
        "lexicon",
        "page/refusals",
        "prompts",
        "taught",
    }
    assert not files & {"phrases", "enrol", "record", "options", *TAUGHT}
    eu = {one.name for one in missing_texts("eu")}
    assert not eu & {"output", "record", *TAUGHT}
    assert not any(one.key for code in ("en", "eu") for one in missing_texts(code))


def test_a_language_without_a_folder_lacks_everything() -> None:
    found = missing_texts("gl")
    assert MissingText("phrases") in found
    assert MissingText("page/table") in found
    assert all(MissingText(name) in found for name in TAUGHT)
    assert found == missing_texts("../es")


def test_a_missing_sentence_of_a_language_is_listed(own_models: Path) -> None:
    path = own_models / "en" / "report.toml"
    path.write_text(path.read_text("utf-8").replace('title = "', 'titel = "', 1), "utf-8")
    assert MissingText("report", "title") in missing_texts("en")


def test_a_dialect_lacks_nothing(own_models: Path) -> None:
    assert (own_models / "iparralde" / "lexicon.toml").exists()
    assert missing_texts("iparralde") == ()
