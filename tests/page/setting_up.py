"""The setup of a table at which nobody plays yet, for the tests of its page."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from assistant.cli.play_options import add_arguments, settings_from
from assistant.cli.setup import Change, Opening, Setup
from assistant.ear import Ear, EchoGate, MicrophoneSource, Recogniser
from assistant.ear.levels import Rehearsal
from assistant.files.resources import model_dir
from assistant.language.script import DEFAULT_SEATS
from assistant.messages import Heard
from assistant.rules.calls import Call
from assistant.rules.engine import decide, open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.table import Table
from tests.lexicons import spanish


def nobody_asks(_change: Change) -> None:
    """Ignore the change."""


def setup_of(
    *words: str,
    ask: Callable[[Change], None] = nobody_asks,
    calls: tuple[Call, ...] = (),
    rehearsal: Rehearsal | None = None,
) -> Setup:
    """The setup of a table that was started with these words, after these calls."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    lexicon, gate = spanish(), EchoGate()
    records = number(open_game(Profile(), DEFAULT_SEATS, 1), 0, 0.0)
    table = Table(lexicon, records)
    for call in calls:
        table.commit(number(decide(table.state, call).events, table.seq, 0.0))
    ear = Ear(
        MicrophoneSource("nobody's"),
        Recogniser(model_dir(), lexicon.grammar()),
        gate,
        on_heard=_forget,
    )
    return Setup(
        settings_from(parser.parse_args(words)),
        Opening(1, fresh=True),
        table=lambda: table,
        ear=lambda: ear,
        eye=None,
        gate=gate,
        rehearsal=rehearsal or Rehearsal(),
        ask=ask,
    )


def settled_setup() -> Setup:
    """The setup of a table that has already been set up."""
    setup = setup_of("--voice", "off")
    setup.change({}, "on")
    return setup


def _forget(_heard: Heard) -> None:
    """Ignore the utterance."""
