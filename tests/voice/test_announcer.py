"""The announcer: what is spoken when, and which sentences are urgent."""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from assistant.cli.play_options import add_arguments, settings_from
from assistant.files.resources import load_lexicon, load_phrases
from assistant.files.style_files import find_style
from assistant.language.phrases import Level
from assistant.messages import Accepted, Command, Heard, Hypothesis, Pressed, Told, Word, batches
from assistant.page.board import TableBoard
from assistant.page.house import House
from assistant.rules.calls import Accept, Bet, Call, Cut, Ordago, ShowHand
from assistant.rules.cards import parse_hand
from assistant.rules.engine import open_game
from assistant.rules.history import Record, number
from assistant.rules.profile import Profile
from assistant.table.journal import MemoryJournal
from assistant.table.runner import News, Runner, Update
from assistant.table.table import Table
from assistant.voice import NullVoice, SaidSentence, VoiceSettings, WavVoice
from assistant.voice.announcer import CountAloud, Speaker, install, lances_named, sound_in, voice_of
from scripts.lab.rendering.dealing import new_table
from tests.lexicons import spanish
from tests.tables import each_row
from tests.voice.parts import GateLog, needs_speech


def tell(speaker: Speaker, table: Table, call: Call) -> None:
    before, message = table.state, Pressed(call)
    outcomes = table.propose(message)
    assert all(isinstance(outcome, Accepted) for outcome in outcomes)
    records = batches(outcomes, table.seq, at=0.0)
    table.commit(records)
    update = Update(call, tuple(records), before, table.state)
    speaker.told(News(message, outcomes, (update,)), table)


def hear(speaker: Speaker, table: Table, ways: dict[str, float]) -> None:
    """Hear an utterance with these hypotheses and their probabilities."""
    at = 3.0 * table.seq
    hypotheses = tuple(
        Hypothesis(
            tuple(Word(word, at + n / 3, at + n / 3 + 0.3) for n, word in enumerate(text.split())),
            probability,
        )
        for text, probability in ways.items()
    )
    message, before = Heard(hypotheses[0].words, hypotheses=hypotheses), table.state
    outcomes = table.propose(message)
    records = batches(outcomes, table.seq, at=0.0)
    table.commit(records)
    updates = (Update(None, tuple(records), before, table.state),) if records else ()
    speaker.told(News(message, outcomes, updates), table)


def opening() -> list[Record]:
    return list(number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"), 1), 0, at=0.0))


def urgency(*calls: Call) -> list[bool]:
    """Whether the sentences for each call are urgent."""
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.FULL)
    found = []
    for call in calls:
        count = len(voice.said)
        tell(speaker, table, call)
        found.append(any(said.urgent for said in voice.said[count:]))
    return found


def test_an_ordago_and_its_acceptance_are_urgent() -> None:
    assert urgency(Cut(), Ordago(), Accept()) == [False, True, True]


def test_a_bet_and_its_acceptance_are_not_urgent() -> None:
    assert urgency(Cut(), Bet(), Accept()) == [False, False, False]


def test_the_volume_changes_in_steps_and_stays_in_its_range() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL)
    heard = []
    for command in [Command.SOFTER] * 6 + [Command.LOUDER] * 6:
        speaker.told(News(Pressed(command), (Told(command),), ()), table)
        heard.append(voice.volume)
    assert heard[:6] == sorted(heard[:6], reverse=True)
    assert min(heard) == heard[4] == heard[5] == 0.1
    assert heard[-1] == heard[-2] == 1.0
    assert [said.text for said in voice.said[:1]] == ["Más bajo."]


def test_a_call_that_was_understood_late_is_announced_first_and_urgently() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL)
    for said in ({"no hay mus": 1.0}, {"envido": 1.0}, {"[unk]": 0.8, "quiero": 0.2}):
        hear(speaker, table, said)
    hear(speaker, table, {"paso a chica": 1.0})
    last = voice.said[-1]
    assert (last.text, last.urgent) == ("Entiendo: Oeste había querido.", True)


