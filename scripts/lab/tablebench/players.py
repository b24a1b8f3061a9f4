"""Four simulated players who say a deal, watch the page and correct the assistant's mistakes.

They know the deal, and the page tells them how the table stands. What each of them does next
depends on three cases alone: the table stands where the deal stands, it stands behind it, or it
stands somewhere that the deal never was.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from assistant.messages import Accepted, Ask, Command, Heard, Hypothesis, Ignored
from assistant.rules.calls import Accept, Call, Cut, Mus, Pass, Refuse, ShowHand
from assistant.rules.cards import Hand
from assistant.rules.engine import missing_hands
from assistant.rules.hands import value
from assistant.rules.phases import Phase
from assistant.rules.state import State
from assistant.table.runner import News
from assistant.table.table import Table
from scripts.lab.rendering.deal import DISTANCES, GAP, PITCHES, SPEEDS
from scripts.lab.rendering.dealing import Deal, Spoken, events_of
from scripts.lab.rendering.voices import Floats, Manner, Voice, VoiceError
from scripts.lab.tablebench.evening import Loudspeaker, Microphone
from scripts.lab.tablebench.said import speak_cached

TALKS_OVER = 0.2
"""Share of calls that are said while the assistant speaks."""
CHATS = 0.15
"""Share of calls after which somebody says something else."""
REPEATS_AFTER = (2.0, 3.0)
"""Seconds after a call that was not taken until its player says it again."""
NOTICES_AFTER = (1.0, 2.5)
"""Seconds after which somebody sees that the page shows something wrong."""
ANSWERS_AFTER = (0.3, 1.0)
"""Seconds after a question until it is answered."""
LOUDER = 3.0
"""How many dB louder a repeated call is."""
GIVES_UP = 6
"""Repetitions of a call after which the players reach for the screen, and the deal is lost."""
LONGEST = 90.0
"""Seconds beyond the deal's own length after which it is lost."""
LOST_CALLS = 3
"""The most calls by which the table may be behind or beside before it has to say that it is
lost."""
HEARD_WITHIN = 3.0
"""Seconds after its end until a call that the page does not show counts as lost, although the ear
still waits for the end of the words: somebody chats on, or the next one calls already."""
TIMED = 0.1
"""Seconds by which the decoder's times may be wrong."""
SETTLES = 3.0
"""Seconds after the last call from which on nobody at the table has said what is heard."""
SHOWN = (Phase.SHOWDOWN, Phase.COUNT, Phase.OVER)
"""Phases in which the cards are shown, or were."""
SHOWS_AFTER = (0.8, 1.8)
"""Seconds until a player says his cards."""

TRACED = 4
"""Hypotheses of an utterance that a trace shows."""

CALL, AGAIN, ANSWER, UNDO, CHAT, CARDS = "call", "again", "answer", "undo", "chat", "cards"
RESUME = "resume"
YES = ("sí", "sí", "sí", "eso", "sí sí", "que sí", "claro", "eso es")
NO = ("no", "no", "no no", "que no")
_ONE = {"R": "rey", "C": "caballo", "S": "sota", "7": "siete", "6": "seis"}
_ONE |= {"5": "cinco", "4": "cuatro", "3": "tres", "2": "dos", "1": "as"}
_MANY = {"R": "reyes", "C": "caballos", "S": "sotas", "7": "sietes", "6": "seises"}
_MANY |= {"5": "cincos", "4": "cuatros", "3": "treses", "2": "doses", "1": "ases"}
_COUNT = {2: "dos", 3: "tres", 4: "cuatro"}
DENIES = ("taken_back", "noted")
"""Codes of outcomes in which a question ends although nothing happens."""
SAYS_YES_OR_NO = 0.75
"""Share of the answers to "¿Se quiere, sí o no?" that are yes or no. The others repeat the call."""
COUNTS_CARDS = 0.3
"""Share of the hands with two equal cards that are said as "dos reyes, caballo y as"."""


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a table's players.

    ``gap``: seconds of silence between two calls. ``hurries``: share of calls that are said without
    a look at the page, so that a lost call before them is not noticed. ``heeds``: whether anybody
    hears the assistant and sees its page before the cards are shown.
    """

    gap: tuple[float, float] = GAP
    hurries: float = 0.3
    heeds: bool = True


HABITS = {
    "usual": Habits(),
    "quick": Habits(gap=(0.1, 0.5), hurries=0.7),
    "heedless": Habits(gap=(0.1, 0.5), heeds=False),
}
"""Heedless players are like a recording: no call is repeated and no question is answered."""

Reword = Callable[[State, Spoken, random.Random], str | None]
"""Another wording of a call at a state; None where none was found."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What a player said. ``index``: of the call of the deal, or -1."""

    start: float
    end: float
    words: str
    kind: str
    index: int = -1
    seat: int = 0


