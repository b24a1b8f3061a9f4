"""What the person at the practice table is advised, in one sentence."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assistant.files.resources import load_wording
from assistant.language.sentences import Wording
from assistant.rules.calls import Call
from assistant.rules.phases import DECLARING
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.school.judge import Judge
from assistant.school.judge.alone import by_cards
from assistant.school.judge.judging import shipped_judge
from assistant.school.judge.recommending import recommend
from assistant.school.judge.telling import (
    SHAPE,
    advice_text,
    alone_text,
    alone_throw_text,
    declaration_text,
    throw_text,
)
from assistant.school.players import Sight
from assistant.school.players.maestro import why_untaught
from assistant.school.players.strength import Strength
from assistant.school.practice.reasons import declaration

log = logging.getLogger("mus.practice")

KEPT = 4
"""The moments that are remembered, because a page asks again and again about the same one."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, in one sentence: a call, or the cards to throw by their places from 0."""

    text: str
    call: Call | None = None
    places: tuple[int, ...] = ()


class Adviser:
    """Advises one person; any thread may ask."""

    def __init__(
        self,
        judge: Judge | None,
        strength: Strength,
        words: Wording,
        label: Callable[[Call, State], str],
    ) -> None:
        """``judge`` is None if maestro never learnt the house rules: then it goes by the cards.

        ``label`` words a call as the player says it.
        """
        self.judge, self._strength = judge, strength
        self.words, self._label = words, label
        self._lock = threading.Lock()
        self._given: list[tuple[State, Sight, bool, Advice]] = []

    def advise(self, sight: Sight, thrown: Mapping[int, int], *, throws: bool) -> Advice:
        """What to do now. ``thrown``: see ``Judge.judge``."""
        with self._lock:
            for state, seen, threw, given in self._given:
                if state is sight.state and seen.hand == sight.hand and threw == throws:
                    return given
            advice = self._throw(sight) if throws else self._call(sight, thrown)
            self._given = [(sight.state, sight, throws, advice), *self._given[: KEPT - 1]]
            return advice

    def places(self, sight: Sight) -> tuple[int, ...]:
        """The cards to throw, by their places."""
        return self.advise(sight, {}, throws=True).places

    def _call(self, sight: Sight, thrown: Mapping[int, int]) -> Advice:
        words, lance = self.words, sight.state.lance
        if sight.state.phase in DECLARING:
            call = declaration(sight)
            return Advice(declaration_text(self._label(call, sight.state), words), call)
        if self.judge and self.judge.able(sight):
            told, _ = recommend(self.judge, sight, thrown=thrown)
            return Advice(advice_text(told, lance, words), told.best.call)
        alone = by_cards(sight, self._strength)
        return Advice(alone_text(alone, lance, words), alone.call)

    def _throw(self, sight: Sight) -> Advice:
        if self.judge:
            throws = self.judge.judge_throw(sight)
            return Advice(throw_text(sight.hand, throws, self.words), None, throws[0].places)
        places = tuple(self._strength.thrown(sight.hand))
        return Advice(alone_throw_text(sight.hand, places, self.words), None, places)


def adviser_of(
    profile: Profile, strength: Strength, language: str, label: Callable[[Call, State], str]
) -> Adviser:
    """The adviser of a table. Raises MusError where a file cannot be used."""
    judge: Judge | None = (learnt := shipped_judge())
    if rule := why_untaught(profile, learnt.tables.lore.kings):
        log.info("maestro never learnt a table with this %s: advice is by the cards alone", rule)
        judge = None
    return Adviser(judge, strength, load_wording("judge", language, SHAPE), label)
