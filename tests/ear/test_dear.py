"""What a second model must have heard, too: by the words, and by how the table stands."""

import pytest

from assistant.ear.second_pass import BIG, dear_in
from assistant.files.resources import load_lexicon
from assistant.rules import calls as c
from assistant.rules.phases import Lance
from tests.ear.test_patience import CUT, _state
from tests.table.sounds import words


@pytest.mark.parametrize(
    ("said", "text", "dear"),
    [
        (CUT, "órdago", [c.Ordago()]),
        (CUT, "órdago a la grande", [c.Ordago(lance=Lance.GRANDE)]),
        ((*CUT, c.Ordago()), "quiero", [c.Accept()]),
        ((*CUT, c.Ordago()), "no quiero", []),
        ((*CUT, c.Bet()), "quiero", []),
        ((*CUT, c.Bet()), "órdago", [c.Ordago()]),
        (CUT, "órdago quiero", [c.Ordago(), c.Accept()]),
        (CUT, "envido diez", [c.Bet(stones=BIG)]),
        (CUT, "envido nueve", []),
        ((*CUT, c.Bet()), "veinte más", [c.Raise(stones=20)]),
        (CUT, "envido quiero", []),
        (CUT, "paso", []),
        (CUT, "[unk]", []),
        ((), "no hay mus", []),
    ],
)
def test_what_is_dear(said: tuple[c.Call, ...], text: str, dear: list[c.Call]) -> None:
    assert dear_in(load_lexicon(), lambda: _state(*said))(words(text)) == tuple(dear)


def test_it_follows_the_table_as_it_is_now() -> None:
    now = _state(*CUT)
    means = dear_in(load_lexicon(), lambda: now)
    assert means(words("quiero")) == ()
    now = _state(*CUT, c.Ordago())
    assert means(words("quiero")) == (c.Accept(),)
