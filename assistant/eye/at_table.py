"""The eye at the table: it reads the cards of a showdown, and asks for what it cannot read."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from assistant.eye.calibration import Calibration, load_calibration, table_dir
from assistant.eye.deck import find_deck
from assistant.eye.find import Finder
from assistant.eye.images import Image, VisionError
from assistant.eye.mounting import MountWatch
from assistant.eye.page import (
    ReadCardView,
    ReadHandView,
    ZoneCalibration,
    Zones,
    camera_pages,
    in_play,
)
from assistant.eye.read import Reader, Reading, Sighting, Unread, Upset, annotated
from assistant.eye.view import AT_REST, FRAMES, Stillness
from assistant.eye.watch import Health, Reopening, Watchdog
from assistant.files.paths import own_data_dir
from assistant.messages import CardsSeen, CardsUnclear, Lacking, Message
from assistant.messages.showdown import CARD, Trouble
from assistant.page.house import House
from assistant.rules.cards import HAND_SIZE, Card
from assistant.rules.phases import Phase
from assistant.rules.prizes import missing_hands
from assistant.rules.state import State
from assistant.table.runner import News
from assistant.table.snapshot import EyeState
from assistant.table.table import Table

# ---- The frames of the last showdowns, kept on this machine for a dispute, and sent nowhere -----


log = logging.getLogger("mus.eye")

SEEN, READ = "mesa", "leida"
KEPT = 20
"""Deals whose pictures are kept: an hour of play."""


def evidence_dir() -> Path:
    """Where this machine's table keeps its pictures (XDG)."""
    return own_data_dir() / "showdowns"


