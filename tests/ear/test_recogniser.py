"""The recogniser: speech becomes words with their times, soon and complete."""

import logging
import shutil
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.recogniser import LONGEST, PAUSE, SETTLED, Partial, Recogniser
from assistant.ear.source import BLOCK, Block
from assistant.ear.speech_model import SUMS, ModelError
from assistant.messages import Heard
from tests.ear.conftest import GRAMMAR, Say


def heard_in(
    recogniser: Recogniser, sound: Samples, begins: float = 0.0
) -> list[tuple[float, Heard | Partial]]:
    """All results, each with the stream time at which it came."""
    found: list[tuple[float, Heard | Partial]] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        end = begins + (start + len(samples)) / RATE
        found += [(end, result) for result in recogniser.feed(Block(samples, end))]
    return found + [(begins + len(sound) / RATE, heard) for heard in recogniser.flush()]


def texts(found: list[tuple[float, Heard | Partial]]) -> list[str]:
    return [result.text for _, result in found if isinstance(result, Heard)]


@pytest.mark.parametrize(
    "call", ["paso", "envido cinco", "no quiero", "órdago", "pares sí", "no hay mus", "dos más"]
)
def test_a_call_is_heard_as_its_words(recogniser: Recogniser, say: Say, call: str) -> None:
    assert texts(heard_in(recogniser, say(0.5, call, 0.8))) == [call]


@pytest.mark.parametrize("call", ["paso", "envido cinco", "no quiero", "no hay mus"])
def test_a_call_over_noise_is_heard_and_ends(recogniser: Recogniser, say: Say, call: str) -> None:
    sound = say(3.5, call, 1.5).astype(np.float64)
    spoken = sound[round(3.5 * RATE) : -round(1.5 * RATE)]
    hiss = np.random.default_rng(3).standard_normal(len(sound)) * spoken.std() / 10 ** (12 / 20)
    found = heard_in(recogniser, np.clip(sound + hiss, -32768, 32767).astype(np.int16))
    assert texts(found) == [call]
    came = next(at for at, result in found if isinstance(result, Heard))
    assert came < (len(sound) / RATE) - 1.5 + PAUSE + 0.20


def test_words_have_the_times_of_their_sound_and_a_confidence(
    recogniser: Recogniser, say: Say
) -> None:
    sound = say(1.0, "paso", 1.0, "quiero", 0.8)
    first = len(say("paso")) / RATE
    found = [result for _, result in heard_in(recogniser, sound) if isinstance(result, Heard)]
    words = [word for heard in found for word in heard.words]
    assert [word.text for word in words] == ["paso", "quiero"]
    assert words[0].start == pytest.approx(1.0, abs=0.08)
    assert words[0].end == pytest.approx(1.0 + first, abs=0.1)
    assert words[1].start == pytest.approx(2.0 + first, abs=0.08)
    assert all(0.5 < word.confidence <= 1.0 for word in words)


def test_times_are_those_of_the_source(recogniser: Recogniser, say: Say) -> None:
    found = heard_in(recogniser, say(0.5, "paso", 0.8), begins=1_000.0)
    heard = next(result for _, result in found if isinstance(result, Heard))
    assert heard.words[0].start == pytest.approx(1_000.5, abs=0.1)


def test_an_utterance_comes_soon_after_its_end(recogniser: Recogniser, say: Say) -> None:
    ended = 0.5 + len(say("envido cinco")) / RATE
    found = heard_in(recogniser, say(0.5, "envido cinco", 2.0))
    came = next(at for at, result in found if isinstance(result, Heard))
    assert came - ended < PAUSE + 0.2


def test_a_partial_comes_before_the_utterance(recogniser: Recogniser, say: Say) -> None:
    found = heard_in(recogniser, say(0.5, "envido cinco", 0.8))
    kinds = [type(result) for _, result in found]
    partials = [result.text for _, result in found[: kinds.index(Heard)]]
    assert "envido" in partials or "envido cinco" in partials
    assert not any("[unk]" in partial for partial in partials)


