"""The apprentice's page: the running table, explained for one seat in a language."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from flask import Blueprint, Response, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from assistant.files.resources import languages, load_phrases, load_wording, nearest
from assistant.language.phrases import Phrases
from assistant.messages import Heard, Ignored, Outcome, Pressed
from assistant.page import BoardError
from assistant.page.app import feature_pages
from assistant.page.house import House
from assistant.page.incoming import body_of
from assistant.rules.calls import Call
from assistant.rules.cards import Hand, parse_hand
from assistant.rules.errors import CardError, MusError
from assistant.rules.history import Record
from assistant.rules.phases import Lance
from assistant.school.apprentice import (
    SAYINGS,
    SHAPE,
    ApprenticeView,
    Tongue,
    apprentice_view,
    sounds_of,
)
from assistant.school.apprentice.explained import judged_texts
from assistant.school.apprentice.shape import NO_MISTAKE
from assistant.school.judge.judging import shipped_judge
from assistant.school.judge.telling import SHAPE as JUDGE_SHAPE
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from assistant.voice import Sounds, VoiceError, VoiceSettings, seconds_of
from assistant.voice.wav import NotOfferedError, Pronouncer

# ---- The content of the apprentice's page: the running table, explained for one seat


RATE = 140
"""Words a minute of a call that is taught: slower than the table's voice speaks."""
SAID_AS = {"iparralde": "eu", "interpenas": "es"}
"""Languages of calls that are taught with the words of another language."""
DEFAULT = "es"
MARGIN = 0.5
"""Seconds that a telephone may take to begin a sound."""
NO_CARDS: Hand = ()
"""Cards that the learner gave and that cannot be read: they fit nobody."""


JudgedTexts = dict[tuple[int, Hand, str], Mapping[Lance, str]]
"""A seat, its hand and a language -> what its own calls left of the juego, by lance."""


class Apprentice:
    """A listener that remembers the last failed call. Any thread may call its other methods."""

    def __init__(self, runner: Runner, phrases: Phrases, hush: Callable[[float], None]) -> None:
        """``phrases``: the table's. The page is in their language if none is asked for.

        ``hush``: shuts the table's ear for a number of seconds, while a phone plays a sound.
        """
        self._runner = runner
        self._hush = hush
        self._language = phrases.code
        self._last: tuple[tuple[Outcome, ...], int | None] = (), None
        self._lock = threading.Lock()
        self._judged: tuple[tuple[int, float], JudgedTexts] = (0, 0.0), {}
        self._calls = spoken_in(runner.table)
        spoken = load_phrases(self._calls)
        settings = VoiceSettings(spoken.code, RATE, sounds=spoken.sounds)
        self._pronounce = Pronouncer(Sounds(settings))

    def told(self, news: News, table: Table) -> None:
        """Remember what became of the last words. Table talk is no call and changes nothing."""
        del table
        if news.outcomes and not all(map(_is_talk, news.outcomes)):
            self._last = news.outcomes, _speaker(news)

    def view(self, seat: int, language: str, told: str) -> ApprenticeView | None:
        """Everything for one seat; ``None`` where there is no such seat.

        Raises BoardError if a file of texts, which a player may have edited, cannot be used.
        """
        table = self._runner.table
        records, state = table.records.copy(), table.state
        if not 1 <= seat <= state.players:
            return None
        outcomes, speaker = self._last
        if speaker and speaker > state.players:
            speaker = None
        try:
            tongue = load_tongue(self._known(language), self._calls)
        except MusError as error:
            raise BoardError(str(error)) from error
        view = apprentice_view(
            state, records, outcomes, seat, tongue, told=_hand(told), speaker=speaker
        )
        hand = state.hands[seat - 1] or _hand(told)
        if view["chances"] and hand:
            judged = self._judged_texts(records, seat, hand, self._known(language))
            for one in view["chances"]:
                if text := judged.get(Lance(one["lance"])):
                    one["text"] = f"{one['text']} {text}"
        self._pronounce.offer(sounds_of(view))
        return view

    def _judged_texts(
        self, records: Sequence[Record], seat: int, hand: Hand, language: str
    ) -> Mapping[Lance, str]:
        """See ``judged_texts``; kept until the next record, because a page asks again and again.

        Raises BoardError.
        """
        moment, asked = (len(records), records[0].at), (seat, hand, language)
        with self._lock:
            if self._judged[0] != moment:
                self._judged = moment, {}
            kept = self._judged[1]
            if asked not in kept:
                try:
                    words = load_wording("judge", language, JUDGE_SHAPE)
                    kept[asked] = judged_texts(shipped_judge(), records, seat, hand, words)
                except MusError as error:
                    raise BoardError(str(error)) from error
            return kept[asked]

    def sound(self, text: str) -> bytes | None:
        """A call as a WAV file; ``None`` if no page offered it. Raises BoardError.

        The table's ear is shut while it sounds; else an "órdago" that is taught would count.
        """
        try:
            sound = self._pronounce(text)
        except NotOfferedError:
            return None
        except VoiceError as error:
            raise BoardError(str(error)) from error
        self._hush(seconds_of(sound) + MARGIN)
        return sound

    def close(self) -> None:
        """End the voice that pronounces."""
        self._pronounce.close()

    def _known(self, language: str) -> str:
        """The language that was asked for, if the page has words in it; else the table's."""
        return nearest("phrases", language, self._language)


