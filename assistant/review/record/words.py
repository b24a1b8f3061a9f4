"""The record's own sentences: one TOML file for each language, which players may edit.

What happened is told by the phrases; these are the headings and reasons of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from string import Formatter

from assistant.review.record.build import ROWS
from assistant.rules.errors import MusError
from assistant.rules.events import How
from assistant.rules.profile import Profile


class RecordWordsError(MusError):
    """A file of sentences that cannot be used; the text names the sentence."""


_SHAPE: dict[str, str] = {
    "page.title": "table",
    "page.players": "sides",
    "page.side": "names side",
    "page.versus": "",
    "page.seats": "seats",
    "page.began": "date time",
    "page.score": "score",
    "page.score_side": "side stones",
    "page.juegos": "juegos",
    "page.winner": "side",
    "page.left_out": "n",
    "page.legend": "",
    "page.rules_default": "",
    "page.rules": "",
    "page.rule": "key value meaning",
    "deal.title": "deal",
    "deal.mano": "name",
    "deal.times": "began ended",
    "deal.running": "",
    "deal.before": "score",
    "deal.after": "score",
    "said.title": "",
    "said.not_kept": "",
    "said.silent": "",
    "said.inferred_turn": "name",
    "said.inferred_pair": "name",
    "said.inferred_voice": "name",
    "said.inferred": "name",
    "said.taken_back": "time",
    "said.taken_back_by": "time words",
    "said.lost": "",
    "said.more_talk": "n",
    "verdict.ask": "text",
    "verdict.refused": "text",
    "verdict.ignored": "text",
    "verdict.told": "text",
    "lances.title": "",
    "lances.lance": "",
    "lances.how": "",
    "lances.bets": "",
    "lances.agreed": "",
    "lances.winner": "",
    "lances.cards": "",
    "lances.won": "",
    "lances.none": "",
    "lances.by": "side name",
    "bet.bet": "stones name",
    "bet.raise": "stones name total",
    "bet.ordago": "name",
    "hands.title": "",
    "hands.player": "",
    "hands.cards": "",
    "hands.pares": "",
    "hands.juego": "",
    "hands.said": "",
    "hands.worth": "text stones",
    "hands.points": "points",
    "hands.no_pares": "",
    "hands.pares_yes": "",
    "hands.pares_no": "",
    "hands.juego_yes": "",
    "hands.juego_no": "",
    "moves.title": "",
    "moves.none": "",
    "moves.when": "",
    "moves.stones": "",
    "moves.side": "",
    "moves.why": "",
    "moves.rule": "",
    "moves.score": "",
    "moves.capped": "text",
    "moves.note": "text note",
    "moves.lance": "lance text",
    "when.at_once": "",
    "when.count": "",
    "when.table": "",
    "when.end": "",
    "decisions.title": "",
    "checks.title": "",
    "checks.agrees": "",
    "checks.differs": "",
    "checks.sum": "about says found",
    "checks.prize": "about says found",
    "checks.winner": "about says found",
    "checks.skipped": "",
    "list.title": "",
    "list.empty": "",
    "list.table": "table date began ended sides score",
    "list.more": "n",
    **{f"how.{how}": "" for how in How},
    **{f"why.{code}": "" for code in ROWS},
    **{f"rules.{field.name}": "" for field in fields(Profile)},
}
"""Every sentence and the words that the code fills into it."""


@dataclass(frozen=True, slots=True)
class RecordWords:
    """The sentences of one language by key ("deal.title")."""

    texts: Mapping[str, str]

    def __call__(self, key: str, /, **words: str | int) -> str:
        """The sentence ``key`` with its words filled in."""
        return self.texts[key].format(**words)


def words_from(mapping: Mapping[str, object]) -> RecordWords:
    """Check a parsed file. Raises RecordWordsError with one sentence that names what is wrong."""
    texts = dict(_flatten(mapping))
    for key in texts:
        if key not in _SHAPE:
            raise RecordWordsError(f"{key}: the record has no such sentence; is it misspelt?")
    for key, allowed in _SHAPE.items():
        if key not in texts:
            raise RecordWordsError(f"{key}: this sentence of the record is missing.")
        _check(key, texts[key], set(allowed.split()))
    return RecordWords(texts)


def _flatten(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{key}.")
        elif isinstance(value, str):
            yield key, value
        else:
            raise RecordWordsError(f"{key}: a sentence is a text in quotes, not {value!r}.")


def _check(key: str, text: str, allowed: set[str]) -> None:
    try:
        asked = [(name, spec, mark) for _, name, spec, mark in Formatter().parse(text) if name]
    except ValueError as error:
        raise RecordWordsError(f"{key}: {text!r} has an unpaired brace.") from error
    for name, spec, mark in asked:
        if name not in allowed or spec or mark:
            known = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "no words in braces"
            raise RecordWordsError(f"{key}: {{{name}}} is not known here; it may hold {known}.")
