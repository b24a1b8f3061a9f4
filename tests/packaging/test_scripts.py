"""The commands of the README: they parse, they start, and they say what to do."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tables import each_row

pytestmark = pytest.mark.slow

COMMANDS = (
    "scripts/run",
    "scripts/hub",
    "scripts/test",
    "scripts/lock",
    "scripts/new",
    "scripts/install_service",
    ".ci/run",
)
SHELL = (*COMMANDS, "scripts/setup.sh")


@each_row("name", COMMANDS)
def test_a_command_can_be_started(checkout: Path, name: str) -> None:
    assert os.access(checkout / name, os.X_OK)


@each_row("name", SHELL)
def test_a_shell_file_parses(checkout: Path, name: str) -> None:
    parsed = subprocess.run(["bash", "-n", checkout / name], capture_output=True, text=True)
    assert (parsed.returncode, parsed.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="not installed: shellcheck")
@each_row("name", SHELL)
def test_shellcheck_finds_nothing(checkout: Path, name: str) -> None:
    checked = subprocess.run(
        ["shellcheck", "-x", name], cwd=checkout, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_the_test_script_explains_itself_without_installing(checkout: Path) -> None:
    told = subprocess.run([checkout / "scripts/test", "--help"], capture_output=True, text=True)
    assert told.returncode == 0
    for option in ("--slow", "--lab", "--all", "--tests"):
        assert option in told.stdout


def machine(folder: Path, **commands: str) -> dict[str, str]:
    """An environment whose PATH has only the basics and the given commands (name -> script)."""
    folder.mkdir()
    for name in ("bash", "cat", "dirname", "env", "grep", "sh", "sha256sum"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for name, script in commands.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


OTHER_USER = "echo 1000"
NO_LIBRARIES = "exit 0"
GOOD_PYTHON = "exit 0"
OLD_PYTHON = 'case "$1" in --version) echo Python 3.9.2 ;; *) exit 1 ;; esac'


def bare_checkout(checkout: Path, folder: Path) -> Path:
    """A copy of the files that a first start reads, without an environment."""
    for name in ("scripts", "requirements"):
        shutil.copytree(checkout / name, folder / name, ignore=shutil.ignore_patterns("speechlab"))
    return folder


@pytest.mark.parametrize("command", ["run", "test"])
def test_a_missing_part_is_reported_with_one_line_to_type(
    checkout: Path, tmp_path: Path, command: str
) -> None:
    copy = bare_checkout(checkout, tmp_path / "mus")
    environment = machine(
        tmp_path / "bin", id=OTHER_USER, ldconfig=NO_LIBRARIES, python3=GOOD_PYTHON
    )
    told = subprocess.run(
        [copy / "scripts" / command], env=environment, capture_output=True, text=True
    )
    assert told.returncode == 2
    assert len(told.stderr.splitlines()) == 1
    assert "Type: sudo apt-get update && sudo apt-get install -y libgl1 libglib2.0-0" in told.stderr
    assert not (copy / ".venv").exists()


def test_an_old_python_is_reported_with_its_version(checkout: Path, tmp_path: Path) -> None:
    copy = bare_checkout(checkout, tmp_path / "mus")
    environment = machine(
        tmp_path / "bin", id=OTHER_USER, ldconfig=NO_LIBRARIES, python3=OLD_PYTHON
    )
    told = subprocess.run([copy / "scripts/run"], env=environment, capture_output=True, text=True)
    assert told.returncode == 2
    assert told.stderr == (
        "Python 3.11 or newer is needed and this is Python 3.9.2. "
        "Install a newer one and run this again.\n"
    )


PYTHON_IS_OLD = {
    "": "Python 3.11 or newer is needed and this is Python 3.9.2. "
    "Install a newer one and run this again.\n",
    "es": "Hace falta Python 3.11 o más nuevo, y este es Python 3.9.2. "
    "Instala uno más nuevo y repite la orden.\n",
    "eu": "Python 3.11 edo berriagoa behar da, eta hau Python 3.9.2 da. "
    "Instalatu berriago bat eta errepikatu agindua.\n",
}
PARTS_ARE_MISSING = {
    "": "Parts of the system are missing. Type: ",
    "es": "Faltan partes del sistema. Escribe: ",
    "eu": "Sistemaren zati batzuk falta dira. Idatzi: ",
}


@each_row(
    "variables, language",
    [
        ({}, ""),
        ({"LANG": "C.UTF-8"}, ""),
        ({"LANG": "fr_FR.UTF-8"}, ""),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "eu_ES.UTF-8"}, "eu"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "es_MX.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "", "LC_MESSAGES": "eu_ES.UTF-8"}, "eu"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, ""),
    ],
)
def test_a_first_start_speaks_the_language_of_the_machine(
    checkout: Path, tmp_path: Path, variables: dict[str, str], language: str
) -> None:
    folder = tmp_path / "-".join(("at", *variables.values()))
    folder.mkdir()
    copy = bare_checkout(checkout, folder / "mus")
    for name, python, said in (
        ("old", OLD_PYTHON, PYTHON_IS_OLD[language]),
        ("good", GOOD_PYTHON, PARTS_ARE_MISSING[language] + "sudo apt-get update && sudo apt-get"),
    ):
        bare = machine(folder / name, id=OTHER_USER, ldconfig=NO_LIBRARIES, python3=python)
        told = subprocess.run(
            [copy / "scripts/run"], env=bare | variables, capture_output=True, encoding="utf-8"
        )
        assert told.returncode == 2
        # Where a language is not installed, bash complains of it first.
        lines = [line for line in told.stderr.splitlines(keepends=True) if "setlocale" not in line]
        assert len(lines) == 1
        assert lines[0].startswith(said)


TEXTS = (
    'source "$0"; for key in "${!texts[@]}"; do printf "%s\\t%s\\n" "$key" "${texts[$key]}"; done'
)


def first_start_texts(checkout: Path, language: str) -> dict[str, str]:
    """What scripts/setup.sh says in a language, by its keys."""
    shown = subprocess.run(
        ["bash", "-c", TEXTS, checkout / "scripts/setup.sh"],
        env={**os.environ, "LC_ALL": language},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return dict(line.split("\t") for line in shown.stdout.splitlines())


def test_a_first_start_says_as_much_in_every_language(checkout: Path) -> None:
    english, *others = (first_start_texts(checkout, code) for code in ("C", "es_ES", "eu_ES"))
    script = (checkout / "scripts/setup.sh").read_text("utf-8")
    assert set(re.findall(r"\$\(in_words (\w+)", script)) <= set(english)
    for other in others:
        assert set(other) == set(english)
        for key, text in english.items():
            assert other[key] != text
            assert other[key].count("{}") == text.count("{}")


ALL_LIBRARIES = "echo libGL.so.1 libgthread-2.0.so.0 libportaudio.so.2 libespeak-ng.so.1"
# Stands in for the interpreter. `-m venv --clear FOLDER` makes another one, whose pip ends as
# PIP_ENDS says; both write down their arguments.
RECORDING_PYTHON = """
echo "$@" >>"$LOG"
case "$1 $2" in
"-m venv")
    rm -rf "$4" && mkdir -p "$4/bin" "$4/site" && cp "$0" "$4/bin/python" ;;
