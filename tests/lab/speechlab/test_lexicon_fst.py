"""The word graph as text: every word has a path, and homophones get disambiguation symbols."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from scripts.lab.speechlab import lexicon_fst, phones, vocabulary

FLAT = np.full((len(phones.BASES), len(phones.BASES)), -np.log(len(phones.BASES)))
FEW = replace(vocabulary.load(), words=("si", "sí", "paso", "pasos"), names={})


def _compose(words: vocabulary.Vocabulary) -> lexicon_fst.Lexicon:
    listed = ["<eps>", *words.all_words, "[unk]", "#0"]
    return lexicon_fst.compose_lexicon(words, listed, FLAT, lexicon_fst.Costs())


def test_homophones_get_different_disambiguation_symbols() -> None:
    sound = phones.in_word(("s", "i"))
    marked = lexicon_fst.disambiguated([("si", sound), ("sí", sound)])
    assert [entry[-1] for _, entry in marked] == ["#1", "#2"]


def test_a_prefix_of_another_word_gets_a_symbol_and_the_longer_word_none() -> None:
    short, long = ("p_B", "a_E"), ("p_B", "a_E", "s_S")
    marked = dict(lexicon_fst.disambiguated([("pa", short), ("pas", long)]))
    assert marked == {"pa": (*short, "#1"), "pas": long}


def test_every_word_and_unknown_speech_have_one_arc_for_each_pronunciation() -> None:
    lexicon = _compose(FEW)
    outputs = [int(line.split()[3]) for line in lexicon.arcs if len(line.split()) > 1]
    starts = [number for number in outputs if number]
    assert sorted(starts) == [1, 2, 3, 4, 5]


def test_disambiguation_symbols_are_numbered_after_the_phones_without_gaps() -> None:
    numbers = sorted(_compose(FEW).disambiguation.values())
    first = len(phones.POSITIONED) + 1
    assert numbers == list(range(first, first + len(numbers)))


def test_a_phone_becomes_its_forward_transition_followed_by_a_self_loop() -> None:
    machine = lexicon_fst.Machine(0, {0: [(1, 5, 9, 0.5)], 1: [(2, 200, 0, 0.0)]}, {2: 0.0})
    arcs = lexicon_fst.phones_to_transitions(machine, {"#0": 200})
    forward, loop = phones.forward_transition(5), phones.loop_transition(5)
    assert f"0 1 {forward} 9 0.50000" in arcs
    assert f"1 1 {loop} 0 0" in arcs
    assert f"1 2 {phones.TRANSITIONS + 1} 0 0.00000" in arcs
    assert "2 0.00000" in arcs


def test_printed_transducers_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "L.txt"
    path.write_text("3\t1\t4\t7\t0.25\n1\t1\t2\t0\n1\n", encoding="utf-8")
    machine = lexicon_fst.read_text(path)
    assert machine.start == 3
    assert machine.arcs[3] == [(1, 4, 7, 0.25)]
    assert machine.finals == {1: 0.0}
