"""The shipped phrases, checked once."""

from typing import Any

import pytest

from assistant.files.resources import load_phrases, load_table
from assistant.language.phrases import Phrases, phrases_from


@pytest.fixture(scope="session")
def es_table() -> dict[str, Any]:
    """The parsed Spanish file. A test that changes it changes a copy."""
    return load_table("phrases", "es")


@pytest.fixture(scope="session")
def es(es_table: dict[str, Any]) -> Phrases:
    """The Spanish phrases."""
    return phrases_from(es_table)


@pytest.fixture(scope="session")
def eu_table() -> dict[str, Any]:
    """The parsed Basque file."""
    return load_table("phrases", "eu")


@pytest.fixture(scope="session")
def eu(eu_table: dict[str, Any]) -> Phrases:
    """The Basque phrases."""
    return phrases_from(eu_table)


@pytest.fixture(scope="session")
def en() -> Phrases:
    """The English phrases."""
    return load_phrases("en")


@pytest.fixture(scope="session", params=["es", "eu", "en"])
def phrases(request: pytest.FixtureRequest) -> Phrases:
    """Each shipped language in turn."""
    shipped: Phrases = request.getfixturevalue(request.param)
    return shipped
