"""What holds for any words whatever, and for the grammar as a whole."""

import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from timeit import repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import (
    UNKNOWN,
    Context,
    Filler,
    LexiconError,
    Moment,
    Spoken,
    Talk,
    fold,
    lexicon_from,
    words_of,
)
from assistant.language.lexicon.grammar import LIKELIER, TALK
from assistant.language.lexicon.text import tokens_of
from assistant.messages import Command, Word
from assistant.rules.calls import Call, ClaimLance
from assistant.rules.phases import Phase

FILES = [
    tomllib.loads((Path(__file__).parents[3] / f"models/{code}/lexicon.toml").read_text("utf-8"))
    for code in ("es", "eu", "iparralde", "interpenas")
]
ES = lexicon_from(FILES[0])
ALL = lexicon_from(*FILES)
AGAIN = lexicon_from(*FILES)
KNOWN = [*sorted(ALL.vocabulary()), UNKNOWN, "12", "99999", "²", "٣", "¿mus?", "—", "", "Anari"]

texts = st.one_of(st.sampled_from(KNOWN), st.text(max_size=8))
seconds = st.floats(0, 5, allow_nan=False)
words = st.lists(
    st.builds(Word, texts, seconds, seconds, st.floats(0, 1, allow_nan=False)), max_size=12
)
plain_words = st.lists(st.builds(Word, st.sampled_from(KNOWN)), min_size=1, max_size=6)
contexts = st.builds(
    Context,
    st.sampled_from(Phase),
    st.booleans(),
    st.integers(1, 4),
    st.sampled_from([(), ("Norte", "Oeste", "Sur", "Este"), ("", "dos", "Ana María", "¿?")]),
    st.integers(2, 4),
    st.booleans(),
    st.booleans(),
)


@given(words, contexts)
def test_no_words_make_the_lexicon_fail(spoken: list[Word], context: Context) -> None:
    for segment in ALL.segments(spoken):
        reading = ALL.read(segment, context)
        match reading:
            case Spoken(what=what, taken=taken):
                assert isinstance(what, Call | Command)
                assert 0 < taken <= len(segment)
            case Filler(taken=taken):
                assert 0 < taken <= len(segment)
            case Talk():
                pass


@given(words)
def test_segments_hold_all_words_in_order(spoken: list[Word]) -> None:
    segments = ALL.segments(spoken)
    assert [word for segment in segments for word in segment] == spoken
    assert all(segments)


@given(plain_words, contexts)
def test_reading_depends_on_words_and_context_alone(spoken: list[Word], context: Context) -> None:
    reading = ALL.read(spoken, context)
    assert AGAIN.read(spoken, context) == reading
    assert ALL.read(tuple(spoken), context) == reading


@given(plain_words, contexts, st.sampled_from(["compañero", "reyes", "gato", "lasai"]))
def test_a_word_that_is_in_no_call_makes_all_of_it_talk(
    spoken: list[Word], context: Context, stray: str
) -> None:
    if context.phase is Phase.SHOWDOWN:
        return  # there "reyes" is a card
    assert isinstance(ALL.read((*spoken, Word(stray)), context), Talk)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert tokens_of(" ".join(tokens_of(text))) == tokens_of(text)


def test_spelling_is_forgiven() -> None:
    assert tokens_of("  ¿ÓRDAGO, a la Pequeña…? ") == ("ordago", "a", "la", "pequena")


def test_the_grammar_is_broad_and_bounded() -> None:
    grammar = ES.grammar()
    assert 500 < len(set(grammar)) <= len(grammar) < 3000
    assert grammar[-1] == UNKNOWN
    assert all(phrase == " ".join(phrase.split()) for phrase in grammar)
    assert not any("{" in phrase or "[" in phrase for phrase in grammar[:-1])
    for phrase in (
        "no hay mus",
        "envido treinta y una",
        "cuarenta más",
        "órdago a la grande",
        "asistente corrige",
        "rey caballo",
        "tres sietes",
        "quiérele",
        "pues",
    ):
        assert phrase in grammar
    assert max(grammar, key=grammar.count) == "paso"


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("pending", [False, True])
def test_what_fits_the_table_is_likelier_and_nothing_is_left_out(
    phase: Phase, pending: bool
) -> None:
    context = Context(phase, pending=pending)
    everywhere, here = Counter(ES.grammar()), Counter(ES.grammar(context))
    assert here.keys() == everywhere.keys()
    assert all(here[phrase] >= times for phrase, times in everywhere.items())
    assert ES.grammar(context)[-1] == UNKNOWN
    if context.moment in (Moment.OPEN, Moment.BET, Moment.PARES, Moment.JUEGO):
        assert here.total() < LIKELIER * everywhere.total() / 2
        assert here["sota sota"] == everywhere["sota sota"]


