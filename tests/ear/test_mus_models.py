"""``mus models`` fetches complete models, and the table hears with the chosen ones."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.main import main
from assistant.ear.catalogue import SHIPPED, STOCK, catalogue, folder_of, models_dir, pinned
from assistant.ear.speech_model import SUMS, check_model
from assistant.files.process import UsageError
from assistant.files.resources import model_dir
from assistant.files.settings import read_settings, write_settings
from tests.ear.model_server import Server, serving
from tests.ear.other_models import lacking
from tests.files.test_settings import asked
from tests.tables import each_row

OTHER = "otro-modelo"

pytestmark = pytest.mark.usefixtures("server")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A model that lacks three words, two of which have stand-ins."""
    folder = tmp_path_factory.mktemp("archive")
    other = lacking(
        model_dir(), folder / "top", órdago="ordago", hordago="horda", envido="embido",
        enbido="horda-enbido", pedrete="pe",
    )  # fmt: skip
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as opened:
        for path in sorted(other.rglob("*")):
            opened.write(path, path.relative_to(folder))
    return (folder / "a.zip").read_bytes()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server(archive: bytes) -> Iterator[Server]:
    with serving(archive) as told:
        offer(told, sha256=hashlib.sha256(archive).hexdigest())
        yield told


def offer(server: Server, **more: str) -> None:
    """List the server's archive in the player's own catalogue."""
    row = {
        "name": OTHER, "title": "Otro", "languages": ["es"], "licence": "Apache-2.0",
        "bytes": len(server.content), "url": server.url,
    }  # fmt: skip
    lines = [f"{key} = {json.dumps(value)}" for key, value in (row | more).items()]
    models_dir().mkdir(parents=True, exist_ok=True)
    (models_dir() / "catalogue.toml").write_text("\n".join(["[[model]]", *lines]), "utf-8")


def run_as_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["models", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["models", *words]) == 2
    told = capsys.readouterr().err
    assert told.startswith("mus: ")
    assert told.count("\n") == 1
    return told


def model_files() -> set[str]:
    """The files in the models folder besides the catalogue."""
    return {path.name for path in models_dir().iterdir()} - {"catalogue.toml"}


def test_our_catalogue_describes_the_stock_model_completely() -> None:
    stock = catalogue()[STOCK]
    assert stock.licence == "Apache-2.0"
    assert stock.url.startswith("https://")
    assert stock.url.endswith(f"/{STOCK}.zip")
    assert len(stock.sha256) == 64
    assert 39_000_000 < stock.bytes < 40_000_000


def test_the_model_that_ships_is_listed_with_its_size() -> None:
    files = [path for path in model_dir().rglob("*") if path.is_file() and path.suffix != ".md"]
    assert catalogue()[SHIPPED].bytes == pytest.approx(
        sum(path.stat().st_size for path in files), rel=0.02
    )


def test_all_models_are_listed_with_their_state(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in run_as_json(capsys, "list")["models"]}
    assert list(rows) == [SHIPPED, STOCK, OTHER]
    assert (rows[SHIPPED]["state"], rows[SHIPPED]["used"]) == ("incluido", True)
    assert (rows[STOCK]["state"], rows[STOCK]["used"]) == ("por descargar", False)
    assert main(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"* {SHIPPED}") for line in lines)
    assert any("39.8 MB" in line and "Apache-2.0" in line for line in lines)


