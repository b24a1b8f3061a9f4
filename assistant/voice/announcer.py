"""The announcer: makes sentences of the table's news and gives them to the voice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from assistant.files.settings import Settings
from assistant.files.style_files import find_style
from assistant.language.phrases import Level, Phrases, Style
from assistant.language.phrases.language import Language
from assistant.messages import Accepted, Ask, Command, Heard, Outcome, Refused, Told
from assistant.rules import events as e
from assistant.rules.calls import AdjustStones, ClaimLance, CorrectBet, NextDeal, Place
from assistant.rules.events import How
from assistant.rules.history import is_retraction
from assistant.rules.phases import AFTER_DEAL, Lance
from assistant.table.runner import News
from assistant.table.table import Table
from assistant.voice import (
    Gate,
    NullVoice,
    OnBegin,
    Playback,
    Pyttsx3Voice,
    SaidSentence,
    SpokenLine,
    Voice,
    VoiceSettings,
    WavVoice,
)
from assistant.voice.port import FASTEST, SLOWEST

if TYPE_CHECKING:  # commands use this module without the page
    from assistant.page.house import House

URGENT = (
    e.OrdagoMade,
    e.StonesWon,
    e.StonesLost,
    e.StonesAdjusted,
    e.BetCorrected,
    e.CountReopened,
    e.LanceClaimed,
    e.ClaimDisproved,
    e.JuegoWon,
    e.VacaWon,
    e.MatchWon,
    e.ManoChanged,
    e.PedreteSung,
    e.IrregularityReported,
    e.PenaltyProposed,
    e.PenaltyApplied,
    e.PenaltyWaived,
    e.DealVoided,
)
"""Events that nobody may miss: no newer sentence replaces theirs."""
TONES: Mapping[type[e.Event], str] = {
    e.MatchWon: "match",
    e.JuegoWon: "juego",
    e.OrdagoMade: "ordago",
}
"""Moments with tones of their own, the greatest first."""
SOFTEST, STEP = 0.1, 0.56
"""The softest volume, as a share of the full one, and the factor of one step (5 dB)."""
EXPLICIT = (NextDeal, ClaimLance, CorrectBet, Place, AdjustStones)
"""Calls in so many words that nobody says them by chance: their refusal is always said aloud."""
CALLS_IN_PAUSE = 3
"""After so many calls in a pause the voice says, once, that the assistant is paused. People who
paused it by mistake would otherwise go on playing for nothing."""


class Speaker:
    """A listener that gives the voice its sentences, and remembers the last for "repite"."""

    def __init__(
        self,
        voice: Voice,
        phrases: Phrases,
        level: Level,
        volume: float = 1.0,
        tones: bool = False,
    ) -> None:
        """``volume``: how loud the voice speaks at first, 0 to 1.

        ``tones``: whether some sound before an órdago, the end of a juego and that of the match.
        """
        self._tones = tones
        self._voice = voice
        self._phrases = phrases
        self._level = level
        self._last = ""
        self._volume = volume
        self._told_of: set[str] = set()
        self._in_pause = 0

    def opened(self, table: Table) -> None:
        """Greet a new game."""
        events = [record.event for record in table.records]
        self._say(self._phrases.say(events, None, table.state, level=self._level), table, True)

    def resumed(self, table: Table) -> None:
        """Tell a table that was left how it stands and whom it waits for."""
        self._say(self._phrases.resumed(table.state, level=self._level), table, True)

    def told(self, news: News, table: Table) -> None:
        """Say what happened, then what was asked or answered."""
        made = (outcome for outcome in news.outcomes if isinstance(outcome, Accepted))
        gone = _taken_back(news) if len(news.updates) > 1 else frozenset()
        for update, accepted in zip(news.updates, made, strict=False):
            events = [record.event for record in update.records]
            if gone and gone.intersection(record.batch for record in update.records):
                continue  # "no quiero, corrige": only what was undone is told
            if update is not news.updates[-1] and not (_urgent(events) or accepted.understood):
                continue  # overtaken before it could be said
            before = None if update.what is Command.NEW_GAME else update.before
            until = table.records[: update.records[-1].seq] if update.records else table.records
            text = self._phrases.say(events, before, update.after, level=self._level, history=until)
            understood = self._phrases.answer(
                accepted, update.after, level=self._level, history=table.records
            )
            if isinstance(accepted.call, Place) and not _urgent(events):
                text = None  # the answer tells where the table stands, not how it came there
            told = " ".join(part for part in (understood, text) if part)
            tones = tones_of(events) if self._tones and update is news.updates[-1] else ""
            self._say(told, table, _urgent(events) or understood is not None, tones)
        for outcome in news.outcomes:
            self._turn(outcome)
            self._count_in_pause(outcome)
            if outcome == Told(Command.REPEAT):
                again = self._last or self._phrases.answer(
                    outcome, table.state, history=table.records
                )
                self._say(again, table, True)
            elif self._worth_saying(news, outcome):
                text = self._phrases.answer(
                    outcome, table.state, level=self._level, history=table.records
                )
                self._say(text, table, isinstance(outcome, Ask | Told) or _is_explicit(outcome))

    def hears_badly(self, note: str, table: Table) -> None:
        """Say once an evening what is wrong with the sound; the page keeps showing it."""
        if note not in self._told_of and (text := self._phrases.of_the_ear(note)):
            self._told_of.add(note)
            if self._level is not Level.SILENT:
                self._voice.say(text, seq=table.seq, urgent=True)

    def invites(self, table: Table) -> None:
        """Say after a demo that the people at the table may begin."""
        self._say(self._phrases.your_turn(level=self._level), table, True)

    def announces(self, text: str, table: Table) -> None:
        """Say what the hall has decided about the match."""
        if self._level is not Level.SILENT:
            self._say(text, table, True)

    def _turn(self, outcome: Outcome) -> None:
        """Speak softer or louder from now on, where that was asked."""
        steps = {Told(Command.SOFTER): STEP, Told(Command.LOUDER): 1 / STEP}
        if outcome in steps:
            self._volume = min(max(self._volume * steps[outcome], SOFTEST), 1.0)
            self._voice.set_volume(self._volume)

    def _count_in_pause(self, outcome: Outcome) -> None:
        """Count the calls that are made while the assistant is paused, until it is spoken to."""
        if isinstance(outcome, Refused) and outcome.code == "paused":
            self._in_pause += 1
        elif isinstance(outcome, Told):
            self._in_pause = 0

    def silence(self) -> None:
        """Break off, and forget what waits to be said."""
        self._voice.silence()

    def close(self) -> None:
        """Let the voice finish."""
        self._voice.close()

    def _worth_saying(self, news: News, outcome: Outcome) -> bool:
        """Whether an outcome is said aloud: a question or an answer is.

        Only the page says that half-heard words were no legal call. A bar is full of words, and a
        voice that comments on each would be switched off. But whoever says "nueva mano" waits for
        it, so the reason why it cannot be is said.
        """
        if isinstance(outcome, Ask | Told):
            return True
        if isinstance(outcome, Refused) and isinstance(news.message, Heard):
            if outcome.code == "paused":
                return self._in_pause == CALLS_IN_PAUSE
            if _is_explicit(outcome):
                return True
            return self._level is Level.FULL or outcome.code == "journal_failed"
        return False

    def _say(self, text: str | None, table: Table, urgent: bool, tones: str = "") -> None:
        if text:
            self._last = text
            line = SpokenLine(text, tones=tones) if tones else text
            self._voice.say(line, seq=table.seq, urgent=urgent)


class SpokenLance(TypedDict):
    """A lance that a sentence names; ``at``: after which part of the sentence, 0 to 1."""

    lance: str
    at: float


class SpokenView(TypedDict):
    """What the voice says, with the seq of the last event that it tells, and how long it takes.

    ``lances``: those that it names, in the order of the sentence; a short count goes by sides.
    ``until``: the share of the sentence, 0 to 1, after which it tells of no lance any more.
    """

    seq: int
    seconds: float
    lances: list[SpokenLance]
    until: float


def lances_named(text: str, language: Language) -> tuple[list[SpokenLance], float]:
    """The lances that a sentence names, in its order, and where the sentence of the last one ends.

    A lance that is named again ("juego: uno a cero") was told before.
    """
    found: list[tuple[int, Lance]] = []
    for lance in Lance:
        name = re.escape(language.lance(lance).lower())
        if at := re.search(rf"\b{name}\b", text.lower()):
            found.append((at.start(), lance))
    if not found:
        return [], 1.0
    found.sort()
    end = text.find(". ", found[-1][0])
    named: list[SpokenLance] = [
        {"lance": str(lance), "at": round(at / len(text), 3)} for at, lance in found
    ]
    return named, round(end / len(text), 3) if end > 0 else 1.0


class CountAloud:
    """Tells the pages when the voice begins to say a count, so that they show it lance by lance."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._now: SpokenView | None = None
        house.board.extend(self._shown)

    def begin(self, said: SaidSentence, seconds: float) -> None:
        """The sound of a sentence begins."""
        if self._house.runner.table.state.phase in AFTER_DEAL:
            lances, until = lances_named(said.text, self._house.phrases.language)
            self._now = {
                "seq": said.seq,
                "seconds": round(seconds, 2),
                "lances": lances,
                "until": until,
            }
            self._house.board.refresh()

    def _shown(self) -> Mapping[str, object]:
        return {"voice": self._now}


