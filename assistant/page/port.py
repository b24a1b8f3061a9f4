"""The port: what the page asks of whoever owns the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypedDict

from assistant.messages import CardsSeen, Pressed
from assistant.rules.errors import MusError
from assistant.table.snapshot import Made, Snapshot
from assistant.table.snapshot.past import DealToldView, DealView


class BoardError(MusError):
    """The table cannot take a message now; the text is one sentence for people."""


class ZoneError(MusError):
    """The table cannot be seen so. ``code`` where the page has words for it; else the text has."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class TapOutcome(TypedDict):
    """What the table made of one tap: an outcome, and a sentence for people."""

    outcome: Made
    text: str


class TableView(TypedDict):
    """How the camera sees the table, in pixels of its picture.

    ``size``: width and height; ``zones``: of each seat that has one, its four corners.
    """

    size: list[int]
    zones: dict[str, list[list[float]]]


class Camera(Protocol):
    """The camera's table as the page sees it. Every method may be called from any thread."""

    def table(self) -> TableView | None:
        """The zones of the seats; ``None`` before the table was calibrated."""

    def picture(self) -> bytes | None:
        """The empty table as JPEG: never a card."""

    def mark(self, seat: int, corners: list[list[float]] | None) -> TableView:
        """Give a seat its zone, or take it away (``None``). Raises ZoneError, BoardError."""

    def learn(self, step: str) -> TableView | None:
        """Calibrate: first the "empty" table, then "cards" on it, one before each seat.

        Raises ZoneError, BoardError.
        """


class DeckView(TypedDict):
    """A deck that the eye can read by. ``own``: of this machine's people, none that ships."""

    name: str
    own: bool
    playing: bool


class FaultView(TypedDict):
    """Why something was not done; the page has the words."""

    code: str
    params: dict[str, int | str]


class DecksView(TypedDict):
    """The decks, and the one that is being enrolled.

    ``suits``: those of the new deck that are there; ``version`` rises with each change of it.
    """

    decks: list[DeckView]
    suits: list[str]
    back: bool
    version: int
    fault: FaultView | None


class WorkshopPort(Protocol):
    """Where decks are enrolled. Every method may be called from any thread; some take seconds."""

    def decks(self) -> DecksView:
        """The decks there are, and how far the new one is."""

    def photograph(self, data: bytes, suits: str) -> DecksView:
        """Learn from a photograph: of suits, rows from the top; of the back where none is named."""

    def overview(self) -> bytes | None:
        """All cards of the new deck as JPEG, a suit in each row; ``None`` before the first."""

    def swap(self, one: str, other: str) -> DecksView:
        """Exchange two cards of the new deck."""

    def keep(self, name: str, *, instead: bool) -> DecksView:
        """Keep the new deck under a name, and read by it; ``instead`` of one of that name."""


class HistoryPort(Protocol):
    """The match so far. Every method may be called from any thread."""

    def deals(self) -> list[DealView]:
        """All deals that count."""

    def deal(self, deal: int) -> DealToldView | None:
        """All of a deal; ``None`` where there is no such deal."""

    def picture(self, deal: int) -> bytes | None:
        """What the camera read at a deal's showdown, as JPEG; ``None`` where it saw none."""

    def drawing(self, of: str, deal: int) -> str | None:
        """A picture as SVG of the match ("score", "lances") or of a "deal"; None: no such deal."""

    def at(self, seq: int) -> Snapshot | None:
        """The table as it stood after a record; ``None`` where there is none of that number."""


