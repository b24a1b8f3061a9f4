"""The terminal in the machine's language: its help, its errors, and argparse's own words.

The English of the code is the key of its translation. The checks walk all parsers and all modules,
so that a new option or error without its Spanish and Basque fails here.
"""

from __future__ import annotations

import argparse
import ast
import copy
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from assistant.cli import main as command
from assistant.cli.main import main
from assistant.cli.mus_settings import FROM_FILE, FROM_US
from assistant.files import resources
from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages, load_toml, text_file
from assistant.files.settings import _KINDS, HEAD, OPTIONS, write_settings
from assistant.files.terminal import (
    COMMAND_LINE,
    ERRORS,
    in_terminal_language,
    terminal_language,
    terminal_texts,
    translated,
)
from assistant.rules.errors import MusError, ProfileError, Translatable
from assistant.rules.profile import OPTIONS as RULES
from assistant.table.journal.file import _ADVICE
from tests.tables import each_row

TRANSLATED = ("es", "eu")
PACKAGE = Path(command.__file__).parent.parent

FOR_PROGRAMMERS = (
    "rules/errors.py",  # where a Translatable is made of what others give
    *("language/lexicon/", "language/phrases/", "language/sentences.py", "messages/"),
    *("rules/changes.py", "rules/history.py", "rules/ledger.py", "table/journal/port.py"),
    *("school/lessons/read.py", "telephones/", "hall/tournament/", "hall/hub/desk.py"),
    *("hall/hub/ledger.py", "hall/hub/service.py", "hall/hub/store.py", "hall/hub/wire.py"),
)
"""Modules whose errors stay English: a person at a table does not meet them, or a page says them
by their code."""
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


@each_row("name", [COMMAND_LINE, ERRORS])
def test_the_translations_have_the_same_texts_and_the_same_words(name: str) -> None:
    spanish, basque = (translations(name, language) for language in TRANSLATED)
    assert list(spanish) == list(basque)
    for english in spanish:
        for text in (spanish[english], basque[english]):
            assert text.strip()
            assert set(re.findall("%[(]?[a-z_]+[)]?[a-z]?", text)) == set(
                re.findall("%[(]?[a-z_]+[)]?[a-z]?", english)
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
    argparse_own = set(load_toml(text_file(COMMAND_LINE, "es"))["argparse"])
    assert set(translations(COMMAND_LINE, "es")) - known - argparse_own == set()


def test_english_needs_no_files_because_the_code_has_it() -> None:
    assert languages(COMMAND_LINE) == languages(ERRORS) == TRANSLATED
    assert terminal_texts(ERRORS, "en") == {}


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


@pytest.mark.usefixtures("in_spanish")
@each_row(
    "args, said",
    [
        (("nix",), "Argumento ORDEN: no existe 'nix' (elige entre 'play', "),
        ((), "Falta en la orden: ORDEN; 'mus --help' explica cómo se usa."),
        (("play", "--paella"), "Sobra en la orden: --paella; 'mus --help' explica"),
        (("record", "--deal"), "Argumento --deal: necesita un valor; 'mus record --help' "),
        (("play", "--port", "x"), "Argumento --port: 'x' no es un puerto: elige de 1 a 65535, o 0"),
        (("play", "--rules", "kings=7"), "kings=7: elige 8 o 4, que son los reyes"),
        (("play", "--seats", "Ana"), "--seats: Hacen falta de 2 a 6 nombres distintos"),
        (("cards", "/nowhere.jpg"), "No hay fichero /nowhere.jpg; una cámara se nombra"),
        (("cards", "x.jpg", "--deck", "mia"), "No hay baraja 'mia': elige entre mus, nombra una"),
        (("record", "--journal", "/nowhere"), "No hay diario /nowhere: mira el nombre"),
        (("settings", "level", "loud"), "level no puede ser 'loud': elige entre silent, essential"),
        (("settings", "leve", "full"), "no hay ajuste 'leve': ¿querías decir 'level'?"),
        (("hand", "R R R"), "Una mano tiene 4 cartas, no 3: 'R R R'."),
    ],
)
def test_errors_are_told_in_the_language_of_the_terminal(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    assert main(args) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mus: {said}")
    assert error.count("\n") == 1


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
