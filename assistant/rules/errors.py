"""What can go wrong in the core. Every error carries a code that the phrases translate."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.rules.calls import Call


class Translatable(str):
    """An English sentence that keeps its pattern and its words, so that it can be translated.

    ``Translatable("There is no file {path}.", path=path)`` is the text "There is no file x.wav.".
    Its ``key`` is the pattern, by which a language's file of sentences has the translation. The
    words may be sentences and errors themselves.
    """

    __slots__ = ("key", "words")
    key: str
    words: dict[str, object]

    def __new__(cls, pattern: str, /, **words: object) -> Translatable:
        """Fill the words into the braces of the pattern."""
        made = super().__new__(cls, pattern.format(**words))
        parts = list(Formatter().parse(pattern))
        made.key = "".join(
            _escaped(before) + ("" if name is None else f"{{{name}}}") for before, name, *_ in parts
        )
        made.words = dict(words)
        for _, name, spec, mark in parts:
            if name and (spec or mark):  # already formatted, because translations have no format
                mark = f"!{mark}" if mark else ""
                made.words[name] = f"{{0{mark}:{spec}}}".format(words[name])
        return made

    def __str__(self) -> str:
        """The sentence itself, so that the text of an error keeps its pattern, too."""
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """The arguments from which copies are made."""
        return (self.key,), self.words


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


class MusError(Exception):
    """Base of every error that the project raises on purpose; its text is one sentence for people.

    ``MusError("There is no file {path}.", path=path)`` is said in the language of the terminal.
    """

    def __init__(self, message: str = "", /, **words: object) -> None:
        super().__init__(Translatable(message, **words) if words else message)


class CardError(MusError, ValueError):
    """A card or a hand that does not exist."""


class ProfileError(MusError, ValueError):
    """House rules that no table can play; ``key`` is the rule to look at, where there is one."""

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key


class HistoryError(MusError, ValueError):
    """Records that do not fold into a game, or a retraction that would leave such records."""


class CallError(MusError):
    """A call that moved nothing.

    ``code`` names the reason (a key of the phrase files), ``call`` is what was understood, if
    anything was, and ``params`` fill the sentence.
    """

    def __init__(self, code: str, message: str, call: Call | None = None, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.call = call
        self.params = params


class IllegalCall(CallError):  # noqa: N818 - the terms of every notation parser
    """A call that the rules do not allow now."""


class AmbiguousCall(CallError):  # noqa: N818
    """A call with two readings; ``options`` holds the calls it may have meant."""

    def __init__(
        self,
        code: str,
        message: str,
        call: Call | None = None,
        options: tuple[Call, ...] = (),
        **params: object,
    ) -> None:
        super().__init__(code, message, call, **params)
        self.options = options
