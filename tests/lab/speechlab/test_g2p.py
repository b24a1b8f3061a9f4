"""Letters to phones: the pronunciation of a word decides how the model hears it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lab.speechlab import g2p, vocabulary


@pytest.mark.parametrize(
    ("word", "sound"),
    [
        ("órdago", "o r d a g o"),
        ("hordago", "o r d a g o"),
        ("quiero", "k j e r o"),
        ("juego", "x w e g o"),
        ("reyes", "rr e y e s"),
        ("rey", "rr e j"),
        ("reenvido", "rr e e n b i d o"),
        ("chica", "tS i k a"),
        ("pequeña", "p e k e J a"),
        ("cállate", "k a y a t e"),
        ("ciego", "T j e g o"),
        ("veintiún", "b e j n t i u n"),
        ("ahí", "a i"),
        ("hay", "a j"),
        ("y", "i"),
        ("guerra", "g e rr a"),
        ("honra", "o n rr a"),
    ],
)
def test_spelling_gives_the_castilian_pronunciation(word: str, sound: str) -> None:
    assert g2p.phones_of(word) == tuple(sound.split())


def test_theta_and_s_are_both_pronunciations_where_they_differ() -> None:
    assert g2p.pronunciations("cinco") == (
        ("T", "i", "n", "k", "o"),
        ("s", "i", "n", "k", "o"),
    )
    assert len(g2p.pronunciations("paso")) == 1


@pytest.mark.parametrize(
    ("word", "vowel"),
    [("órdago", 0), ("envido", 3), ("corregir", 5), ("deshaz", 3), ("sí", 1), ("duples", 1)],
)
def test_stress_follows_the_accent_rules(word: str, vowel: int) -> None:
    assert g2p.stressed(word) == vowel


def test_a_letter_that_spanish_lacks_is_refused_with_its_name() -> None:
    with pytest.raises(ValueError, match="'ß'"):
        g2p.phones_of("straße")


@given(st.sampled_from(vocabulary.load().words))
def test_syllables_cover_a_word_once_and_have_one_vowel_each(word: str) -> None:
    phones = vocabulary.load().pronunciations(word)[0]
    parts = g2p.syllables(phones)
    assert [index for part in parts for index in part] == list(range(len(phones)))
    for part in parts:
        assert sum(phones[index] in g2p.VOWELS for index in part) == 1


@given(st.text(alphabet="abcdefghijklmnñopqrstuvwxyzáéíóúü", min_size=1, max_size=12))
def test_every_spelling_gives_known_phones(word: str) -> None:
    assert set(g2p.phones_of(word)) <= set(g2p.PHONES)
