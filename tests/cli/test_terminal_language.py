"""The terminal in the machine's language: help, output, warnings, errors, and argparse's words.

The English of the code is the key of its translation. The checks walk all parsers and all modules,
so that a new option, output or error without its Spanish and Basque fails here.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import logging
import re
import shutil
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from assistant.cli import main as command
from assistant.cli import mus_export, mus_odds
from assistant.cli.main import COMMANDS, main
from assistant.cli.mus_practice import UNNAMED
from assistant.cli.mus_settings import FROM_FILE, FROM_US
from assistant.ear import mus_models
from assistant.ear.catalogue import catalogue
from assistant.eye import mus_cards, mus_deck
from assistant.eye.deck import SUIT_NAMES, deck_paths, load_deck
from assistant.eye.enrol import FAULT_TEXTS
from assistant.eye.read import REASONS
from assistant.files import resources
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages, load_toml, text_file
from assistant.files.settings import _KINDS, HEAD, OPTIONS, write_settings
from assistant.files.terminal import (
    COMMAND_LINE,
    ERRORS,
    OUTPUT,
    TerminalFormatter,
    in_terminal_language,
    output_text,
    output_word,
    terminal_language,
    terminal_texts,
    translated,
)
from assistant.rules.errors import MusError, ProfileError, Translatable
from assistant.rules.phases import Lance
from assistant.rules.profile import OPTIONS as RULES
from assistant.speakers.enrolled import FITTED
from assistant.table.journal.file import _ADVICE
from tests.tables import each_row

TRANSLATED = ("es", "eu")
PACKAGE = Path(command.__file__).parent.parent
COMMAND_FILES = tuple(f"{name.replace('.', '/')}.py" for name in COMMANDS)
BESIDE_THE_COMMANDS = ("cli/main.py", "cli/game.py", "cli/app.py", "cli/play_options.py")
"""Other modules whose words reach the terminal."""

FOR_PROGRAMMERS = (
    *("rules/errors.py", "files/terminal.py"),  # make a Translatable of what others give
    *("language/lexicon/", "language/phrases/", "language/sentences.py", "messages/"),
    *("rules/changes.py", "rules/history.py", "rules/ledger.py", "table/journal/port.py"),
    *("school/lessons/read.py", "telephones/", "hall/tournament/", "hall/hub/desk.py"),
    *(
        "hall/hub/enrolment.py",
        "hall/hub/leases.py",
        "hall/hub/ledger.py",
        "hall/hub/service.py",
        "hall/hub/store.py",
        "hall/hub/wire.py",
    ),
)
"""Modules whose errors stay English: a person at a table does not meet them, or a page says them
by their code."""
FOR_THE_HALL = (
    "hall/mus_hub.py",
    "hall/hub/board.py",
    "hall/hub/calls.py",
    "hall/hub/scoring.py",
)
"""Modules beside these whose warnings are in the hub's log, which is in English."""
TRANSLATORS = {
    *("output_text", "output_word", "help_text", "Translatable", "ArgumentTypeError"),
    *("add_parser", "add_argument", "add_argument_group", "add_subparsers", "_verb", "_Parser"),
}
"""Calls whose texts are translated, each kind by a check of its own."""
WRITERS = re.compile(r"(\w*log|logging|re|json)\.|words$|ValueError$")
"""Calls whose texts no player reads in the terminal, or which take the key of a sentence."""
PRINTERS = ("print", "input", "tell", "ready", "wait_for", "_say", "sys.stdout.write")
"""Calls that write to the terminal."""
WORD = re.compile(r"[^\W\d_]{2,}")
SPACED_WORD = re.compile(r"[^\W\d_]{2,}[^\w]* |  ?[^\W\d_]{2,}|[^\x00-\x7f]+[^\W\d_]")
SENTENCE = re.compile(r"[^\W\d_]{2,}[,:;]? [^\W\d_]")
TECHNICAL = {
    *("mus: ", " MB", "  sha256: ", "mus play --profile ", "mus models use "),
    *('name = "', 'title = "', 'explains = "', 'like = "'),  # of a file of a player's own
    "# mus settings style ",
    "por descargar",  # as JSON has it
    " Por ejemplo: ",  # read aloud with the glossary, which is in Spanish
    "mus enrol NAME PICTURE...",
}
"""What is no text of a language, or of one alone."""
BY_CODE = ("CallError", "IllegalCall", "AmbiguousCall", "TournamentError", "WireError")
"""Errors that carry the code of a sentence, which phrases and pages have in each language."""
NO_PROSE = {", ".join(OPTIONS), "mqtt://hub@localhost"}
"""Texts of the help that are the same in each language."""
ARGPARSE_FOR_PROGRAMMERS = re.compile(
    "__call__|conflict|cannot merge|invalid (argument|option|conflict)|dest=|mutually exclusive|"
    'is not callable|argument "-"|can\'t open|prog\\)s: |deprecated|heading|subcommands|\\(default'
)
"""What argparse says of a parser that is written wrongly, or of what we do not use."""

