"""The command ``mus``: one subcommand for each job, one sentence for each error."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

from assistant import __version__
from assistant.files.process import UsageError
from assistant.files.terminal import (
    ASKED_LANGUAGE,
    COMMAND_LINE,
    in_terminal_language,
    terminal_language,
    terminal_texts,
    translated,
)
from assistant.rules.errors import MusError, Translatable

COMMANDS = {
    "cli.mus_play": ("play",),
    "cli.mus_practice": ("practice",),
    "cli.mus_score": ("score",),
    "review.mus_record": ("record",),
    "cli.mus_report": ("report",),
    "review.mus_season": ("season",),
    "review.mus_chronicle": ("chronicle",),
    "hall.mus_hub": ("hub",),
    "hall.mus_tournament": ("tournament",),
    "eye.mus_cards": ("cards",),
    "eye.mus_deck": ("deck",),
    "eye.mus_calibrate": ("calibrate",),
    "cli.mus_profiles": ("profiles",),
    "cli.mus_settings": ("settings",),
    "cli.mus_voice": ("voice",),
    "cli.mus_doctor": ("doctor",),
    "speakers.mus_enrol": ("enrol",),
    "cli.mus_export": ("export", "import"),
    "school.lessons.mus_glossary": ("glossary",),
    "school.lessons.mus_lessons": ("lessons", "lesson"),
    "school.drills.mus_drills": ("drills", "drill"),
    "ear.mus_models": ("models",),
    "cli.mus_odds": ("hand", "odds"),
    "school.lessons.mus_senas": ("senas",),
    "ear.mus_transcribe": ("transcribe",),
}
"""Module of ``assistant`` -> the commands that its ``add_parser`` declares; in the help's order."""
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


class _HelpFormatter(argparse.HelpFormatter):
    """The layout of the help, without line breaks at the hyphen of a name or an option."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = self._split_lines(text, width - len(indent))
        return "\n".join(f"{indent}{line}" for line in lines)


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong option like every other mistake: in one sentence.

    It writes its help in the language of the terminal. The parsers of the commands are of this
    class, too. Its texts stay English until one is needed, so that a command which needs none
    reads no file of them.
    """

    _translated = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _HelpFormatter, **options})

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            if action.type is int:
                told = Translatable("{value!r} is no whole number", value=arg_string)
            elif action.type is float:
                told = Translatable("{value!r} is no number", value=arg_string)
            else:
                raise
            raise argparse.ArgumentError(action, told) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError:
            alike = difflib.get_close_matches(str(value), map(str, action.choices or ()), n=1)
            if not alike:
                raise
            told = Translatable(
                "there is no {value!r}: did you mean {alike!r}?", value=value, alike=alike[0]
            )
            raise argparse.ArgumentError(action, told) from None

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        wrong = sys.exception()
        if isinstance(wrong, argparse.ArgumentError) and isinstance(wrong.message, Translatable):
            ours = in_terminal_language(wrong.message)
            message = message.replace(wrong.message, ours)
        told = message[:1].upper() + message[1:].rstrip(".")
        raise UsageError(
            "{told}; '{command} --help' tells how it is used.", told=told, command=self.prog
        )

    def format_help(self) -> str:
        """The help, in the language of the terminal."""
        self.translate()
        with _argparse_translated():
            return super().format_help()

    def format_usage(self) -> str:
        """The usage, in the language of the terminal."""
        self.translate()
        with _argparse_translated():
            return super().format_usage()

    def translate(self) -> None:
        """Put the texts of this parser and of its commands into the language of the terminal."""
        if self._translated:
            return
        self._translated = True
        texts = terminal_texts(COMMAND_LINE, terminal_language())
        self.description = self.description and translated(self.description, texts)
        self.epilog = self.epilog and translated(self.epilog, texts)
        for group in self._action_groups:
            group.title = group.title and translated(group.title, texts)
        for action in self._actions:
            for one in (action, *_commands_of(action)):
                if one.help and one.help != argparse.SUPPRESS:
                    one.help = translated(one.help, texts)
                one.metavar = _placeholder(one, texts)
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    parser.translate()


def _commands_of(action: argparse.Action) -> list[argparse.Action]:
    """The lines of the help for the commands of a parser."""
    return action._choices_actions if isinstance(action, argparse._SubParsersAction) else []