class ShowdownEvidence:
    """A ring of pictures in a folder: of each deal the frame, and the reading drawn into it."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._folder = folder
        self._kept = kept

    def keep(self, deal: int, frame: Image, reading: Reading) -> None:
        """Write a showdown's two pictures and delete the oldest deal's. A full disk loses them."""
        name = f"{deal:05}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for kind, picture in ((SEEN, frame), (READ, annotated(frame, reading))):
                _, data = cv2.imencode(".jpg", picture)
                (self._folder / f"{name}-{kind}.jpg").write_bytes(data.tobytes())
            self._forget()
        except OSError as error:
            log.warning("The showdown's picture was not kept: %s.", error.strerror)

    def picture(self, deal: int, since: float) -> bytes | None:
        """The reading of a deal as JPEG, if it was kept after ``since`` (Unix time)."""
        path = self._folder / f"{deal:05}-{READ}.jpg"
        try:
            return path.read_bytes() if path.stat().st_mtime >= since else None
        except OSError:
            return None

    def _forget(self) -> None:
        paths = sorted(self._folder.glob("[0-9]*-*.jpg"), key=lambda path: path.stat().st_mtime)
        deals = list(dict.fromkeys(path.name.split("-")[0] for path in reversed(paths)))
        for path in paths:
            if path.name.split("-")[0] in deals[self._kept :]:
                path.unlink(missing_ok=True)


# ---- The eye at the table -----------------------------------------------------------------------
# Between showdowns it checks only whether the camera still sees: it reads, keeps and tells no card
# before the cards are down.


BEAT = 0.2
"""Seconds to wait for a frame before the thread checks whether it has to end."""
PATIENCE = 4.0
"""Seconds of a showdown before the first question, because cards are laid one by one."""
ASK_EVERY = 8.0
"""Seconds between two questions: people need time to do what they are asked."""


LIKELY = 3
"""How many cards the page offers in the place of one."""
MAYBE = 0.25
"""The probability from which a doubtful card is offered in a place that no clearer one takes."""


@dataclass(frozen=True, slots=True)
class WantedHands:
    """Whose cards the table waits for, in which deal, who is in it, and whether cards lie open."""

    seats: tuple[int, ...] = ()
    deal: int = 0
    players: int = 4
    open: bool = False

    @staticmethod
    def of(state: State) -> WantedHands:
        """The hands that a table wants from the eye."""
        if state.phase is not Phase.SHOWDOWN:
            return WantedHands(deal=state.deal, players=state.players)
        return WantedHands(missing_hands(state), state.deal, state.players, open=True)


def read_hands(reading: Reading, seats: Sequence[int]) -> list[ReadHandView]:
    """The cards of some seats as they were read, to be corrected by taps.

    A seat before which no card lies, or more than a hand, is left out.
    """
    sure = {sighting.card for sighting in reading.sightings if sighting.card}
    hands: list[ReadHandView] = []
    for seat in seats:
        own = [one for one in reading.sightings if one.seat == seat and _chance(one) >= MAYBE]
        if not own or sum(_chance(one) >= CARD for one in own) > HAND_SIZE:
            continue
        own = sorted(own, key=_chance, reverse=True)[:HAND_SIZE]
        middles = np.array([one.quad.mean(axis=0) for one in own])
        along = int(np.ptp(middles, axis=0).argmax())  # cards of a hand lie side by side
        order = np.argsort(middles[:, along], kind="stable")
        hands.append({"seat": seat, "cards": [_read_card(own[at], sure) for at in order]})
    return hands


def _chance(sighting: Sighting) -> float:
    """The probability that a sighting is a face-up card of a seat, read or not."""
    if sighting.unread is Unread.UNCLEAR:
        return sighting.likely[0][1] if sighting.likely else CARD
    return 0.0 if sighting.card is None else 1.0


def _read_card(sighting: Sighting, sure: Collection[Card | None]) -> ReadCardView:
    likely = [card for card, _ in sighting.likely if card not in sure]
    told = None if sighting.card is None else str(sighting.card)
    return {"card": told, "likely": [str(card) for card in likely[:LIKELY]]}


class Eye:
    """A thread that owns the camera, and a listener that hears from the table when to look."""

    def __init__(
        self,
        source: Reopening,
        reader: Reader,
        calibration: Calibration | None,
        post: Callable[[Message], object],
        on_health: Callable[[EyeState], None] = lambda _health: None,
        evidence: ShowdownEvidence | None = None,
        on_read: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._reader = reader
        self._calibration = calibration
        self._post = post
        self._on_health = on_health
        self._on_read = on_read
        self.evidence = evidence
        self.watch: MountWatch | None = None
        """The judge of pictures for people who mount the camera; the eye ends it."""
        self._clock = clock
        self._wanted = WantedHands()
        self._over = threading.Event()
        self._watchdog = Watchdog()
        self._shown: EyeState = "off"
        self._upset: Upset | None = None
        self._stillness = Stillness()
        self._rest: deque[Image] = deque(maxlen=FRAMES)
        self._read_at_rest: tuple[int, ...] | None = None
        self._since, self._asked = 0.0, float("-inf")
        self._reading: Reading | None = None
        self._read_of = WantedHands()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self) -> None:
        """Start the thread. The time before the first question counts from here."""
        self._since = self._clock()
        self._thread.start()

    def look_for(self, table: Table) -> None:
        """Take a table's wishes; it may be in the middle of a showdown already."""
        self._want(WantedHands.of(table.state))

    def close(self) -> None:
        """End the thread and let go of the camera."""
        self._over.set()
        if self.watch is not None:
            self.watch.close()
        self._source.close()
        if self._thread.is_alive():
            self._thread.join()

    def told(self, news: News, table: Table) -> None:  # noqa: ARG002 - the state tells enough
        """Take from the table whether cards are to be read, and whose."""
        self.look_for(table)

    def calibrated(self, calibration: Calibration) -> None:
        """Use this calibration from now on: somebody marked a seat's zone."""
        # One reference, set at once for the other thread. The cards on the table are read again.
        self._calibration = calibration
        self._read_at_rest = None

    def reads_by(self, reader: Reader) -> None:
        """Read another deck from now on, with its reader."""
        self._reader = reader
        self._read_at_rest = None

    def read_hands(self) -> list[ReadHandView]:
        """The hands that lie open, as they were read last; none before or after a showdown."""
        # _showdown sets _read_of after _reading, so no reading of an earlier deal is shown.
        read_of, reading, wanted = self._read_of, self._reading, self._wanted
        if reading is None or not wanted.open or read_of.deal != wanted.deal:
            return []
        return read_hands(reading, range(1, wanted.players + 1))

    def sight(self) -> list[Image]:
        """The last pictures, as long as nothing moved in them; none before there were any."""
        return list(self._rest.copy())

    def finder(self) -> Finder:
        """The finder of the deck that it reads."""
        return self._reader.finder

    def _want(self, wanted: WantedHands) -> None:
        # One reference, read by the other thread, which so sees either the old or the new whole.
        if wanted.seats and not self._wanted.seats:
            self._since = self._clock()
        self._wanted = wanted

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._look()
            except VisionError as error:
                if not self._over.is_set():
                    log.warning("%s", error)
                    self._tell(Health.LOST)
                return
            except Exception:
                log.exception("a picture could not be looked at")  # the next one may

    def _look(self) -> None:
        frame = self._source.read(BEAT)
        now = self._clock()
        self._tell(self._watchdog.feed(frame, now, lost=self._source.lost is not None))
        if frame is None:
            return
        wanted = self._wanted
        calm = self._stillness.fed(frame.image, frame.at)
        if calm == 0:
            self._rest.clear()
            self._read_at_rest = None
        self._rest.append(frame.image)
        if not wanted.seats or self._watchdog.health is not Health.OK:
            return
        if calm >= AT_REST and len(self._rest) == FRAMES and self._read_at_rest is None:
            self._read_at_rest = wanted.seats
            self._showdown(wanted, list(self._rest))
        elif calm < AT_REST:
            return
        self._ask(wanted, now)

    def _showdown(self, wanted: WantedHands, frames: Sequence[Image]) -> None:
        """Read cards that lie still, once, and post the hands that are sure to the table."""
        reading = self._read(frames, range(1, wanted.players + 1))
        self._reading = reading
        self._read_of = wanted
        self._upset = reading.upset
        hands = tuple((seat, reading.settled.hands[seat]) for seat in wanted.seats
                      if seat in reading.settled.hands)  # fmt: skip
        if hands and wanted == self._wanted:
            if self.evidence:
                self.evidence.keep(wanted.deal, frames[-1], reading)
            self._post(CardsSeen(hands))
        self._on_read()

    def _read(self, frames: Sequence[Image], seats: Sequence[int]) -> Reading:
        """Read; if the camera was knocked, keep the new calibration."""
        known = self._calibration
        reading, now = self._reader.followed(frames, known, seats)
        if now is not known and self._calibration is known:  # nobody marked a zone meanwhile
            self._calibration = now
            log.info("The camera was moved: it is calibrated again by what it shows.")
        return reading

    def _ask(self, wanted: WantedHands, now: float) -> None:
        """Ask for the cards that the last reading lacks, from time to time."""
        reading = self._reading
        if reading is None or now - self._since < PATIENCE or now - self._asked < ASK_EVERY:
            return
        lacking = tuple(
            Lacking(seat, reading.settled.troubles[seat], reading.settled.missing[seat])
            for seat in wanted.seats
            if seat in reading.settled.troubles
        )
        # A hand over the cards is somebody still laying them down.
        asked = [one for one in lacking if one.trouble is not Trouble.HAND]
        if asked and wanted == self._wanted:
            self._asked = now
            self._post(CardsUnclear(tuple(asked)))

    def _tell(self, health: Health) -> None:
        state = _STATES[health]
        if state == "ok" and self._upset in _UPSETS:
            state = _UPSETS[self._upset]
        if state != self._shown:
            self._shown = state
            self._on_health(state)


