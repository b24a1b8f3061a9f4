"""After the count the learner is told what his own calls left of the juego."""

from __future__ import annotations

from assistant.files.resources import load_wording
from assistant.rules import calls as c
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Lance
from assistant.school.apprentice.explained import judged_calls, judged_texts
from assistant.school.judge.judging import shipped_judge
from assistant.school.judge.telling import SHAPE, named, percent
from tests.school.apprentice.test_honesty import counted


def test_each_own_call_of_the_deal_is_judged_and_the_dearest_of_a_lance_is_told() -> None:
    game, hand, judge = counted(), parse_hand("R R 4 4"), shipped_judge()
    found = list(judged_calls(judge, game.records, 1, hand))
    assert [(lance, type(call)) for lance, call, _ in found] == [
        (Lance.GRANDE, c.Bet),
        (Lance.GRANDE, c.Refuse),
        (Lance.CHICA, c.Bet),
        (Lance.PUNTO, c.Bet),
    ]
    words = load_wording("judge", "es", SHAPE)
    texts = judged_texts(judge, game.records, 1, hand, words)
    assert list(texts) == [Lance.GRANDE, Lance.CHICA, Lance.PUNTO]
    (_, bet, first), (_, refuse, second), *_ = found
    dearest, judged = max(((bet, first), (refuse, second)), key=lambda one: one[1].lost(one[0]))
    said = judged.of(dearest)
    assert f"{percent(said.chance)} %" in texts[Lance.GRANDE]
    assert texts[Lance.GRANDE].lower().startswith(named(said.call, words))
    assert f"{percent(judged.best.chance)} %" in texts[Lance.GRANDE]