@pytest.mark.parametrize("parts", [("no", 0.22, "quiero"), ("envido", 0.22, "cinco")])
def test_a_short_pause_does_not_cut_a_phrase(
    recogniser: Recogniser, say: Say, parts: tuple[str | float, ...]
) -> None:
    assert texts(heard_in(recogniser, say(0.5, *parts, 0.8))) == [f"{parts[0]} {parts[2]}"]


def test_a_call_that_cannot_go_on_comes_after_half_the_pause(
    recogniser: Recogniser, say: Say
) -> None:
    sound, ended = say(0.5, "no hay mus", 2.0), 0.5 + len(say("no hay mus")) / RATE
    waited = {}
    for seconds in (SETTLED, PAUSE):
        recogniser.pause_after = defaultdict(lambda: 9.0, {"no hay mus": seconds}).__getitem__
        found = heard_in(recogniser, sound, begins=100 * seconds)
        waited[seconds] = next(at for at, r in found if isinstance(r, Heard)) - 100 * seconds
        assert texts(found) == ["no hay mus"]
    assert waited[SETTLED] - ended < SETTLED + 0.15
    assert waited[PAUSE] - waited[SETTLED] == pytest.approx(PAUSE - SETTLED, abs=0.06)


def test_a_no_is_waited_for_longer_than_other_words(recogniser: Recogniser, say: Say) -> None:
    assert texts(heard_in(recogniser, say(0.5, "no", 0.33, "quiero", 0.8))) == ["no quiero"]


def test_calls_with_a_pause_between_them_are_separate_utterances(
    recogniser: Recogniser, say: Say
) -> None:
    sound = say(0.5, "paso", 0.6, "paso", 0.6, "envido", 0.8)
    assert texts(heard_in(recogniser, sound)) == ["paso", "paso", "envido"]


Phrases = tuple[str, ...]
ALL_WORDS: Phrases = GRAMMAR
ONLY_PASO: Phrases = ("paso", "[unk]")


def test_the_grammar_may_change_between_utterances_and_times_go_on(
    recogniser: Recogniser, say: Say
) -> None:
    now = ALL_WORDS
    recogniser.phrases_now = lambda: now
    quiero = say(1.0, "quiero", 1.0)
    first = heard_in(recogniser, quiero)
    now = ONLY_PASO
    second = heard_in(recogniser, say(0.5, "paso", 1.0), begins=len(quiero) / RATE)
    assert texts(first) == ["quiero"]
    assert texts(second) == ["paso"]
    heard = next(result for _, result in second if isinstance(result, Heard))
    assert heard.words[0].start == pytest.approx(len(quiero) / RATE + 0.5, abs=0.1)
    deaf = heard_in(recogniser, say(0.5, "envido cinco", 1.0), begins=100.0)
    assert "envido" not in " ".join(texts(deaf))


def test_the_grammar_does_not_change_while_somebody_speaks(
    recogniser: Recogniser, say: Say
) -> None:
    now = ALL_WORDS
    recogniser.phrases_now = lambda: now
    sound, found = say(0.5, "envido cinco", 1.0), []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        results = recogniser.feed(Block(samples, (start + len(samples)) / RATE))
        found += [result.text for result in results if isinstance(result, Heard)]
        if any(isinstance(result, Partial) and result.text for result in results):
            now = ONLY_PASO
    assert found == ["envido cinco"]
    assert now is ONLY_PASO


