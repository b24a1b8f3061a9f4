"""The shipped Spanish lexicon, built once."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from assistant.language.lexicon import Lexicon, lexicon_from


@pytest.fixture(scope="session")
def es_table(checkout: Path) -> dict[str, Any]:
    """The parsed Spanish file. A test that changes it changes a copy."""
    return tomllib.loads((checkout / "models/es/lexicon.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def es(es_table: dict[str, Any]) -> Lexicon:
    """The Spanish lexicon."""
    return lexicon_from(es_table)
