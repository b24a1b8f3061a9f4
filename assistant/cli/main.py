"""The command ``mus``: one subcommand a job, one sentence for each thing that goes wrong."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from assistant import __version__
from assistant.files.process import UsageError
from assistant.rules.errors import MusError

COMMANDS = (
    "cli.mus_play",
    "cli.mus_practice",
    "cli.mus_score",
    "review.mus_record",
    "review.mus_report",
    "review.mus_chronicle",
    "hall.mus_hub",
    "eye.mus_cards",
    "eye.mus_deck",
    "eye.mus_calibrate",
    "cli.mus_profiles",
    "cli.mus_settings",
    "cli.mus_doctor",
    "speakers.mus_enrol",
    "cli.mus_export",
    "school.lessons.mus_glossary",
    "school.lessons.mus_lessons",
    "ear.mus_models",
    "cli.mus_odds",
    "school.lessons.mus_senas",
    "ear.mus_transcribe",
)
"""Modules of ``assistant``, each with ``add_parser``, in the order of the help."""
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong option like every other mistake: in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError; the parsers of the commands are of this class, too."""
        told = message[:1].upper() + message[1:].rstrip(".")
        raise UsageError(f"{told}; '{self.prog} --help' tells how it is used.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0, 1 (it ran, the answer is no) or 2 (it could not run)."""
    # Before NumPy is loaded: hearing, learning and seeing go on side by side, and where all cores
    # are busy OpenBLAS's threads mostly wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        args = _parser().parse_args(argv)
        _finish_renames()
        status: int = args.run(args)
        if sys.stdout:  # a shell may have closed it
            sys.stdout.flush()  # here, where an error can still be reported
    except MusError as error:
        print(f"mus: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _forget_output()  # the reader of a pipe has seen enough
        return 0
    except OSError as error:
        _forget_output()
        print(f"mus: {_sentence(error)}", file=sys.stderr)
        return EXIT_USAGE
    return status


def _finish_renames() -> None:
    """Finish the renames that a power cut interrupted, and say so."""
    from assistant.files.atomic import finish_renames, log_path

    try:
        if what := finish_renames():
            print(f"mus: Se ha terminado lo que se cortó a medias: {what}.", file=sys.stderr)
    except OSError as error:
        print(
            f"mus: {log_path()}: lo que se cortó a medias no se puede terminar aún "
            f"({error.strerror}).",
            file=sys.stderr,
        )


def _forget_output() -> None:
    """Keep the interpreter from an error when it flushes output that nobody reads."""
    if sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(error: OSError) -> str:
    if error.strerror is None:
        return str(error)  # one of ours, as of a lost folder
    return f"{error.filename or 'The output'} cannot be used: {error.strerror}."


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="mus",
        description="Mus table assistant: hears the calls, keeps the stones, says and shows them.",
    )
    parser.add_argument("--version", action="version", version=f"mus {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        # Here and not at the top, so that Ctrl-C during the imports (half a second) ends quietly.
        import_module(f"assistant.{name}").add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
