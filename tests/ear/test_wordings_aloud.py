"""The ear hears each wording of wordings.toml as it is written; espeak-ng speaks it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scripts.making.changes import Changes
from scripts.making.wording import ALOUD, heard

CHECKOUT = Path(__file__).resolve().parents[2]
SAID = [
    (language, wording)
    for language, said in Changes(CHECKOUT).toml(ALOUD).items()
    for wording in said
]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="not installed: espeak-ng")
@pytest.mark.parametrize(("language", "wording"), SAID)
def test_a_wording_is_heard_as_it_is_written(language: str, wording: str) -> None:
    assert heard(Changes(CHECKOUT), wording, language)
