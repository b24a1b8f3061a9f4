"""Timed phones for the engines, and words of neighbour languages in Spanish spelling."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lab.speechlab import g2p, prosody, vocabulary
from scripts.lab.speechlab.respelling import spanish_spelling


@given(st.lists(st.sampled_from(["órdago", "a", "la", "chica", "paso"]), min_size=1), st.integers())
def test_segments_are_the_phones_of_the_text_between_two_pauses(
    words: list[str], seed: int
) -> None:
    rng = random.Random(seed)
    line = prosody.segments(" ".join(words), prosody.delivery((90, 150), rng), rng)
    assert line[0].phone == line[-1].phone == prosody.PAUSE
    said = [segment.phone for segment in line if segment.phone != prosody.PAUSE]
    assert said == [phone for word in words for phone in g2p.phones_of(word)]
    for segment in line:
        assert 0.01 < segment.seconds < 0.5
        assert (segment.pitch is not None) == (segment.phone in g2p.VOWELS)


def test_every_phone_of_the_vocabulary_has_a_duration() -> None:
    words = vocabulary.load()
    used = {phone for word in words.words for phone in words.pronunciations(word)[0]}
    assert used <= prosody.MEAN_MS.keys()


@pytest.mark.parametrize(
    ("text", "language", "spelled"),
    [
        ("¿Cómo vamos?", "es", "cómo vamos"),
        ("zortzi", "eu", "sortsi"),
        ("txikia", "eu", "chikia"),
        ("gehiago", "eu", "guehiago"),
        ("tre", "it", "tre"),
        ("cinque", "it", None),
        ("xueves", "ast", None),
        ("...", "es", None),
    ],
)
def test_only_words_with_spanish_phones_are_taken_from_other_languages(
    text: str, language: str, spelled: str | None
) -> None:
    assert spanish_spelling(text, language) == spelled