@dataclass(slots=True)
class Tally:
    """The counts of one deal.

    ``early``: calls that the table took before anybody had said them, because one before them was
    taken for another; such a result is right by chance. ``nobody_called``: what was taken while
    nobody spoke, by the name of its call ("Pass", "Declare"). ``nobody_asked``: what was asked
    then, by the code of the question and the calls that it offers. ``answers``: said aloud to a
    question; ``answers_taken``: those that the table took as one, or as a call.
    """

    exact: bool = False
    given_up: bool = False
    left_wrong: bool = False
    given_up_over: str = ""
    calls: int = 0
    at_once: int = 0
    repetitions: int = 0
    questions: int = 0
    answers: int = 0
    answers_taken: int = 0
    corrections: int = 0
    wrong: int = 0
    early: int = 0
    stood: int = 0
    by_chat: int = 0
    by_nobody: int = 0
    nobody_called: list[str] = field(default_factory=list)
    stones_moved: int = 0
    asked_nobody: int = 0
    nobody_asked: list[str] = field(default_factory=list)
    lost: int = 0
    lost_told: int = 0
    lost_spoke: int = 0
    seconds: float = 0.0
    least_seconds: float = 0.0
    delays: list[float] = field(default_factory=list)


def digest(state: State) -> tuple[object, ...]:
    """A table's state as its players see it: what they would call right or wrong on the page."""
    bet = state.pending
    return (
        state.phase,
        len(state.spoken),
        bet and (bet.lance, bet.side, bet.stones, bet.base, bet.ordago, len(bet.refused)),
        state.pares,
        state.juego,
        tuple((r.lance, r.how, r.side, r.stones, r.won) for r in state.results),
        state.stones,
        state.juegos,
    )


def ranks_of(hand: Hand) -> str:
    """A hand as its ranks, the highest first."""
    return "".join(sorted((card.rank.value for card in hand), key="RCS7654321".index))


def _same(hand: Hand, other: Hand, state: State) -> bool:
    """Whether two hands are worth the same. With eight reyes a tres is a rey."""
    return value(hand, state.profile) == value(other, state.profile)


def cards_said(names: str, dice: random.Random) -> str:
    """A hand as a player names it: each card, or equal ones together ("dos reyes, caballo, as")."""
    if dice.random() >= COUNTS_CARDS:
        return ", ".join(_ONE[name] for name in names)
    counted = [(name, names.count(name)) for name in dict.fromkeys(names)]
    return ", ".join(
        _ONE[name] if count == 1 else f"{_COUNT[count]} {_MANY[name]}" for name, count in counted
    )


def company_of(voices: Sequence[Voice], number: int) -> dict[int, tuple[Voice, float]]:
    """Who sits at each seat in an evening, and the factor of his loudness."""
    cast = list(voices)
    people = random.Random(f"company {number}")
    people.shuffle(cast)
    return {
        seat: (cast[(seat - 1) % len(cast)], 10 ** (people.uniform(*DISTANCES) / 20))
        for seat in range(1, 5)
    }


