"""The golden games, told in every shipped language: properties of whole games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from assistant.cli.mus_score import play_script
from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon
from assistant.language.phrases import Level, Phrases
from assistant.language.script import parse_script
from assistant.messages import Command, Told
from assistant.rules import events as e
from assistant.rules.history import Record, effective, fold
from assistant.rules.state import State
from tests.tables import each_row

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.mus"))
each_game = each_row("game", GAMES, name=lambda path: path.stem)
SENTENCES = re.compile(r"[¿¡«]?[A-ZÁÉÍÓÚÑ0-9].*[.?!]$")


@cache
def lexicon() -> Lexicon:
    return load_lexicon()


@cache
def records_of(game: Path) -> tuple[Record, ...]:
    """The journal of a golden game."""
    return tuple(play_script(parse_script(game.read_text("utf-8")), lexicon()).table.records)


def sentences_of(phrases: Phrases, game: Path, level: Level) -> Iterator[tuple[str | None, State]]:
    """The sentence for each batch of a game, with the state after it."""
    records = records_of(game)
    before: State | None = None
    for _, batch in groupby(records, key=lambda record: record.batch):
        rows = list(batch)
        until = records[: rows[-1].seq]
        after = fold(until)
        assert after is not None
        yield (
            phrases.say([row.event for row in rows], before, after, level=level, history=until),
            after,
        )
        before = after


@each_game
def test_everything_spoken_is_a_sentence(phrases: Phrases, game: Path) -> None:
    said = [text for text, _ in sentences_of(phrases, game, Level.FULL) if text]
    assert said
    for text in said:
        assert SENTENCES.match(text), text
        assert "  " not in text
        assert not re.search(r"[{}]|\bNone\b|:\.|\.\.", text), text


@each_game
def test_every_record_has_a_log_line(phrases: Phrases, game: Path) -> None:
    records = records_of(game)
    state = fold(records)
    assert state is not None
    for record in records:
        line = phrases.log_line(record.event, state, records)
        assert line == line.strip() != ""
        assert not re.search(r"[{}]|\bNone\b", line), line


@each_game
def test_the_pending_stones_can_be_asked_for_at_any_moment(phrases: Phrases, game: Path) -> None:
    for _, state in sentences_of(phrases, game, Level.ESSENTIAL):
        answer = phrases.answer(Told(Command.OWED), state)
        assert answer
        assert SENTENCES.match(answer), answer


@each_game
def test_the_last_count_can_be_repeated(phrases: Phrases, game: Path) -> None:
    records = records_of(game)
    state = fold(records)
    assert state is not None
    counts = [
        record.batch
        for record in effective(records)
        if isinstance(record.event, e.DealCounted | e.JuegoWon)
    ]
    again = phrases.answer(Told(Command.COUNT), state, history=records)
    assert again
    if counts and not phrases.missing(state):
        batches = [batch for batch, _ in groupby(records, key=lambda record: record.batch)]
        first = [text for text, _ in sentences_of(phrases, game, Level.FULL)]
        # It equals what a full voice said, without the question that followed.
        assert (first[batches.index(counts[-1])] or "").startswith(again)