def test_a_call_that_its_own_utterance_takes_back_is_not_announced() -> None:
    voice, table = NullVoice(), new_table(spanish())
    journal = MemoryJournal()
    journal.append(table.records)
    runner = Runner(table, journal, lambda: (journal, table))
    runner.listeners.append(Speaker(voice, load_phrases(), Level.ESSENTIAL))
    runner.start()
    for said in ("no hay mus", "envido", "no queremos corrige"):
        words = tuple(Word(word, 0.0, 0.0) for word in said.split())
        runner.post(Heard(words)).result()
    runner.stop()
    assert [one.text for one in voice.said] == [
        "Corta Norte.",
        "Deshecho: el no quiero de Oeste.",
    ]


def test_placing_the_deal_announces_the_place_and_not_the_implied_calls() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.FULL)
    for said in ("no hay mus", "paso", "estamos en chica"):
        hear(speaker, table, {said: 1.0})
    assert voice.said[-1].text == "A la chica: habla Norte."


def test_a_loud_room_and_a_far_microphone_are_each_announced_once() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL)
    for note in ("noisy", "", "noisy", "faint", "faint", "dead", "slow"):
        speaker.hears_badly(note, table)
    assert [said.text for said in voice.said] == [
        "Hay mucho ruido: acercad el micrófono o tocad en la pantalla.",
        "Os oigo lejos: acercad el micrófono o hablad más alto.",
    ]


def test_playing_on_during_a_pause_is_answered_once_for_each_pause() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL)
    told = "Estoy en pausa: para seguir, di «sigue»."

    def times() -> int:
        return [said.text for said in voice.said].count(told)

    hear(speaker, table, {"pausa": 1.0})
    table.paused = True
    for count in (0, 0, 1, 1, 1):
        hear(speaker, table, {"paso": 1.0})
        assert times() == count
    hear(speaker, table, {"sigue": 1.0})
    hear(speaker, table, {"pausa": 1.0})
    for _ in range(3):
        hear(speaker, table, {"paso": 1.0})
    assert times() == 2


@each_row(
    "code, before, said, reason",
    [
        ("es", (), "nueva mano", "Ahora no toca."),
        ("es", (), "los pares para Norte y Sur", ""),
        ("es", ("no hay mus",), "estamos en juego", "¿Quién tiene pares?"),
        ("es", ("no hay mus",), "la chica eran cinco", "No hay envite que corregir."),
        ("es", ("no hay mus",), "asistente quita cinco a Norte y Sur", "Ese tanteo no puede ser."),
        ("es", ("no hay mus", "órdago"), "mus", ""),
        ("eu", (), "esku berria", "Orain ezin da."),
    ],
)
def test_a_refused_command_is_answered_aloud_and_a_refused_call_is_not(
    code: str, before: tuple[str, ...], said: str, reason: str
) -> None:
    voice, table = NullVoice(), Table(load_lexicon((code,)), opening())
    speaker = Speaker(voice, load_phrases(code), Level.ESSENTIAL)
    for text in before:
        hear(speaker, table, {text: 1.0})
    count = len(voice.said)
    hear(speaker, table, {said: 1.0})
    assert " ".join(one.text for one in voice.said[count:]) == reason


def test_a_silent_voice_answers_no_refused_command() -> None:
    voice, table = NullVoice(), new_table(spanish())
    hear(Speaker(voice, load_phrases(), Level.SILENT), table, {"nueva mano": 1.0})
    assert not voice.said


def test_a_second_deal_at_the_showdown_brings_the_reminder_and_nueva_mano_its_reason() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL)
    deal = "no hay mus|" + "paso|" * 8 + "no|" * 8 + "paso|paso|paso"
    for said in deal.split("|"):
        hear(speaker, table, {said: 1.0})
    told = "Cartas arriba, desde Norte. Si no, decid para quién es cada lance."
    heard = []
    for said in (
        "paso",
        "mus",
        "mus",
        "no hay mus",
        "paso",
        "envido cinco",
        "quiero",
        "nueva mano",
    ):
        count = len(voice.said)
        hear(speaker, table, {said: 1.0})
        heard.append([one.text for one in voice.said[count:]])
    assert heard == [["Cartas arriba, desde Norte."], [], [], [told], [], [], [], [told]]


