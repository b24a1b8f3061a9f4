"""The sentences of the terminal in the language of this machine: help, output and errors.

The code has every sentence in English, and that is the key of its translation: a language has its
help in ``command_line.toml``, the output of commands in ``output.toml`` and the errors in
``errors.toml``. A sentence without a translation is said in English.
"""

from __future__ import annotations

import logging
import os
import re
from collections import ChainMap
from collections.abc import Mapping
from contextvars import ContextVar
from functools import lru_cache

from assistant.files.resources import SPANISH, languages, load_toml, text_file
from assistant.files.settings import read_settings
from assistant.rules.errors import MusError, Translatable

ENGLISH = "en"
"""The language of the code, which needs no files here."""
COMMAND_LINE, OUTPUT, ERRORS = "command_line", "output", "errors"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that name a machine's language, the strongest first, as gettext reads them."""
NOBODYS = frozenset(("", "c", "posix"))
"""Locales of no language."""


ASKED_LANGUAGE: ContextVar[str] = ContextVar("ASKED_LANGUAGE", default="")
"""The language that the command line asks for, or ""."""


def terminal_language() -> str:
    """The language of the terminal: the one asked for, that of the settings, or the machine's.

    If the machine names none, it is Spanish, as at the table; if there are no files for its
    language, it is English. A language that is asked for and unknown is refused in the others.
    """
    known = (*languages(COMMAND_LINE), ENGLISH)
    if ASKED_LANGUAGE.get() in known:
        return ASKED_LANGUAGE.get()
    for codes in ([_setting()], _of_the_machine()):
        if any(codes):
            return next((code for code in codes if code in known), ENGLISH)
    return SPANISH


def _setting() -> str:
    try:
        return str(read_settings().get("language", ""))
    except (MusError, OSError):  # which may be what has to be said
        return ""


def _of_the_machine() -> list[str]:
    value = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")
    codes = [re.split("[_.@-]", one)[0].lower() for one in value.split(":")]
    return [code for code in codes if code not in NOBODYS]


@lru_cache
def terminal_texts(name: str, language: str) -> Mapping[str, str]:
    """English -> translation; empty for English, and if the file cannot be used."""
    if language == ENGLISH:
        return {}
    try:
        sections = load_toml(text_file(name, language)).values()
    except (MusError, OSError):
        return {}
    return {
        english: text
        for section in sections
        if isinstance(section, dict)
        for english, text in section.items()
        if isinstance(text, str)
    }


def help_text(text: str) -> str:
    """A text of the help in the language of the terminal."""
    return translated(text, terminal_texts(COMMAND_LINE, terminal_language()))


def output_text(text: str, /, **words: object) -> str:
    """A text that a command prints, in the language of the terminal, with its words filled in.

    The words may be texts of the output and errors themselves.
    """
    return translated(Translatable(text, **words), printed_texts(terminal_language()))


def output_word(text: str) -> str:
    """A text of the data or a name of the code, in the language of the terminal if it is known."""
    return translated(text, printed_texts(terminal_language()))


def printed_texts(language: str) -> Mapping[str, str]:
    """English -> translation, of what the commands print and of the errors."""
    return ChainMap(dict(terminal_texts(OUTPUT, language)), dict(terminal_texts(ERRORS, language)))


def in_terminal_language(told: str | BaseException) -> str:
    """An error or a sentence as the terminal says it; see ``terminal_language``."""
    return translated(told, printed_texts(terminal_language()))


def translated(told: str | BaseException, texts: Mapping[str, str]) -> str:
    """An error or a sentence by a language's texts, and in English where they lack it."""
    text = str(told) if isinstance(told, BaseException) else told
    if isinstance(text, Translatable):
        words = {name: _word(word, texts) for name, word in text.words.items()}
        try:
            return texts.get(text.key, text.key).format(**words)
        except (KeyError, IndexError, ValueError):  # a file that was edited
            return text.key.format(**words)
    return texts.get(text, text)


def decimal_text(number: str) -> str:
    """A number with the decimal comma or point of the terminal's language."""
    return number if terminal_language() == ENGLISH else number.replace(".", ",")


class TerminalFormatter(logging.Formatter):
    """Warnings as the terminal shows them: in its language. Log files keep the English."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The line of a record; its words are translated like those of an error."""
        texts = printed_texts(terminal_language())
        if isinstance(record.args, tuple):
            words = tuple(_word(word, texts) for word in record.args)
            told = translated(str(record.msg), texts)
            try:
                told = told % words if words else told
            except (TypeError, ValueError):  # a file that was edited
                told = record.message
            record = logging.makeLogRecord({**record.__dict__, "message": told})
        return super().formatMessage(record)


def _word(word: object, texts: Mapping[str, str]) -> object:
    return translated(word, texts) if isinstance(word, str | BaseException) else word
