"""A match, or one deal of it, as a ``.mus`` script that plays to the same stones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.record.build import NoSuchDealError
from assistant.record.notes import batches_of
from assistant.record.sections import Section, sections
from assistant.rules.events import DealStarted, GameOpened, StonesSet
from assistant.rules.history import Record, effective, number
from assistant.rules.profile import Corrido
from assistant.script import write_script


def match_script(records: Sequence[Record]) -> str:
    """The whole match, without what was taken back."""
    return write_script(records)


def deal_script(records: Sequence[Record], deal: int) -> str:
    """One deal alone: rules, seats, the score before it, mano, and what was said.

    Juegos won before it cannot be written in a script: they stand in a comment. Raises
    NoSuchDealError.
    """
    found = [s for s in sections(records, batches_of(records), ()) if s.start.deal == deal]
    if not found:
        raise NoSuchDealError(f"Deal {deal} was not played at this table.")
    section = found[-1]  # one that was dealt again counts
    opened = next(r.event for r in effective(records) if isinstance(r.event, GameOpened))
    header = number(_header(opened, section), 0, section.steps[0].record.at)
    shift = len(header) - section.steps[0].record.seq
    body = [
        Record(s.record.seq + shift, s.record.batch + shift, s.record.at, s.record.event)
        for s in section.steps[1:]
    ]
    return _comment(section) + write_script([*header, *body])


def _header(opened: GameOpened, section: Section) -> tuple[GameOpened, DealStarted, StonesSet]:
    # A script begins a match, and the first mus of a match may be run (R06): this one only if it
    # was.
    corrido = Corrido.MATCH if section.start.corrido else Corrido.OFF
    opened = replace(opened, profile=replace(opened.profile, corrido=corrido))
    start = replace(section.start, deal=1, implied=False)
    return opened, start, StonesSet(section.first.stones)


def _comment(section: Section) -> str:
    juegos = " ".join(map(str, section.first.juegos))
    return f"# Mano {section.start.deal}. Juegos antes: {juegos}\n"
