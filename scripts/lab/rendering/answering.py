"""A simulated player who answers the assistant's questions by what he has just said.

Of the buttons that a question offers he taps the one that is his call. If none is, the call is
lost, as if nobody said it again. This is a little worse than a table, where the call is said again,
and a little better, because a tap is never misheard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.messages import Ask, Heard, Outcome, Pressed, batches
from assistant.rules.calls import Call
from assistant.rules.events import Event
from assistant.table.table import Table
from scripts.lab.rendering.deal import Line
from scripts.lab.rendering.dealing import Deal, Spoken, events_of, take

LEEWAY = 0.3
"""Seconds by which the words of an utterance may lie beside what was said."""


@dataclass(slots=True)
class Player:
    """All players of one deal. They know what was said and when, and count the questions."""

    deal: Deal
    lines: Sequence[Line]
    asked: int = 0
    """Questions so far."""

    def take(self, table: Table, heard: Heard) -> list[Event]:
        """Everything that an utterance makes happen, with the answer to its question."""
        outcomes = table.propose(heard)
        records = batches(outcomes, table.seq, 0.0)
        table.commit(records)
        happened = [record.event for record in records]
        for question in _questions(outcomes):
            self.asked += 1
            if (answer := self._answer(table, question, heard)) is not None:
                happened += take(table, Pressed(answer))
        return happened

    def _answer(self, table: Table, question: Ask, heard: Heard) -> Call | None:
        meant = [spoken.events for spoken in self._said_in(heard)]
        fits = (option for option in question.options if events_of(table.state, option) in meant)
        return next(fits, None)

    def _said_in(self, heard: Heard) -> Iterable[Spoken]:
        """The calls that were said while an utterance lasted."""
        start = min((word.start for word in heard.words), default=0.0) - LEEWAY
        end = max((word.end for word in heard.words), default=0.0) + LEEWAY
        for spoken, line in zip(self.deal.spoken, self.lines, strict=True):
            middle = (line.start + line.end) / 2
            if start < middle < end:
                yield spoken


def _questions(outcomes: Iterable[Outcome]) -> list[Ask]:
    return [outcome for outcome in outcomes if isinstance(outcome, Ask)]
