"""The board: the newest snapshot of a table, the wait for the next one, and taps."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import Protocol, TypedDict, cast

from assistant.files.resources import load_phrases, nearest
from assistant.language.phrases import Phrases
from assistant.messages import CardsSeen, Heard, Ignored, Outcome, Pressed, Refused
from assistant.rules.errors import MusError
from assistant.rules.history import Record
from assistant.rules.state import State
from assistant.table.repair import OtherCalls
from assistant.table.runner import News, Runner
from assistant.table.snapshot import (
    EarState,
    EarStatus,
    EyeState,
    HallState,
    LastHeard,
    LogPhrases,
    Made,
    ShownBefore,
    Snapshot,
    SnapshotSentences,
    heard_view,
    others_view,
    sentences,
    snapshot,
)
from assistant.table.table import Table

log = logging.getLogger("mus")

# ---- The port: what the page asks of the owner of the table -------------------------------------


class BoardError(MusError):
    """The table cannot take a message now. The text is one sentence for people."""


class TapOutcome(TypedDict):
    """The result of one tap: an outcome, and a sentence for people."""

    outcome: Made
    text: str


class SetupError(MusError):
    """A setting cannot be used. ``code``: of the page's words for it; the text is a sentence.

    ``name``: the player's name that it is about, or "".
    """

    def __init__(self, text: str, code: str = "", name: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.name = name


class Board(Protocol):
    """The table as the page sees it. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The table now, in its own language."""

    def in_language(self, *asked: str) -> Snapshot:
        """The table now, its sentences in the first language asked for that has them.

        ``language`` in it stays the table's own, which serves where none of them has.
        """

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its version is above ``after``.

        Returns ``None`` where nothing changed for ``timeout`` seconds.
        """

    def press(self, message: Pressed | CardsSeen, asked: Sequence[str] = ()) -> list[TapOutcome]:
        """Give a tap to the table and wait until it was handled. Raises BoardError.

        ``asked``: the languages that its page asks for the outcome in, the nearest first.
        """


# ---- The sentences of a snapshot in other languages than the table's ----------------------------


@dataclass(frozen=True, slots=True)
class ToldMoment:
    """What the sentences of a snapshot are made from, in any language."""

    state: State
    records: Sequence[Record]
    heard: LastHeard | None
    others: OtherCalls | None


class Translation:
    """The sentences of the newest snapshot in one language. One thread at a time may use it."""

    def __init__(self, phrases: LogPhrases) -> None:
        self.phrases = phrases
        self._shown = ShownBefore()
        self._made: tuple[ToldMoment, SnapshotSentences] | None = None

    def of(self, now: ToldMoment) -> SnapshotSentences:
        """The sentences of a moment, made once."""
        if self._made is None or self._made[0] is not now:
            told = sentences(
                now.state,
                now.records,
                self.phrases,
                heard=now.heard,
                shown=self._shown,
                others=now.others,
            )
            self._made = now, told
        return self._made[1]


# ---- The board of a table -----------------------------------------------------------------------


PRESS_TIMEOUT = 5.0
"""Seconds; the table answers in milliseconds unless the disk hangs."""
TOLD_AT_ONCE = ("taken_back", "journal_failed")
"""Outcomes that replace an open question on the page: a "no" to it, or a disk that failed."""


Part = Callable[[], Mapping[str, object]]
"""What a feature adds to each snapshot."""
PartIn = Callable[[Phrases], Mapping[str, object]]
"""The same in another language than the table's, for a part that holds sentences."""