def test_a_fetched_model_is_complete_and_checked_and_no_other_file_stays(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = run_as_json(capsys, "fetch", OTHER)
    assert told["folder"] == str(folder_of(OTHER))
    assert told["first"] is False
    check_model(folder_of(OTHER))
    assert model_files() == {OTHER, "checksums.json"}


def test_an_installed_model_is_not_fetched_again(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    run_as_json(capsys, "fetch", OTHER)
    run_as_json(capsys, "fetch", OTHER)
    assert len(server.asked) == 1


def test_wrong_bytes_are_deleted_and_the_next_fetch_starts_afresh(
    server: Server, archive: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    server.content = archive[:-1] + b"?"
    assert "is not this model: its checksum is" in refused(capsys, "fetch", OTHER)
    assert model_files() == set()
    server.content = archive
    run_as_json(capsys, "fetch", OTHER)


@pytest.mark.usefixtures("in_spanish")
def test_an_unpublished_checksum_is_reported_and_required_from_then_on(
    server: Server, archive: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(server)
    assert main(["models", "list"]) == 0
    assert "sha256: no publicado aquí" in capsys.readouterr().out
    assert main(["models", "fetch", OTHER]) == 0
    assert "Nadie publica aquí su sha256: se toma el que ha llegado" in capsys.readouterr().out
    assert pinned(OTHER) == hashlib.sha256(archive).hexdigest()
    run_as_json(capsys, "remove", OTHER, "--yes")
    server.content = archive[:-1] + b"?"
    assert "no es este modelo" in refused(capsys, "fetch", OTHER)
    server.content = archive
    assert run_as_json(capsys, "fetch", OTHER)["first"] is False


def test_a_checksum_may_be_required_on_the_command_line(
    server: Server, archive: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(server)
    assert "is not this model" in refused(capsys, "fetch", OTHER, "--sha256", "0" * 64)
    assert "64 digits" in refused(capsys, "fetch", OTHER, "--sha256", "abc")
    digest = hashlib.sha256(archive).hexdigest().upper()
    assert run_as_json(capsys, "fetch", OTHER, "--sha256", digest)["first"] is False


def test_a_model_may_come_from_a_stick_or_a_mirror(
    server: Server, archive: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = tmp_path / "stick.zip"
    stick.write_bytes(archive)
    run_as_json(capsys, "fetch", OTHER, "--from", str(stick))
    assert stick.read_bytes() == archive
    assert server.asked == []
    run_as_json(capsys, "remove", OTHER, "--yes")
    with serving(archive) as mirror:
        run_as_json(capsys, "fetch", OTHER, "--from", mirror.url)
        assert mirror.asked == [""]


@each_row(
    "words, said",
    [
        (["fetch", "otro"], "There is no model 'otro': choose from mus-es"),
        (["fetch", OTHER, "--from", "nowhere.zip"], "There is no file nowhere.zip"),
        (["fetch", OTHER, "--from", "ftp://host/a.zip"], "cannot be fetched"),
        (["fetch", OTHER, "--from", "http://"], "No connection"),
        (["use", STOCK], "is not on this machine"),
        (["use", SHIPPED, SHIPPED], "name one model, or two"),
        (["check", STOCK], "is not on this machine"),
        (["remove", STOCK, "--yes"], "is not on this machine"),
        (["remove", SHIPPED, "--yes"], "ships with the assistant and stays"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, *words)
    assert read_settings() == {}


def test_a_disk_without_space_is_reported_before_the_fetch(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 5_000_000})
    monkeypatch.setattr("assistant.ear.catalogue.shutil.disk_usage", lambda _folder: usage)
    assert "5 MB free" in refused(capsys, "fetch", OTHER)
    assert server.asked == []


def test_a_part_that_was_complete_before_a_power_cut_is_not_fetched_again(
    server: Server, archive: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (models_dir() / f"{OTHER}.zip.part").write_bytes(archive)
    run_as_json(capsys, "fetch", OTHER)
    assert server.asked == []


def test_one_or_two_chosen_models_are_remembered_and_used_by_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_as_json(capsys, "fetch", OTHER)
    run_as_json(capsys, "use", OTHER)
    assert (asked().model, asked().second) == (folder_of(OTHER), None)
    run_as_json(capsys, "use", SHIPPED, OTHER)
    assert (asked().model, asked().second) == (model_dir(), folder_of(OTHER))
    assert {row["name"] for row in run_as_json(capsys, "list")["models"] if row["used"]} == {
        SHIPPED,
        OTHER,
    }
    run_as_json(capsys, "use", SHIPPED)
    assert read_settings() == {}
    assert (asked().model, asked().second) == (model_dir(), None)


def test_a_model_named_on_the_command_line_hears_alone(capsys: pytest.CaptureFixture[str]) -> None:
    run_as_json(capsys, "fetch", OTHER)
    run_as_json(capsys, "use", SHIPPED, OTHER)
    settings = asked("--model", str(folder_of(OTHER)))
    assert (settings.model, settings.second) == (folder_of(OTHER), None)


def test_a_chosen_model_that_is_gone_is_reported_with_advice() -> None:
    write_settings({"models": f"{SHIPPED} {OTHER}"})
    with pytest.raises(UsageError, match=r"not on this machine.*mus models use mus-es"):
        asked()


@pytest.mark.parametrize(
    ("used", "after"),
    [([SHIPPED, OTHER], {}), ([OTHER], {}), ([OTHER, SHIPPED], {}), ([SHIPPED], {})],
)
def test_removing_a_model_leaves_the_others_in_use(
    used: list[str], after: object, capsys: pytest.CaptureFixture[str]
) -> None:
    run_as_json(capsys, "fetch", OTHER)
    run_as_json(capsys, "use", *used)
    run_as_json(capsys, "remove", OTHER, "--yes")
    assert read_settings() == after
    assert model_files() == {"checksums.json"}
    assert asked().model == model_dir()


def test_no_model_is_removed_without_a_confirmation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_as_json(capsys, "fetch", OTHER)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert "add --yes" in refused(capsys, "remove", OTHER)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: "")
    assert main(["models", "remove", OTHER]) == 1
    check_model(folder_of(OTHER))


@pytest.mark.usefixtures("in_spanish")
def test_the_words_that_a_model_lacks_are_listed_with_their_stand_ins(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_as_json(capsys, "fetch", OTHER)
    assert main(["models", "check", OTHER, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["missing"] == {"envido": ["embido"], "pedrete": [], "órdago": ["ordago"]}
    assert set(told["unheard"]) == {"pedrete", "tengo pedrete"}
    assert main(["models", "check", OTHER]) == 1
    out = capsys.readouterr().out
    assert "órdago          «ordago»" in out
    assert "pedrete         no se oye" in out
    assert run_as_json(capsys, "check", SHIPPED)["missing"] == {}


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_the_doctor_lists_the_words_that_a_model_does_not_hear(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_as_json(capsys, "fetch", OTHER)
    run_as_json(capsys, "use", SHIPPED, OTHER)
    main(["doctor", "--json"])
    told = {one["name"]: one for one in json.loads(capsys.readouterr().out)}["modelo"]
    assert told["state"] == "warning"
    assert "pedrete" in told["found"]
    assert f"mus models check {OTHER}" in told["advice"]


@each_row(
    "text, said",
    [
        ("[[model]]\nname = 'a'", "needs name, title"),
        ("model = 3", r"\[\[model\]\]"),
        ("[[model]]\nname = '../a'", "needs name|no name"),
        ("= 3", "catalogue.toml"),
    ],
)
def test_a_wrong_catalogue_of_the_players_own_is_refused_in_one_sentence(
    text: str, said: str
) -> None:
    models_dir().mkdir(parents=True, exist_ok=True)
    (models_dir() / "catalogue.toml").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=said):
        catalogue()


@each_row("key, value", [("name", "../../etc"), ("name", ".."), ("sha256", "abc"), ("bytes", "-1")])
def test_an_impossible_row_of_the_players_own_catalogue_is_refused(
    server: Server, key: str, value: str
) -> None:
    offer(server, **{key: value})
    with pytest.raises(UsageError, match=key if key != "name" else "no name"):
        catalogue()


def test_the_players_own_catalogue_cannot_replace_our_archive(server: Server) -> None:
    offer(server, name=STOCK)
    assert catalogue()[STOCK].url != server.url


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.slow
def test_ctrl_c_during_a_fetch_keeps_the_fetched_part(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-m", "assistant.cli.main", "models", "fetch", OTHER]
    server.stalls = True
    # A process in a shell's background ignores Ctrl-C, and so would every process it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    fetching = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    signal.signal(signal.SIGINT, before)
    part = models_dir() / f"{OTHER}.zip.part"
    until = time.monotonic() + 20
    while time.monotonic() < until and not (part.exists() and part.stat().st_size > 100_000):
        time.sleep(0.02)
    fetching.send_signal(signal.SIGINT)
    out, err = fetching.communicate(timeout=60)
    assert fetching.returncode == 130
    assert "la próxima vez sigue donde estaba" in out
    assert "Traceback" not in err
    server.stalls = False
    run_as_json(capsys, "fetch", OTHER)
    assert server.asked[-1].startswith("bytes=")
    check_model(folder_of(OTHER))
    assert not (folder_of(OTHER) / SUMS).exists()
