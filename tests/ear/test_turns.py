"""Turns: several people who speak one right after the other, in one utterance."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.ear.turns import GAP, Beside, Stretch, beside, in_turns, stretches
from assistant.messages import Hypothesis, Narrowed, Word


def said(text: str, gap: float = 0.0) -> list[Word]:
    """A word a third of a second; "|" is a gap of 0.1 s between two words."""
    found: list[Word] = []
    at = 1.0
    for part in text.split():
        if part == "|":
            at += 0.1
            continue
        found.append(Word(part, at, at + 0.3))
        at += 0.3 + gap
    return found


class Listener:
    """Hears the calls that it is given, by the seconds at which they start and end."""

    def __init__(self, words: Sequence[Word], calls: dict[str, float]) -> None:
        self.words = words
        self.calls = calls
        self.asked: list[str] = []

    def __call__(self, one: Stretch, _: Beside, turns: Sequence[Narrowed]) -> Narrowed | None:
        text = " ".join(word.text for word in self._within(one))
        self.asked.append(f"{text} after {len(turns)}")
        if text not in self.calls:
            return None
        way = Hypothesis(tuple(self._within(one)), 1.0)
        return Narrowed((way,), 0.0, self.calls[text], part=True)

    def _within(self, one: Stretch) -> list[Word]:
        return [word for word in self.words if one.start <= word.start and word.end <= one.end]


def turns_of(text: str, **calls: float) -> list[str]:
    words = said(text)
    listener = Listener(words, {name.replace("_", " "): share for name, share in calls.items()})
    return [
        " ".join(word.text for word in turn.hypotheses[0].words)
        for turn in in_turns(words, listener)
    ]


def test_words_without_a_gap_are_one_stretch_and_unknown_speech_is_one_of_its_own() -> None:
    found = stretches(said("paso | paso a la chica [unk] [unk]"))
    assert [one.known for one in found] == [True, True, False]
    assert stretches(said("paso paso", gap=GAP / 2)) == [Stretch(1.0, 1.64, known=True)]


def test_each_stretch_that_is_a_call_is_a_turn() -> None:
    assert turns_of("paso | envido | no quiero", paso=0.9, envido=0.9, no_quiero=0.9) == [
        "paso",
        "envido",
        "no quiero",
    ]


def test_chat_after_a_call_leaves_the_call() -> None:
    assert turns_of("no tengo | [unk] mus [unk]", no_tengo=0.9, mus=0.9) == ["no tengo"]


def test_what_follows_something_doubtful_is_left_alone() -> None:
    assert turns_of("paso | a | quiero", paso=0.9, quiero=0.9) == ["paso"]
    assert turns_of("[unk] | paso | quiero", paso=0.9, quiero=0.9) == []
    assert turns_of("paso | envido | quiero", paso=0.9, envido=0.5, quiero=0.9) == ["paso"]


def test_calls_count_on_both_sides_of_a_sentence_of_chat() -> None:
    chat = "[unk] dos | [unk] a la"
    assert turns_of(f"paso | {chat} | envido | quiero", paso=0.9, envido=0.9, quiero=0.9) == [
        "paso",
        "envido",
        "quiero",
    ]
    assert turns_of(f"{chat} | paso", paso=0.9) == ["paso"]
    assert turns_of(f"{chat} paso", paso=0.9) == [], "in the same breath"
    assert turns_of("[unk] dos | paso", paso=0.9) == [], "too short to be no call"
    assert turns_of(f"{chat} | paso", paso=0.9, dos=0.5) == [], "a call may be in it"


def test_a_call_with_a_gap_in_it_is_one_turn() -> None:
    both = {"envido": 0.9, "cinco": 0.9, "quiero": 0.9, "envido_cinco": 0.85}
    assert turns_of("envido | cinco | quiero", **both) == ["envido cinco", "quiero"]
    both["envido_cinco"] = 0.65
    assert turns_of("envido | cinco | quiero", **both) == ["envido", "cinco", "quiero"]


def test_each_call_is_weighed_at_the_moment_after_the_calls_before_it() -> None:
    words = said("paso | envido")
    listener = Listener(words, {"paso": 0.9, "envido": 0.9})
    in_turns(words, listener)
    assert listener.asked == ["paso after 0", "paso envido after 0", "envido after 1"]


def test_one_stretch_is_not_weighed() -> None:
    assert turns_of("paso paso", paso_paso=0.9) == []


def test_the_shorter_gap_beside_a_stretch_counts() -> None:
    one = Stretch(2.0, 3.0, known=True)
    assert beside(one, 1.5, 3.25) == Beside(0.25, is_after=True)
    assert beside(one, 1.875, 3.25) == Beside(0.125, is_after=False)
    assert beside(one, 1.5, None) == Beside(0.5, is_after=False)
    assert beside(one, None, None) == Beside(0.0, is_after=True)
