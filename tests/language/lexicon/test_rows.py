"""The row of the rule table that the words keep: cards said to a partner are no call (R57)."""

from __future__ import annotations

from assistant.language.lexicon import Context, Lexicon, Talk, words_of
from assistant.rules.phases import Phase
from tests.tables import each_row

TOLD = (
    "dos reyes caballo y siete",
    "llevo tres pitos",
    "tengo duples",
    "llevo treinta y una",
    "voy ciego",
)


@each_row("said", TOLD)
@each_row("phase", [Phase.GRANDE, Phase.CHICA, Phase.PARES, Phase.JUEGO])
def test_r57_cards_told_to_a_partner_over_a_bet_are_no_call(
    es: Lexicon, said: str, phase: Phase
) -> None:
    assert isinstance(es.read(words_of(said), Context(phase, pending=True)), Talk)
