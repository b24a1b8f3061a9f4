"""Phrases: the sentences, aloud and on the screen, for events, questions, answers and buttons.

All sentences come from one TOML file per language (``phrases.toml``); the code has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.language.phrases import answers, log, saying, standing
from assistant.language.phrases.language import Language, StyledTexts, language_from, sentence
from assistant.language.phrases.saying import Level
from assistant.language.phrases.style import Style
from assistant.messages import Accepted, Ask, Command, Outcome, Told
from assistant.rules.calls import Call, Place
from assistant.rules.events import Event
from assistant.rules.history import Record, is_retraction
from assistant.rules.phases import Lance
from assistant.rules.state import State, side_letters

__all__ = ["Level", "Phrases", "Style", "phrases_from"]


@dataclass(frozen=True, slots=True)
class Phrases:
    """Everything that the assistant can say in one language."""

    language: Language

    @property
    def code(self) -> str:
        """The language's code, by which a voice is chosen: "es"."""
        return self.language.texts["language"]

    @property
    def sounds(self) -> Mapping[str, str]:
        """Words that the language's own voice would misread, each with a spelling for the voice."""
        return self.language.sounds

    def styled(self, style: Style) -> Phrases:
        """The same phrases, spoken in a caller's style. The screen keeps the plain sentences."""
        words = style.of(self.code)
        texts = StyledTexts(self.language.texts, words)
        longest = 1 if style.sums else self.language.longest_count
        language = replace(self.language, texts=texts, longest_count=longest, turns=style.turns)
        return Phrases(language)

    def say(
        self,
        events: Sequence[Event],
        before: State | None,
        after: State,
        *,
        level: Level = Level.ESSENTIAL,
        history: Sequence[Record] = (),
    ) -> str | None:
        """What is said aloud about one batch; ``None`` if there is nothing to say.

        ``before`` and ``after`` are the states around the batch (``None`` before the game opens).
        ``history`` holds the records so far, from which the text of an undo is made.
        """
        if level is Level.SILENT:
            return None
        full = level is Level.FULL
        told = saying.say(self.language, events, before, after, history, full)
        if is_retraction(events):
            return told
        turned = standing.closing(self.language, before, after, full)
        return " ".join(part for part in (told, turned) if part) or None

    def answer(
        self,
        outcome: Outcome,
        state: State,
        *,
        level: Level = Level.ESSENTIAL,
        history: Sequence[Record] = (),
    ) -> str | None:
        """The answer to a message that moved nothing: a question, a reason, the score.

        ``history`` holds the records so far: "cuenta" repeats the last count from them.
        """
        if level is Level.SILENT:
            return None
        language = self.language.at(history[-1].seq if history else 0)
        match outcome:
            case Told(command=Command.WHERE) | Accepted(call=Place()):
                return answers.where(language, state)
            case Accepted(understood=calls) if calls:
                return sentence(log.understood(language, calls, state, language.stones))
        return answers.answer(language, outcome, state, history)

    def of_the_ear(self, note: str) -> str | None:
        """The sentence about a microphone that hears badly, by the note's code, if there is one."""
        return self.language.texts.get(f"ear.{note}")

    def of_the_match(
        self, state: State, more: tuple[int, ...], winner: str = "", *, decided: bool = False
    ) -> str:
        """The sentence about decisions of a hall's referee on the match; "" if there are none.

        ``more``: the juegos that each side has beside those of the game; negative if it has fewer.
        ``winner``: the side that wins the match with them. ``decided``: the match has its result.
        """
        if decided:
            return self.language.texts["say.decided"]
        if winner:
            return self.language.fill("say.enough", side=self.language.side(state, winner))
        told = []
        for side, juegos in zip(side_letters(state.sides), more, strict=False):
            if juegos:
                number = "one" if abs(juegos) == 1 else "many"
                told.append(
                    self.language.fill(
                        f"say.{'more' if juegos > 0 else 'fewer'}_{number}",
                        side=self.language.side(state, side),
                        juegos=self.language.number(abs(juegos)),
                    )
                )
        return " ".join(told)

    def round_ends(self, hour: str) -> str:
        """When the round ends by itself, as a page shows it."""
        return self.language.fill("say.ends_at", hour=hour)

    def round_ends_in(self, minutes: int) -> str:
        """In how many minutes the round ends by itself, as the voice says it."""
        number = "one" if minutes == 1 else "many"
        return self.language.fill(f"say.ends_{number}", minutes=self.language.number(minutes))

    def next_match(self, seats: Sequence[str]) -> str:
        """Who is called to the table by a hall, while others play there; by seats."""
        one, other = self.language.join(seats[::2]), self.language.join(seats[1::2])
        return self.language.fill("say.next_match", one=one, other=other)

    def log_line(self, event: Event, state: State, history: Sequence[Record] = ()) -> str:
        """One line of the screen's log; with ``history``, an undo tells what it took back."""
        return log.log_line(self.language, event, state, history)

    def article(self, event: log.PenaltyEvent, state: State) -> str:
        """What an article of the regulations does, as a sentence of its own."""
        return f"{sentence(log.article(self.language, state, event))}."

    def cited(self, event: log.PenaltyEvent, state: State) -> log.CitedArticle | None:
        """The article of the table's own regulations that says so, if they have it."""
        return log.cited(self.language, state, event)

    def label(self, call: Call, state: State | None = None) -> str:
        """The label of a button: a call in a few words."""
        return answers.label(self.language, call, state)

    def reason(self, code: str, params: answers.Params = ()) -> str:
        """Why a call moved nothing, by the code of the error or outcome."""
        return answers.reason(self.language, code, params)

    def question(self, ask: Ask, state: State | None = None) -> str:
        """The question to the table; the state tells how many are asked."""
        return answers.question(self.language, ask, state)

    def options(self, ask: Ask, state: State | None = None) -> tuple[str, ...]:
        """The buttons of a question, in the order of its options."""
        return answers.options(self.language, ask, state)

    def said(self) -> tuple[str, str]:
        """The buttons "yes" and "no" of a question whether something was said."""
        return self.language.texts["label.said"], self.language.texts["label.not_said"]

    def score(self, state: State) -> str:
        """The answer to "¿cómo vamos?"."""
        return answers.standing(self.language, state)

    def resumed(self, state: State, *, level: Level = Level.ESSENTIAL) -> str | None:
        """The words on resuming a game that was left."""
        if level is Level.SILENT:
            return None
        return answers.resumed(self.language, state, full=level is Level.FULL)

    def your_turn(self, *, level: Level = Level.ESSENTIAL) -> str | None:
        """The words after a demo, with which the people at the table may begin."""
        return None if level is Level.SILENT else self.language.texts["say.your_turn"]

    def held(self, lance: Lance, seat: int, state: State) -> str:
        """What an open hand is worth in a lance: "duples de reyes"; "" at grande and chica."""
        return standing.held(self.language, state, lance, seat)

    def missing(self, state: State) -> str | None:
        """The sentence about the cards that the count still needs, if any."""
        return standing.missing(self.language, state)


def phrases_from(mapping: Mapping[str, object]) -> Phrases:
    """Take a parsed phrase file. Raises SentenceError with one sentence that names the phrase."""
    return Phrases(language_from(mapping))
