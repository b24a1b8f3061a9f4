"""The model's vocabulary: it has the game's words, and sentences use no others."""

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Context
from assistant.language.lexicon.text import words_of
from assistant.rules.phases import Phase
from scripts.lab.speechlab import g2p, recipe, vocabulary
from scripts.lab.speechlab.table_sentences import TableSentences
from scripts.lab.speechlab.vocabulary import Sampler, number_words

MODELS = Path(__file__).parents[3] / "models"


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "cero"), (16, "dieciséis"), (21, "veintiuno"), (30, "treinta"),
     (31, "treinta y uno"), (40, "cuarenta"), (49, "cuarenta y nueve")],
)  # fmt: skip
def test_a_number_is_written_in_spanish(number: int, words: str) -> None:
    assert number_words(number) == words


@pytest.mark.parametrize("number", [-1, 50])
def test_a_number_beyond_the_game_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="only 0 to 49"):
        number_words(number)


def test_the_model_knows_every_number_of_a_game() -> None:
    spoken = {word for n in range(41) for word in number_words(n).split()}
    assert spoken <= set(vocabulary.load().words)


@pytest.mark.parametrize(
    "path", sorted(MODELS.glob("*/lexicon.toml")), ids=lambda path: path.parent.name
)
def test_the_vocabulary_has_every_word_of_the_lexicon_files(path: Path) -> None:
    known = set(vocabulary.load().words)
    spelled = _spelled(tomllib.loads(path.read_text(encoding="utf-8")))
    assert spelled
    assert spelled <= known, "add them to scripts/lab/speechlab/vocabulary.toml"


def _spelled(table: dict[str, Any]) -> set[str]:
    """The words of a file's phrases, numbers and lances, without the marks of slots and options."""
    rows = [row for kind in ("call", "talk") for row in table.get(kind, ()) if row.get("weight", 1)]
    lists = [row["phrases"] for row in rows] + [table.get("fillers", [])]
    for name in ("numbers", "lances"):
        lists += table.get(name, {}).values()
    text = " ".join(phrase for phrases in lists for phrase in phrases).lower()
    return set(re.sub(r"\{\w+\}|[\[\]]", " ", text).split())


def test_a_word_of_both_languages_has_both_pronunciations() -> None:
    ways = vocabulary.load().pronunciations("hordago")
    assert {"".join(way) for way in ways} == {"ordago", "xordago"}