def test_a_silent_voice_announces_no_microphone_trouble() -> None:
    voice, table = NullVoice(), new_table(spanish())
    Speaker(voice, load_phrases(), Level.SILENT).hears_badly("noisy", table)
    assert not voice.said


def test_the_table_is_invited_after_a_demo_unless_the_voice_is_silent() -> None:
    voice, table = NullVoice(), new_table(spanish())
    Speaker(voice, load_phrases(), Level.SILENT).invites(table)
    assert not voice.said
    Speaker(voice, load_phrases("eu"), Level.ESSENTIAL).invites(table)
    assert [one.text for one in voice.said] == ["Orain zuek."]


@pytest.mark.slow
@needs_speech
def test_the_words_of_mus_are_respelt_for_the_english_voice_alone(
    tmp_path: Path,
) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    settings = settings_from(parser.parse_args(["--voice", str(tmp_path / "spelt.wav")]))
    spelt = voice_of(settings, load_phrases("en"), GateLog())
    plain = WavVoice(tmp_path / "plain.wav", VoiceSettings("en"))
    for voice in (spelt, plain):
        voice.say("Pares, juego, grande, deje.", seq=1)
        voice.close()
    told = {
        name: (tmp_path / f"{name}.log").read_text("utf-8").split() for name in ("spelt", "plain")
    }
    assert told["spelt"][2:] == told["plain"][2:] == ["Pares,", "juego,", "grande,", "deje."]
    assert float(told["spelt"][1]) > float(told["plain"][1])


def test_pages_are_told_when_a_count_is_said_and_of_no_other_sentence() -> None:
    opening = number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"), 1), 0, at=1.0)
    journal = MemoryJournal()
    journal.append(opening)
    table = Table(spanish(), opening)
    runner = Runner(table, journal, lambda: (journal, table))
    phrases = load_phrases()
    board = TableBoard(runner, phrases)
    house = SimpleNamespace(runner=runner, board=board, phrases=phrases)
    aloud = CountAloud(cast(House, house))
    seen = board.snapshot()
    assert cast(dict[str, object], seen)["voice"] is None
    hands = enumerate(("R R C 1", "4 4 5 6", "R 7 7 7", "C C S S"), start=1)
    shown = [ShowHand(seat=seat, cards=parse_hand(hand)) for seat, hand in hands]
    aloud.begin(SaidSentence("Es mano Norte.", table.seq), 1.5)
    assert board.snapshot() is seen
    for call in (Cut(), Ordago(), Accept(), *shown):
        outcomes = table.propose(Pressed(call))
        table.commit(batches(outcomes, table.seq, at=0.0))
    assert table.state.juego_won == "A"
    aloud.begin(SaidSentence("El órdago, para Norte.", table.seq), 2.345)
    now = board.snapshot()
    assert cast(dict[str, object], now)["voice"] == {
        "seq": table.seq,
        "seconds": 2.35,
        "lances": [],
        "until": 1.0,
    }
    assert now["version"] > seen["version"]


def line_of(voice: NullVoice, text: str) -> str:
    """The tones before the sentence that begins like this; "" for none."""
    said = next(one.text for one in voice.said if one.text.startswith(text))
    return getattr(said, "tones", "")


def test_tones_go_before_an_ordago_and_the_end_of_a_juego_and_before_nothing_else() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL, tones=True)
    hands = enumerate(("R R C 1", "4 4 5 6", "R 7 7 7", "C C S S"), start=1)
    shown = [ShowHand(seat=seat, cards=parse_hand(hand)) for seat, hand in hands]
    for call in (Cut(), Ordago(), Accept(), *shown):
        tell(speaker, table, call)
    assert line_of(voice, "Corta") == ""
    assert line_of(voice, "Órdago de") == "ordago"
    assert line_of(voice, "Órdago querido") == ""
    assert line_of(voice, "El órdago, para") == "juego"


def test_no_tones_go_before_anything_where_they_are_turned_off() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL, tones=False)
    for call in (Cut(), Ordago()):
        tell(speaker, table, call)
    assert line_of(voice, "Órdago de") == ""


