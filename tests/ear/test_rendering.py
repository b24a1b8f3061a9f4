"""The bench's own parts: rendering a script aloud, and counting against the truth."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.cli.mus_score import play_script
from assistant.ear.audio import RATE, read_wav
from assistant.files.paths import data_dir
from assistant.files.resources import load_toml
from assistant.language.lexicon import Lexicon
from assistant.language.lexicon.text import words_of
from assistant.language.script import parse_script
from assistant.messages import Heard, Hypothesis, Word
from assistant.rules import events as e
from assistant.rules.phases import Lance
from scripts.lab.rendering import mbrola
from scripts.lab.rendering.answering import Player
from scripts.lab.rendering.deal import Line
from scripts.lab.rendering.dealing import Deal, Spoken, deal, new_table, take, telling
from scripts.lab.rendering.hearing import compare
from scripts.lab.rendering.moments import MOMENTS, happened, state_after
from scripts.lab.rendering.wordings import Wordings
from tests.lexicons import spanish
from tests.tables import each_row

SCRIPT = "1: no hay mus\n2: paso\n?: envido cinco\ncards 1: R R C 1\n4: quiero\n"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return spanish()


@pytest.fixture(scope="module")
def wordings() -> Wordings:
    return Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"))


def render(checkout: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(checkout / "scripts" / "lab" / "render_deal.py"),
        *map(str, args),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.slow
@pytest.mark.usefixtures("say")
def test_a_script_is_spoken_line_by_line_and_the_truth_has_the_times(
    checkout: Path, tmp_path: Path
) -> None:
    script, wav, truth = (tmp_path / name for name in ("a.mus", "a.wav", "a.json"))
    script.write_text(SCRIPT, encoding="utf-8")
    done = render(checkout, script, wav, "--voices", "espeak", "--truth", truth, "--seed", "4")
    assert done.returncode == 0, done.stderr
    told = json.loads(truth.read_text(encoding="utf-8"))
    assert [(c["seat"], c["words"]) for c in told["calls"]] == [
        (1, "no hay mus"), (2, "paso"), (None, "envido cinco"), (4, "quiero"),
    ]  # fmt: skip
    sound = np.concatenate(list(read_wav(wav))).astype(np.float64)
    assert len(sound) / RATE == pytest.approx(told["seconds"], abs=0.01)
    for call in told["calls"]:
        inside = sound[round(call["start"] * RATE) : round(call["end"] * RATE)]
        before = sound[round((call["start"] - 0.2) * RATE) : round(call["start"] * RATE)]
        assert np.sqrt(np.mean(inside**2)) > 10 * np.sqrt(np.mean(before**2))


@pytest.mark.slow
@pytest.mark.usefixtures("say")
def test_the_same_seed_renders_the_same_sound(checkout: Path, tmp_path: Path) -> None:
    script = tmp_path / "a.mus"
    script.write_text(SCRIPT, encoding="utf-8")
    for name in ("a.wav", "b.wav"):
        assert render(checkout, script, tmp_path / name, "--seed", "7").returncode == 0
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()


@pytest.mark.slow
def test_an_unknown_voice_is_refused_in_one_sentence(checkout: Path, tmp_path: Path) -> None:
    script = tmp_path / "a.mus"
    script.write_text(SCRIPT, encoding="utf-8")
    done = render(checkout, script, tmp_path / "a.wav", "--voices", "caruso")
    assert done.returncode == 2
    assert done.stderr.startswith("render_deal: There is no voice 'caruso'")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("seed", range(12))
def test_a_random_deal_plays_the_same_with_and_without_its_seats(
    seed: int, lexicon: Lexicon, wordings: Wordings
) -> None:
    text = deal(seed, lexicon, wordings).script()
    unknown = "\n".join(
        f"?{line[1:]}" if line[:2] in ("1:", "2:", "3:", "4:") else line
        for line in text.splitlines()
    )
    for script in (text, unknown):
        assert play_script(parse_script(script), lexicon).failure is None


def test_the_same_seed_makes_the_same_deal(lexicon: Lexicon, wordings: Wordings) -> None:
    assert deal(3, lexicon, wordings) == deal(3, lexicon, wordings)
    assert deal(3, lexicon, wordings) != deal(4, lexicon, wordings)


def test_a_plain_deal_uses_the_commonest_wordings(lexicon: Lexicon) -> None:
    toml = load_toml(data_dir("models") / "es" / "lexicon.toml")
    made = deal(2, lexicon, Wordings(toml, plain=True))
    common = {"mus", "paso", "envido", "órdago", "quiero", "queremos", "pares", "juego", "más"}
    for spoken in made.spoken:
        numbers = {word for words in toml["numbers"].values() for word in words}
        assert common & set(spoken.words.split()) or spoken.words in numbers


def test_a_missed_call_is_not_right_and_an_extra_one_is_false() -> None:
    cut, passed, bet = e.MusCut(1), e.Passed(1, Lance.GRANDE), e.BetMade(2, Lance.GRANDE, 5)
    said = Deal(
        (Spoken(1, "corto", (cut,)), Spoken(1, "paso", (passed,)), Spoken(2, "cinco", (bet,))),
        (),
        (0, 0),
        (0, 0),
    )
    assert compare(said, [cut, passed, bet]) == ((True, True, True), 0)
    assert compare(said, [cut, bet]) == ((True, False, True), 0)
    assert compare(said, [cut, replace(passed, implied=True), bet]) == ((True, True, True), 0)
    assert compare(said, [cut, passed, replace(bet, stones=2)]) == ((True, True, False), 1)


def sounding(at: float, *ways: tuple[str, float]) -> Heard:
    """An utterance at a time, with these hypotheses and their probabilities."""
    hypotheses = tuple(
        Hypothesis((Word(text, at, at + 0.3),) if text else (), probability)
        for text, probability in ways
    )
    return Heard(hypotheses[0].words, hypotheses=hypotheses)


@each_row(
    "heard, at, moves", [("envido", 2.1, True), ("órdago", 2.1, False), ("envido", 9.0, False)]
)
def test_a_player_who_is_asked_taps_only_what_he_has_just_said(
    lexicon: Lexicon, heard: str, at: float, moves: bool
) -> None:
    table, ahead = new_table(lexicon), new_table(lexicon)
    cut = telling(take(ahead, Heard(words_of("no hay mus"))))
    bet = telling(take(ahead, Heard(words_of("envido"))))
    take(table, Heard(words_of("no hay mus")))
    spoken = Spoken(1, "no hay mus", cut), Spoken(1, "envido", bet)
    lines = [Line(start, start + 0.5, "", 1, "", 1) for start in (1.0, 2.0)]
    player = Player(Deal(spoken, (), (), ()), lines)
    happened = player.take(table, sounding(at, ("sota", 0.6), (heard, 0.4)))
    assert telling(happened) == (bet if moves else ())
    assert player.asked == 1


def test_mbrola_gets_every_rolled_r_and_every_vowel() -> None:
    text = "rey corrige perro fin"
    assert mbrola.without_trills(text) == "fey cofige pefo fin"
    spoken = "f\t90\ne/\t60\t 0 100\n_\t5\n\nf\t90\nf\t90\nf\t80\nr\t30\n"
    lines = mbrola.respelled(mbrola.VOICES[0], text, spoken).splitlines()
    assert [line.split()[0] for line in lines] == ["rr", "e", "_", "rr", "f", "r"]


@each_row(
    "parts, kinds",
    [
        (("quiero", "corrige"), ["BetAccepted", "LanceClosed", "Retracted"]),
        (("quiero", "corrige", "no quiero"), ["BetAccepted", "LanceClosed", "Retracted"]),
        (("vamos a pares",), ["MusCut"]),
        (("quiero",), ["BetAccepted", "LanceClosed"]),
    ],
)
def test_an_excerpt_ends_before_a_call_that_refers_to_earlier_calls(
    parts: tuple[str, ...], kinds: list[str]
) -> None:
    """An excerpt has no journal, so nothing tells what "corrige" takes back."""
    lexicon = spanish()
    words, at = [], 1.0
    for part in parts:
        for text in part.split():
            words.append(Word(text, at, at + 0.25))
            at += 0.27
        at += 1.0
    events = happened(state_after(MOMENTS["bet"], lexicon), [Heard(tuple(words))], lexicon)
    assert [type(event).__name__ for event in events][: len(kinds)] == kinds
