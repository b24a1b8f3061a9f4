"""The Spanish model is offered once, to a person, where there is a network."""

from __future__ import annotations

import os
import pty
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.ear.catalogue import STOCK, Offer, models_dir, offer_of
from assistant.ear.mus_models import ASKED, PATIENCE, may_offer, offer_once
from assistant.files.process import UsageError

HAS_ROUTE = "\t00000000\t"


@pytest.fixture(autouse=True)
def somebody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal with a person at it, on a machine without settings."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)


@pytest.fixture
def offer() -> Iterator[Offer]:
    """A model whose server answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield _at(server.getsockname()[1])


def _at(port: int) -> Offer:
    url = f"http://127.0.0.1:{port}/model.zip"
    return Offer("otro", "Otro", ("es",), "Apache-2.0", 1, url, "", "")


def test_a_model_is_offered_to_a_person_where_its_server_answers(offer: Offer) -> None:
    assert may_offer(offer)


def test_a_model_is_not_offered_without_a_network() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        assert not may_offer(_at(nobody.getsockname()[1]))


def test_a_silent_server_does_not_delay_the_offer_for_long() -> None:
    silent = Offer("otro", "Otro", ("es",), "Apache-2.0", 1, "http://192.0.2.1/m.zip", "", "")
    begun = time.monotonic()
    assert not may_offer(silent)
    assert time.monotonic() - begun < PATIENCE + 1


def test_a_model_is_not_offered_in_a_pipe_or_to_a_program(
    offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    assert not may_offer(offer)
    monkeypatch.delenv("CI")
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert not may_offer(offer)


def test_a_model_is_not_offered_where_it_is_installed(offer: Offer) -> None:
    (models_dir() / offer.name).mkdir(parents=True)
    assert not may_offer(offer)


@pytest.mark.parametrize("answer", [True, False])
def test_a_model_is_offered_once_whatever_the_answer(offer: Offer, answer: bool) -> None:
    taken: list[bool] = []
    assert offer_once(offer, lambda: answer, lambda: taken.append(True)) == int(not answer)
    assert bool(taken) == answer
    assert not may_offer(offer)


@pytest.mark.usefixtures("in_spanish")
def test_a_failed_fetch_does_not_prevent_the_game(
    offer: Offer, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise UsageError("No connection.")

    assert offer_once(offer, lambda: True, fails) == 1
    assert capsys.readouterr().err == (
        "mus: No connection.\nPara más tarde: mus models fetch otro\n"
    )
    assert not may_offer(offer)


def test_closing_the_terminal_counts_as_an_answer(offer: Offer) -> None:
    def gone() -> bool:
        raise EOFError

    assert offer_once(offer, gone, pytest.fail) == 1
    assert not may_offer(offer)


def started(checkout: Path, folder: Path, *words: str, terminal: bool = True) -> list[str]:
    """The mus commands that scripts/run starts, in a copy with everything installed."""
    copy = folder / "mus-assistant"
    for name in ("scripts", "requirements"):
        shutil.copytree(checkout / name, copy / name, ignore=shutil.ignore_patterns("speechlab"))
    (copy / ".venv" / "bin").mkdir(parents=True)
    for name in ("python", "mus"):
        command = copy / ".venv" / "bin" / name
        command.write_text(f'#!/bin/sh\necho "$*" >>{folder}/done\n', "utf-8")
        command.chmod(0o755)
    (copy / ".venv" / ".root").write_text(f"{copy}\n", "utf-8")
    sums = ["requirements/build.txt", "requirements/run.txt", "scripts/setup.sh"]
    stamp = subprocess.run(["sha256sum", *sums], cwd=copy, capture_output=True, text=True)
    (copy / ".venv" / ".stamp-run").write_text(stamp.stdout, "utf-8")
    ours, theirs = pty.openpty() if terminal else os.pipe()
    run = [str(copy / "scripts" / "run"), *words]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    subprocess.run(run, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, timeout=20)
    os.close(ours)
    os.close(theirs)
    return (folder / "done").read_text("utf-8").splitlines()


def played_before(folder: Path) -> None:
    (folder / "mus").mkdir()
    (folder / "mus" / "table.sqlite3").touch()


@pytest.mark.slow
def test_a_first_start_is_not_held_up_by_the_offer(checkout: Path, tmp_path: Path) -> None:
    assert started(checkout, tmp_path) == ["play"]


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/net/route").exists() or HAS_ROUTE not in Path("/proc/net/route").read_text(),
    reason="there is no network",
)
def test_a_later_start_at_a_terminal_offers_the_model_and_plays(
    checkout: Path, tmp_path: Path
) -> None:
    played_before(tmp_path)
    assert started(checkout, tmp_path, "--no-lan") == ["models offer", "play --no-lan"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--demo"], ["--listen", "a.wav"], ["--help"]])
def test_a_model_is_not_offered_beside_a_recording(
    checkout: Path, tmp_path: Path, words: list[str]
) -> None:
    played_before(tmp_path)
    assert started(checkout, tmp_path, *words) == [f"play {' '.join(words)}"]


@pytest.mark.slow
@pytest.mark.parametrize("there", [ASKED, STOCK])
def test_a_start_after_the_offer_plays_at_once(checkout: Path, tmp_path: Path, there: str) -> None:
    played_before(tmp_path)
    (tmp_path / "mus" / "models" / there).mkdir(parents=True)
    assert started(checkout, tmp_path) == ["play"]


@pytest.mark.slow
def test_a_start_in_a_pipe_plays_at_once(checkout: Path, tmp_path: Path) -> None:
    played_before(tmp_path)
    assert started(checkout, tmp_path, terminal=False) == ["play"]


def test_the_offered_model_is_in_the_catalogue() -> None:
    assert offer_of(STOCK).url
