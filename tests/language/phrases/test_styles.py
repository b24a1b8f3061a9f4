"""A caller's style changes how the voice words things, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from assistant.files.paths import own_config_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_lexicon, load_phrases
from assistant.files.style_files import (
    USUAL_STYLE,
    find_style,
    load_style,
    own_styles,
    shipped_styles,
    style_meant,
    style_paths,
)
from assistant.language.phrases import Level, Phrases, Style
from assistant.language.phrases.keys import LEFT_OUT, SHAPE
from assistant.language.phrases.style import LONGEST, style_from
from assistant.language.sentences import SentenceError
from assistant.rules.phases import Lance
from tests.language.phrases.aloud import Aloud
from tests.language.phrases.cases_voice import VOICE
from tests.language.phrases.test_no_call import LANGUAGES, SENTENCE_END, calls_in
from tests.rules.play import corto, envido, no_queremos, nueva_mano, ordago, paso
from tests.tables import each_row

SHIPPED = ("maestro", "peña", "sobrio")
SIDES = ("Norte y Sur", "Ana e Iñaki")


@pytest.fixture(scope="module", params=SHIPPED)
def style(request: pytest.FixtureRequest) -> Style:
    """Each style that ships."""
    return find_style(request.param)


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a player's own styles, empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own_styles().mkdir(parents=True)
    return own_styles()


def only(style: Style, language: str, turn: int) -> Style:
    """The style with one wording of each sentence, that of a turn."""
    words = {key: (several[turn % len(several)],) for key, several in style.of(language).items()}
    return replace(style, words={language: words})


def turns(style: Style, language: str) -> range:
    return range(max((len(several) for several in style.of(language).values()), default=1))


def filled(phrases: Phrases, key: str, wording: str) -> Iterator[str]:
    """A wording with all the words that may stand in it: each lance, and several numbers."""
    numbers = [phrases.language.stones(n) for n in (1, 2, 5, 22)]
    for lance, number, side in product(Lance, numbers, SIDES):
        words = dict.fromkeys(SHAPE[key].split(), side)
        words |= {"name": side.split()[0], "mano": "Este", "rivals": "Oeste y Este"}
        words |= {"lance": phrases.language.lance(lance, "to"), "article": "5.3", "what": "vale"}
        words |= {"the": phrases.language.lance(lance, "the"), "score": "tres"}
        words |= dict.fromkeys(("stones", "total", "target", "juegos", "vacas"), number)
        yield wording.format(**words)


def test_every_style_has_all_three_languages_and_says_what_it_is(style: Style) -> None:
    assert set(style.words) == set(style.title) == set(style.explains) == {"es", "eu", "en"}


def test_the_styles_that_ship_are_these_and_the_usual_one_is_the_bar() -> None:
    assert tuple(sorted(path.stem for path in shipped_styles().glob("*.toml"))) == SHIPPED
    assert USUAL_STYLE == "peña"


def test_the_first_wordings_of_the_usual_style_are_those_of_the_language(phrases: Phrases) -> None:
    usual = find_style(USUAL_STYLE)
    first = {key: wordings[0] for key, wordings in usual.of(phrases.code).items()}
    assert first == {key: phrases.language.texts[key] for key in first}
    assert (usual.tells, usual.tempo, usual.pitch, usual.pause) == (Level.ESSENTIAL, 1.0, 50, 0.0)


def test_no_sentence_of_any_style_is_a_call(phrases: Phrases, style: Style) -> None:
    """In no wording, at no moment, with whatever lance, number and names it is filled."""
    lexicon = load_lexicon(LANGUAGES[phrases.code])
    told = set[str]()
    for turn in turns(style, phrases.code):
        styled = phrases.styled(only(style, phrases.code, turn))
        told |= {text for case in VOICE if (text := case.tell(styled))}
    for key, wordings in style.of(phrases.code).items():
        if key.startswith("say."):
            told |= {text for one in wordings for text in filled(phrases, key, one)}
    sentences = {part for text in told for part in SENTENCE_END.split(text) if part}
    assert len(sentences) > 100
    assert {text: calls for text in sentences if (calls := calls_in(lexicon, text))} == {}


def test_no_wording_is_longer_than_a_table_listens(phrases: Phrases, style: Style) -> None:
    for key, wordings in style.of(phrases.code).items():
        assert len(set(wordings)) == len(wordings), key
        assert all(len(one) <= 95 for one in wordings), key


def test_the_wordings_take_turns_and_a_replay_says_the_same(es: Phrases) -> None:
    told = [deje_after_deje(es.styled(find_style("peña"))) for _ in range(2)]
    assert told[0] == told[1]
    assert told[0] == [
        "Una para Norte y Sur. Una a cero.",
        "Porque no, una para Norte y Sur. Dos a cero.",
        "A la buchaca: una para Norte y Sur. Tres a cero. Norte y Sur, punto una. Cuatro a cero.",
        "No hay valientes: una para Norte y Sur. Cinco a cero.",
        "Una para Norte y Sur. Seis a cero.",
    ]


def deje_after_deje(phrases: Phrases) -> list[str | None]:
    """What is said of five dejes: three in a deal, and two in the next."""
    aloud, told = Aloud(phrases), list[str | None]()
    for lances in (3, 2):
        aloud.say(corto(aloud.game.state.mano))
        for lance in range(lances):
            if lance == 2:
                aloud.declare("no no no no").declare("no no no no")
            aloud.say(envido(1, 5))
            told.append(aloud.voice(no_queremos(2)))
        if lances == 3:
            aloud.say(nueva_mano())
    return told


def test_an_undo_and_the_same_call_again_do_not_take_a_turn_back(es: Phrases) -> None:
    """What is taken back stays in the journal, so that a replay tells it as the table heard it."""
    aloud = Aloud(es.styled(find_style("peña"))).say(corto(1), envido(1, 5))
    first = aloud.voice(no_queremos(2))
    aloud.undo()
    again = aloud.voice(no_queremos(2))
    assert (first, again) == (
        "Una para Norte y Sur. Una a cero.",
        "Porque no, una para Norte y Sur. Una a cero.",
    )


def test_a_style_changes_nothing_on_the_screen(phrases: Phrases, style: Style) -> None:
    aloud = Aloud(phrases.styled(style)).say(corto(1), ordago(1))
    plain = Aloud(phrases).say(corto(1), ordago(1))
    assert aloud.lines() == plain.lines()
    calls = (paso(2), envido(2, 5))
    assert [aloud.phrases.label(one) for one in calls] == [phrases.label(one) for one in calls]


def test_the_style_decides_how_much_is_essential_and_the_level_may_ask_for_more() -> None:
    sobrio, maestro = find_style("sobrio"), find_style("maestro")
    asked = (Level.SILENT, Level.ESSENTIAL, Level.FULL)
    assert [sobrio.level(level) for level in asked] == list(asked)
    assert [maestro.level(level) for level in asked] == [Level.SILENT, Level.FULL, Level.FULL]


def test_a_player_may_add_a_style_that_builds_on_one_that_ships(own_folder: Path) -> None:
    (own_folder / "bar-paco.toml").write_text(
        'like = "peña"\ntitle = "El de Paco"\n[words.es.say]\ncut = "{name} chapa el mus."\n'
    )
    assert list(style_paths()) == ["bar-paco", "maestro", "peña", "sobrio"]
    own = find_style("bar-paco")
    assert own.title == {"": "El de Paco"}
    assert own.of("es")["say.cut"] == ("{name} chapa el mus.",)
    assert own.of("es")["say.deje"] == find_style("peña").of("es")["say.deje"]
    styled = load_phrases("es").styled(own)
    assert Aloud(styled).voice(corto(1)) == "Norte chapa el mus."


def test_a_players_own_style_wins_over_one_that_ships(own_folder: Path) -> None:
    (own_folder / "sobrio.toml").write_text(
        'title = "Mudo"\nexplains = "Casi nada."\ncount = "sums"\n[words.es.say]\ncut = ""\n'
    )
    assert find_style("sobrio").title == {"": "Mudo"}
    assert Aloud(load_phrases("es").styled(find_style("sobrio"))).voice(corto(1)) is None


def test_a_style_is_found_without_its_accents() -> None:
    assert [style_meant(name) for name in ("pena", "PEÑA", "peña")] == ["peña"] * 3
    with pytest.raises(UsageError, match="no style 'bar': choose from maestro, peña, sobrio"):
        style_meant("bar")


def say_es(table: dict[str, Any]) -> dict[str, Any]:
    return {"words": {"es": {"say": table}}}


ESSENTIALS = {"title": "T", "explains": "E."}


@each_row(
    "table, told",
    [
        ({"tono": 3}, "'tono' is unknown; a style has title, explains, like, tells"),
        ({"title": ""}, 'title is missing: write title = "..." in words.'),
        ({"tells": "silent"}, "tells is one of essential, full."),
        ({"count": "none"}, "count is one of lances, sums."),
        ({"tempo": 3}, "tempo is a number from 0.7 to 1.4."),
        ({"tempo": True}, "tempo is a number from 0.7 to 1.4."),
        ({"pitch": 100}, "pitch is a number from 0 to 99."),
        ({"pause": 9}, "pause is a number from 0.0 to 1.5."),
        ({"words": 3}, "write a style's sentences as in the phrase file: [words.es.say]."),
        (
            say_es({"corta": "x"}),
            "es.say.corta: a style words no such sentence",
        ),
        ({"words": {"es": {"log": {"cut": "x"}}}}, "es.log.cut: a style words no such sentence"),
        (
            say_es({"cut": []}),
            "es.say.cut: write a text, or a list of 8 at most",
        ),
        (say_es({"cut": 3}), "es.say.cut: write a text, or a list"),
        (
            say_es({"ordago": ""}),
            "es.say.ordago: the table needs this sentence",
        ),
        (say_es({"cut": "x" * (LONGEST + 1)}), "160 plain letters at most"),
        (
            say_es({"cut": "{nombre}"}),
            "{nombre} is not known here; it may hold",
        ),
    ],
)
def test_a_wrong_style_is_named_in_one_sentence(table: dict[str, Any], told: str) -> None:
    with pytest.raises(SentenceError) as refused:
        style_from(ESSENTIALS | table, "casa")
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@each_row(
    "name, text, told",
    [
        ("casa.toml", "title = ", "casa.toml: "),
        ("mi casa.toml", "", "name the file with letters, digits and hyphens"),
        ("casa.toml", 'like = "otra"', "like names a style that ships: maestro, peña, sobrio."),
        ("casa.toml", 'like = "../phrases"', "like names a style that ships"),
        ("casa.toml", 'explains = "E."', 'title is missing: write title = "..." in words.'),
    ],
)
def test_a_file_that_is_no_style_is_named_with_what_is_wrong(
    own_folder: Path, name: str, text: str, told: str
) -> None:
    (own_folder / name).write_text(text)
    with pytest.raises(UsageError) as refused:
        load_style(own_folder / name)
    assert told in str(refused.value)
    assert str(own_config_dir()) in str(refused.value)


def test_only_what_players_have_just_said_may_be_left_out() -> None:
    """A question, the score, an órdago or a deje is always said."""
    kept = re.compile(r"say\.(ordago|deje|juego|match|showdown|missing|set|total|penalty|cut_mano)")
    assert set(SHAPE) >= LEFT_OUT
    assert not [key for key in LEFT_OUT if kept.match(key)]