# ---- What has to be translated ------------------------------------------------------------------


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in {id(one): one for one in action.choices.values()}.values():
                yield from parsers(one)


def key_of(text: str) -> str:
    """What a text's translation is found by."""
    return text.key if isinstance(text, Translatable) else text


@cache
def help_texts() -> dict[str, str]:
    """Every text of the help that a player reads -> the command that has it."""
    found: dict[str, str] = {}
    for parser in parsers(command._parser()):
        texts = [parser.description, parser.epilog]
        texts += [group.title for group in parser._action_groups]
        texts += [group.description for group in parser._action_groups]
        for action in parser._actions:
            texts.append(action.help)
            if isinstance(action, argparse._SubParsersAction):
                texts += [one.help for one in action._choices_actions]
        found |= {key_of(text): parser.prog for text in texts if text and text not in NO_PROSE}
    return found


@cache
def placeholders() -> frozenset[str]:
    """The words in capitals that stand for a value in the help."""
    shown: list[str] = []
    for parser in parsers(command._parser()):
        for action in parser._actions:
            if isinstance(action.metavar, str):
                shown.append(action.metavar)
            elif action.metavar is not None:
                shown += action.metavar
            elif action.nargs != 0 and action.choices is None and action.metavar is None:
                shown.append(action.dest.upper())
    return frozenset(word for one in shown for word in re.findall(r"\b[A-Z]{2,}\b", one))