@lru_cache(maxsize=8)
def load_tongue(language: str, calls: str) -> Tongue:
    """All words of a page, for calls in a language. Raises UsageError, SentenceError."""
    return Tongue(
        load_wording("apprentice", language, SHAPE).texts,
        load_phrases(language).language,
        load_wording("taught", calls, SAYINGS).texts,
        load_phrases(calls).language,
    )


def spoken_in(table: Table) -> str:
    """The first language of a table's calls for which there are words to teach."""
    known = languages("taught")
    named = (SAID_AS.get(code, code) for code in table.state.profile.calls)
    return next((code for code in named if code in known), DEFAULT)


def _is_talk(outcome: Outcome) -> bool:
    return isinstance(outcome, Ignored) and outcome.code in NO_MISTAKE


def _speaker(news: News) -> int | None:
    """Who said it, or whose button was tapped, where anybody knows."""
    match news.message:
        case Heard(seat=seat):
            return seat
        case Pressed(what=Call(seat=seat)):
            return seat
        case _:
            return None


def _hand(told: str) -> Hand | None:
    """Cards as the page sends them, "RRC1"; ``None`` if it sent none."""
    if not told:
        return None
    try:
        return parse_hand(" ".join(told))
    except CardError:
        return NO_CARDS


# ---- The learner's page: what was said, what may be said, and how it sounds ---------------------


MAX_TEXT = 200
"""The most letters of anything that a request holds."""


class Learner(Protocol):
    """What the apprentice's page asks. Every method may be called from any thread."""

    def view(self, seat: int, language: str, told: str) -> ApprenticeView | None:
        """Everything for one seat; ``None`` where there is no such seat.

        ``language``: a code, or "" for the table's. ``told``: the four cards that he says he held,
        as "RRC1", or ""; they are looked at only once the deal is counted, and never kept.
        """

    def sound(self, text: str) -> bytes | None:
        """A call as a WAV file; ``None`` if no page offered it. Raises BoardError.

        The table's ear is shut while it sounds.
        """


def apprentice_pages(learner: Learner) -> Blueprint:
    """Make the page, what it shows for one seat, and the sound of a call."""
    pages = feature_pages("apprentice", menu="learns")

    @pages.get("/apprentice")
    def apprentice() -> str:
        return render_template("apprentice.html")

    @pages.get("/api/apprentice")
    def told_to_apprentice() -> Response:
        found = learner.view(_seat(), _asked("lang"), _asked("hand"))
        if found is None:
            raise NotFound("There is no such seat at this table: choose another one.")
        return _fresh(jsonify(found))

    @pages.post("/api/apprentice/say")
    def pronounced() -> Response:
        # Not GET: it shuts the table's ear, so whoever only looks on may not ask for it.
        sound = learner.sound(_text(body_of(request)))
        if sound is None:
            raise NotFound("That is no call of this table: open the page again.")
        return _fresh(Response(sound, mimetype="audio/wav"))

    return pages


def install(house: House, hush: Callable[[float], None]) -> Apprentice:
    """Explain the table of a house to whoever learns. ``hush``: see Apprentice. Raises MusError."""
    apprentice = Apprentice(house.runner, house.phrases, hush)
    house.show(apprentice_pages(apprentice))
    house.tell(apprentice)
    return apprentice


def _seat() -> int:
    seat = request.args.get("seat", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise BadRequest("Say which seat, as in ?seat=1.")
    return int(seat)


def _asked(name: str) -> str:
    value = request.args.get(name, "")
    if len(value) > MAX_TEXT:
        raise BadRequest(f"That {name} is too long.")
    return value


def _text(body: dict[str, object]) -> str:
    """Read ``{"text": "Envido"}``. Raises BadRequest."""
    match body:
        case {"text": str(text)} if len(body) == 1 and len(text) <= MAX_TEXT:
            return text
    raise BadRequest('Send "text", a call of this table.')


def _fresh(response: Response) -> Response:
    """Forbid the browser to keep an answer, which would look like the present one."""
    response.headers["Cache-Control"] = "no-store"
    return response
