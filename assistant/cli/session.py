"""The wiring: one table with its ear, voice and dashboard, from the first check to the end."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType

from assistant.cli.game import in_play, open_new, take_up
from assistant.cli.mus_score import Play, play_script, script_lexicon
from assistant.cli.pages import create_app
from assistant.cli.setup import Change, Opening, Setup
from assistant.ear import (
    AudioSource,
    Ear,
    EarState,
    EchoGate,
    FileSource,
    MicrophoneSource,
    SpeechError,
)
from assistant.ear.hearing import open_ear
from assistant.ear.levels import DEAD, Rehearsal
from assistant.ear.microphone import advice, list_anew, microphones
from assistant.eye.at_table import Eye, ShowdownEvidence, evidence_dir
from assistant.eye.calibration import load_calibration, table_dir
from assistant.eye.deck import find_deck
from assistant.eye.read import Reader
from assistant.eye.watch import Reopening
from assistant.eye.workshop import Workshop
from assistant.eye.zones import ZoneCalibration, Zones
from assistant.files.errors import UsageError
from assistant.files.paths import data_dir
from assistant.files.profile_files import rules_named
from assistant.files.resources import load_lexicon, load_phrases, odds_table, read_text
from assistant.files.settings import LOCALHOST, Settings
from assistant.hall.remembered import TABLE, remember
from assistant.hall.uplinked import Uplinked
from assistant.language.lexicon import Lexicon
from assistant.language.phrases import Level
from assistant.language.script import Cards, Mano, Said, Script, ScriptError, parse_script
from assistant.messages import CardsSeen, Heard, Message
from assistant.page import DashboardServer, serve
from assistant.page.board import TableBoard
from assistant.page.door import keys_path, page_keys
from assistant.review.history import Replay
from assistant.review.report_page import LiveReport
from assistant.rules.cards import Hand
from assistant.rules.events import DealStarted, HandShown
from assistant.rules.history import effective
from assistant.rules.needed import missing_hands
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.school.apprentice.page import Apprentice
from assistant.school.lessons.classroom import Classroom, classroom_of
from assistant.speakers.voice_lessons import VoiceLessons
from assistant.speakers.who_spoke import Attributing, tells_apart
from assistant.table.journal import Journal
from assistant.table.runner import News, Runner
from assistant.table.table import Table
from assistant.voice import Playback
from assistant.voice.announcer import Speaker, voice_of

# ---- One heap for all threads of a table, so that an evening's memory stays what it was ---------


M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


def one_heap() -> bool:
    """Have the C library serve all threads from one heap; whether it can, as glibc does.

    By itself it gives each thread a heap of its own, and each keeps what its thread has freed: the
    recogniser's small pieces come and go in the ear's thread, and a stretch of one heap that is
    free is of no use to the others. Few threads of a table ever wait for each other at the heap,
    for Python lets one run at a time. To be called before the threads are started.

    Large pieces stay in the heap, too: taken from the system each time they would keep the memory
    four megabytes lower in an evening, and fitting a voice would take twice as long.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # as on musl, macOS and Windows
        return False
    return bool(mallopt(M_ARENA_MAX, 1))


# ---- Shown cards from a script, for recordings and the demo: there is no camera to see them -----


Hands = tuple[tuple[int, Hand], ...]


def hands_by_deal(script: Script) -> tuple[Hands, ...]:
    """The ``cards`` lines of a script, grouped by the deal they belong to.

    Where the script plays, the rules tell; one that only goes with a recording, and has not all its
    words, is read line by line.
    """
    play = play_script(script, script_lexicon(script.profile))
    return _by_lines(script) if play.failure else _by_rules(play)


def _by_rules(play: Play) -> tuple[Hands, ...]:
    deals: list[list[tuple[int, Hand]]] = []
    for record in effective(play.table.records):
        match record.event:
            case DealStarted():
                deals.append([])
            case HandShown(seat=seat, cards=cards):
                deals[-1].append((seat, cards))
    return tuple(tuple(deal) for deal in deals)


def _by_lines(script: Script) -> tuple[Hands, ...]:
    """A deal begins at a ``mano`` line, or at the first call after cards were shown."""
    deals: list[list[tuple[int, Hand]]] = [[]]
    said = False
    for step in script.steps:
        match step:
            case Mano() if said or deals[-1]:
                deals.append([])
                said = False
            case Said():
                if deals[-1]:
                    deals.append([])
                said = True
            case Cards():
                deals[-1].append((step.seat, step.hand))
    return tuple(tuple(deal) for deal in deals)


class CardFeeder:
    """A listener that lays the scripted hands open when a deal comes to its showdown."""

    def __init__(self, deals: tuple[Hands, ...], post: Callable[[Message], object]) -> None:
        self._deals = deals
        self._post = post

    def told(self, news: News, table: Table) -> None:
        """Show the hands of this deal as soon as the table waits for cards, or for more of them."""
        state = table.state
        waited_for = [missing_hands(update.before) for update in news.updates[:1]]
        if state.phase is not Phase.SHOWDOWN or missing_hands(state) in waited_for:
            return
        if 0 < state.deal <= len(self._deals):
            wanted = missing_hands(state)
            hands = tuple((s, hand) for s, hand in self._deals[state.deal - 1] if s in wanted)
            if hands:
                self._post(CardsSeen(hands))