class SetupError(MusError):
    """What was set cannot be. ``code`` where the page has words for it; the text is a sentence."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class SetupChoiceView(TypedDict):
    """House rules to choose: the name, what people call them, and where they come from."""

    name: str
    title: str
    explains: str


class SetupView(TypedDict):
    """What is set at this table, and what could be.

    opening   rises each time that the table is opened anew; fault: why the last change was not
              taken, and all is as before
    fresh     nothing was ever set here; untouched: nobody has said anything in the present game
    values    every setting by its key; seats, profile, language: of the present game
    choices   the names to choose from, by the setting's key
    """

    opening: int
    fault: str
    fresh: bool
    untouched: bool
    language: str
    seats: list[str]
    values: dict[str, str | bool | int | float]
    choices: dict[str, list[str]]
    profiles: list[SetupChoiceView]


class TrialView(TypedDict):
    """The microphone as it is tried: decibels below full scale, seconds left, what was heard.

    ``better`` is another device where this one seems to be the wrong one, else empty; ``lost``
    counts the blocks of 50 ms that came too late to be heard. ``heard`` has each utterance's text
    and how sure the ear is of it, 0 to 1, the newest last.
    """

    state: str
    note: str
    better: str
    lost: int
    decibels: float
    left: float
    heard: list[tuple[str, float]]


class VoiceView(TypedDict):
    """A player's voice: how many calls were read, for how long, and when (ISO 8601)."""

    name: str
    calls: int
    seconds: float
    made: str


class LessonView(TypedDict, total=False):
    """A voice that is being learnt; ``name`` and ``over`` always, the rest while somebody reads.

    over   "" still reading, "kept", "few" readings could be used, "disk": they could not be kept
    at     prompts that are done with, of ``of``; say: the one to be read now
    steps  attempts so far; tried, fault, like, left: the last one's (see enrolment.Step)
    """

    name: str
    over: str
    at: int
    of: int
    say: str
    steps: int
    tried: str
    fault: str
    like: str
    left: bool


class VoicesView(TypedDict):
    """The voices of this machine.

    most     voices that there may be; current: whether the ear is fitted to just these
    passes   done and to do, while it is being fitted
    fault    where that failed: "disk", "broken" recordings, or "failed" for whatever else
    """

    voices: list[VoiceView]
    languages: list[str]
    most: int
    current: bool
    passes: list[int] | None
    fault: str
    lesson: LessonView | None


class Voices(Protocol):
    """Where voices are learnt. Every method may be called from any thread."""

    def view(self) -> VoicesView:
        """The voices there are, and how far the new one is."""

    def begin(self, name: str, language: str) -> VoicesView:
        """Let a player read; the table hears nothing meanwhile. Raises SetupError."""

    def skip(self) -> VoicesView:
        """Leave the present prompt out."""

    def stop(self) -> VoicesView:
        """Forget what was read so far."""

    def forget(self, name: str) -> VoicesView:
        """Delete a voice and what was learnt from it. Raises SetupError."""

    def fit(self) -> VoicesView:
        """Fit the ear to the voices that there are. Raises SetupError."""


class CheckView(TypedDict):
    """What a check found: its name, "ok", "warning" or "wrong", what it saw, what to do."""

    name: str
    state: str
    found: str
    advice: str


class SetupPort(Protocol):
    """Setting the table up. Every method may be called from any thread; some take seconds."""

    def fresh(self) -> bool:
        """Whether nothing was ever set here: then the page begins with it."""

    def view(self) -> SetupView:
        """What is set, and what could be."""

    def checks(self) -> list[CheckView]:
        """Whether all is there that a table needs."""

    def change(self, values: Mapping[str, object], start: str) -> bool:
        """Keep some settings (None: the default); returns whether the table is opened anew soon.

        ``start``: "" stays at it, "again" looks for the devices anew, "on" goes on to the table,
        "new" begins another game there.
        Raises SetupError, BoardError.
        """

    def listen(self) -> TrialView:
        """Begin to try the microphone: for a while the table hears nothing."""

    def trial(self) -> TrialView:
        """How the microphone does."""

    def speak(self, name: str, rate: int, volume: float, language: str) -> None:
        """Say a sentence by such a voice. Raises SetupError."""

    def look(self, camera: str) -> bytes:
        """A picture of a camera as JPEG, but never of cards in play. Raises SetupError."""


class Board(Protocol):
    """The table as the page sees it. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The table now."""

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its version is above ``after``.

        Returns ``None`` where nothing changed for ``timeout`` seconds.
        """

    def press(self, message: Pressed | CardsSeen) -> list[TapOutcome]:
        """Hand a tap to the table and wait until it was handled. Raises BoardError."""