"-m pip")
    [ "$3" = --version ] || exit "$PIP_ENDS" ;;
"-c import sysconfig"*)
    echo "${0%/bin/python}/site" ;;
*.venv/bin/mus*)
    echo playing ;;
esac
"""


@pytest.fixture
def table_machine(checkout: Path, tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A checkout, and the environment of a machine that has the system's parts."""
    copy = bare_checkout(checkout, tmp_path / "mus table")  # a space, as in many home folders
    environment = machine(
        tmp_path / "bin",
        id=OTHER_USER,
        ldconfig=ALL_LIBRARIES,
        aplay="exit 0",
        python3=RECORDING_PYTHON,
    )
    for name in ("mkdir", "cp", "rm", "chmod"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / "bin" / name).symlink_to(found)
    return copy, environment | {"LOG": str(tmp_path / "log"), "PIP_ENDS": "0"}


def start(copy: Path, environment: dict[str, str], *args: str) -> tuple[int, str, list[str]]:
    """Run the command. Returns its exit code, its output and the arguments of Python."""
    log = Path(environment["LOG"])
    log.write_text("", "utf-8")
    done = subprocess.run(
        [copy / "scripts/run", *args], env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, log.read_text("utf-8").splitlines()


def test_the_second_start_installs_nothing(table_machine: tuple[Path, dict[str, str]]) -> None:
    copy, environment = table_machine
    code, output, asked = start(copy, environment, "--seats", "4")
    assert (code, output) == (0, "playing\n")
    assert any("--require-hashes" in line and "requirements/run.txt" in line for line in asked)
    code, output, asked = start(copy, environment, "--seats", "4")
    assert (code, output) == (0, "playing\n")
    assert asked == [f"{copy}/.venv/bin/mus play --seats 4"]


def test_without_a_microphone_the_start_warns_and_plays(
    table_machine: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    copy, environment = table_machine
    (tmp_path / "bin/ldconfig").write_text("#!/bin/sh\necho libGL.so.1 libgthread-2.0.so.0\n")
    done = subprocess.run([copy / "scripts/run"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "playing\n")
    assert (
        "Going on without the microphone and the voice. To add what is missing: "
        "sudo apt-get update && sudo apt-get install -y libportaudio2 espeak-ng\n"
    ) in done.stderr


def test_a_changed_lock_is_installed(table_machine: tuple[Path, dict[str, str]]) -> None:
    copy, environment = table_machine
    start(copy, environment)
    with (copy / "requirements/run.txt").open("a", encoding="utf-8") as lock:
        lock.write("# changed\n")
    code, _, asked = start(copy, environment)
    assert code == 0
    assert any("requirements/run.txt" in line for line in asked)
    assert not any("venv --clear" in line for line in asked)


def test_an_interrupted_installation_starts_afresh(
    table_machine: tuple[Path, dict[str, str]],
) -> None:
    copy, environment = table_machine
    code, output, _ = start(copy, environment | {"PIP_ENDS": "1"})
    assert (code, output) == (2, "")
    code, output, asked = start(copy, environment)
    assert (code, output) == (0, "playing\n")
    assert any("venv --clear" in line for line in asked)


def test_a_moved_checkout_rebuilds_its_environment(
    table_machine: tuple[Path, dict[str, str]],
) -> None:
    copy, environment = table_machine
    start(copy, environment)
    moved = copy.rename(copy.parent / "elsewhere")
    code, output, asked = start(moved, environment)
    assert (code, output) == (0, "playing\n")
    assert any(f"venv --clear {moved}/.venv" in line for line in asked)