@pytest.mark.parametrize(
    ("context", "fits", "does_not"),
    [
        (Context(Phase.MUS), "no hay mus", "juego no"),
        (Context(Phase.PARES_SAY), "tengo", "no hay mus"),
        (Context(Phase.GRANDE, pending=True), "no quiero", "tengo"),
    ],
)
def test_who_is_asked_for_pares_says_tengo_and_not_mus(
    context: Context, fits: str, does_not: str
) -> None:
    grammar = ES.grammar(context)
    assert grammar.count(fits) == LIKELIER * ES.grammar().count(fits)
    assert grammar.count(does_not) == ES.grammar().count(does_not)
    assert grammar.count(UNKNOWN) == pytest.approx(TALK * len(grammar), abs=1)
    assert grammar.count(UNKNOWN) > ES.grammar().count(UNKNOWN)  # talk fits every moment


def test_the_same_moment_asks_for_the_very_same_grammar() -> None:
    grande = ES.grammar(Context(Phase.GRANDE, mano=2))
    assert ES.grammar(Context(Phase.CHICA)) is grande
    assert ES.grammar(Context(Phase.CHICA, pending=True)) is not grande
    assert ES.grammar() is ES.grammar()


def test_y_stands_only_where_the_ear_needs_it() -> None:
    leading = {
        tuple(phrase.split()[i - 1 : i + 2])
        for phrase in ES.grammar()
        for i, word in enumerate(phrase.split())
        if word == "y"
    }
    following = {three[2] for three in leading if len(three) == 3}
    before = {three[0] for three in leading if len(three) == 3}
    worth = {"pareja", "medias", "duples", "juego", "una"}
    assert before <= {"diez", "veinte", "treinta", "quiero", "veo", "perro"} | worth
    assert following.isdisjoint({"envido", "paso", "quiero", "no", "órdago"})


@pytest.mark.parametrize("table", FILES, ids=lambda table: table["language"])
def test_what_follows_each_other_in_the_grammar_can_be_read(table: dict[str, Any]) -> None:
    starts = [Context(phase) for phase in Phase] + [Context(Phase.GRANDE, pending=True)]
    for stream in table.get("streams", {}).get("phrases", []):
        readings = [ALL.read(words_of(stream), context) for context in starts]
        taken = {reading.taken for reading in readings if isinstance(reading, Spoken)}
        assert taken, stream
        assert min(taken) < len(stream.split()), f"{stream!r} is one call: give it a row"


def test_the_grammar_of_all_languages_is_bounded_and_names_no_hand_in_two() -> None:
    grammar = ALL.grammar()
    assert len(grammar) < 10_000
    assert {"errege zaldi", "rey caballo", "bi errege", "enbido bost", "envido bost"} <= set(
        grammar
    )
    assert not {"rey zaldi", "dos errege", "bi reyes"} & set(grammar)


def test_the_vocabulary_is_that_of_the_grammar() -> None:
    vocabulary = ES.vocabulary()
    assert {"órdago", "paso", "asistente", "sotas", "veintidós", "sí"} <= vocabulary
    assert UNKNOWN not in vocabulary
    assert vocabulary == {w for p in ES.whole_grammar() for w in p.split()} - {UNKNOWN}
    assert vocabulary > {w for p in ES.grammar() for w in p.split()} - {UNKNOWN}


@pytest.mark.parametrize("table", FILES[:2], ids=lambda table: table["language"])
def test_a_yes_and_a_no_are_listened_for(table: dict[str, Any]) -> None:
    lexicon, filler = lexicon_from(table), table["fillers"][0]
    assert {*table["yes"], *table["no"]} <= set(lexicon.grammar())
    for is_it, ours, others in (
        (lexicon.is_yes, table["yes"], table["no"]),
        (lexicon.is_no, table["no"], table["yes"]),
    ):
        for one in ours:
            assert is_it(words_of(one))
            assert is_it(words_of(f"{filler} {one}"))
            assert is_it(words_of(f"{one} {filler}"))
        assert not any(is_it(words_of(other)) for other in others)
        assert not is_it(words_of(f"{ours[0]} mus"))
        assert not is_it(words_of(filler))
        assert not is_it(())