def test_d_after_ez_is_pronounced_as_t() -> None:
    assert ("t", "u", "t") in vocabulary.load().pronunciations("dut")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [('[sounds]\nfaux = ["f q"]\n[also]', "unknown phones"),
     ('[sounds]\n[also]\nfaux = ["f o"]', r"\[basque\] has not")],
)  # fmt: skip
def test_an_impossible_pronunciation_is_refused_with_its_word(
    wrong: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "vocabulary.toml"
    path.write_text(f"phrases = []\n[words]\n[basque]\n{wrong}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        vocabulary.load(path)


@pytest.mark.parametrize(
    "call",
    ["no hay mus", "dame mus", "me lo doy", "aquí se corta", "paso", "ahí van dos", "envido más",
     "reenvido", "reviro", "ahí va el órdago", "con lo que sea", "llevaos el tanto",
     "son muchas", "pares sí", "juego no", "envido a las dos", "quiérele", "si echan órdago",
     "asistente corrige", "cómo vamos", "por dónde vamos", "estamos en pares", "habla este",
     "hay cuatro a la grande", "nadie tiene pares", "otra vez desde la chica", "la azul",
     "los rojos", "perdido", "deshaz", "cero"],
)  # fmt: skip
def test_the_vocabulary_has_the_calls_and_common_talk(call: str) -> None:
    assert set(call.split()) <= set(vocabulary.load().words)


def test_training_sentences_of_the_game_have_known_words_only() -> None:
    words = vocabulary.load()
    sampler, rng = Sampler(words, ("talk",)), random.Random(3)
    said = {word for _ in range(3000) for word in sampler.call(rng).split()}
    assert said <= words.spanish, "the engines read no Basque"
    assert len(said) > 0.8 * len(words.spanish)


def test_table_talk_has_no_word_of_the_game(tmp_path: Path) -> None:
    listed = tmp_path / "words"
    listed.write_text("paso\nPasodoble\ncoche\nx\nenvidoso\n", encoding="utf-8")
    assert vocabulary.talk_words(listed, vocabulary.load()) == ("coche",)


def test_the_same_seed_draws_the_same_sentences() -> None:
    sampler = Sampler(vocabulary.load(), ("coche", "casa"))
    one, two = random.Random(5), random.Random(5)
    assert [sampler.draw(one) for _ in range(50)] == [sampler.draw(two) for _ in range(50)]


def test_basque_words_are_spelled_as_spanish_would_read_them() -> None:
    sampler = vocabulary.Sampler(vocabulary.load(), ("mesa",))
    rng = random.Random(2)
    said = {word for _ in range(400) for word in sampler.basque_words(rng).split()}
    assert {"hordago", "mintsa", "guehiago"} <= said
    assert not {letter for word in said for letter in word} & set("zxwy")
    for word in said:
        assert g2p.phones_of(word)


def test_names_are_known_as_they_are_written_and_as_they_are_typed() -> None:
    names = vocabulary.load().names
    typed = {"josé": "jose", "iñaki": "inaki", "begoña": "begona", "àlex": "alex"}
    assert len(names) > 2000
    assert {"pepe", "paco", "patxi", "maite", "nacho", "chus", "jordi", "uxía"} <= set(names)
    assert all(set(names[mark]) & set(names[plain]) for mark, plain in typed.items())


def test_a_basque_name_has_the_basque_and_the_spanish_pronunciation() -> None:
    ways = {"".join(way) for way in vocabulary.load().names["itziar"]}
    assert {"itsiar", "itSiar", "iTiar"} <= {way.replace("j", "i") for way in ways}


def test_no_training_sentence_has_a_name() -> None:
    words = vocabulary.load()
    assert not {"maite", "patxi", "nacho"} & (set(words.words) | words.spanish | words.basque)
    assert {"maite", "patxi", "nacho", "envido"} <= set(words.all_words)


def _at_the_table() -> TableSentences:
    return TableSentences(tomllib.loads((MODELS / "es" / "lexicon.toml").read_text("utf-8")))


def test_a_table_part_says_nothing_but_words_of_the_game() -> None:
    known, table, rng = set(vocabulary.load().words), _at_the_table(), random.Random(1)
    said = {word for _ in range(5_000) for word in table.draw(rng).split()}
    assert said <= known | {word.lower() for word in "Norte Sur Este Oeste".split()}
    assert len(said) > 300


def test_a_table_part_says_rare_wordings_too() -> None:
    table, rng = _at_the_table(), random.Random(2)
    said = {table.draw(rng) for _ in range(20_000)}
    assert {"no las quiero", "no lo vemos", "no llevo pares", "sin pares", "ala"} <= said


def test_some_of_what_a_table_says_is_basque_as_a_spaniard_spells_it() -> None:
    spanish, basque = (
        tomllib.loads((MODELS / language / "lexicon.toml").read_text("utf-8"))
        for language in ("es", "eu")
    )
    alone, both = TableSentences(spanish), TableSentences(spanish, basque)
    rng = random.Random(4)
    ours = {alone.draw(rng) for _ in range(20_000)}
    said = [both.draw(rng) for _ in range(5_000)]
    assert {"es dut nahi", "pareak bai"} <= {*said}
    assert 0.1 < sum(one not in ours for one in said) / len(said) < 0.4
    assert not any("tx" in one or "tz" in one for one in said)


def test_hands_of_a_table_part_are_hands_of_a_deck() -> None:
    lexicon = load_lexicon()
    table, rng = _at_the_table(), random.Random(3)
    shown = Context(Phase.SHOWDOWN, seats=("Norte", "Este", "Sur", "Oeste"))
    hands = [table.hand(rng) for _ in range(300)]
    assert all(lexicon.names_hand(words_of(hand), shown) for hand in hands)
    last = [hand.split()[-1] for hand in hands]
    assert last.count("as") > 30
    assert any(hand.split()[0] in ("dos", "tres") for hand in hands)


def test_a_sampler_with_a_table_draws_nothing_else() -> None:
    table = _at_the_table()
    sampler = Sampler(vocabulary.load(), ("mesa",), table)
    drawn = [sampler.draw(random.Random(seed)) for seed in range(50)]
    assert drawn == [(table.draw(random.Random(seed)), "call") for seed in range(50)]
    assert sampler.call(random.Random(7)) == table.draw(random.Random(7))


def test_parts_of_the_table_have_every_voice_and_come_after_the_others() -> None:
    every = {**recipe.SENTENCES, **recipe.MORE_SENTENCES}.keys()
    for part in recipe.TABLE_NAMES:
        assert recipe.sentences(part).keys() == every
        assert recipe.is_of_a_table(part)
    assert recipe.ALL_PARTS[-recipe.TABLE_PARTS :] == recipe.TABLE_NAMES
    assert not any(map(recipe.is_of_a_table, recipe.MIXED_NAMES))
    assert recipe.neural(0) == ()
    assert recipe.neural(2) == ("neural-1", "neural-2", *recipe.NEURAL_TABLE)
