"""Random games under any rules, written as a script and read again, have the same events.

The examples are the same in every run (tests/conftest.py).
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest
from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from assistant.cli.mus_score import play_script, script_lexicon
from assistant.language.lexicon import Lexicon
from assistant.language.script import parse_script, write_script
from assistant.rules import calls as c
from assistant.rules.engine import decide, open_game
from assistant.rules.history import effective, number
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from tests.language.script.test_write import without_reasons
from tests.rules.strategies import deal
from tests.rules.test_stateful import NAMES, RandomTable, folded, refusal_of, tables


@lru_cache
def lexicon() -> Lexicon:
    return script_lexicon(Profile())


class WrittenGame(RandomTable):
    """One match with any first mano. At the end its script is played again."""

    @initialize(table=tables(), mano=st.integers(0, 6), seed=st.integers(0, 2**32))
    def open(self, table: tuple[Profile, int], mano: int, seed: int) -> None:
        self.profile, players = table
        opening = open_game(self.profile, NAMES[:players], mano=None)
        self.records = list(number(opening, 0, at=0.0))
        self.state = self.mirror = folded(opening)
        self.past, self.future = [], []
        self.random = Random(seed)
        self.hands = deal(self.random, players)
        self.declaring = self.random.choice((0.0, 0.3, 0.7))
        if mano:  # otherwise nobody names the first mano (R04)
            self.commit(c.NextDeal(mano=(mano - 1) % players + 1))

    @rule(seat=st.none() | st.integers(1, 6), stones=st.none() | st.integers(1, 9))
    def bet_at_both(self, seat: int | None, stones: int | None) -> None:
        """ "A las dos", which a random table seldom reaches (R55)."""
        seat = seat and (seat - 1) % self.state.players + 1
        call = (
            c.Bet(seat=seat, stones=stones, both=True) if stones else c.Ordago(seat=seat, both=True)
        )
        self.commit_or_be_refused(call)

    @rule(seat=st.none() | st.integers(1, 6), lance=st.sampled_from(Lance))
    def pass_in_a_lance(self, seat: int | None, lance: Lance) -> None:
        """ "Paso a la chica", over a bet that one of the pair has refused (R36)."""
        seat = seat and (seat - 1) % self.state.players + 1
        self.commit_or_be_refused(c.Pass(seat=seat, lance=lance))

    def listed_calls_are_accepted_and_others_refused(self) -> None:
        """Skipped, because the test of the rules proves it and takes long."""

    def commit(self, call: c.Call) -> None:
        events = decide(self.state, call).events
        self.past.append((self.state, self.mirror))
        self.future.clear()
        self.records.extend(number(events, self.records[-1].seq, at=0.0))
        self.state = self.mirror = folded(events, self.state)

    def refused(self, call: c.Call) -> bool:
        return refusal_of(self.state, call) is not None

    def teardown(self) -> None:
        if not hasattr(self, "records"):
            return
        text = write_script(self.records)
        play = play_script(parse_script(text), lexicon())
        assert play.failure is None, f"{play.failure}\n{text}"
        assert without_reasons(play.table.records) == without_reasons(effective(self.records)), text
        assert write_script(play.table.records) == text


# A failure shows its script, which is short. Shrinking the steps would take minutes.
WrittenGame.TestCase.settings = settings(
    max_examples=250, stateful_step_count=60, phases=(Stage.generate,)
)
TestWrittenGame = pytest.mark.slow(WrittenGame.TestCase)