# The wiring: one table with its ear, voice and dashboard, from the first check to a clean end.


log = logging.getLogger("mus")

RECORDING_OVER = "over"
"""The ear's note at a recording's end; the page has the words."""

ANSWER_TIMEOUT = 30.0
"""Seconds that a recording waits for the table; a disk can hang that long before it fails."""


def _tongue(profile: Profile) -> Lexicon:
    """The words of the languages that the house rules name."""
    return load_lexicon(profile.calls)


class Session:
    """Everything that ``mus play`` runs. Entering it opens and starts, leaving it ends in order.

    ``fresh``: nothing was ever set on this machine, so the page begins with that, and the voice
    waits for it. ``change`` is what somebody changed there, for whoever reads it to ``open_anew``.
    """

    def __init__(self, settings: Settings, *, fresh: bool = False) -> None:
        self.settings = settings
        self.finished = threading.Event()
        self.failure: SpeechError | None = None
        self.evidence: ShowdownEvidence | None = None
        self.change: Change | None = None
        self._opening = Opening(1, fresh)
        self._greets = not fresh
        self._rehearsal = Rehearsal()
        self._stack = ExitStack()
        self._line: Uplinked | None = None

    def __enter__(self) -> Session:
        """Open what can fail first, so that nothing is begun that cannot be done."""
        one_heap()
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def open_anew(self, settings: Settings, *, greet: bool, fault: str = "") -> None:
        """Close all, and open it by other settings; the page stays where it was.

        ``greet``: tell the table how it stands; ``fault``: why an attempt before this one failed.
        Raises MusError, and then all is closed.
        """
        port = settings.port or self.server.port
        opening = Opening(self._opening.number + 1, self.setup.fresh(), fault)
        self.change = None
        self.speaker.silence()
        self._stack.close()
        self._stack = ExitStack()
        list_anew()
        self.finished.clear()
        self.failure = None
        self.settings, self._opening, self._greets = replace(settings, port=port), opening, greet
        self.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def settle(self) -> None:
        """Wait until the table has dealt with everything that was heard."""
        self.runner.drain()

    def summary(self) -> str:
        """The score in one sentence."""
        return self.phrases.score(self.runner.table.state)

    def _open(self) -> None:
        settings = self.settings
        deals = self._scripted_hands()
        game = take_up(settings, _tongue)
        self._stack.callback(game.journal.close)  # until the runner owns it; twice does no harm
        profile = game.table.state.profile
        self.phrases = load_phrases(profile.voice)
        # Its table is another one after "nueva partida".
        ear = open_ear(
            settings,
            game.table.lexicon,
            lambda: self.runner.table.state,
            lambda: self.runner.table.asked,
            game.table.state.seats,
        )
        if tells_apart(settings):
            ear = attributing = Attributing(ear, settings, lambda: self.runner.table.state)
            self._stack.callback(attributing.close)
        self.resumed = game.resumed
        self.runner = Runner(game.table, game.journal, self._new_game)
        self.gate = EchoGate()
        self.board = TableBoard(self.runner, self.phrases)
        eye, zones, workshop = self._eye()
        self.setup = self._setup(eye)
        self.apprentice = Apprentice(self.runner, self.phrases, self.gate.hold)
        self._stack.callback(self.apprentice.close)
        voices = VoiceLessons(lambda: self.ear, lambda: self._changed(Change({}, new=False)))
        self.server = self._serve(zones, workshop, voices, self._classroom(voices))
        self.speaker = speaker = self._speaker()
        self._line = uplinked = self._uplinked()
        game.begin()  # not before: a start that fails must leave the last game the last
        self.settings = replace(self.settings, new=False)  # it is begun: go on with it
        # The apprentice knows first: its page asks as soon as the board has shown a change.
        self.runner.listeners.extend([self.apprentice, self.board, speaker])
        if deals:
            self.runner.listeners.append(CardFeeder(deals, self.runner.post))
        if eye:
            self.runner.listeners.append(eye)
        if uplinked:
            self.runner.listeners.append(uplinked)
            uplinked.start()
        self.runner.start()
        self._stack.callback(self.runner.stop)
        self.server.start()
        self._stack.callback(self.server.stop)
        self._stack.callback(self.board.close)
        if self._greets:
            (speaker.resumed if game.resumed else speaker.opened)(game.table)
        self.ear = Ear(
            self._source(),
            ear,
            self.gate,
            on_heard=self._heard,
            on_partial=self.board.partial,
            on_state=self._ear_state,
            on_end=self._ended,
        )
        self._play_aloud()
        self.ear.start()
        self._stack.callback(self.ear.stop)
        self._stack.callback(voices.close)
        if eye:
            eye.start(self.runner.table)
            self._stack.callback(eye.stop)

    def _serve(
        self,
        zones: Zones | None,
        workshop: Workshop | None,
        voices: VoiceLessons,
        classroom: Classroom,
    ) -> DashboardServer:
        keys = None if self.settings.host == LOCALHOST else page_keys(keys_path())
        web = data_dir("web")
        app = create_app(
            self.board,
            web_dir=web,
            keys=keys,
            camera=zones,
            workshop=workshop,
            history=Replay(self.runner, self.phrases, self.evidence),
            setup=None if self.settings.listen else self.setup,
            voices=voices,
            learner=self.apprentice,
            classroom=classroom,
            reports=LiveReport(self.runner),
            odds=odds_table(self.runner.table.state.profile),
        )
        server = serve(app, self.settings.host, self.settings.port)
        self._stack.callback(server.stop)  # until it serves; twice does no harm
        return server

    def _uplinked(self) -> Uplinked | None:
        settings = self.settings
        if not settings.listen:
            remember(TABLE, settings.hub)
        if not settings.hub or not settings.journal:
            return None
        uplinked = Uplinked(settings.hub, settings.journal, self.runner, self.board.hall)
        self._stack.callback(uplinked.stop)
        return uplinked

    def _classroom(self, voices: VoiceLessons) -> Classroom:
        classroom = classroom_of(
            self.settings,
            self.phrases.code,
            lambda: self.ear,
            lambda: voices.reading,
            self.gate.hold,
        )
        self._stack.callback(classroom.close)
        return classroom

    def _setup(self, eye: Eye | None) -> Setup:
        return Setup(
            self.settings,
            self._opening,
            table=lambda: self.runner.table,
            ear=lambda: self.ear,
            eye=eye,
            gate=self.gate,
            rehearsal=self._rehearsal,
            ask=self._changed,
        )

    def _changed(self, change: Change) -> None:
        self.change = change

    def _speaker(self) -> Speaker:
        level, volume = Level(self.settings.level), self.settings.volume
        voice = voice_of(self.settings, self.phrases, self.gate)
        speaker = Speaker(voice, self.phrases, level, volume)
        self._stack.callback(speaker.close)
        return speaker

    def _eye(self) -> tuple[Eye, Zones, Workshop] | tuple[None, None, None]:
        """The camera, opened before the table begins: one that is not there is told at once."""
        settings = self.settings
        if not settings.camera:
            return None, None, None
        deck = find_deck(settings.deck)
        folder = settings.table or table_dir()
        known = settings.table is not None or folder.is_dir()
        calibration = load_calibration(folder) if known else None
        source = Reopening(settings.camera)
        self._stack.callback(source.close)  # until the eye owns it; twice does no harm
        self.evidence = ShowdownEvidence(evidence_dir())
        eye = Eye(
            source, Reader(deck), calibration, self.runner.post, self.board.eye, self.evidence
        )
        workshop = Workshop(deck.name, lambda other: eye.reads_by(Reader(other)))
        kept = folder.parent if folder.is_file() else folder
        lesson = ZoneCalibration(eye.sight, eye.finder, lambda: in_play(self.runner.table.state))
        return eye, Zones(kept, calibration, eye.calibrated, lesson), workshop

    def _new_game(self) -> tuple[Journal, Table]:
        called = self._line.called if self._line else None
        runner = self.runner
        last = runner.table.state
        game = open_new(self.settings, self._same_tongue, last, called, runner.journal)
        game.begin()
        return game.journal, game.table

    def _same_tongue(self, _profile: Profile) -> Lexicon:
        """The ear of this table was opened for its languages; the next game keeps them."""
        return self.runner.table.lexicon

    def _scripted_hands(self) -> tuple[Hands, ...]:
        path = self.settings.cards
        if path is None:
            return ()
        try:
            return hands_by_deal(parse_script(read_text(path), rules_named))
        except ScriptError as error:
            raise UsageError(f"{path}: {error}") from error

    def _source(self) -> AudioSource:
        settings = self.settings
        if settings.listen:
            return FileSource(settings.listen, realtime=not settings.fast)
        return MicrophoneSource(settings.mic, channels=settings.channels)

    def _play_aloud(self) -> None:
        """Let people hear what the ear hears, where they would only see it."""
        settings = self.settings
        if settings.aloud and settings.listen and settings.voice == "on":
            playback = Playback(settings.listen)
            playback.start()
            self._stack.callback(playback.close)

    def _heard(self, heard: Heard) -> None:
        if self._rehearsal.takes(heard):
            return
        answer = self.runner.post(heard)
        if self.settings.listen:
            # A recording may run faster than the table: what is said next waits for the answer,
            # and so for the cards that a showdown has called for.
            answer.result(ANSWER_TIMEOUT)

    def _ear_state(self, state: EarState, note: str) -> None:
        # The page has words of its own for an ear that is off; why it is, the terminal tells.
        if state in (EarState.OFF, EarState.LOST):
            note = RECORDING_OVER if self.settings.listen and not note else ""
        if note == DEAD:
            what = advice(self.ear.device, microphones())
            log.warning("If it is the wrong microphone, %s.", what)
        self.board.ear(state.value, note)
        if note and not self.settings.listen:
            self.speaker.hears_badly(note, self.runner.table)

    def _ended(self, failure: SpeechError | None) -> None:
        self.failure = failure
        self.finished.set()
