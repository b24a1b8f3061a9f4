"""The words of a chronicle: one TOML file for each language, which players may edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from assistant.chronicle.disputes import KINDS, RETRACTED
from assistant.chronicle.points import WHYS
from assistant.rules.errors import MusError
from assistant.rules.events import How, WonBy
from assistant.rules.hands import ParesKind
from assistant.rules.phases import Lance


class ChronicleWordsError(MusError):
    """A file of words that cannot be used; the text names the word."""


_SHAPE: dict[str, str] = {
    "names.comma": "",
    "names.and": "first last",
    "names.and_soft": "first last",
    "names.soft_before": "",
    "names.versus": "one other",
    "score.title": "",
    "score.told": "side stones juegos",
    "score.side": "side juegos",
    "score.stones": "",
    "score.deals": "",
    "score.adentro": "",
    "score.juego": "n",
    "score.running": "n",
    "score.won": "n side by",
    "score.none": "",
    "lances.title": "",
    "lances.told": "lance side n",
    "lances.count": "",
    "lances.legend": "",
    "deal.title": "n",
    "deal.voided": "n",
    "deal.juego": "n",
    "deal.mano": "",
    "deal.hand": "name cards worth",
    "deal.hidden": "name",
    "deal.points": "n",
    "deal.has_juego": "n",
    "deal.bet": "n",
    "deal.raise": "n",
    "deal.agreed": "how n",
    "deal.won": "side n",
    "deal.won_juego": "side",
    "deal.uncounted": "",
    "deal.nobody": "",
    "deal.open": "",
    "deal.not_shown": "",
    "deal.juego_won": "side by",
    "text.title": "sides",
    "text.winner": "side",
    "text.played": "deals juegos",
    "text.juegos": "",
    "text.vacas": "",
    "text.stones": "",
    "text.lances": "",
    "text.highest_won": "",
    "text.highest": "n lance deal side",
    "text.longest": "n lance deal side",
    "text.ordago": "deal lance name answer",
    "text.accepted": "side",
    "text.refused": "side",
    "text.nobody": "",
    "text.by_nobody": "",
    "text.dispute": "deal kind what reason",
    "text.dispute_plain": "deal kind what",
    **{f"lance.{lance}": "" for lance in Lance},
    **{f"how.{how}": "" for how in How},
    **{f"why.{why}": "" for why in WHYS},
    **{f"by.{by}": "" for by in WonBy},
    **{f"pares.{kind.name.lower()}": "" for kind in ParesKind},
    **{f"dispute.{kind}": "" for kind in (*KINDS.values(), RETRACTED)},
}
"""Every text and the words that the code fills into it."""


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language by key ("score.title")."""

    texts: Mapping[str, str]

    def __call__(self, key: str, /, **words: str | int) -> str:
        """The text ``key`` with its words filled in."""
        return self.texts[key].format(**words)

    def names(self, names: Iterable[str]) -> str:
        """Names as a list: "Norte y Sur", "Ana e Iñaki"."""
        *first, last = names
        if not first:
            return last
        soft = last.lower().startswith(tuple(self.texts["names.soft_before"].split()))
        before = self.texts["names.comma"].join(first)
        return self("names.and_soft" if soft else "names.and", first=before, last=last)


def words_from(mapping: Mapping[str, object], shape: Mapping[str, str] | None = None) -> Words:
    """Check a parsed file, of a chronicle or of what has another ``shape``: key -> its words.

    Raises ChronicleWordsError with one sentence of what is wrong.
    """
    wanted = _SHAPE if shape is None else shape
    texts = dict(_flatten(mapping))
    for key in texts:
        if key not in wanted:
            raise ChronicleWordsError(f"{key}: there is no such text; is it misspelt?")
    for key, allowed in wanted.items():
        if key not in texts:
            raise ChronicleWordsError(f"{key}: this text is missing.")
        _check(key, texts[key], frozenset(allowed.split()))
    return Words(texts)


def _flatten(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{before}{name}.")
        elif isinstance(value, str):
            yield f"{before}{name}", value
        else:
            raise ChronicleWordsError(f"{before}{name}: a text stands in quotes, unlike {value!r}.")


def _check(key: str, text: str, allowed: frozenset[str]) -> None:
    try:
        asked = [part[1:] for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise ChronicleWordsError(f"{key}: {text!r} has an unpaired brace.") from error
    for name, spec, mark in asked:
        if name not in allowed or spec or mark:
            known = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "no words in braces"
            raise ChronicleWordsError(f"{key}: {{{name}}} is not known here; it may hold {known}.")
