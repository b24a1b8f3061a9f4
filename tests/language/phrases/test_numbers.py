"""Numbers in words, as a Spanish table counts stones."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.language.phrases import Phrases
from assistant.language.phrases.language import Numbers, PhraseForm, numbers_from
from assistant.language.sentences import SentenceError
from tests.tables import each_row


@pytest.fixture(scope="session")
def numbers(es: Phrases) -> Numbers:
    return es.language.numbers


@each_row(
    "n, plain, stones, noun",
    [
        (0, "cero", "cero", "cero"),
        (1, "uno", "una", "un"),
        (2, "dos", "dos", "dos"),
        (16, "dieciséis", "dieciséis", "dieciséis"),
        (21, "veintiuno", "veintiuna", "veintiún"),
        (22, "veintidós", "veintidós", "veintidós"),
        (30, "treinta", "treinta", "treinta"),
        (31, "treinta y uno", "treinta y una", "treinta y un"),
        (40, "cuarenta", "cuarenta", "cuarenta"),
        (57, "cincuenta y siete", "cincuenta y siete", "cincuenta y siete"),
        (99, "noventa y nueve", "noventa y nueve", "noventa y nueve"),
        (100, "cien", "cien", "cien"),
        (101, "ciento uno", "ciento una", "ciento un"),
        (121, "ciento veintiuno", "ciento veintiuna", "ciento veintiún"),
        (199, "ciento noventa y nueve", "ciento noventa y nueve", "ciento noventa y nueve"),
        (200, "doscientos", "doscientas", "doscientos"),
        (241, "doscientos cuarenta y uno", "doscientas cuarenta y una", "doscientos cuarenta y un"),
    ],
)
def test_a_number_agrees_with_what_it_counts(
    numbers: Numbers, n: int, plain: str, stones: str, noun: str
) -> None:
    assert [numbers.say(n, form) for form in PhraseForm] == [plain, stones, noun]


def test_every_number_of_a_table_has_its_own_words(numbers: Numbers) -> None:
    words = [numbers.say(n, PhraseForm.STONES) for n in range(400)]
    assert len(set(words)) == 400
    assert not any(char.isdigit() for text in words for char in text)


@given(st.one_of(st.integers(max_value=-1), st.integers(min_value=400)))
def test_a_number_beyond_the_table_is_written_in_digits(numbers: Numbers, n: int) -> None:
    assert numbers.say(n) == str(n)


OVER = {"value": 2, "alone": "bi", "more": "bi eta {rest}"}
GOOD: dict[str, Any] = {
    "small": ["zero", "bat"],
    "over": [OVER],
    "of_stones": {},
    "before_noun": {},
}


def test_another_language_has_its_own_table_of_numbers() -> None:
    numbers = numbers_from(GOOD)
    assert [numbers.say(n) for n in range(5)] == ["zero", "bat", "bi", "bi eta bat", "4"]


@each_row(
    "change, named",
    [
        ({"small": []}, "numbers.small"),
        ({"small": "cero"}, "numbers.small"),
        ({"small": [0, 1]}, "numbers.small"),
        ({"over": []}, "numbers.over"),
        ({"over": [OVER | {"value": 3}]}, "numbers.over"),
        ({"over": [OVER, OVER]}, "numbers.over"),
        ({"over": [OVER | {"more": "bi"}]}, "numbers.over"),
        ({"over": [OVER | {"what": "bi"}]}, "numbers.over"),
        ({"over": "bi"}, "numbers.over"),
        ({"of_stones": {"bat": 1}}, "numbers.of_stones"),
        ({"extra": {}}, "[numbers]"),
    ],
)
def test_a_wrong_table_is_refused_in_one_sentence(change: dict[str, Any], named: str) -> None:
    with pytest.raises(SentenceError) as refused:
        numbers_from(GOOD | change)
    assert named in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_table_is_refused() -> None:
    with pytest.raises(SentenceError, match=r"\[numbers\]"):
        numbers_from(None)
