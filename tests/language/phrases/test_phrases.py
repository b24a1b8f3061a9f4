"""Every Spanish sentence has a case, and reads as the case expects."""

from assistant.language.phrases import Phrases
from assistant.language.phrases.keys import SHAPE
from tests.language.phrases.aloud import Case, recorded
from tests.language.phrases.cases_agreed import AGREED
from tests.language.phrases.cases_resumed import APPLIED, RESUMED
from tests.language.phrases.cases_screen import SCREEN
from tests.language.phrases.cases_understood import UNDERSTOOD
from tests.language.phrases.cases_voice import VOICE
from tests.tables import each_row

CASES = (*VOICE, *SCREEN, *AGREED, *RESUMED, *APPLIED, *UNDERSTOOD)


@each_row("case", CASES, name=lambda case: case.name)
def test_each_case_reads_as_players_would_say_it(es: Phrases, case: Case) -> None:
    assert case.tell(es) == case.expected


def test_every_spanish_phrase_is_used_by_a_case(es: Phrases) -> None:
    phrases, texts = recorded(es)
    for case in CASES:
        case.tell(phrases)
    assert set(SHAPE) - texts.used == set()
