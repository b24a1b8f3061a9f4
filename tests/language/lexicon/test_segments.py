"""Segments: pauses cut an utterance, and doubt about a word makes its segment table talk."""

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import (
    UNKNOWN,
    Context,
    Lexicon,
    Reading,
    Spoken,
    Talk,
    TalkReason,
    words_of,
)
from assistant.messages import Word
from assistant.rules.calls import Bet, Pass, Refuse
from assistant.rules.phases import Lance, Phase
from tests.tables import each_row

OPEN = Context(Phase.GRANDE)
BET = Context(Phase.GRANDE, pending=True)
DECLARING = Context(Phase.PARES_SAY)
BREATH = 0.1


def spoken(text: str, confidence: float = 1.0) -> tuple[Word, ...]:
    """Words of 0.3 s, 0.1 s apart. A number in the text is a pause in hundredths of a second."""
    words: list[Word] = []
    clock = 0.0
    for part in text.split():
        if part.isdigit():
            clock += int(part) / 100 - BREATH
        else:
            words.append(Word(part, clock, clock + 0.3, confidence))
            clock += 0.3 + BREATH
    return tuple(words)


def cut(lexicon: Lexicon, text: str) -> list[str]:
    return [" ".join(word.text for word in segment) for segment in lexicon.segments(spoken(text))]


@each_row(
    "text, segments",
    [
        ("paso paso envido", ["paso paso envido"]),
        ("paso 30 paso", ["paso paso"]),
        ("paso 40 envido", ["paso", "envido"]),
        ("mus 50 mus 50 no hay mus", ["mus", "mus", "no hay mus"]),
        ("mira qué cartas 60 paso", ["mira qué cartas", "paso"]),
        ("[unk] 40 paso", ["[unk]", "paso"]),
    ],
)
def test_a_pause_ends_a_segment(es: Lexicon, text: str, segments: list[str]) -> None:
    assert cut(es, text) == segments


@each_row(
    "text",
    [
        "no 60 quiero",
        "no 60 hay mus",
        "no 50 hay 50 mus",
        "envido 60 cinco",
        "dos 60 más",
        "envido cinco 50 a la chica",
        "rey rey 60 caballo as",
        "treinta 50 y una más",
        "la grande 50 para nosotros",
        "duples 50 y medias 50 para ellos",
        "asistente 50 quita dos 50 a los otros",
    ],
)
def test_a_short_pause_does_not_cut_a_phrase(es: Lexicon, text: str) -> None:
    assert len(cut(es, text)) == 1


@each_row(
    "text",
    [
        "no 90 quiero",  # the pause is too long for one breath
        "paso 50 paso",  # the same word again is another player
        "no 50 no",
        "no 50 tengo",  # in a round of declarations everybody speaks in turn
        "pares no 50 sí",
        "paso 50 a la chica envido tres",  # the lance belongs to the second call
        "quiero 50 paso",
        "la grande para nosotros 50 la chica para ellos",
    ],
)
def test_the_calls_of_two_players_are_cut_apart(es: Lexicon, text: str) -> None:
    assert len(cut(es, text)) == 2


def test_two_phrases_with_short_pauses_are_both_kept_whole(es: Lexicon) -> None:
    assert cut(es, "no 60 quiero 60 envido 60 cinco") == ["no quiero", "envido cinco"]


def test_a_typed_line_is_one_segment(es: Lexicon) -> None:
    words = words_of("Mano: ¡envido, cinco! — y cinco más.")
    assert es.segments(words) == (words,)
    assert [word.text for word in words] == ["Mano:", "¡envido,", "cinco!", "y", "cinco", "más."]


def test_silence_has_no_segments_and_no_call(es: Lexicon) -> None:
    assert es.segments(()) == ()
    assert es.read((), OPEN) == Talk(TalkReason.TALK)


@each_row("text", ["[unk] paso", "paso [unk]", "envido [unk] cinco"])
def test_unknown_speech_in_a_segment_makes_it_talk(es: Lexicon, text: str) -> None:
    assert es.read(spoken(text), OPEN) == Talk(TalkReason.NOISE)


def test_unknown_speech_after_a_pause_leaves_the_call_alone(es: Lexicon) -> None:
    first, second = es.segments(spoken(f"paso 40 {UNKNOWN}"))
    assert es.read(first, OPEN) == Spoken(Pass(), 1)
    assert es.read(second, OPEN) == Talk(TalkReason.NOISE)


def test_a_word_of_low_confidence_makes_its_segment_talk(es: Lexicon) -> None:
    faint = (*spoken("envido"), Word("cinco", 0.4, 0.7, confidence=0.2))
    assert es.read(faint, OPEN) == Talk(TalkReason.UNSURE)
    assert es.read(spoken("envido cinco", confidence=0.9), OPEN) == Spoken(Bet(stones=5), 2)


@each_row(
    "text, context, reading",
    [
        ("no quiero", BET, Spoken(Refuse(), 2)),
        ("quiero", OPEN, None),
        ("dos a pequeña", OPEN, Spoken(Bet(lance=Lance.CHICA, stones=2), 3)),
        ("sí", BET, Talk(TalkReason.UNSURE_YES)),
        ("sí quiero comer", BET, Talk(TalkReason.TALK)),
        ("si te envidan", BET, Talk(TalkReason.TALK)),
        ("¿paso?", OPEN, Talk(TalkReason.QUESTION)),
    ],
)
def test_a_reading_has_its_number_of_words_or_the_reason_why_it_is_no_call(
    es: Lexicon, text: str, context: Context, reading: Reading | None
) -> None:
    found = es.read(words_of(text), context)
    if reading is None:
        assert isinstance(found, Spoken)
    else:
        assert found == reading


# ---- A hand in pieces: its cards are named one by one, with a long pause after each -------------

SHOWDOWN = Context(Phase.SHOWDOWN, seats=("Ana", "Iker", "Paula", "Jon"))


@each_row(
    "language, pieces, a_hand",
    [
        ("es", "rey | caballo | sota | as", True),
        ("es", "rey | caballo y sota | as", True),
        ("es", "rey | caballo | sota y | as", True),
        ("es", "dos reyes | caballo | as", True),
        ("es", "cuatro | reyes", False),
        ("es", "dos | reyes | caballo | as", False),
        ("es", "caballos | sota | sietes | seis", True),
        ("es", "caballo | dos ases", True),
        ("es", "siete | seis | tres | reyes", False),
        ("es", "as | dos | rey | cuatro", True),
        ("es", "ana rey | caballo | sota | as", True),
        ("es", "ana | rey | caballo | sota | as", True),
        ("es", "ana | rey caballo sota as", False),
        ("es", "rey | caballo | sota", False),
        ("es", "rey | caballo | sota | as | dos", False),
        ("es", "rey | | caballo sota | as", False),
        ("es", "paso | rey | caballo | sota | as", False),
        ("eu", "errege | zaldi | sei | as", True),
        ("eu", "bi errege | sei | as", True),
        ("eu", "bi | errege | sei | as", False),
        ("eu", "lau | errege", False),
        ("eu", "lau | errege | sei | as", True),
    ],
)
def test_each_piece_of_a_hand_names_some_of_its_cards(
    language: str, pieces: str, a_hand: bool
) -> None:
    said = [spoken(piece) for piece in pieces.split("|")]
    assert load_lexicon([language]).lays_hand(said, SHOWDOWN) is a_hand