def install(house: House, gate: Gate) -> Speaker:
    """Give a house its voice, which shuts the ``gate`` while it speaks. Raises VoiceError."""
    settings = house.settings
    speaks = settings.voice == "on" and Level(settings.level) is not Level.SILENT
    on_begin = CountAloud(house).begin if speaks else None
    style = find_style(settings.style)
    voice = voice_of(settings, house.phrases, gate, on_begin, style)
    level = style.level(Level(settings.level))
    tones = settings.sounds and style.tones
    speaker = Speaker(voice, house.phrases.styled(style), level, settings.volume, tones)
    house.tell(speaker)
    # The pages are silent where the loudspeaker has the tones.
    house.board.extend(lambda: {"sounds": settings.sounds, "voice_tones": speaks and tones})
    return speaker


def aloud(settings: Settings) -> Playback | None:
    """What plays the recording that the table hears, so that people hear it, too."""
    if settings.aloud and settings.listen and settings.voice == "on":
        return Playback(settings.listen)
    return None


def voice_of(
    settings: Settings,
    phrases: Phrases,
    gate: Gate,
    on_begin: OnBegin | None = None,
    style: Style | None = None,
) -> Voice:
    """The voice that the settings ask for. Raises VoiceError.

    ``on_begin`` is called with each sentence when it begins to sound on the loudspeaker. ``style``
    gives its tempo, pitch and pauses; without one, it has its own.
    """
    sound = sound_of(settings, phrases, style)
    if settings.voice == "off":
        return NullVoice()
    if settings.voice != "on":
        return WavVoice(settings.voice_file, sound)
    # A recording does not hear the voice: no need to shut the ear while it speaks.
    return Pyttsx3Voice(sound, gate=None if settings.listen else gate, on_begin=on_begin)


