"""The lexicon as a finite-state transducer in OpenFst's text form, and phones to transitions.

The module needs no tool: lists of arcs go in and come out.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from . import g2p, phones
from .vocabulary import Vocabulary

_START, _LOOP, _PAUSE, _PAUSED = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs in nats: entering [unk], each of its phones, and the chance of a pause.

    Entering [unk] is a gain: in a grammar of 1800 phrases it is one of them and dear (7.5). Tuned
    on training voices and training speakers alone: from 0 down to -4.5 the words wrongly heard in
    table talk fall to a third and no call is lost; at -9 calls get lost.
    """

    unknown: float = -4.5
    unknown_phone: float = 0.0
    pause: float = 0.5


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Arcs in text form, and the numbers of the disambiguation symbols among the phones."""

    arcs: tuple[str, ...]
    disambiguation: dict[str, int]


@dataclass(frozen=True, slots=True)
class Machine:
    """A transducer: its start, arcs (to, input, output, cost) by state, and final costs."""

    start: int
    arcs: Mapping[int, Sequence[tuple[int, int, int, float]]]
    finals: Mapping[int, float]


def disambiguated(
    entries: Sequence[tuple[str, tuple[str, ...]]],
) -> list[tuple[str, tuple[str, ...]]]:
    """Add #1, #2, ... to entries that sound like another one or begin another one."""
    sounds = Counter(sound for _, sound in entries)
    beginnings = {sound[:end] for _, sound in entries for end in range(1, len(sound))}
    used: Counter[tuple[str, ...]] = Counter()
    marked = []
    for word, sound in entries:
        if sounds[sound] > 1 or sound in beginnings:
            used[sound] += 1
            marked.append((word, (*sound, f"#{used[sound]}")))
        else:
            marked.append((word, sound))
    return marked


@dataclass(slots=True)
class _Builder:
    """Collects arcs; `symbols` numbers the input symbols."""

    symbols: dict[str, int]
    pause_cost: float
    no_pause_cost: float
    arcs: list[str] = field(default_factory=list)
    states: int = _PAUSED + 1

    def state(self) -> int:
        self.states += 1
        return self.states - 1

    def arc(self, source: int, target: int, symbol: str, output: int = 0, cost: float = 0) -> None:
        self.arcs.append(f"{source} {target} {self.symbols[symbol]} {output} {cost:.5f}")

    def word_end(self, source: int, symbol: str, output: int = 0, cost: float = 0) -> None:
        """Go on to the next word, at once or through a pause."""
        self.arc(source, _LOOP, symbol, output, cost + self.no_pause_cost)
        self.arc(source, _PAUSE, symbol, output, cost + self.pause_cost)


def compose_lexicon(
    vocabulary: Vocabulary, words: Sequence[str], bigram: npt.NDArray[np.float64], costs: Costs
) -> Lexicon:
    """Return the lexicon of all words, each sound of each, and [unk] as a loop of phones."""
    numbers = {word: number for number, word in enumerate(words)}
    entries = sorted(
        {(w, phones.in_word(p)) for w in vocabulary.all_words for p in vocabulary.pronunciations(w)}
    )
    marked = disambiguated(entries)
    marks = max((int(s[-1][1:]) for _, s in marked if s[-1].startswith("#")), default=0)
    extra = [f"#{number}" for number in range(marks + 3)]  # #0, the marks, the pause, [unk]
    disambiguation = {mark: len(phones.POSITIONED) + 1 + i for i, mark in enumerate(extra)}
    builder = _Builder(
        {"<eps>": 0} | phones.PHONE_ID | disambiguation,
        -math.log(costs.pause),
        -math.log(1 - costs.pause),
    )
    builder.word_end(_START, "<eps>")
    builder.arc(_PAUSE, _PAUSED, phones.SIL)
    builder.arc(_PAUSED, _LOOP, extra[-2])
    for word, sound in marked:
        _add_word(builder, numbers[word], sound)
    _add_unknown(builder, numbers["[unk]"], extra[-1], bigram, costs)
    return Lexicon((*builder.arcs, str(_LOOP)), disambiguation)


def _add_word(builder: _Builder, number: int, sound: tuple[str, ...]) -> None:
    state = _LOOP
    for index, phone in enumerate(sound):
        output = number if index == 0 else 0
        if index == len(sound) - 1:
            builder.word_end(state, phone, output)
        else:
            following = builder.state()
            builder.arc(state, following, phone, output)
            state = following


def _add_unknown(
    builder: _Builder, number: int, mark: str, bigram: npt.NDArray[np.float64], costs: Costs
) -> None:
    """Add [unk]: two phones or more, by the phone bigram, behind a mark of its own.

    The mark keeps the lexicon determinisable although the loop sounds like every word.
    """

    def cost(before: int, phone: str) -> float:
        return float(costs.unknown_phone - bigram[before, phones.INDEX[phone]])

    entry = builder.state()
    builder.arc(_LOOP, entry, mark, number, costs.unknown)
    after = {phone: builder.state() for phone in g2p.PHONES}
    for phone, state in after.items():
        builder.arc(entry, state, phone + "_B", cost=cost(0, phone))
        for following, target in after.items():
            price = cost(phones.INDEX[phone], following)
            builder.arc(state, target, following + "_I", cost=price)
            builder.word_end(state, following + "_E", cost=price)


def read_text(path: Path) -> Machine:
    """Read what fstprint writes; the first line's state is the start."""
    arcs: dict[int, list[tuple[int, int, int, float]]] = {}
    finals: dict[int, float] = {}
    start = -1
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        source = int(fields[0])
        start = source if start < 0 else start
        if len(fields) <= 2:
            finals[source] = float(fields[1]) if len(fields) == 2 else 0.0
        else:
            target, symbol, output = map(int, fields[1:4])
            price = float(fields[4]) if len(fields) == 5 else 0.0
            arcs.setdefault(source, []).append((target, symbol, output, price))
    return Machine(start, arcs, finals)


def phones_to_transitions(machine: Machine, disambiguation: Mapping[str, int]) -> list[str]:
    """Return the arcs of H o C o L for monophones.

    Each phone arc takes its forward transition, and the state it leads to carries the phone's
    self-loop (Kaldi's "reordered" form).
    """
    marks = {
        symbol: phones.TRANSITIONS + 1 + index
        for index, symbol in enumerate(sorted(disambiguation.values()))
    }
    numbers: dict[tuple[int, int], int] = {(machine.start, 0): 0}
    waiting = [(machine.start, 0)]
    lines = []

    def number(state: tuple[int, int]) -> int:
        if state not in numbers:
            numbers[state] = len(numbers)
            waiting.append(state)
        return numbers[state]

    while waiting:
        here = waiting.pop()
        state, phone = here
        source = numbers[here]
        for target, symbol, output, price in machine.arcs.get(state, ()):
            enters = symbol if 0 < symbol <= len(phones.POSITIONED) else 0
            label = phones.forward_transition(enters) if enters else marks.get(symbol, 0)
            lines.append(f"{source} {number((target, enters))} {label} {output} {price:.5f}")
        if phone:
            lines.append(f"{source} {source} {phones.loop_transition(phone)} 0 0")
        if state in machine.finals:
            lines.append(f"{source} {machine.finals[state]:.5f}")
    return lines
