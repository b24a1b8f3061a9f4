"""The shipped model: Vosk loads it, it knows the words, and silence gives no words."""

import json
from pathlib import Path

import pytest
import vosk

from assistant.ear import speech_model as grammar
from assistant.files.resources import languages, load_lexicon
from scripts.lab.speechlab import checksums, graph, phones, vocabulary

ROOT = Path(__file__).parents[3]
MODEL = ROOT / "models" / "mus-es"


@pytest.fixture(scope="module")
def model() -> vosk.Model:
    vosk.SetLogLevel(-1)
    return vosk.Model(model_path=str(MODEL))


def test_the_shipped_model_knows_every_word_of_its_vocabulary(model: vosk.Model) -> None:
    lost = [w for w in vocabulary.load().all_words if model.vosk_model_find_word(w) < 0]
    assert not lost, "rebuild the graph: python scripts/lab/train_model.py --stage graph"


@pytest.mark.parametrize("language", languages("lexicon"))
def test_the_shipped_model_knows_every_word_of_the_grammar(
    model: vosk.Model, language: str
) -> None:
    lexicon = load_lexicon((language,))
    assert not [w for w in lexicon.vocabulary() if model.vosk_model_find_word(w) < 0]


@pytest.mark.parametrize("spoken", [("es", "eu"), ("es", "iparralde")], ids="+".join)
def test_the_shipped_model_hears_every_phrase_of_a_table_of_two_languages(
    model: vosk.Model, spoken: tuple[str, str]
) -> None:
    phrases = load_lexicon(spoken).grammar()
    found = grammar.fit(phrases, lambda word: model.vosk_model_find_word(word) >= 0)
    assert not found.left_out
    assert "jokoa bai" in found.phrases


def test_silence_gives_no_words_under_a_grammar_set_at_run_time(model: vosk.Model) -> None:
    grammar = json.dumps(["no hay mus", "órdago", "paso", "[unk]"], ensure_ascii=False)
    recogniser = vosk.KaldiRecognizer(model, 16000, grammar)
    recogniser.AcceptWaveform(bytes(2 * 16000))
    assert json.loads(recogniser.FinalResult())["text"] == ""


def test_the_tables_of_the_model_number_the_phones_as_training_does() -> None:
    lines = (MODEL / "graph" / "phones.txt").read_text(encoding="utf-8").splitlines()
    numbers = {name: int(number) for name, number in (line.split() for line in lines)}
    assert phones.PHONE_ID.items() <= numbers.items()


def test_the_shipped_model_tells_the_sounds_of_its_words_as_the_vocabulary_has_them() -> None:
    told = (MODEL / "graph" / graph.PRONUNCIATION_FILE).read_text(encoding="utf-8").splitlines()
    wanted = graph.pronunciations(vocabulary.load())
    assert told == wanted, "rebuild the graph: python scripts/lab/train_model.py --stage graph"


def test_the_model_card_names_sources_licences_and_figures() -> None:
    card = (MODEL / "README.md").read_text(encoding="utf-8")
    for needed in ("CC BY-SA", "GPL", "SVOX pico", "espeak-ng", "festvox", "bench_model.py"):
        assert needed in card, needed


def test_the_checksums_of_the_model_match_its_files() -> None:
    listed = (MODEL / checksums.NAME).read_text(encoding="ascii").splitlines()
    named = {name: wanted for wanted, name in (line.split("  ") for line in listed)}
    assert {"am/final.mdl", "conf/model.conf", "graph/HCLr.fst"} <= named.keys()
    assert all(checksums.sum_of(MODEL / name) == wanted for name, wanted in named.items())


def test_a_truncated_file_changes_its_checksum(tmp_path: Path) -> None:
    (tmp_path / "am").mkdir()
    (tmp_path / "am" / "final.mdl").write_bytes(b"whole")
    checksums.write(tmp_path)
    whole = (tmp_path / checksums.NAME).read_text(encoding="ascii")
    (tmp_path / "am" / "final.mdl").write_bytes(b"who")
    checksums.write(tmp_path)
    assert (tmp_path / checksums.NAME).read_text(encoding="ascii") != whole
    assert whole.endswith("  am/final.mdl\n")