def sound_of(settings: Settings, phrases: Phrases, style: Style | None = None) -> VoiceSettings:
    """How the voice of these settings sounds: by itself, or in a caller's style."""
    by = settings.voice_name, settings.rate, settings.volume
    return sound_in(style, phrases, *by) if style else _plain_sound(phrases, *by)


def sound_in(
    style: Style, phrases: Phrases, name: str = "", rate: int = 180, volume: float = 1.0
) -> VoiceSettings:
    """How a voice sounds in a style: an installed one by a part of its name, or the language's."""
    paced = min(max(round(rate * style.tempo), SLOWEST), FASTEST)
    plain = _plain_sound(phrases, name, paced, volume)
    return replace(plain, pitch=style.pitch, pause=style.pause)


def _plain_sound(phrases: Phrases, name: str, rate: int, volume: float) -> VoiceSettings:
    return VoiceSettings(phrases.code, rate, volume, name, phrases.sounds)


def tones_of(events: Sequence[e.Event]) -> str:
    """The moment of a batch that has tones of its own; "" for none. An undo has none."""
    if is_retraction(events):
        return ""
    kinds = {type(event) for event in events}
    return next((name for kind, name in TONES.items() if kind in kinds), "")


def _is_explicit(outcome: Outcome) -> bool:
    """Whether an outcome refuses what can only be said to the assistant or to the whole table."""
    return isinstance(outcome, Refused) and isinstance(outcome.call, EXPLICIT)


def _urgent(events: list[e.Event]) -> bool:
    return any(isinstance(event, URGENT) or _ends_the_game(event) for event in events)


def _taken_back(news: News) -> frozenset[int]:
    """The batches that the message takes back, of its own or earlier ones."""
    return frozenset(
        record.event.seq
        for update in news.updates
        for record in update.records
        if isinstance(record.event, e.Retracted)
    )


def _ends_the_game(event: e.Event) -> bool:
    """Whether an órdago was accepted: whoever never said "quiero" has to hear it at once."""
    return isinstance(event, e.LanceClosed) and event.how is How.ORDAGO