class Players:
    """Everything that is said at the table, decided block by block."""

    def __init__(
        self,
        deal: Deal,
        truth: Sequence[State],
        voices: Sequence[Voice],
        chat: Sequence[str],
        reword: Reword,
        place: Callable[[Floats, int], Floats],
        seed: int,
        company: int,
        falls_silent: tuple[int, float] | None = None,
        habits: Habits = HABITS["usual"],
    ) -> None:
        """``truth``: the states before each call and after the last.

        ``place`` gives a voice the sound that it has at the microphone from its seat. ``company``
        is the seed of who they are and how loud each of them speaks. ``falls_silent``: after this
        many calls they say nothing for this many seconds, and then the deal is over.
        """
        self.deal = deal
        self.tally = Tally(calls=len(deal.spoken))
        self.said: list[Utterance] = []
        self.trace: list[tuple[float, str]] = []
        self._truth = [digest(state) for state in truth]
        self._states = list(truth)
        self._dice = random.Random(f"players {seed}")
        people = company_of(voices, company)
        self._voices = {seat: voice for seat, (voice, _) in people.items()}
        self._gains = {seat: gain for seat, (_, gain) in people.items()}
        self._chat, self._reword, self._place = list(chat), reword, place
        self._hands = dict(deal.shown)
        self._next = 0  # index of the call of the deal that is said next
        self._busy_until = 0.0
        self._next_at = 1.0
        self._hurries = self._talks_over = False
        self._repeat_at = self._notice_at = self._answer_at = 0.0
        self._wrong_since: float | None = None
        self._stood = False
        self._question: tuple[Ask, float] | None = None
        self._answered: Utterance | None = None
        self._spoiled: set[int] = set()
        self._counted: set[int] = set()
        self._again: dict[int, int] = {}
        self._undone = 0
        self._shown_at = self._resume_at = 0.0
        self._falls_silent = falls_silent
        self._habits = habits
        self._silent_since: float | None = None
        self._lost_since: float | None = None
        self._heard_until = 0.0
        self._spoke_up_at = self._told_lost_at = self._undone_at = -math.inf
        self._over_at: float | None = None
        self.microphone: Microphone
        self.voice: Loudspeaker
        self.table: Callable[[], Table]

    # ---- what the page tells ------------------------------------------------------------------

    def on_news(self, news: News, table: Table) -> None:
        """Note that the page changed, or that the assistant asked something."""
        now = self.microphone.now
        if isinstance(news.message, Heard):
            ends = (words.words[-1].end for words in news.message.hypotheses if words.words)
            self._heard_until = max(self._heard_until, *ends, 0.0)
            heard = f"heard {news.message.text!r}{_ways(news.message)} -> {_kinds(news)}"
            self.trace.append((now, heard))
        asks = [outcome for outcome in news.outcomes if isinstance(outcome, Ask)]
        for ask in asks:
            self.tally.questions += 1
            self._question = (ask, now)
            self._told_lost_at = now if ask.code == "lost" else self._told_lost_at
            self._spoke_up_at = now
            self._answer_at = 0.0
        if any(isinstance(one, Accepted) and one.understood for one in news.outcomes):
            self._spoke_up_at = now
        if any(update.what is Command.UNDO for update in news.updates):
            self._close_episode()
            self._undone_at = now
        if isinstance(news.message, Heard) and self._answered in self._cause(news.message):
            self._note_answer(news)
        place = self.where(table.state)
        if asks:
            self._spoil(place)
            if isinstance(news.message, Heard) and not self._cause(news.message):
                self.tally.asked_nobody += 1
                self.tally.nobody_asked += [_question_of(ask) for ask in asks]
        elif news.updates:
            self._question = None
        if news.updates and isinstance(news.message, Heard):
            self._judge(news)
        if place is not None:
            for index in range(place):
                if index not in self._counted:
                    self._counted.add(index)
                    if index not in self._spoiled and index < self._next:
                        self.tally.at_once += 1
                        said = self._first(index)
                        if said is not None and 0 <= now - said.end < 3.0:
                            self.tally.delays.append(now - said.end)
            self.tally.early += max(0, place - self._next)
            if self._habits.heeds:
                self._next = max(self._next, place)
            if self._wrong_since is not None:
                self._wrong_since = None
                self._repeat_at = now + self._dice.uniform(*self._habits.gap)
        elif self._wrong_since is None:
            self._close_episode()
            self.tally.wrong += 1
            self._wrong_since = now
            self._stood = False
            self._notice_at = now + self._dice.uniform(*NOTICES_AFTER)

    def _note_answer(self, news: News) -> None:
        """Count an answer that the table took; one that it did not take is perhaps not over yet."""
        denied = any(isinstance(one, Ignored) and one.code in DENIES for one in news.outcomes)
        if news.updates or denied:
            self.tally.answers_taken += 1
            self._answered = None

    def where(self, state: State) -> int | None:
        """How many calls of the deal the table has taken; None if it stands elsewhere."""
        if state.phase in SHOWN:
            shown = (
                (self._hands.get(s), hand) for s, hand in enumerate(state.hands, start=1) if hand
            )
            if any(true is not None and not _same(true, hand, state) for true, hand in shown):
                return None
            if state.phase is not Phase.SHOWDOWN:
                ends = (state.stones, state.juegos) == (self.deal.stones, self.deal.juegos)
                return len(self._truth) - 1 if ends else self._found(state)
        return self._found(state)

    def _found(self, state: State) -> int | None:
        now = digest(state)
        places = [place for place, known in enumerate(self._truth) if known == now]
        return min(places, key=lambda place: abs(place - self._next), default=None)

    def _spoil(self, place: int | None) -> None:
        """Note a question or a correction. A call not taken by now does not count at once."""
        first = len(self._counted) if place is None else place
        self._spoiled.update(range(first, self._next))

    def _judge(self, news: News) -> None:
        assert isinstance(news.message, Heard)
        if any(update.what is Command.UNDO for update in news.updates):
            return
        cause = self._cause(news.message)
        if not cause:
            self.tally.by_nobody += 1
            self.tally.nobody_called += [_name(update.what) for update in news.updates]
            self.tally.stones_moved += any(u.after.stones != u.before.stones for u in news.updates)
        elif all(said.kind == CHAT for said in cause):
            self.tally.by_chat += 1

    def _cause(self, heard: Heard) -> list[Utterance]:
        """What was said while an utterance sounded."""
        if not heard.words:
            return [said for said in self.said if said.end > self.microphone.now - 4.0]
        start, end = heard.words[0].start - 0.3, heard.words[-1].end + 0.3
        return [said for said in self.said if said.start < end and said.end > start]

    def _first(self, index: int) -> Utterance | None:
        found = (said for said in self.said if said.index == index and said.kind == CALL)
        return next(found, None)

    # ---- what is said next --------------------------------------------------------------------

    def step(self) -> bool:
        """Say what is due before each block of sound. False if the deal is over."""
        self.voice.step()
        now = self.microphone.now
        state = self.table().state
        self._track(state, now)
        if self._falls_silent and self._next >= self._falls_silent[0]:
            return self._is_silent(now)
        if self._finished(state, now):
            return False
        if now < self._busy_until:
            return True
        if not self._habits.heeds and state.phase not in SHOWN:
            if self._next < len(self.deal.spoken) and now >= self._next_at:
                self._go_on(now)
            return True
        polite = self.voice.speaking and not self._talks_over
        since = max(self._busy_until, self.voice.quiet_since)
        if self.table().paused:
            return self._resume(now)
        self._resume_at = 0.0
        place = self.where(state)
        if self._question is not None and self._answer(state, place, now):
            return True
        if polite or (self.voice.speaking and place != self._next):
            return True
        if place is None:
            self._mend(now)
        elif place < self._next:
            self._catch_up(place, now)
        elif self._next < len(self.deal.spoken):
            pause = min(0.2, *self._habits.gap)
            if now >= max(self._next_at, since + pause if not self._talks_over else 0.0):
                self._go_on(now)
        elif state.phase is Phase.SHOWDOWN and not self.voice.speaking:
            self._show(state, now, since)
        return True

    def _is_silent(self, now: float) -> bool:
        """Whether the players, who no longer say anything, still sit there."""
        assert self._falls_silent is not None
        self.microphone.has_background = True
        if now < self._busy_until + SETTLES:
            return True
        if self._silent_since is None:
            self._silent_since = now
            self.tally = Tally(least_seconds=self._falls_silent[1])
        self.tally.seconds = now - self._silent_since
        return self.tally.seconds < self._falls_silent[1]

    def _resume(self, now: float) -> bool:
        """React if the page shows that the assistant took something for "pausa"."""
        if not self._resume_at:
            self._resume_at = now + self._dice.uniform(*NOTICES_AFTER)
        elif now >= self._resume_at:
            self.tally.corrections += 1
            self._say("sigue", self._dice.randint(1, 4), RESUME)
            self._resume_at = self._busy_until + self._dice.uniform(*NOTICES_AFTER)
        return True

    def _finished(self, state: State, now: float) -> bool:
        tally = self.tally
        ended = state.phase in (Phase.COUNT, Phase.OVER) and (
            self._next == len(self.deal.spoken) or state.phase is Phase.OVER
        )
        right = (state.stones, state.juegos) == (self.deal.stones, self.deal.juegos)
        if ended and right and now >= self._busy_until:
            tally.exact = True
        late = now > 2 * tally.least_seconds + LONGEST
        if not self._habits.heeds and self._next == len(self.deal.spoken):
            astray = (
                state.phase not in SHOWN or self.where(state) is None
            )  # from now on nobody says a call
            late = late or (astray and now > self._busy_until + SETTLES)
        tried = max(self._again.values(), default=0) > GIVES_UP or self._undone > GIVES_UP
        tally.given_up = not tally.exact and (late or tried)
        if tally.exact or tally.given_up:
            tally.seconds = now
            tally.left_wrong = not tally.exact and self.where(state) is None
            if tally.given_up:
                tally.given_up_over = self._given_up_over(state)
            self._close_episode()
            return True
        return False

    def _given_up_over(self, state: State) -> str:
        """What was tried most often: the cards, taking back, or a call, by its effect."""
        key, tries = max(self._again.items(), key=lambda one: one[1], default=(-1, 0))
        if self._undone > tries:
            return f"{self._undone} times taken back"
        if not tries:
            return "time alone"
        if key >= len(self.deal.spoken):
            return f"{tries} times the cards again"
        event = self.deal.spoken[key].events[0]
        lance = self._states[key].lance
        what = f"{type(event).__name__} {lance.value if lance else state.phase.name.lower()}"
        return f"{tries} times {what} again"

    def _go_on(self, now: float) -> None:
        index = self._next
        spoken = self.deal.spoken[index]
        if index and self._dice.random() < CHATS and self._chat:
            self._say(self._dice.choice(self._chat), self._dice.randint(1, 4), CHAT)
            self._next_at = self._busy_until + self._dice.uniform(*self._habits.gap)
            self.tally.least_seconds += self._busy_until - now + 0.7
            return
        self._next += 1
        self._say(spoken.words, spoken.seat, CALL, index)
        gap = self._dice.uniform(*self._habits.gap)
        self.tally.least_seconds += self._busy_until - now + gap
        self._next_at = self._busy_until + gap
        self._hurries = self._dice.random() < self._habits.hurries
        self._talks_over = self._dice.random() < TALKS_OVER
        self._repeat_at = self._busy_until + self._dice.uniform(*REPEATS_AFTER)
        if self._wrong_since is not None and not self._stood:
            self._stood = True
            self.tally.stood += 1

    def _track(self, state: State, now: float) -> None:
        """Note, three or more calls beside the deal, whether the assistant says it is lost.

        An episode begins with the first call that the table has not taken, or with the wrong state.
        Everything that the assistant asked or said since then counts. Calls before a correction do
        not, because the players know that they have to say them again.
        """
        place = self.where(state)
        gone = [
            said.start
            for said in self.said
            if said.kind == CALL
            and self._undone_at < said.start
            and said.end < max(self._heard_until + TIMED, now - HEARD_WITHIN)
            and (said.start > (self._wrong_since or 0.0) if place is None else said.index >= place)
        ]
        if len(gone) < LOST_CALLS:
            self._close_episode()
        elif self._lost_since is None:
            self._lost_since = gone[0] if self._wrong_since is None else self._wrong_since
            self.tally.lost += 1
            self.trace.append((now, f"lost {len(gone)} calls beside the deal"))

    def _close_episode(self) -> None:
        """The table is no longer three calls beside the deal, or in another way."""
        if self._lost_since is None:
            return
        told, spoke_up = (at >= self._lost_since for at in (self._told_lost_at, self._spoke_up_at))
        self.tally.lost_told += told
        self.tally.lost_spoke += spoke_up
        how = "told" if told else "spoke up" if spoke_up else "silent"
        self.trace.append((self.microphone.now, f"found again, {how}"))
        self._lost_since = None

    def _catch_up(self, place: int, now: float) -> None:
        """The table stands behind. The player who was not heard repeats it, or nobody notices."""
        if now >= self._repeat_at:
            spoken = self.deal.spoken[place]
            words = self._reword(self._states[place], spoken, self._dice)
            self._spoiled.add(place)
            self._again[place] = self._again.get(place, 0) + 1
            self.tally.repetitions += 1
            self._say(words or spoken.words, spoken.seat, AGAIN, place, LOUDER)
            self._repeat_at = self._busy_until + self._dice.uniform(*REPEATS_AFTER)
            self._hurries = False
        elif self._hurries and self._next < len(self.deal.spoken) and now >= self._next_at:
            self._go_on(now)

    def _mend(self, now: float) -> None:
        """Correct what nobody said and the page shows."""
        if now >= self._notice_at:
            self.tally.corrections += 1
            self._undone += 1
            self._spoil(None)
            self._say("corrige", self._dice.randint(1, 4), UNDO)
            self._notice_at = self._busy_until + self._dice.uniform(2.0, 3.0)
        elif self._hurries and self._next < len(self.deal.spoken) and now >= self._next_at:
            self._go_on(now)

    def _show(self, state: State, now: float, since: float) -> None:
        missing = [seat for seat in missing_hands(state) if seat in self._hands]
        if not missing or now < max(self._shown_at, since + SHOWS_AFTER[0]):
            return
        seat = missing[0]
        key = 1000 + seat
        if key in self._again:
            self.tally.repetitions += 1
        else:
            self.tally.least_seconds += 3.0
        self._again[key] = self._again.get(key, -1) + 1
        self._talks_over = False
        named = cards_said(ranks_of(self._hands[seat]), self._dice)
        self._say(named, seat, CARDS, louder=LOUDER if self._again[key] else 0.0)
        self._shown_at = self._busy_until + self._dice.uniform(*REPEATS_AFTER)

    def _answer(self, state: State, place: int | None, now: float) -> bool:
        """Answer a question. Returns whether somebody is about to answer, or has answered."""
        assert self._question is not None
        ask, _ = self._question
        if self.voice.speaking:
            return True
        if not self._answer_at:
            self._answer_at = now + self._dice.uniform(*ANSWERS_AFTER)
        if now < self._answer_at:
            return True
        self._question = None
        self._answer_at = 0.0
        words, seat = self._reply(ask, state, place)
        if words is None:
            self._repeat_at = min(self._repeat_at, now)
            return False
        self._say(words, seat, ANSWER, -1 if place is None else place)
        self._shown_at = self._busy_until + self._dice.uniform(*REPEATS_AFTER)
        self._repeat_at = self._busy_until + self._dice.uniform(*REPEATS_AFTER)
        self._next_at = max(self._next_at, self._busy_until + self._dice.uniform(*self._habits.gap))
        return True

    def _reply(self, ask: Ask, state: State, place: int | None) -> tuple[str | None, int]:
        """What people say to a question, and who. No words if the call is said again."""
        shown = next((one for one in ask.options if isinstance(one, ShowHand)), None)
        if shown is not None:
            owner = shown.seat or next(iter(missing_hands(state)), 1)
            true = self._hands.get(owner)
            if true is not None and _same(true, shown.cards, state):
                return self._dice.choice(YES), owner
            self._shown_at = self.microphone.now + 2.0
            return self._dice.choice(NO), owner
        if ask.code == "sure_undo" and (seat := self._who_wanted_it_undone()):
            return self._dice.choice(YES), seat
        if place is None or place >= self._next:
            seat = self._dice.randint(1, 4)
            if ask.code.startswith("sure") and self._dice.random() < 0.7:
                return self._dice.choice(NO), seat
            return None, seat
        spoken = self.deal.spoken[place]
        fits = [option for option in ask.options if events_of(state, option) == spoken.events]
        if ask.code.startswith("sure"):
            if not fits:
                self._repeat_at = self.microphone.now + 1.5
                return self._dice.choice(NO), spoken.seat
            return self._dice.choice(YES), spoken.seat
        kinds = {type(option) for option in ask.options}
        yes_or_no = kinds & {Accept, Mus} and kinds & {Refuse, Cut, Pass}
        if ask.code == "which_said" and yes_or_no and self._dice.random() < SAYS_YES_OR_NO:
            yes = any(isinstance(option, Accept | Mus) for option in fits)
            return self._dice.choice(YES if yes else NO), spoken.seat
        if ask.code in ("who", "whose") and fits and fits[0].seat is not None:
            return state.seats[fits[0].seat - 1], spoken.seat
        if ask.code == "lost":
            return _place_told(self._states[place]), spoken.seat
        return spoken.words, spoken.seat

    def _who_wanted_it_undone(self) -> int:
        """Who said "corrige" last, if no call was made since; 0 where it was a misheard word."""
        last = next((one for one in reversed(self.said) if one.kind != CHAT), None)
        return last.seat if last and last.kind == UNDO else 0

    def _say(self, words: str, seat: int, kind: str, index: int = -1, louder: float = 0.0) -> None:
        manner = Manner(
            round(self._dice.uniform(*SPEEDS), 1), round(self._dice.uniform(*PITCHES), 2)
        )
        now = self.microphone.now
        try:
            sound = speak_cached(self._voices[seat], words, manner)
        except VoiceError:  # if his voice lacks one of the sounds, another one speaks for him
            others = (v for v in self._voices.values() if v is not self._voices[seat])
            sound = speak_cached(next(others), words, manner)
        gain = self._gains[seat] * 10 ** (louder / 20)
        self._busy_until = self.microphone.play(self._place(sound, seat) * gain)
        end = now + len(sound) / 16_000
        self.said.append(Utterance(now, end, words, kind, index, seat))
        self.tally.answers += kind == ANSWER
        self._answered = self.said[-1] if kind == ANSWER else None
        self.trace.append((now, f"{kind} {index} seat {seat}: {words} ({end - now:.2f} s)"))
        self._busy_until = end