def test_a_change_of_grammar_during_silence_loses_no_word(recogniser: Recogniser, say: Say) -> None:
    sound, both = say(0.6, "paso", 0.6, "paso", 0.8), [ALL_WORDS, (*ALL_WORDS, "paso")]
    asked = 0

    def another() -> Phrases:
        nonlocal asked
        asked += 1
        return both[asked // 3 % 2]  # each time another object than before

    recogniser.phrases_now = another
    assert texts(heard_in(recogniser, sound)) == ["paso", "paso"]


class NobodysVoice:
    """A voice activity detector that finds no voice."""

    def feed(self, samples: Samples) -> None:
        pass

    def voiced(self, start: float, end: float) -> float:
        return 0.0 * (end - start)


def test_words_without_a_voice_are_dropped(model_dir: Path, say: Say) -> None:
    deaf = Recogniser(model_dir, GRAMMAR, voice=NobodysVoice())
    assert texts(heard_in(deaf, say(0.5, "paso", 0.8))) == []


def test_silence_gives_neither_an_utterance_nor_a_partial(recogniser: Recogniser) -> None:
    rng = np.random.default_rng(0)
    quiet = np.rint(rng.standard_normal(8 * RATE) * 15).astype(np.int16)
    assert heard_in(recogniser, quiet) == []
    assert heard_in(recogniser, np.zeros(3 * RATE, np.int16)) == []


def test_a_gap_in_the_stream_separates_the_speech_before_and_after(
    recogniser: Recogniser, say: Say
) -> None:
    for start in range(0, len(sound := say(0.5, "paso")), BLOCK):
        assert (
            recogniser.feed(Block(sound[start : start + BLOCK], (start + BLOCK) / RATE)) is not None
        )
    first = [r for r in recogniser.feed(Block(say(0.2)[:BLOCK], 60.0)) if isinstance(r, Heard)]
    assert [heard.text for heard in first] == ["paso"]
    assert first[0].words[0].end < 2.0


def test_talk_without_a_pause_is_cut_after_a_while(recogniser: Recogniser, say: Say) -> None:
    endless = np.tile(say("paso envido quiero paso"), 12)
    came = [at for at, result in heard_in(recogniser, endless) if isinstance(result, Heard)]
    assert came[0] < LONGEST + 1.5


def test_a_phrase_with_a_word_the_model_lacks_is_left_out_and_reported(
    model_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="mus.ear"):
        recogniser = Recogniser(model_dir, [*GRAMMAR, "hay otorrinolaringólogo"])
    assert recogniser.grammar.left_out == ("hay otorrinolaringólogo",)
    assert "otorrinolaringólogo" in caplog.text
    assert "hay otorrinolaringólogo" not in recogniser.grammar.phrases


def test_a_model_without_any_of_the_words_is_refused(model_dir: Path) -> None:
    with pytest.raises(ModelError, match="knows none of our words"):
        Recogniser(model_dir, ["otorrinolaringólogo", "[unk]"])


@pytest.fixture
def copy(model_dir: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_dir, tmp_path / "model"))


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no speech model in"):
        Recogniser(tmp_path / "nobody", GRAMMAR)


def test_a_folder_without_a_model_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"lacks am/final\.mdl"):
        Recogniser(tmp_path, GRAMMAR)


@pytest.mark.parametrize("name", ["am/final.mdl", "graph/HCLr.fst", "graph/words.txt"])
@pytest.mark.parametrize("content", [b"", b"this is no model\n"])
def test_a_broken_model_file_is_reported_and_does_not_end_the_process(
    copy: Path, name: str, content: bytes
) -> None:
    (copy / SUMS).unlink(missing_ok=True)
    (copy / name).write_bytes(content)
    with pytest.raises(ModelError, match="install it again"):
        Recogniser(copy, GRAMMAR)


def test_half_a_model_file_is_reported_where_the_model_has_checksums(copy: Path) -> None:
    import hashlib

    graph = copy / "graph" / "HCLr.fst"
    whole = graph.read_bytes()
    (copy / SUMS).write_text(f"{hashlib.sha256(whole).hexdigest()}  graph/HCLr.fst\n")
    Recogniser(copy, GRAMMAR)
    graph.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"broken \(graph/HCLr.fst\)"):
        Recogniser(copy, GRAMMAR)