def test_an_utterance_of_five_words_is_read_in_a_moment() -> None:
    spoken = words_of("pues envido cinco a chica")
    context = Context(Phase.GRANDE)
    # 200 microseconds on a laptop; ten times that is still nothing to a person, and the
    # fastest of several tries does not fail because the machine is busy.
    fastest = min(repeat(lambda: ES.read(spoken, context), number=20, repeat=5)) / 20
    assert fastest < 0.002


SEATED = Context(Phase.SHOWDOWN, seats=("José Luis", "Ane", "Norte", "Peio"))


def test_only_the_players_of_this_table_are_listened_for() -> None:
    heard = {word for phrase in ES.grammar(SEATED) for word in phrase.split()}
    assert {"josé", "luis", "ane", "norte", "peio"} <= heard
    assert not {"maite", "patxi", "sur"} & heard
    assert not {"josé", "ane", "norte"} & ES.vocabulary()


def test_players_are_named_where_the_lexicon_has_a_player_or_a_side() -> None:
    grammar = set(ES.grammar(SEATED))
    assert "ane rey" in grammar, "whose cards they are"
    assert "ane tiene" in grammar
    assert any(phrase.endswith("para peio") for phrase in grammar)
    assert "josé luis y norte" in grammar
    assert not any("norte y peio" in phrase for phrase in grammar), "they are no side"


def test_a_basque_name_is_heard_with_its_ending_and_read_so() -> None:
    eu = load_lexicon(("eu",))
    assert any("peio rentzat" in phrase for phrase in eu.grammar(SEATED))
    for said in ("handia Peiorentzat", "handia peio rentzat", "handia Peio"):
        reading = eu.read(words_of(said), SEATED)
        assert isinstance(reading, Spoken)
        assert isinstance(reading.what, ClaimLance)
        assert reading.what.side == "B"


def test_answers_are_listened_for_only_while_a_question_stands() -> None:
    bet = Context(Phase.GRANDE, pending=True)
    asked = ES.grammar(replace(bet, asked=True))
    assert "lo primero" not in ES.grammar(bet)
    assert asked.count("lo primero") == LIKELIER
    assert "hasta cinco" in asked
    assert asked.count("no quiero") == ES.grammar(bet).count("no quiero")
    assert ES.grammar(replace(bet, asked=True)) is asked


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"answers": {"wo": {"yes": ["ya"]}}}, "unknown key 'wo'"),
        ({"answers": {"who": {"yess": ["ya"]}}}, "'yess' is unknown"),
        ({"answers": {"who": {"player": ["él"]}}}, "needs {player}"),
        ({"answers": {"who": {"first": ["el [primero"]}}}, "bracket"),
    ],
)
def test_an_answer_that_is_written_wrong_is_refused_by_name(
    wrong: dict[str, Any], told: str
) -> None:
    with pytest.raises(LexiconError, match=re.escape(told)):
        lexicon_from(FILES[0] | wrong)


def test_what_may_be_said_now_is_all_of_its_grammar() -> None:
    bet = Context(Phase.GRANDE, pending=True, seats=("Norte", "Oeste", "Sur", "Este"))
    grammar = ES.expected_grammar(bet)
    assert {"quiero", "no quiero", "paso", "órdago", "corrige"} <= set(grammar)
    assert not {UNKNOWN, "mus", "pares sí", "juego no", "rey rey"} & set(grammar)
    assert ES.expected_grammar(replace(bet)) is grammar


def test_answers_are_expected_only_where_something_was_asked() -> None:
    bet = Context(Phase.GRANDE, pending=True)
    asked = set(ES.expected_grammar(replace(bet, asked=True)))
    assert {"eso es", "qué va", "déjalo"} <= asked
    assert "qué va" not in ES.expected_grammar(bet)


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("envido cinco", True), ("envido yo", True), ("paso", True), ("paso paso", False),
        ("tres paso", False), ("mi hermano", False), ("", False), ("corrige", True),
    ],
)  # fmt: skip
def test_one_call_is_told_from_several_and_from_talk(text: str, one: bool) -> None:
    here = Context(Phase.GRANDE, mano=2)
    assert ES.is_one_call(tuple(map(Word, text.split())), here) is one
