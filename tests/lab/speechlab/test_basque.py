"""Basque letters to the model's phones: the nearest ones, and the variants between speakers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.lab.speechlab import basque, g2p, vocabulary


def _ways(word: str) -> set[str]:
    return {" ".join(sounds) for sounds in basque.pronunciations(word)}


@pytest.mark.parametrize(
    ("word", "careful"),
    [
        ("bat", "b a t"),
        ("bost", "b o s t"),
        ("zazpi", "s a s p i"),
        ("zortzi", "s o r t s i"),
        ("txikia", "tS i k i a"),
        ("ikusi", "i k u s i"),
        ("hordago", "o r d a g o"),
        ("bai", "b a j"),
        ("lau", "l a w"),
        ("haundia", "a w n d i a"),
        ("gehiago", "g e j a g o"),
        ("errege", "e rr e g e"),
        ("hiru", "i r u"),
        ("urrea", "u rr e a"),
        ("jokorik", "x o k o r i k"),
        ("kieroa", "k i e r o a"),
    ],
)
def test_the_first_pronunciation_is_that_of_careful_southern_speech(
    word: str, careful: str
) -> None:
    assert basque.pronunciations(word)[0] == tuple(careful.split())


@pytest.mark.parametrize(
    ("word", "ways"),
    [
        ("joko", {"x o k o", "y o k o"}),  # in the south; elsewhere
        ("hiru", {"i r u", "x i r u"}),  # the north pronounces its h
        ("nahi", {"n a j", "n a i", "n a x i"}),
        ("mintza", {"m i n t s a", "m i n tS a"}),
        ("ttipi", {"tS i p i", "t i p i"}),
        ("baina", {"b a j n a", "b a j J a"}),
        ("parea", {"p a r e a", "p a r i a"}),
        ("paso", {"p a s o"}),
    ],
)
def test_the_variants_between_speakers_follow_the_habits(word: str, ways: set[str]) -> None:
    assert _ways(word) == ways


def test_a_speaker_keeps_one_habit_through_a_word() -> None:
    assert _ways("jojo") == {"x o x o", "y o y o"}


def test_the_habits_in_the_rules_are_exactly_the_defined_ones() -> None:
    named = {result[1:-1] for _, result in basque._RULES if result.startswith("<")}
    assert named == basque.HABITS.keys()


def test_all_phones_are_the_models() -> None:
    plain = [result for _, result in basque._RULES if not result.startswith("<")]
    chosen = [sounds for choices in basque.HABITS.values() for sounds in choices]
    assert {sound for sounds in plain + chosen for sound in sounds.split()} - {"-"} <= set(
        g2p.PHONES
    )


def test_a_letter_that_basque_lacks_is_refused_with_its_name() -> None:
    with pytest.raises(ValueError, match="'á'"):
        basque.pronunciations("ordágo")


@given(st.sampled_from(sorted(vocabulary.load().basque)))
def test_no_word_of_the_vocabulary_has_more_variants_than_the_graph_should_hold(word: str) -> None:
    assert 1 <= len(basque.pronunciations(word)) <= 8


@given(st.text(alphabet="abdefghijklmnoprstuxz", min_size=1, max_size=6))
def test_every_spelling_gives_known_phones(word: str) -> None:
    assert all(set(sounds) <= set(g2p.PHONES) for sounds in basque.pronunciations(word))
