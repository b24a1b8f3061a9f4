"""The phrases that are shipped, checked once."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from assistant.language.phrases import Phrases, phrases_from


@pytest.fixture(scope="session")
def es_table(checkout: Path) -> dict[str, Any]:
    """The parsed Spanish file; a test that changes it changes a copy."""
    return tomllib.loads((checkout / "models/phrases/es.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def es(es_table: dict[str, Any]) -> Phrases:
    """The Spanish phrases."""
    return phrases_from(es_table)


@pytest.fixture(scope="session")
def eu_table(checkout: Path) -> dict[str, Any]:
    """The parsed Basque file."""
    return tomllib.loads((checkout / "models/phrases/eu.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def eu(eu_table: dict[str, Any]) -> Phrases:
    """The Basque phrases."""
    return phrases_from(eu_table)


@pytest.fixture(scope="session")
def en(checkout: Path) -> Phrases:
    """The English phrases."""
    return phrases_from(tomllib.loads((checkout / "models/phrases/en.toml").read_text("utf-8")))


@pytest.fixture(scope="session", params=["es", "eu", "en"])
def phrases(request: pytest.FixtureRequest) -> Phrases:
    """Each language that ships."""
    shipped: Phrases = request.getfixturevalue(request.param)
    return shipped
