"""Several languages at one table: their files are merged, and contradictions are errors."""

import copy
from typing import Any

import pytest

from assistant.files.process import UsageError
from assistant.files.resources import languages, load_lexicon, load_phrases
from assistant.language.lexicon import (
    Context,
    Lexicon,
    LexiconError,
    Reading,
    Spoken,
    Talk,
    lexicon_from,
    words_of,
)
from assistant.rules.calls import Accept, AdjustStones, ClaimLance, Cut, Pass, Refuse, Report, Whose
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance, Phase
from tests.tables import each_row

BET = Context(Phase.GRANDE, pending=True)
SHOWDOWN = Context(Phase.SHOWDOWN, seats=("Norte", "Oeste", "Sur", "Este"))


def other(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A file that only adds to another one."""
    return {"language": "other", "call": list(calls), **more}


def read_text(lexicon: Lexicon, text: str, context: Context = BET) -> Reading:
    return lexicon.read(words_of(text), context)


def test_rows_numbers_and_lances_of_all_files_are_merged(es_table: dict[str, Any]) -> None:
    more = other(
        {"means": "accept", "when": ["bet"], "phrases": ["hai"]},
        numbers={"7": ["shichi"]},
        lances={"chica": ["chiisai"]},
    )
    lexicon = lexicon_from(es_table, more)
    assert read_text(lexicon, "hai") == Spoken(Accept(), 1)
    assert read_text(lexicon, "quiero") == Spoken(Accept(), 1)
    assert read_text(lexicon, "no quiero chiisai") == Spoken(Refuse(lance=Lance.CHICA), 3)
    assert {"hai", "envido shichi", "paso chiisai"} <= set(lexicon.grammar())


def test_the_pauses_are_those_of_the_first_file(es_table: dict[str, Any]) -> None:
    hearing = {"pause": 0.1, "stretch": 0.2, "floor": 0.9}
    assert lexicon_from(es_table, other(hearing=hearing)).hearing.floor == 0.25


def test_a_wording_with_one_meaning_in_two_files_stands_once_in_the_grammar(
    es_table: dict[str, Any],
) -> None:
    row = {"means": "ordago", "when": ["mus", "open", "bet"], "weight": 9, "phrases": ["hordago"]}
    lexicon = lexicon_from(es_table, other(row))
    # The Spanish file reads "hordago" but keeps it out of the grammar; the other file has it in.
    assert lexicon.grammar().count("hordago") == 9
    assert lexicon_from(es_table).grammar().count("hordago") == 0


def test_two_meanings_of_one_wording_in_two_files_are_refused_with_both_places(
    es_table: dict[str, Any],
) -> None:
    row = {"means": "refuse", "when": ["bet"], "phrases": ["quiero"]}
    with pytest.raises(
        LexiconError,
        match=r"'quiero' means two things for the moment bet, in es, \[\[call\]\] number \d+ and "
        r"in other, \[\[call\]\] number 1: write overrides = true",
    ):
        lexicon_from(es_table, other(row))


@each_row("order", [(0, 1), (1, 0)])
def test_a_row_that_overrides_wins_in_any_order_of_the_files(
    es_table: dict[str, Any], order: tuple[int, int]
) -> None:
    row = {"means": "refuse", "when": ["bet"], "overrides": True, "phrases": ["tira"]}
    whole = copy.deepcopy(es_table) | {"language": "other", "call": [row], "talk": []}
    files = (es_table, whole)
    lexicon = lexicon_from(*(files[i] for i in order))
    assert read_text(lexicon, "tira") == Spoken(Refuse(), 1)
    assert isinstance(read_text(lexicon, "tira", Context(Phase.GRANDE)), Talk)


def test_of_two_rows_that_override_the_later_wins(es_table: dict[str, Any]) -> None:
    def row(means: str) -> dict[str, Any]:
        return {"means": means, "when": ["bet"], "overrides": True, "phrases": ["tira"]}

    lexicon = lexicon_from(es_table, other(row("accept")), other(row("pass")))
    assert read_text(lexicon, "tira") == Spoken(Pass(), 1)


@each_row(
    "more, sentence",
    [
        ({"numbers": {"3": ["dos"]}}, r"es, \[numbers\] and other, \[numbers\]: 'dos' has two"),
        ({"lances": {"chica": ["grande"]}}, r"\[lances\]: 'grande' has two meanings"),
        ({"cards": {"one": {"R": ["as"]}, "many": {}}}, r"other, \[cards.one\]: 'as' has two"),
        ({"values": {"pares": {"3": ["medias"]}}}, r"\[values.pares\]: 'medias' has two"),
        ({"values": {"grande": {"3": ["alta"]}}}, r"other, \[values\]: unknown key 'grande'"),
        ({"seats": {"dealer": ["pie"]}}, r"other, \[seats\]: unknown key 'dealer'"),
        ({"streams": {"often": 1}}, r"other, \[streams\]: unknown key 'often'"),
    ],
)
def test_files_that_do_not_fit_together_are_refused_with_the_files_name(
    es_table: dict[str, Any], more: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(LexiconError, match=sentence):
        lexicon_from(es_table, {"language": "other", **more})


def test_a_file_that_only_adds_is_no_lexicon_by_itself() -> None:
    with pytest.raises(LexiconError, match=r"needs a table \[cards\]"):
        lexicon_from(other())
    with pytest.raises(LexiconError, match="at least one file"):
        lexicon_from()


@each_row(
    "row, sentence",
    [
        ({"means": "take", "phrases": ["quita {n}"]}, r"'quita {n}' needs {whose}, or nobody"),
        ({"means": "claim", "phrases": ["para {whose}"]}, r"needs {lance}"),
        ({"means": "correct_bet", "phrases": ["eran"]}, r"needs {lance} and {n}"),
        ({"means": "peeked", "phrases": ["miró"]}, r"needs {player}"),
        ({"means": "apply", "needs": "juez", "phrases": ["sea"]}, "'juez' is unknown"),
        ({"means": "claim", "whose": "me", "phrases": ["mía"]}, "'me' is unknown"),
        ({"means": "mus", "overrides": 1, "phrases": ["mus"]}, "overrides must be true or false"),
    ],
)
def test_an_incomplete_row_is_refused(
    es_table: dict[str, Any], row: dict[str, Any], sentence: str
) -> None:
    table = copy.deepcopy(es_table)
    table["call"].append({"when": ["count"], **row})
    with pytest.raises(LexiconError, match=sentence):
        lexicon_from(table)


# ---- the shipped files ---------------------------------------------------------------------------


def test_tira_is_talk_in_spanish_and_basque_and_a_refusal_in_iparralde() -> None:
    for codes in (("es",), ("eu",), ("es", "eu")):
        assert isinstance(read_text(load_lexicon(codes), "tira"), Talk)
    for codes in (("iparralde",), ("eu", "iparralde"), ("iparralde", "es"), ("es", "iparralde")):
        assert read_text(load_lexicon(codes), "tira") == Spoken(Refuse(), 1), codes


def test_quitale_cuts_under_interpenas_and_is_advice_elsewhere() -> None:
    assert isinstance(read_text(load_lexicon(("es",)), "quítale", Context(Phase.MUS)), Talk)
    spoken = read_text(load_lexicon(("interpenas",)), "quítale", Context(Phase.MUS))
    assert spoken == Spoken(Cut(), 1)


def test_iparralde_includes_basque() -> None:
    assert set(load_lexicon(("iparralde",)).grammar()) == set(
        load_lexicon(("eu", "iparralde")).grammar()
    )


@each_row("code", ["fr", "", "../es", "es/../es", "ES"])
def test_an_unknown_language_is_refused_with_the_known_ones(code: str) -> None:
    with pytest.raises(
        UsageError, match="for the calls: choose from es, eu, interpenas, iparralde"
    ):
        load_lexicon((code,))
    with pytest.raises(UsageError, match=r"for the voice: choose from .*es"):
        load_phrases(code)


def test_every_shipped_file_loads_alone_and_with_the_others() -> None:
    every = languages("lexicon")
    assert {"es", "eu", "iparralde"} <= set(every)
    for code in every:
        assert load_lexicon((code,)).vocabulary()
    assert load_lexicon(every).vocabulary() == load_lexicon(every[::-1]).vocabulary()


# ---- sides, players and the words as spoken ------------------------------------------------------


def test_stones_given_by_hand_keep_the_words_that_moved_them(es: Lexicon) -> None:
    said = "Asistente, quita dos a Norte y Sur"
    assert read_text(es, said, SHOWDOWN) == Spoken(
        AdjustStones(stones=-2, side="A", reason=said), 7
    )
    said = "asistente apúntanos 3"
    assert read_text(es, said, SHOWDOWN) == Spoken(
        AdjustStones(stones=3, whose=Whose.US, reason=said), 3
    )


def test_single_players_are_no_side(es: Lexicon) -> None:
    each = Context(Phase.COUNT, seats=("Ana", "Bea", "Cai"), sides=3)
    claim = ClaimLance(lance=Lance.GRANDE, side="C")
    assert read_text(es, "la grande para Cai", each) == Spoken(claim, 4)
    assert isinstance(read_text(es, "la grande para Ana y Bea", each), Talk)


def test_a_basque_name_takes_its_ending_but_no_other_players() -> None:
    eu = load_lexicon(("eu",))
    table = Context(Phase.MUS, seats=("An", "Ane", "Anek", "Jon"))

    def about(name: str) -> int | None:
        reading = read_text(eu, f"{name} bost karta ditu", table)
        assert isinstance(reading, Spoken)
        assert isinstance(reading.what, Report)
        assert reading.what.kind is Irregularity.CARD_COUNT
        return reading.what.player

    assert about("Jonek") == 4
    assert about("Anek") == 3, "a player is called just that"


def test_the_longest_matching_name_is_taken(es: Lexicon) -> None:
    table = Context(Phase.COUNT, seats=("Ana", "Ana María"))
    claim = ClaimLance(lance=Lance.GRANDE, side="B")
    assert read_text(es, "la grande para Ana María", table) == Spoken(claim, 5)
