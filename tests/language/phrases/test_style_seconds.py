"""How long each style speaks in a deal: sober less than the bar, and a teacher the longest."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from assistant.cli.mus_score import play_script
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_phrases
from assistant.files.style_files import find_style
from assistant.language.phrases import Level, Phrases
from assistant.language.script import parse_script
from assistant.rules import events as e
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from assistant.voice import VoiceError
from assistant.voice.announcer import sound_in
from assistant.voice.synthesis import VoiceEngines

pytestmark = pytest.mark.slow

GAMES = Path(__file__).parents[2] / "games"
RECORDED = (data_dir("models") / "demo" / "deals.mus", GAMES / "a_plain_deal.mus")
"""The recorded game that ships, and a plain deal with a count."""
LONGEST = {"sobrio": 20.0, "peña": 25.0, "maestro": 60.0}
"""Seconds of speech that a deal may take at most. A deal takes a table two minutes."""


@cache
def records_of(game: Path) -> tuple[Record, ...]:
    return tuple(play_script(parse_script(game.read_text("utf-8")), load_lexicon()).table.records)


def said_of(phrases: Phrases, game: Path, level: Level) -> list[str]:
    """Everything that is said of a game."""
    records, before, said = records_of(game), None, list[str]()
    for _, batch in groupby(records, key=lambda record: record.batch):
        rows = list(batch)
        until = records[: rows[-1].seq]
        after: State | None = fold(until)
        assert after is not None
        events = [row.event for row in rows]
        text = phrases.say(events, before, after, level=level, history=until)
        said += [text] if text else []
        before = after
    return said


def seconds_a_deal(code: str, name: str, folder: Path) -> float:
    """The mean over the deals of the recorded games, spoken by the voice itself."""
    style, plain = find_style(name), load_phrases(code)
    voice = VoiceEngines(sound_in(style, plain))
    seconds, deals = 0.0, 0
    for game in RECORDED:
        texts = said_of(plain.styled(style), game, style.level(Level.ESSENTIAL))
        seconds += sum(voice.render(text, folder / "said.wav") for text in texts)
        deals += sum(isinstance(record.event, e.DealStarted) for record in records_of(game))
    return seconds / deals


@pytest.mark.parametrize("code", ["es", "eu", "en"])
def test_a_sober_caller_speaks_less_than_the_bar_and_a_teacher_is_bounded(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        VoiceEngines(sound_in(find_style("peña"), load_phrases(code))).check()
    except VoiceError as error:
        pytest.skip(str(error))
    told = {name: seconds_a_deal(code, name, tmp_path) for name in LONGEST}
    with capsys.disabled():
        shown = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in told.items())
        print(f"\n{code}, speech in a deal: {shown}")
    assert told["sobrio"] < told["peña"] < told["maestro"]
    assert all(seconds <= LONGEST[name] for name, seconds in told.items())