_UPSETS: dict[Upset | None, EyeState] = {
    Upset.MOVED: "moved",
    Upset.OTHER_DECK: "other_deck",
}

_STATES: dict[Health, EyeState] = {
    Health.WAITING: "waiting",
    Health.OK: "ok",
    Health.BLACK: "black",
    Health.FROZEN: "frozen",
    Health.LOST: "lost",
}


# ---- The eye of a house: its camera, its deck, its table, and its page ---------------------------


def install(house: House) -> Eye | None:
    """Open the camera of a house; None where it has none. Raises VisionError, UsageError.

    So a missing camera is reported before the game begins. If the table was calibrated by an
    earlier run, its seats are known at once.
    """
    settings = house.settings
    if not settings.camera:
        return None
    deck = find_deck(settings.deck)
    folder = settings.table or table_dir()
    known = settings.table is not None or folder.is_dir()
    calibration = load_calibration(folder) if known else None
    reader = Reader(deck)
    eye = Eye(
        Reopening(settings.camera),  # last, because nobody would close it if a later step failed
        reader,
        calibration,
        house.post,
        house.board.eye,
        ShowdownEvidence(evidence_dir()),
        house.board.refresh,
    )
    house.board.extend(lambda: {"read": eye.read_hands()})
    eye.look_for(house.runner.table)

    def playing() -> bool:
        return in_play(house.runner.table.state)

    lesson = ZoneCalibration(eye.sight, eye.finder, playing)
    eye.watch = MountWatch(eye.sight, eye.finder, playing)
    kept = folder.parent if folder.is_file() else folder
    zones = Zones(kept, calibration, eye.calibrated, lesson, eye.watch)
    house.show(camera_pages(house.board, zones))
    house.tell(eye)
    return eye
