"""A spoken count takes at most six seconds in every language."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assistant.language.phrases import Phrases
from assistant.language.phrases.standing import count_in_brief
from assistant.rules import events as e
from assistant.rules.phases import Lance
from assistant.voice import VoiceError, VoiceSettings
from assistant.voice.synthesis import Synthesiser
from tests.language.phrases.aloud import Aloud

SECONDS = 6.0
COUNTS = 60
LANCES = ((Lance.GRANDE,), (Lance.CHICA,), (Lance.PARES,), (Lance.JUEGO, Lance.PUNTO))


def count(phrases: Phrases, chance: random.Random) -> str:
    """A count of random lances, sides and stones, with a possible score."""
    rows = [
        e.StonesWon(chance.choice("AB"), chance.choice([1, 1, 2, 3, 5, 8]), lance, e.Why.BET)
        for choices in LANCES
        if chance.random() < 0.8
        for lance in [chance.choice(choices)]
    ]
    a, b = (phrases.language.stones(chance.randint(0, 39)) for _ in "AB")
    score = phrases.language.texts["brief.between"].join([a, b])
    if chance.random() < 0.3:
        score = phrases.language.fill("brief.adentro", score=score)
    tail = f"{score[:1].upper()}{score[1:]}."
    won = rows or [e.StonesWon("A", 1, Lance.GRANDE, e.Why.PASO)]
    return count_in_brief(phrases.language, won, Aloud(phrases).game.state, tail)


def test_a_spoken_count_takes_at_most_six_seconds(phrases: Phrases, tmp_path: Path) -> None:
    voice = Synthesiser(VoiceSettings(language=phrases.code, sounds=phrases.sounds))
    try:
        voice.check()
    except VoiceError as error:
        pytest.skip(str(error))
    chance = random.Random(7)
    for text in {count(phrases, chance) for _ in range(COUNTS)}:
        assert voice.render(text, tmp_path / "said.wav") <= SECONDS, text
    voice.close()
