"""Utterances as the ear gives them to a table: their hypotheses and their times."""

from __future__ import annotations

from dataclasses import replace

from assistant.messages import Heard, Hypothesis, Message, Outcome, Word, batches
from assistant.table.table import Table


def words(text: str) -> tuple[Word, ...]:
    """Three words a second; "..." is half a second of silence."""
    said: list[Word] = []
    at = 0.0
    for word in text.split():
        if word == "...":
            at += 0.5
            continue
        said.append(Word(word, at, at + 0.3))
        at += 1 / 3
    return tuple(said)


def sounding(**ways: float) -> Heard:
    """An utterance with these hypotheses and their probabilities; "_" stands for a space."""
    hypotheses = tuple(
        Hypothesis(words(text.replace("_", " ").replace("UNK", "[unk]")), probability)
        for text, probability in ways.items()
    )
    return Heard(hypotheses[0].words, hypotheses=hypotheses)


def later(heard: Heard, seconds: float) -> Heard:
    """The same utterance, this many seconds later."""

    def moved(some: tuple[Word, ...]) -> tuple[Word, ...]:
        return tuple(
            replace(word, start=word.start + seconds, end=word.end + seconds) for word in some
        )

    ways = tuple(replace(way, words=moved(way.words)) for way in heard.hypotheses)
    return replace(heard, words=moved(heard.words), hypotheses=ways)


def take(table: Table, heard: Message) -> tuple[Outcome, ...]:
    """The outcomes of a message. What is accepted is committed."""
    outcomes = table.propose(heard)
    table.commit(batches(outcomes, table.seq, at=0.0))
    return outcomes