def test_what_is_repeated_on_demand_has_no_tones_again() -> None:
    voice, table = NullVoice(), new_table(spanish())
    speaker = Speaker(voice, load_phrases(), Level.ESSENTIAL, tones=True)
    for call in (Cut(), Ordago()):
        tell(speaker, table, call)
    speaker.told(News(Pressed(Command.REPEAT), (Told(Command.REPEAT),), ()), table)
    again = voice.said[-1].text
    assert (again, getattr(again, "tones", "")) == ("Órdago de Norte a la grande.", "")


def test_a_style_sets_the_tempo_the_pitch_and_the_pauses_of_the_voice() -> None:
    phrases = load_phrases("es")
    style = replace(find_style("sobrio"), tempo=1.2, pitch=40, pause=0.5)
    sound = sound_in(style, phrases, "Spanish", 200, 0.5)
    assert sound == VoiceSettings("es", 240, 0.5, "Spanish", phrases.sounds, 40, 0.5)
    assert sound_in(style, phrases, rate=400).rate == 450


@pytest.mark.parametrize(("style", "tones"), [("peña", True), ("sobrio", False)])
def test_the_table_speaks_in_the_style_of_its_settings(style: str, tones: bool) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    settings = settings_from(parser.parse_args(["--voice", "off", "--style", style]))
    opening = number(open_game(Profile(), ("Norte", "Oeste", "Sur", "Este"), 1), 0, at=1.0)
    journal = MemoryJournal()
    journal.append(opening)
    table = Table(spanish(), opening)
    runner = Runner(table, journal, lambda: (journal, table))
    board = TableBoard(runner, load_phrases())
    listeners: list[Speaker] = []
    house = SimpleNamespace(
        settings=settings, phrases=load_phrases(), runner=runner, board=board, tell=listeners.append
    )
    speaker = install(cast(House, house), GateLog())
    voice = cast(NullVoice, speaker._voice)
    for call in (Cut(), Ordago()):
        tell(speaker, table, call)
    wanted = {"peña": "Órdago de Norte a la grande.", "sobrio": "Órdago de Norte."}
    assert wanted[style] in [said.text for said in voice.said]
    assert bool(line_of(voice, "Órdago de")) == tones
    assert cast(dict[str, object], board.snapshot())["sounds"] is True


@each_row(
    "words, sounds, by_voice",
    [
        ("--voice on", True, True),
        ("--voice on", False, False),
        ("--voice on --style sobrio", True, False),
        ("--voice on --level silent", True, False),
        ("--voice off", True, False),
        ("--voice game.wav", True, False),
    ],
)
def test_the_pages_are_told_whether_the_loudspeaker_has_the_tones(
    words: str, sounds: bool, by_voice: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.voice.announcer.voice_of", lambda *_: NullVoice())
    parser = ArgumentParser()
    add_arguments(parser)
    settings = replace(settings_from(parser.parse_args(words.split())), sounds=sounds)
    told: dict[str, object] = {}
    board = SimpleNamespace(extend=lambda more: told.update(more()))
    house = SimpleNamespace(
        settings=settings, phrases=load_phrases(), board=board, tell=lambda _speaker: None
    )
    install(cast(House, house), GateLog())
    assert (told["sounds"], told["voice_tones"]) == (sounds, by_voice)


@each_row(
    "language, text, named, until",
    [
        (
            "es",
            "Norte y Sur, grande cinco y juego siete; los otros chica una. Juego: uno a cero.",
            ["grande", "juego", "chica"],
            "Norte y Sur, grande cinco y juego siete; los otros chica una",
        ),
        ("es", "Norte y Sur, doce; los otros, una. Doce a una.", [], None),
        (
            "eu",
            "Norte eta Sur, handia bost eta pareak zazpi; besteak txikia bat. Hamabi-bat.",
            ["grande", "pares", "chica"],
            "Norte eta Sur, handia bost eta pareak zazpi; besteak txikia bat",
        ),
    ],
)
def test_the_page_is_told_in_which_order_a_count_names_the_lances(
    language: str, text: str, named: list[str], until: str | None
) -> None:
    lances, end = lances_named(text, load_phrases(language).language)
    assert [one["lance"] for one in lances] == named
    assert [one["at"] for one in lances] == sorted(one["at"] for one in lances)
    assert end == pytest.approx(len(until) / len(text) if until else 1.0, abs=0.001)
