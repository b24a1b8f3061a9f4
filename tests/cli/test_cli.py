"""The command line: text for people, JSON, exit codes, and never a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli.main import main
from tests.tables import each_row

DEAL = """
mano: 1
1: no hay mus
1: envido
2: no quiero
4: no quiero
expect: A=1 phase=chica to_speak=1
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "deal.mus"
    path.write_text(DEAL, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(args)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return status, captured.out, captured.err


@pytest.mark.usefixtures("in_spanish")
def test_score_prints_the_stones(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    status, out, _ = run(capsys, "score", str(script))
    assert status == 0
    assert "A (Norte y Sur): 1 piedra, 0 juegos" in out


def test_score_json_has_the_documented_shape(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    status, out, _ = run(capsys, "score", str(script), "--json")
    result = json.loads(out)
    assert status == 0
    assert result["stones"] == {"A": 1, "B": 0}
    assert result["juegos"] == {"A": 0, "B": 0}
    assert (result["phase"], result["over"], result["winner"]) == ("chica", False, None)
    assert result["lances"] == [
        {"lance": "grande", "how": "refused", "side": "A", "stones": 1, "why": "deje"}
    ]
    assert [event["type"] for event in result["events"]][:2] == ["GameOpened", "DealStarted"]


def test_score_names_the_line_whose_expectation_fails(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    script.write_text(DEAL.replace("A=1", "A=2"), encoding="utf-8")
    status, _, err = run(capsys, "score", str(script))
    assert status == 1
    assert err == f"{script}:7: expected A=2, but it is 1\n"


def test_score_names_a_call_that_fails_unexpectedly(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    script.write_text("mano: 1\n1: no hay mus\n1: quiero\n1: paso\n", encoding="utf-8")
    status, _, err = run(capsys, "score", str(script))
    assert status == 1
    assert err.startswith(f"{script}:3: '1: quiero': IllegalCall: ")


def test_score_reports_words_that_are_no_call(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    script.write_text("mano: 1\n1: no hay mus\n1: qué calor\n", encoding="utf-8")
    status, _, err = run(capsys, "score", str(script))
    assert status == 1
    told = "UnknownCall: «qué calor» is no call at this moment; docs/lexicon.md has those that are."
    assert err == f"{script}:3: '1: qué calor': {told}\n"


@pytest.mark.parametrize(
    ("line", "error"),
    [("1: quiero", "IllegalCall"), ("1: qué calor", "UnknownCall")],
)
def test_score_accepts_an_expected_error(
    capsys: pytest.CaptureFixture[str], script: Path, line: str, error: str
) -> None:
    text = f"mano: 1\n1: no hay mus\n{line}\nexpect: error={error} phase=grande\n"
    script.write_text(text, encoding="utf-8")
    assert run(capsys, "score", str(script))[0] == 0


def test_score_reports_an_expected_error_that_did_not_come(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    script.write_text("1: no hay mus\nexpect: error=IllegalCall\n", encoding="utf-8")
    status, _, err = run(capsys, "score", str(script))
    assert status == 1
    assert "expected error=IllegalCall, but it is none" in err


@each_row(
    "content, said",
    [
        (b"1: mus\nnonsense\n", ":2: 'nonsense' is no 'KEY: something'"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"1: mus\n2: m\x00us\n", "no text"),
        (b"# a comment\n" * 100_000, "larger than"),
        (b"rules: colour=red\n", ":1: Unknown rule 'colour'"),
    ],
)
def test_score_refuses_a_file_that_is_no_script(
    capsys: pytest.CaptureFixture[str], script: Path, content: bytes, said: str
) -> None:
    script.write_bytes(content)
    status, out, err = run(capsys, "score", str(script))
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("content", ["", "# no deal yet\n", "rules: kings=4\nscore: A=12 B=30\n"])
def test_score_refuses_a_file_without_a_deal(
    capsys: pytest.CaptureFixture[str], script: Path, content: str, options: tuple[str, ...]
) -> None:
    script.write_text(content, encoding="utf-8")
    status, out, err = run(capsys, "score", str(script), *options)
    assert (status, out) == (2, "")
    assert err == f"mus: {script} holds no deal: there is nothing to count.\n"


def test_score_checks_what_a_file_without_a_deal_expects(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    script.write_text("expect: A=1\n", encoding="utf-8")
    status, _, err = run(capsys, "score", str(script))
    assert status == 1
    assert "expected A=1, but it is 0" in err


@pytest.mark.usefixtures("in_spanish")
def test_score_names_standard_input_where_it_holds_no_deal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert run(capsys, "score", "-") == (
        2,
        "",
        "mus: La entrada no tiene ningún reparto: no hay nada que contar.\n",
    )


def test_score_refuses_a_missing_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = run(capsys, "score", str(tmp_path / "none.mus"))
    assert status == 2
    assert "cannot be read" in err


def test_score_refuses_an_endless_device(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "score", "/dev/zero")
    assert status == 2
    assert "larger than" in err


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("output", "status", "said"), [("/dev/full", 2, "mus: "), ("pipe", 0, "")])
def test_a_closed_output_gives_no_traceback(
    script: Path, unbuffered: str, output: str, status: int, said: str
) -> None:
    command = [sys.executable, "-m", "assistant.cli.main", "score", str(script), "--json"]
    reader, writer = os.pipe()
    os.close(reader)
    target = writer if output == "pipe" else os.open(output, os.O_WRONLY)
    done = subprocess.run(
        command,
        stdout=target,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    for handle in {writer, target}:
        os.close(handle)
    assert done.returncode == status
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == (1 if said else 0)


def test_score_refuses_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "score", str(tmp_path))[0] == 2


def test_hand_json_has_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "hand", "R R C 1", "7 7 7 S", "--json")
    assert status == 0
    assert json.loads(out) == {
        "hands": [
            {
                "cards": "R R C 1",
                "pares": {"kind": "pareja", "value": 1},
                "points": 31,
                "juego": True,
            },
            {
                "cards": "7 7 7 S",
                "pares": {"kind": "medias", "value": 2},
                "points": 31,
                "juego": True,
            },
        ],
        "winners": {"grande": 1, "chica": 1, "pares": 2, "juego": 1, "punto": None},
    }


def test_hand_values_punto_only_where_nobody_has_juego(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "hand", "R 7 6 5", "C 7 7 6", "--json")
    winners = json.loads(out)["winners"]
    assert (winners["juego"], winners["punto"]) == (None, 2)
    assert winners["pares"] == 2


def test_hand_values_treses_and_doses_by_four_kings(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "hand", "3 3 2 1", "--kings", "4", "--json")
    (hand,) = json.loads(out)["hands"]
    assert (hand["points"], hand["pares"]) == (9, {"kind": "pareja", "value": 1})


@each_row("hands", [("R R C",), ("R R C X",), ("C C C C", "C R R R"), ("Ro Ro C 1",)])
def test_hand_refuses_cards_that_no_deck_deals(
    capsys: pytest.CaptureFixture[str], hands: tuple[str, ...]
) -> None:
    status, out, err = run(capsys, "hand", *hands)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_r01_hand_accepts_a_fifth_rey_because_a_tres_is_called_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(capsys, "hand", "R R R R", "R C C C", "--kings", "8")[0] == 0
    assert run(capsys, "hand", "R R R R", "R C C C", "--kings", "4")[0] == 2


@each_row(
    "args",
    [
        ("play", "--listen", "/nowhere.wav"),
        (),
        ("paella",),
        ("play", "--fast"),
        ("play", "--deck", "nobody"),
        ("play", "--port", "x"),
        ("play", "--paella"),
        ("play", "--demo", "--listen", "x.wav"),
        ("play", "--rules", "colour=red"),
        ("play", "--rules", "kings=7"),
        ("play", "--rules", "kings"),
        ("play", "--seats", "Ana Ana Eva Juan"),
        ("play", "--voice", "loud"),
        ("play", "--model", "/nowhere", "--voice", "off"),
        ("transcribe", "/nowhere.wav"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    args: tuple[str, ...],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert err.startswith("mus: ")
    assert err.count("\n") == 1


@each_row(
    "command, loader",
    [
        (("play", "--voice", "off", "--listen"), "assistant.ear.listening.open_ear"),
        (("transcribe",), "assistant.ear.mus_transcribe.Recogniser"),
        (("enrol", "Ana", "--listen"), "assistant.speakers.mus_enrol.load_base"),
    ],
)
@pytest.mark.parametrize("content", [b"", b"This is no sound.\n", b"RIFF\x24\0\0\0WAVE"])
def test_a_recording_that_is_no_sound_is_refused_before_a_model_is_loaded(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: tuple[str, ...],
    loader: str,
    content: bytes,
) -> None:
    def load(*_: object, **__: object) -> None:
        pytest.fail("a model was loaded before the file was checked")

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(loader, load)
    recording = tmp_path / "text.wav"
    recording.write_bytes(content)
    status, out, err = run(capsys, *command, str(recording))
    assert (status, out) == (2, "")
    assert err.startswith(f"mus: {recording} is ")
    assert err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the threads")
def test_numpy_computes_in_the_thread_that_asks_it_beside_what_else_the_table_does() -> None:
    lines = (
        "import os",
        "from assistant.cli.main import main",
        "main(['profiles', 'list'])",
        "import numpy",
        "numpy.ones((400, 400)) @ numpy.ones((400, 400))",
        "print('threads', len(os.listdir('/proc/self/task')))",
    )
    free = {name: text for name, text in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        env=free,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "threads 1"