class TableBoard:
    """The listener that keeps the newest snapshot; any number of threads may wait for the next.

    The snapshot is in the table's language. In another one its sentences are made when the first
    page asks for them, and once for all pages in that language.
    """

    def __init__(self, runner: Runner, phrases: LogPhrases) -> None:
        self._runner = runner
        self._phrases = phrases
        self._changed = threading.Condition()
        self._ear = EarStatus()
        self._eye: EyeState = "off"
        self._hall: HallState = "off"
        self._heard: LastHeard | None = None
        self._closed = False
        self._table = runner.table
        self._shown = ShownBefore()
        self._more: list[Part] = []
        self._more_in: list[PartIn] = []
        self._translating = threading.Lock()
        self._translations: dict[str, Translation] = {}
        self._now: ToldMoment
        self._snapshot = self._make()

    def extend(self, more: Part, in_language: PartIn | None = None) -> None:
        """Add a feature's own part, ``more``, to each snapshot.

        ``in_language``: makes the part for pages in another language, if it holds sentences.
        """
        with self._changed:
            self._more.append(more)
            if in_language:
                self._more_in.append(in_language)
            self._snapshot = self._extended(self._snapshot)

    def refresh(self) -> None:
        """Make the features' parts of the snapshot again. The table itself has not changed."""
        with self._changed:
            self._publish(self._extended(self._snapshot))

    def told(self, news: News, table: Table) -> None:
        """Show the outcome of a message. One that changed nothing leaves an open question there.

        The reason of a refused tap is not shown here: ``press`` gives it to the page of the tap.
        """
        if _is_of_one_page(news):
            return
        heard = news.message if isinstance(news.message, Heard) else Heard(())
        with self._changed:
            self._table = table
            if news.outcomes and not (self._snapshot["question"] and _is_beside_it(news)):
                self._heard = LastHeard(heard.text, news.outcomes, heard.confidence)
            self._publish(self._make())
        self._runner.later(self._show_others)

    def _show_others(self) -> None:
        """Show what the last call may have been instead; the call itself is shown already."""
        others = self._table.other_calls
        with self._changed:
            view = others_view(others, self._phrases)
            if view != self._snapshot["others"]:
                self._now = replace(self._now, others=others)
                self._publish({**self._snapshot, "others": view})

    def partial(self, text: str) -> None:
        """Show the words that are being heard, before they are a call."""
        with self._changed:
            if text != self._snapshot["partial"]:
                self._publish({**self._snapshot, "partial": text})

    def ear(self, state: EarState, note: str = "") -> None:
        """Show whether anybody listens."""
        with self._changed:
            self._ear = EarStatus(state, note)
            ear = self._shown_ear()
            # From the last snapshot, not from the table: this is not the thread that owns it.
            new: Snapshot = {**self._snapshot, "ear": {"state": ear.state, "note": ear.note}}
            self._publish(new if ear.state == "listening" else {**new, "partial": ""})

    def eye(self, state: EyeState) -> None:
        """Show whether the camera sees."""
        with self._changed:
            self._eye = state
            self._publish({**self._snapshot, "eye": state})

    def hall(self, there: bool) -> None:
        """Show whether the hall that the game is sent to can be reached."""
        with self._changed:
            self._hall = "there" if there else "away"
            self._publish({**self._snapshot, "hall": self._hall})

    def snapshot(self) -> Snapshot:
        """The table as it is now."""
        with self._changed:
            return self._snapshot

    def in_language(self, *asked: str) -> Snapshot:
        """The same, its sentences in the first language asked for that has them."""
        with self._changed:
            shown, now = self._snapshot, self._now
        language = nearest("phrases", *asked, self._phrases.code)
        if language == self._phrases.code:
            return shown
        with self._translating:
            translation = self._translation(language)
            told = translation.of(now)
        return cast(Snapshot, {**shown, **told, **self._parts_in(translation.phrases)})

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """The next snapshot with a version above ``after``; ``None`` after ``timeout`` seconds."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self._snapshot["version"] > after, timeout
            )
            return self._snapshot if self._snapshot["version"] > after else None

    def press(self, message: Pressed | CardsSeen, asked: Sequence[str] = ()) -> list[TapOutcome]:
        """Give a tap to the table and wait for its result. Raises BoardError."""
        try:
            outcomes = self._runner.post(message).result(PRESS_TIMEOUT)
        except FutureTimeout:
            raise BoardError("The table did not answer in time: press again.") from None
        phrases = self._phrases_for(asked)
        return [self._said(outcome, phrases) for outcome in outcomes]

    def close(self) -> None:
        """Wake every waiting thread, for the end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _said(self, outcome: Outcome, phrases: LogPhrases) -> TapOutcome:
        table = self._table
        view = heard_view(table.state, LastHeard("", (outcome,)), phrases, table.records)
        return {"outcome": view["outcome"], "text": view["say"]}

    def _publish(self, new: Snapshot) -> None:
        self._snapshot = {**new, "version": self._snapshot["version"] + 1}
        self._changed.notify_all()

    def _phrases_for(self, asked: Sequence[str]) -> LogPhrases:
        language = nearest("phrases", *asked, self._phrases.code)
        if language == self._phrases.code:
            return self._phrases
        with self._translating:
            return self._translation(language).phrases

    def _translation(self, language: str) -> Translation:
        """The sentences of a language; the table's own where its file cannot be used."""
        if language not in self._translations:
            phrases: LogPhrases = self._phrases
            try:
                phrases = load_phrases(language)
            except MusError as error:
                log.warning("Pages in %s have the table's own sentences: %s", language, error)
            self._translations[language] = Translation(phrases)
        return self._translations[language]

    def _parts_in(self, phrases: LogPhrases) -> Mapping[str, object]:
        """The features' parts that hold sentences, in another language than the table's."""
        if not isinstance(phrases, Phrases) or phrases is self._phrases:
            return {}
        return {key: part for make in self._more_in for key, part in make(phrases).items()}

    def _make(self) -> Snapshot:
        table = self._table
        # A copy, because the table adds to its records while another thread reads these.
        records, others = tuple(table.records), table.other_calls_found
        self._now = ToldMoment(table.state, records, self._heard, others)
        made = snapshot(
            table.state,
            table.records,
            self._phrases,
            version=1,
            heard=self._heard,
            ear=self._shown_ear(),
            eye=self._eye,
            hall=self._hall,
            shown=self._shown,
            others=others,
        )
        return self._extended(made)

    def _extended(self, shown: Snapshot) -> Snapshot:
        for more in self._more:
            shown = cast(Snapshot, {**shown, **more()})
        return shown

    def _shown_ear(self) -> EarStatus:
        paused = self._table.paused and self._ear.state == "listening"
        return EarStatus("paused") if paused else self._ear


def _is_of_one_page(news: News) -> bool:
    """Whether a tap was refused, which only its own page shows."""
    return (
        isinstance(news.message, Pressed)
        and bool(news.outcomes)
        and all(
            isinstance(outcome, Refused) and outcome.code not in TOLD_AT_ONCE
            for outcome in news.outcomes
        )
    )


def _is_beside_it(news: News) -> bool:
    """Whether a question stays open: talk and illegal calls are no answer to it."""
    return isinstance(news.message, Heard) and all(
        isinstance(outcome, Ignored | Refused) and outcome.code not in TOLD_AT_ONCE
        for outcome in news.outcomes
    )
