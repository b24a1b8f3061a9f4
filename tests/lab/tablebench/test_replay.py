"""Utterances that are heard again, at the table as it stood."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyroomacoustics", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.files.resources import load_lexicon
from assistant.messages import Heard, Hypothesis, Narrowed
from assistant.rules.errors import MusError
from scripts.lab import bench_replay
from scripts.lab.rendering.dealing import new_table, take
from scripts.lab.tablebench import replay
from scripts.lab.tablebench.players import CALL, CARDS, CHAT, Utterance
from scripts.lab.tablebench.replay import ASKED, CALLS, ELSE, HANDS, LOST, RIGHT, WRONG
from tests.table.sounds import words

LEXICON = load_lexicon()
UP_TO_THE_SHOWDOWN = (
    "no hay mus",
    "paso ... paso ... paso ... paso",
    "paso ... paso ... paso ... paso",
    "no ... sí ... no ... no",
    "sí ... no ... no ... no",
)


def moment(
    heard: str, said: Utterance | None, probability: float = 1.0, deals: int = 1
) -> replay.Moment:
    """What is heard once the first calls of a deal were said, and what was said."""
    table = new_table(LEXICON)
    for call in UP_TO_THE_SHOWDOWN[:deals]:
        take(table, Heard(words(call)))
    told = words(heard)
    way = Hypothesis(told, probability)
    unknown = Hypothesis(words("[unk]"), 1.0 - probability)
    again = Narrowed((Hypothesis(told, 1.0),), 1.0) if deals > 1 else None
    utterance = Heard(told, hypotheses=(way, unknown), narrowed=again)
    return replay.Moment("quiet", 1, replay.kept(table, utterance), (said,) if said else ())


def called(said: str, kind: str = CALL) -> Utterance:
    return Utterance(0.0, 2.0, said, kind, 0)


@pytest.mark.parametrize(
    ("heard", "probability", "said", "what", "result"),
    [
        ("envido", 1.0, called("envido"), CALLS, RIGHT),
        ("envido cinco", 1.0, called("envido"), CALLS, WRONG),
        ("envido", 0.5, called("envido"), CALLS, ASKED),
        ("[unk]", 1.0, called("envido"), CALLS, LOST),
        ("[unk]", 1.0, called("mañana llueve", CHAT), ELSE, RIGHT),
        ("envido", 1.0, called("mañana llueve", CHAT), ELSE, WRONG),
        ("paso", 1.0, None, ELSE, WRONG),
    ],
)
def test_what_becomes_of_an_utterance_is_told_beside_what_was_said(
    heard: str, probability: float, said: Utterance | None, what: str, result: str
) -> None:
    judged = replay.judge(moment(heard, said, probability), LEXICON)
    assert judged is not None
    assert (judged.what, judged.result) == (what, result)


def test_a_hand_is_right_if_its_cards_are_worth_the_same() -> None:
    cards = called("rey, caballo, sota, as", CARDS)
    for heard, result in (("rey caballo sota as", RIGHT), ("rey caballo sota siete", WRONG)):
        judged = replay.judge(moment(heard, cards, deals=5), LEXICON)
        assert judged is not None
        assert (judged.what, judged.result) == (HANDS, result)


def test_a_call_that_the_table_did_not_wait_for_is_not_counted() -> None:
    assert replay.judge(moment("quiero", called("quiero")), LEXICON) is None


def test_what_was_kept_is_read_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay.write([moment("envido", called("envido"))], tmp_path / "evening.heard")
    assert bench_replay.main([str(tmp_path), "--show", RIGHT, "--json"]) == 0
    told = capsys.readouterr().out
    assert "call: envido -> right" in told
    assert '"right": 1' in told


def test_a_folder_or_file_without_utterances_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_replay.main([str(tmp_path)]) == 2
    assert "record first" in capsys.readouterr().err
    (tmp_path / "evening.heard").write_bytes(b"no evening")
    assert bench_replay.main([str(tmp_path)]) == 2
    assert "record it anew" in capsys.readouterr().err
    with pytest.raises(MusError):
        replay.read(tmp_path / "evening.heard")
