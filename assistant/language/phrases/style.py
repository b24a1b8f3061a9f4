"""A caller's style: how the voice words its sentences, how much it says, and how fast it speaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from assistant.language.phrases.keys import LEFT_OUT, SHAPE, STYLED
from assistant.language.phrases.saying import Level
from assistant.language.sentences import SentenceError, check_sentence

TEMPO = (0.7, 1.4)
PITCH = (0, 99)
PAUSE = (0.0, 1.5)
HEAD = (
    *("title", "explains", "like"),
    *("tells", "turns", "count", "tempo", "pitch", "pause", "tones", "words"),
)
TELLS = (Level.ESSENTIAL, Level.FULL)
LANCES, SUMS = "lances", "sums"
LONGEST = 160
"""The most letters of a wording; a table waits for whoever speaks longer."""
MOST = 8
"""The most wordings of a sentence."""

Wordings = Mapping[str, tuple[str, ...]]
"""Key of a sentence, as "say.cut" -> its wordings, which take turns; one that is "" is left out."""


@dataclass(frozen=True, slots=True)
class Style:
    """A caller's style.

    title, explains  what people call it, and one sentence about it, by language
    tells   the least that it says: the essentials, or every call
    turns   whether it says whose turn it is at each lance, even if it says only the essentials
    sums    whether a count gives each side's sum instead of its lances
    tempo   a factor of the voice's rate; pitch: 0 to 99, 50 is the voice's own
    pause   seconds of silence between two sentences, beyond what the voice makes itself
    tones   whether tones sound before an órdago, the end of a juego and that of the match
    words   its own wordings by language; what it does not word is said in the plain sentence
    """

    name: str
    title: Mapping[str, str]
    explains: Mapping[str, str]
    tells: Level = Level.ESSENTIAL
    turns: bool = False
    sums: bool = False
    tempo: float = 1.0
    pitch: int = 50
    pause: float = 0.0
    tones: bool = True
    words: Mapping[str, Wordings] = field(default_factory=dict)

    def of(self, language: str) -> Wordings:
        """Its wordings in a language; none if it has nothing of its own there."""
        return self.words.get(language, {})

    def level(self, asked: Level) -> Level:
        """The level at which it speaks, given the level of the settings. Silent stays silent."""
        return self.tells if asked is Level.ESSENTIAL else asked


def style_from(table: Mapping[str, object], name: str, like: Style | None = None) -> Style:
    """Check a parsed style. What it leaves open is as in ``like``. Raises SentenceError."""
    for key in table:
        if key not in HEAD:
            raise SentenceError(
                "{key!r} is unknown; a style has {known}.", key=key, known=", ".join(HEAD)
            )
    base = like or Style(name, {}, {})
    words = {code: dict(wordings) for code, wordings in base.words.items()}
    for code, wordings in _words(table.get("words", {})):
        words.setdefault(code, {}).update(wordings)
    return Style(
        name=name,
        title=_texts("title", table.get("title"), base.title),
        explains=_texts("explains", table.get("explains"), base.explains),
        tells=_tells(table.get("tells", str(base.tells))),
        sums=_one_of("count", table.get("count", SUMS if base.sums else LANCES), (LANCES, SUMS))
        == SUMS,
        turns=_flag("turns", table.get("turns", base.turns)),
        tempo=_number("tempo", table.get("tempo", base.tempo), *TEMPO),
        pitch=round(_number("pitch", table.get("pitch", base.pitch), *PITCH)),
        pause=_number("pause", table.get("pause", base.pause), *PAUSE),
        tones=_flag("tones", table.get("tones", base.tones)),
        words=words,
    )


def _tells(value: object) -> Level:
    return Level(_one_of("tells", value, tuple(map(str, TELLS))))


def _one_of(key: str, value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise SentenceError("{key} is one of {known}.", key=key, known=", ".join(known))
    return str(value)


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise SentenceError("{key} is true or false.", key=key)
    return value


def _number(key: str, value: object, least: float, most: float) -> float:
    if type(value) not in (int, float) or not least <= float(str(value)) <= most:
        raise SentenceError(
            "{key} is a number from {least} to {most}.", key=key, least=least, most=most
        )
    return float(str(value))


def _texts(key: str, value: object, otherwise: Mapping[str, str]) -> Mapping[str, str]:
    """A text for all languages, or one by language."""
    if value is None and otherwise:
        return otherwise
    if isinstance(value, str):
        value = {"": value}
    if not isinstance(value, dict) or not value or not all(map(_is_line, value.values())):
        raise SentenceError('{key} is missing: write {key} = "..." in words.', key=key)
    return dict(value)


def _is_line(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST and value.isprintable()


def _words(table: object) -> Iterator[tuple[str, Wordings]]:
    if not isinstance(table, Mapping) or not all(isinstance(v, Mapping) for v in table.values()):
        raise SentenceError("write a style's sentences as in the phrase file: [words.es.say].")
    for code, sections in table.items():
        yield str(code), {key: _wordings(code, key, value) for key, value in _flat(sections, "")}


def _flat(table: Mapping[str, object], before: str) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _wordings(code: str, key: str, value: object) -> tuple[str, ...]:
    """The wordings of one sentence: a text, or a list of texts."""
    where = f"{code}.{key}"
    if key not in SHAPE or key.split(".")[0] not in STYLED:
        raise SentenceError("{key}: a style words no such sentence.", key=where)
    wordings = tuple(value) if isinstance(value, list) else (value,)
    if not 1 <= len(wordings) <= MOST or not _are_texts(wordings):
        raise SentenceError(
            "{key}: write a text, or a list of {most} at most.", key=where, most=MOST
        )
    for one in wordings:
        if not one and key not in LEFT_OUT:
            raise SentenceError("{key}: the table needs this sentence; word it.", key=where)
        if len(one) > LONGEST or not (one == "" or one.isprintable()):
            raise SentenceError("{key}: {most} plain letters at most.", key=where, most=LONGEST)
        check_sentence(where, one, SHAPE[key])
    return wordings


def _are_texts(values: tuple[object, ...]) -> TypeGuard[tuple[str, ...]]:
    return all(isinstance(value, str) for value in values)