def _placeholder(action: argparse.Action, texts: Mapping[str, str]) -> str | tuple[str, ...] | None:
    """The placeholder of an argument in the help, in the terminal's language."""
    shown = action.metavar
    if shown is None and action.nargs != 0 and action.choices is None:
        shown = action.dest.upper() if action.option_strings else action.dest
    if isinstance(shown, tuple):
        return tuple(_words_of_placeholder(one, texts) for one in shown)
    return shown and _words_of_placeholder(shown, texts)


def _words_of_placeholder(shown: str, texts: Mapping[str, str]) -> str:
    return re.sub(r"\b[A-Z]{2,}\b", lambda word: texts.get(word[0], word[0]), shown)


@contextmanager
def _argparse_translated() -> Iterator[None]:
    """Let argparse say its own words ("usage: ", "expected one argument") as the terminal does.

    It asks gettext for them, by these two names, and gettext would need compiled files.
    """
    texts = terminal_texts(COMMAND_LINE, terminal_language())
    names = vars(argparse)
    before = {name: names[name] for name in ("_", "ngettext")}
    names["_"] = lambda text: texts.get(text, text)
    names["ngettext"] = lambda one, many, n: names["_"](one if n == 1 else many)
    try:
        yield
    finally:
        names.update(before)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0, 1 (it ran, the answer is no) or 2 (it could not run)."""
    # Before NumPy is loaded: hearing, learning and seeing go on side by side, and where all cores
    # are busy OpenBLAS's threads mostly wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = sys.argv[1:] if argv is None else argv
    ASKED_LANGUAGE.set(_asked_language(words))
    try:
        args = _parsed(words)
        _finish_renames()
        status: int = args.run(args)
        if sys.stdout:  # a shell may have closed it
            sys.stdout.flush()  # here, where an error can still be reported
    except MusError as error:
        print(f"mus: {in_terminal_language(error)}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _forget_output()  # the reader of a pipe has seen enough
        return 0
    except OSError as error:
        _forget_output()
        print(f"mus: {in_terminal_language(_sentence(error))}", file=sys.stderr)
        return EXIT_USAGE
    return status


def _asked_language(words: Sequence[str]) -> str:
    """The language that the command line asks for: "eu" of ``--language eu``, or nothing."""
    for word, after in pairwise((*words, "")):
        option, _, value = word.partition("=")
        if option.startswith("--lang") and "--language".startswith(option):
            return value or after
    return ""


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """The arguments. Raises UsageError in the language of the terminal."""
    parser = _parser(_asked_modules(words))
    try:
        return parser.parse_args(words)
    except UsageError:
        parser.translate()
        with _argparse_translated():
            return parser.parse_args(words)  # to be refused again, in other words


def _finish_renames() -> None:
    """Finish the renames that a power cut interrupted, and say so."""
    from assistant.files.atomic import finish_renames, log_path

    told = None
    try:
        if what := finish_renames():
            told = Translatable(
                "What a power cut interrupted has been finished: {what}.", what=what
            )
    except OSError as error:
        told = Translatable(
            "{log}: what a power cut interrupted cannot be finished yet ({why}).",
            log=log_path(),
            why=error.strerror,
        )
    if told:
        print(f"mus: {in_terminal_language(told)}", file=sys.stderr)


def _forget_output() -> None:
    """Keep the interpreter from an error when it flushes output that nobody reads."""
    if sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(error: OSError) -> str:
    if error.strerror is None:
        return str(error)  # one of ours, as of a lost folder
    if not error.filename:
        return Translatable("The output cannot be used: {why}.", why=error.strerror)
    return Translatable("{file} cannot be used: {why}.", file=error.filename, why=error.strerror)


def _asked_modules(words: Sequence[str]) -> Collection[str]:
    """The modules that declare the command asked for; all of them if there is no such command.

    Importing all of them takes seconds on a small computer. The version needs none.
    """
    first = words[0] if words else ""
    if first == "--version":
        return ()
    return [module for module, names in COMMANDS.items() if first in names] or COMMANDS


def _parser(modules: Collection[str] = COMMANDS) -> _Parser:
    """The parser of these modules' commands."""
    parser = _Parser(
        prog="mus",
        description="Mus table assistant: hears the calls, keeps the stones, says and shows them.",
    )
    parser.add_argument("--version", action="version", version=f"mus {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in modules:
        # Here and not at the top, so that Ctrl-C during the imports ends quietly.
        import_module(f"assistant.{name}").add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
