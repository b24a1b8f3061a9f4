"""Advice: one sentence, which says only what the numbers say."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from assistant.files.resources import languages, load_wording
from assistant.rules.phases import BEFORE_LANCES
from assistant.school.judge.judging import ALIKE, Judgement, shipped_judge
from assistant.school.judge.recommending import (
    CLEARLY,
    MOSTLY,
    OFTEN,
    Because,
    Recommendation,
    recommend,
)
from assistant.school.judge.telling import SHAPE, advice_text, named, percent
from tests.school.judge.moments import Moment, moments

LANGUAGES = ("es", "eu", "en")
Told = tuple[Moment, Recommendation, Judgement]


@cache
def advised() -> tuple[Told, ...]:
    """Some eighty moments of three juegos, and what is advised in them."""
    judge = shipped_judge()
    some = [one for seed in (1, 2, 3) for one in moments(seed)[:: 3 + seed]]
    return tuple((one, *recommend(judge, one.sight)) for one in some)


def test_the_words_are_there_in_every_language() -> None:
    assert set(languages("judge")) == set(LANGUAGES)
    for language in LANGUAGES:
        load_wording("judge", language, SHAPE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_names_the_calls_and_has_their_numbers_and_no_others(language: str) -> None:
    words = load_wording("judge", language, SHAPE)
    for moment, told, found in advised():
        text = advice_text(told, moment.sight.state.lance, words)
        assert text.count(".") == 1
        assert text.endswith(".")
        assert found.best.chance - told.best.chance <= ALIKE / 100 + 1e-9
        assert told.best in found.calls
        assert named(told.best.call, words).lower() in text.lower()
        allowed = [percent(told.best.chance), percent(told.share)]
        amounts = [told.best.call, told.instead]
        if told.other:
            assert told.other in found.calls
            assert type(told.other.call) is not type(told.best.call)
            assert named(told.other.call, words).lower() in text.lower()
            allowed.append(percent(told.other.chance))
            amounts.append(told.other.call)
        allowed += [getattr(call, "stones", 0) or 0 for call in amounts if call]
        numbers = {int(one) for one in re.findall(r"\d+", text)}
        assert percent(told.best.chance) in numbers
        assert numbers <= {*allowed, 0}


def test_what_the_sentence_calls_better_is_better_and_what_it_calls_alike_is_alike() -> None:
    words = load_wording("judge", "es", SHAPE)
    for moment, told, _ in advised():
        text = advice_text(told, moment.sight.state.lance, words)
        assert told.other
        if text.startswith("Mejor "):
            assert percent(told.best.chance) > percent(told.other.chance)
        else:
            kind = "según cómo jueguen los demás" if told.other.depends else "casi lo mismo"
            assert kind in text
            assert abs(told.best.chance - told.other.chance) < 0.015


def test_the_reason_is_true_of_the_numbers() -> None:
    judge, kinds = shipped_judge(), Counter[Because]()
    for moment, told, found in advised():
        kinds[told.because] += 1
        sight, call = moment.sight, told.best.call
        state = sight.state
        match told.because:
            case Because.SCORE:
                from dataclasses import replace

                level = replace(sight, state=replace(state, stones=(0, 0)))
                assert told.instead
                at_zero = judge.judge(level)
                assert at_zero.advised.call == told.instead
                assert at_zero.lost(call) >= CLEARLY
            case Because.HEARD:
                assert told.instead
                alone = judge.judge(sight, heard=False)
                assert alone.advised.call == told.instead
                assert alone.lost(call) >= CLEARLY
            case Because.REFUSED:
                assert told.share == told.best.refused
                assert told.share >= MOSTLY
            case Because.TIE_OURS | Because.TIE_THEIRS:
                assert found.ties
                assert told.share == found.ties[told.because is Because.TIE_THEIRS]
                assert told.share == max(found.ties)
                assert told.share >= OFTEN
            case Because.WINS:
                assert told.share == found.wins
            case Because.DEALT:
                assert state.phase in BEFORE_LANCES
                needs = [state.profile.target - stones for stones in state.stones]
                mine = (sight.seat - 1) % 2
                values = judge.tables.lore.values
                hold = (sight.seat - state.mano) % 2 == 0
                value = float(values[needs[mine], needs[1 - mine]])
                other = 1 - float(values[needs[1 - mine], needs[mine]])
                assert told.share == (value if hold else other)
    assert len(kinds) >= 5
    assert sum(kinds.values()) > 60