def _place_told(state: State) -> str:
    """The place of the deal, as players tell it to somebody who has lost the thread."""
    lance = state.lance.value if state.lance else "grande"
    if state.phase in (Phase.MUS, Phase.DISCARD):
        return "estamos en mus"
    if state.pending is not None and not state.pending.ordago:
        return f"hay {_number(state.pending.stones)} a {lance}"
    return f"estamos en {lance}"


def _number(stones: int) -> str:
    from assistant.files.paths import data_dir
    from assistant.files.resources import load_toml

    numbers = load_toml(data_dir("models") / "es" / "lexicon.toml")["numbers"]
    return str(numbers[str(stones)][0])


def _ways(heard: Heard) -> str:
    """The likeliest ways to hear it, where there is more than one."""
    flags = (name for name in ("cut", "disputed", "distant", "over") if getattr(heard, name))
    ways = " ".join(["", *flags]) + (_told(heard.hypotheses) if len(heard.hypotheses) > 1 else "")
    if heard.narrowed is None:
        return ways
    narrowed, part = heard.narrowed, " in part" if heard.narrowed.part else ""
    return f"{ways}, again {narrowed.probability or 0:.2f}{part}{_told(narrowed.hypotheses)}"


def _told(ways: Sequence[Hypothesis]) -> str:
    told = (f"{' '.join(word.text for word in way.words)} {way.probability:.2f}" for way in ways)
    return f" [{' | '.join(islice(told, TRACED))}]"


def _question_of(ask: Ask) -> str:
    return " ".join([ask.code, *(_name(option) for option in ask.options)])


def _name(what: Call | Command | None) -> str:
    if isinstance(what, Command):
        return what.value
    return type(what).__name__ if what else "nothing new"


def _kinds(news: News) -> str:
    return ", ".join(
        f"{type(outcome).__name__}({getattr(outcome, 'code', '') or getattr(outcome, 'call', '')})"
        for outcome in news.outcomes
    )