@cache
def argparse_texts() -> frozenset[str]:
    """What this Python's argparse has gettext translate, and a player may read."""
    found = set()
    for node in ast.walk(ast.parse(Path(argparse.__file__).read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("_", "ngettext"):
            told = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            found |= {text for text in told if isinstance(text, str)}
    return frozenset(text for text in found if not ARGPARSE_FOR_PROGRAMMERS.search(text))


def plain(pattern: str) -> str:
    """The key of a pattern: Translatable does the same with its words."""
    parts = Formatter().parse(pattern)
    return "".join(
        text.replace("{", "{{").replace("}", "}}") + ("" if name is None else f"{{{name}}}")
        for text, name, *_ in parts
    )


def names_in(pattern: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(pattern) if name}


@cache
def error_classes() -> frozenset[str]:
    """The names of MusError and of all that inherit from it."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"MusError"}
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return frozenset(found)


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    return tuple(
        (str(path.relative_to(PACKAGE)), ast.parse(path.read_text("utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    )


def error_texts(tree: ast.Module, errors: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Line and key of each sentence: of a Translatable, and of an error that is made in the module.

    The key is "" where the sentence is put together before, so that nobody could translate it.
    """
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }
    opaque = {
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.JoinedStr)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = ast.unparse(node.func).split(".")[-1]
        words = {word.arg for word in node.keywords if word.arg}
        made = called in errors - frozenset(BY_CODE) or called == "ArgumentTypeError"
        if made and isinstance(node.args[0], ast.Call) and ast.unparse(node.args[0].func) in opaque:
            yield node.lineno, ""
        first = [
            constants.get(arg.id, arg) if isinstance(arg, ast.Name) else arg for arg in node.args
        ]
        texts = [arg.value if isinstance(arg, ast.Constant) else arg for arg in first]
        text = next((text for text in texts if isinstance(text, str | ast.JoinedStr)), None)
        if isinstance(text, ast.JoinedStr):
            if made or called == "Translatable":
                yield node.lineno, ""
        elif isinstance(text, str):
            if words and names_in(text) and names_in(text) <= words:
                yield node.lineno, plain(text)
            elif made:
                yield node.lineno, text
        elif called == "Translatable" and not isinstance(node.args[0], ast.Attribute):
            yield node.lineno, ""


def constants(node: ast.expr) -> Iterator[str | None]:
    """The texts that an expression can be; None for what is not written there."""
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    else:
        text = node.value if isinstance(node, ast.Constant) else None
        yield text if isinstance(text, str) else None


def printed(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and key of each text of the output that stands in its call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("output_text", "output_word"):
            for text in constants(node.args[0]):
                if text is not None:
                    yield node.lineno, plain(text)


def warnings_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and pattern of each warning that the terminal shows of itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            logger = ast.unparse(node.func.value)
            if logger.endswith("log") and node.func.attr in ("warning", "error"):
                yield from ((node.lineno, text or "") for text in constants(node.args[0]))


def unspoken(tree: ast.Module, known: Container[str]) -> Iterator[tuple[int, str]]:
    """Line and text of the words in a command that pass no translator.

    These are the words of an f-string, a sentence that is no key of a translation, and words that
    are handed to what prints.
    """
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))  # a docstring
        elif isinstance(node, ast.Subscript):
            passed |= {id(one) for one in ast.walk(node.slice)}
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called.split(".")[-1] in TRANSLATORS | error_classes() or WRITERS.match(called):
                passed |= {id(one) for one in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in passed:
            for part in node.values:
                if isinstance(part, ast.Constant):
                    passed.add(id(part))
                    text = str(part.value)
                    if text not in TECHNICAL and "<" not in text and SPACED_WORD.search(text):
                        yield node.lineno, text  # "<": HTML
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            sentence = SENTENCE.search(node.value) and node.value not in known
            if id(node) not in passed and sentence and node.value not in TECHNICAL:
                yield node.lineno, node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in PRINTERS:
            for one in (one for arg in node.args for one in ast.walk(arg)):
                said = one.value if isinstance(one, ast.Constant) else None
                if isinstance(said, str) and id(one) not in passed and WORD.search(said):
                    yield node.lineno, said


@cache
def translations(name: str, language: str) -> dict[str, str]:
    """English -> translation; a text that is there twice fails."""
    table = load_toml(text_file(name, language))
    pairs = [(key, text) for section in table.values() for key, text in section.items()]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


# ---- The texts are there ------------------------------------------------------------------------


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_help_is_translated(language: str) -> None:
    texts = translations(COMMAND_LINE, language)
    assert len(help_texts()) > 150
    assert {f"{of}: {key}" for key, of in help_texts().items() if key not in texts} == set()
    assert placeholders() - texts.keys() - {"URL", "HEX", "DEJE"} == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_argparse_itself_says_is_translated(language: str) -> None:
    assert "unrecognized arguments: %s" in argparse_texts()
    assert argparse_texts() - translations(COMMAND_LINE, language).keys() == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_error_that_a_player_meets_is_translated(language: str) -> None:
    texts = translations(ERRORS, language) | translations(COMMAND_LINE, language)
    texts |= translations(OUTPUT, language)
    errors = error_classes()
    missing = []
    for path, tree in trees():
        if not path.startswith(FOR_PROGRAMMERS):
            missing += [
                f"{path}:{line}: {key or 'put together before: name its words'}"
                for line, key in error_texts(tree, errors)
                if key not in texts and not re.fullmatch("[a-z_]+", key or "-")
            ]
    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_that_a_command_prints_is_translated(language: str) -> None:
    texts = translations(OUTPUT, language)
    found = {key: f"{path}:{line}" for path, tree in trees() for line, key in printed(tree)}
    assert len(found) > 100
    assert {f"{place}: {key}" for key, place in found.items() if key not in texts} == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_that_a_command_looks_up_is_translated(language: str) -> None:
    told = {
        *(*mus_odds.HEADS, *mus_odds.PARES_KINDS.values(), *mus_odds.CALLS.values(), *Lance),
        *(*mus_odds.COLUMNS, *mus_odds.COLUMNS.values(), *mus_odds.DECLARED.values()),
        *(*mus_cards.TROUBLES.values(), *mus_cards.UPSETS.values()),
        *(*mus_cards.HAND_TROUBLES.values(), *REASONS.values(), *SUIT_NAMES.values()),
        *(*mus_deck.RANKS.values(), *mus_deck.THE_SUITS.values(), mus_deck.BACK_REQUEST),
        *(*FAULT_TEXTS.values(), *mus_models.STATES.values(), *mus_export.SAID.values()),
        *(FITTED, UNNAMED, "database", "tables", "broker", "refused"),
        *(text for offer in catalogue().values() for text in (offer.title, offer.note)),
        *(load_deck(path).title for path in deck_paths().values()),
    }
    told = {plain(text) for text in told} - {"?"}
    assert len(told) > 80
    assert told - translations(OUTPUT, language).keys() == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_warning_that_the_terminal_shows_is_translated(language: str) -> None:
    texts = translations(ERRORS, language)
    found = {
        f"{path}:{line}: {text}"
        for path, tree in trees()
        if not path.startswith((*FOR_PROGRAMMERS, *FOR_THE_HALL))
        for line, text in warnings_in(tree)
        if text not in texts and text != "%s"
    }
    assert found == set()


def test_only_commands_write_to_the_terminal() -> None:
    found = {
        path
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        if ast.unparse(node.func) in ("print", "input", "sys.stdout.write", "sys.stderr.write")
    }
    assert found <= {*COMMAND_FILES, "cli/main.py"}
    assert len(found) > 15


def test_no_word_of_a_command_reaches_the_terminal_untranslated() -> None:
    known = {key for name in (COMMAND_LINE, OUTPUT, ERRORS) for key in translations(name, "es")}
    found = {
        f"{path}:{line}: {text}"
        for path, tree in trees()
        if path in (*COMMAND_FILES, *BESIDE_THE_COMMANDS)
        for line, text in unspoken(tree, known)
    }
    assert found == set()


def test_unspoken_finds_the_words_that_pass_no_translator() -> None:
    tree = ast.parse(
        '"""A docstring of words."""\n'
        'print(f"{n} cartas.")\n'
        'print(f"{n} {name}", output_text("{n} cards.", n=n))\n'
        'lines = ["Una carta."]\n'
        'TEXTS = {1: "one card"}\n'
        'print("adiós")\n'
        'print(row["name"], json.dumps({"cards": n}), words("list.title"))\n'
        'print("one card")\n'
        'print(f"mus: {error}", file=sys.stderr)\n'
    )
    assert sorted(unspoken(tree, {"one card"})) == [
        (2, " cartas."),
        (4, "Una carta."),
        (6, "adiós"),
        (8, "one card"),
    ]


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_stands_inside_an_error_is_translated(language: str) -> None:
    nested = {never.why for rule in RULES.values() for never in rule.never}
    nested |= {*_ADVICE.values(), *_KINDS.values()}
    assert len(nested) > 15
    assert nested - translations(ERRORS, language).keys() == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_settings_are_explained_in_every_language(language: str) -> None:
    told = {option.means for option in OPTIONS.values()} | {HEAD, FROM_FILE, FROM_US}
    assert told - translations(COMMAND_LINE, language).keys() == set()


def test_error_texts_finds_what_nobody_could_translate() -> None:
    tree = ast.parse(
        'A = "Of {deck}."\n'
        'raise DeckError("No {name!r}.", name=name)\n'
        'raise DeckError(f"No {name}.")\n'
        'raise ZoneError("All is lost.", "code")\n'
        "raise DeckError(A, deck=deck)\n"
        "raise DeckError(str(error))\n"
        "Translatable(told, name=name)\n"
        'words("deal.title", name=name)\n'
        "raise DeckError(_told(name))\n"
        'def _told(name):\n    return f"No {name}."\n'
    )
    assert list(error_texts(tree, frozenset(("DeckError", "ZoneError")))) == [
        (2, "No {name}."),
        (3, ""),
        (4, "All is lost."),
        (5, "Of {deck}."),
        (7, ""),
        (9, ""),
    ]


@each_row("name", [COMMAND_LINE, OUTPUT, ERRORS])
def test_the_translations_have_the_same_texts_and_the_same_words(name: str) -> None:
    spanish, basque = (translations(name, language) for language in TRANSLATED)
    assert list(spanish) == list(basque)
    for english in spanish:
        for text in (spanish[english], basque[english]):
            assert text.strip()
            if name == COMMAND_LINE:
                assert set(re.findall("%[(]?[a-z_]+[)]?[a-z]?", text)) == set(
                    re.findall("%[(]?[a-z_]+[)]?[a-z]?", english)
                ), english
            else:  # of a warning, in the same order, because its words have no names
                assert re.findall("%[a-z]", text) == re.findall("%[a-z]", english), english
            if name == OUTPUT:
                assert names_in(text) == names_in(english), english
                assert (text[0].isspace(), text[-1].isspace()) == (
                    english[0].isspace(),
                    english[-1].isspace(),
                ), english
            if name == ERRORS or "%" not in english:
                assert names_in(text) <= names_in(english), english


def test_no_translation_is_of_a_text_that_is_gone() -> None:
    texts = {
        node.value
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    patterns = {key for _, tree in trees() for _, key in error_texts(tree, error_classes())}
    system = set(load_toml(text_file(ERRORS, "es"))["system"])
    known = texts | patterns | set(help_texts()) | placeholders() | system
    assert set(translations(ERRORS, "es")) - known == set()
    patterns_printed = {key for _, tree in trees() for _, key in printed(tree)}
    catalogued = {text for offer in catalogue().values() for text in (offer.title, offer.note)}
    decks = {load_deck(path).title for path in deck_paths().values()}
    told = known | patterns_printed | catalogued | decks
    assert set(translations(OUTPUT, "es")) - told == set()
    argparse_own = set(load_toml(text_file(COMMAND_LINE, "es"))["argparse"])
    assert set(translations(COMMAND_LINE, "es")) - known - argparse_own == set()


def test_english_needs_no_files_because_the_code_has_it() -> None:
    assert languages(COMMAND_LINE) == languages(OUTPUT) == languages(ERRORS) == TRANSLATED
    assert terminal_texts(ERRORS, "en") == terminal_texts(OUTPUT, "en") == {}


# ---- The language of the terminal ---------------------------------------------------------------


@each_row(
    "variables, expected",
    [
        ({}, "es"),
        ({"LANG": "C"}, "es"),
        ({"LANG": "C.UTF-8"}, "es"),
        ({"LC_ALL": "POSIX", "LANG": "eu_ES.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "eu_ES@euro"}, "eu"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "eu_ES.UTF-8"}, "eu"),
        ({"LC_ALL": "es_ES.UTF-8", "LC_MESSAGES": "eu_ES.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LANGUAGE": "eu:es"}, "eu"),
        ({"LANG": "es_ES.UTF-8", "LANGUAGE": "fr:eu"}, "eu"),
    ],
)
def test_the_terminal_speaks_the_language_of_the_machine(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal_language() == expected


def test_the_table_s_setting_goes_before_the_machine_and_the_command_line_before_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    write_settings({"language": "eu"})
    assert main(["settings", "nix"]) == 2
    assert "ez dago 'nix' doikuntzarik" in capsys.readouterr().err
    assert main(["practice", "--language", "es", "--name", "-"]) == 2
    assert "escribe un nombre" in capsys.readouterr().err
    assert main(["practice", "--lang=en", "--port", "99999"]) == 2
    assert "choose 1 to 65535" in capsys.readouterr().err


@pytest.mark.usefixtures("in_spanish")
def test_settings_that_cannot_be_read_are_refused_in_the_language_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "mus").mkdir()
    (tmp_path / "mus" / "settings.toml").write_text("language = ")
    assert main(["settings"]) == 2
    assert "no es un fichero TOML" in capsys.readouterr().err


# ---- What is said -------------------------------------------------------------------------------


def test_the_help_is_in_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    helped = {}
    for language in ("en", *TRANSLATED):
        monkeypatch.setenv("LANGUAGE", language)
        with pytest.raises(SystemExit) as ended:
            main(["record", "--help"])
        assert ended.value.code == 0
        helped[language] = capsys.readouterr().out
    assert "usage: mus record" in helped["en"]
    assert "list the tables of the journal" in helped["en"]
    assert "uso: mus record" in helped["es"]
    assert "[MESA]" in helped["es"]
    assert "muestra esta ayuda y termina" in helped["es"]
    assert "nombra las mesas del diario" in helped["es"]
    assert "erabilera: mus record" in helped["eu"]
    assert "izendatu egunkariko mahaiak" in helped["eu"]
    assert argparse._("usage: ") == "usage: "  # type: ignore[attr-defined]


def test_the_help_translates_each_value_of_an_option_and_breaks_no_name_at_its_hyphen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "es")
    for columns in map(str, range(60, 110, 7)):
        monkeypatch.setenv("COLUMNS", columns)
        with pytest.raises(SystemExit):
            main(["odds", "--help"])
        helped = capsys.readouterr().out
        assert "--score NUESTRAS SUYAS" in helped
        assert "4:no-juego" in helped
        with pytest.raises(SystemExit):
            main(["models", "--help"])
        assert capsys.readouterr().out.count("vosk-model-small-es-0.42") == 2


@pytest.mark.usefixtures("in_spanish")
@each_row(
    "args, said",
    [
        (("nix",), "Argumento ORDEN: no existe 'nix' (elige entre 'play', "),
        ((), "Falta en la orden: ORDEN; 'mus --help' explica cómo se usa."),
        (("play", "--paella"), "Sobra en la orden: --paella; 'mus --help' explica"),
        (("record", "--deal"), "Argumento --deal: necesita un valor; 'mus record --help' "),
        (("record", "--deal", "x"), "Argumento --deal: 'x' no es un número entero; 'mus record"),
        (("odds", "R R C 1", "--accepted", "x"), "Argumento --accepted: 'x' no es un número; "),
        (("paly",), "Argumento ORDEN: no existe 'paly': ¿querías decir 'play'?; 'mus --help' "),
        (("practice", "--language", "fr"), "No hay idioma 'fr'"),
        (("play", "--port", "x"), "Argumento --port: 'x' no es un puerto: elige de 1 a 65535, o 0"),
        (("play", "--rules", "kings=7"), "kings=7: elige 8 o 4, que son los reyes"),
        (("play", "--seats", "Ana"), "--seats: Hacen falta de 2 a 6 nombres distintos"),
        (("cards", "/nowhere.jpg"), "No hay fichero /nowhere.jpg; una cámara se nombra"),
        (("cards", "x.jpg", "--deck", "mia"), "No hay baraja 'mia': elige entre mus, nombra una"),
        (("record", "--journal", "/nowhere"), "No hay diario /nowhere: mira el nombre"),
        (("settings", "profile", "nadie"), "No hay reglas 'nadie': elige entre "),
        (("voice", "--out", "/"), "--out /: es una carpeta; elige otro fichero."),
        (("settings", "level", "loud"), "level no puede ser 'loud': elige entre silent, essential"),
        (("settings", "leve", "full"), "no hay ajuste 'leve': ¿querías decir 'level'?"),
        (("hand", "R R R"), "Cada jugador tiene 4 cartas, no 3: 'R R R'."),
    ],
)
def test_errors_are_told_in_the_language_of_the_terminal(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    assert main(args) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mus: {said}")
    assert error.count("\n") == 1


@pytest.mark.usefixtures("in_spanish")
@each_row("command_line", [("record",), ("report",), ("chronicle",), ("season",)])
def test_a_machine_that_played_nothing_yet_says_so_and_blames_no_option(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command_line: tuple[str, ...],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(command_line) == 2
    assert "En esta máquina todavía no se ha jugado (falta " in capsys.readouterr().err
    assert main((*command_line, "--journal", "/nowhere")) == 2
    assert "No hay diario /nowhere: mira el nombre" in capsys.readouterr().err


@each_row(
    "locale, seen",
    [
        (
            "es_ES.UTF-8",
            ("Tus cartas: R R C 1 (asiento 1); es mano el 1.", "envido 2 querido", "1,"),
        ),
        ("C.UTF-8", ("Tus cartas: R R C 1 (asiento 1); es mano el 1.", "envido 2 querido", "1,")),
        ("eu_ES.UTF-8", ("Zure kartak: R R C 1 (1. jarlekua)", "enbido 2, onartuta", "1,")),
        (
            "en_GB.UTF-8",
            ("Your cards: R R C 1 (seat 1); seat 1 is mano.", "envido 2, accepted", "1."),
        ),
    ],
)
def test_a_command_prints_in_the_language_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    locale: str,
    seen: tuple[str, ...],
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)
    assert main(["odds", "R R C 1"]) == 0
    told = capsys.readouterr().out
    assert all(text in told for text in seen)
    assert bool(re.search(r"\d[.]\d %", told)) is locale.startswith("en")
    assert bool(re.search(r"\d,\d %", told)) is not locale.startswith("en")
    assert main(["odds", "R R C 1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["expected"]["grande"][0]["said"] == "paso"


def test_a_warning_is_shown_in_the_language_of_the_terminal_and_logged_in_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = UsageError("There is no file {path}.", path=Path("x.wav"))
    told = logging.makeLogRecord(
        {"msg": "%s Tap your calls on the page.", "args": (error,), "levelname": "WARNING"}
    )
    shown = {}
    for language in ("en", *TRANSLATED):
        monkeypatch.setenv("LANGUAGE", language)
        shown[language] = TerminalFormatter("mus: %(message)s").format(told)
    assert shown == {
        "en": "mus: There is no file x.wav. Tap your calls on the page.",
        "es": "mus: No hay ningún fichero x.wav. Toca tus jugadas en la página.",
        "eu": "mus: Ez dago x.wav fitxategirik. Ukitu zure jokaldiak orrian.",
    }
    logged = logging.Formatter("%(message)s").format(told)
    assert logged == "There is no file x.wav. Tap your calls on the page."


@pytest.mark.usefixtures("in_spanish")
def test_words_of_the_output_are_translated_where_they_are_known() -> None:
    assert output_text("{rank} of {suit}", rank="king", suit="coins") == "rey de oros"
    assert (output_word("pair"), output_word("{no} such text")) == ("pareja", "{no} such text")
    told = output_text("Not saved: {thing}: {why}", thing="x", why="Permission denied")
    assert told == "No se ha guardado x: sin permiso"


def test_an_error_keeps_its_english_for_the_log_and_its_words_for_a_translation() -> None:
    inner = ProfileError(Translatable("There is no card {text!r}.", text="Z"), "cards")
    error = UsageError("--rules: {error}", error=inner)
    assert str(error) == f"{error}" == "--rules: There is no card 'Z'."
    texts = {"There is no card {text}.": "No hay carta {text}.", "--rules: {error}": "Ojo: {error}"}
    assert translated(error, texts) == "Ojo: No hay carta 'Z'."
    assert translated(error, {}) == str(error)
    told = str(error)
    assert isinstance(told, Translatable)
    assert copy.deepcopy(told).key == told.key == "--rules: {error}"
    assert translated(MusError("{braces} stay where no words are named."), {}).startswith("{braces")


def test_a_word_is_written_as_the_english_sentence_says() -> None:
    size = UsageError("{size:.1f} MB of {{all}} {{1}}.", size=2.345)
    assert str(size) == "2.3 MB of {all} {1}."
    assert translated(size, {"{size} MB of {{all}} {{1}}.": "{{todo}}: {size}"}) == "{todo}: 2.3"


def test_what_the_system_says_is_translated_inside_a_sentence() -> None:
    texts = {"{path}: {why}.": "{path}, {why}.", "Permission denied": "sin permiso"}
    error = UsageError("{path}: {why}.", path=Path("/x"), why="Permission denied")
    assert translated(error, texts) == "/x, sin permiso."


@pytest.mark.usefixtures("in_spanish")
def test_a_translation_that_cannot_be_used_leaves_the_english_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(data_dir("models") / "es", tmp_path / "es")
    monkeypatch.setattr(resources, "data_dir", lambda _name: tmp_path)
    error = UsageError("There is no file {path}.", path="x.wav")
    for broken in ("[", '[command]\n"There is no file {path}." = "No hay {nada} {"\n'):
        terminal_texts.cache_clear()
        (tmp_path / "es" / "errors.toml").write_text(broken)
        assert in_terminal_language(error) == "There is no file x.wav."
    terminal_texts.cache_clear()


def test_a_command_that_goes_well_reads_no_file_of_texts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: str) -> dict[str, str]:
        pytest.fail("the texts were read")

    monkeypatch.setenv("LANGUAGE", "es")
    monkeypatch.setattr(command, "terminal_texts", refused)
    assert main(["settings", "--path"]) == 0
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out
