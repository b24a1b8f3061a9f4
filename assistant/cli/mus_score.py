"""``mus score``: a .mus script played through the lexicon and the rules."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.files.process import UsageError
from assistant.files.profile_files import rules_named
from assistant.files.resources import load_lexicon, load_phrases, nearest, read_text, text_of
from assistant.files.terminal import (
    in_terminal_language,
    output_text,
    terminal_language,
)
from assistant.language.lexicon import Lexicon
from assistant.language.script import (
    Agreed,
    Cards,
    Expect,
    Mano,
    Said,
    Score,
    Script,
    ScriptError,
    Step,
    parse_script,
)
from assistant.language.script.read import listed_sides
from assistant.messages import (
    Accepted,
    Ask,
    CardsSeen,
    Ignored,
    Message,
    Outcome,
    Pressed,
    Refused,
    batches,
)
from assistant.messages.codec import event_to_dict
from assistant.review.mus_chronicle import load_words
from assistant.rules.calls import AdjustStones, NextDeal, SetStones
from assistant.rules.engine import missing_hands, open_game, to_speak
from assistant.rules.errors import Translatable
from assistant.rules.events import How
from assistant.rules.history import number
from assistant.rules.phases import BEFORE_LANCES, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import Proposal, State, side_letters
from assistant.table.table import Table

ERROR_NAMES: dict[type[Any], str] = {
    Ask: "AmbiguousCall",
    Refused: "IllegalCall",
    Ignored: "UnknownCall",
}


@dataclass(slots=True)
class Failure:
    """A line of the script that failed: an expectation, or a call that was refused."""

    line: int
    message: str


@dataclass(slots=True)
class Play:
    """A played script: the table at its end, and the first line that failed."""

    table: Table
    failure: Failure | None = None
    errors: list[str] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The state at the end."""
        return self.table.state


def play_script(script: Script, lexicon: Lexicon) -> Play:
    """Play a script up to its end or the first line that fails."""
    opening = open_game(script.profile, script.seats, mano=None, given=script.given)
    opened = number(opening, 0, at=0.0)
    play = Play(Table(lexicon, opened))
    for step, following in zip(script.steps, (*script.steps[1:], None), strict=False):
        expected = following.error if isinstance(following, Expect) else None
        play.failure = _play_step(play, step, expected)
        if play.failure:
            break
    return play


def _play_step(play: Play, step: Step, expected_error: str | None) -> Failure | None:
    if isinstance(step, Expect):
        return _check(play, step)
    message = _message(play.table.state, step)
    outcomes = play.table.propose(message) if message else ()
    if play.state.deal == 0 and isinstance(step, Said | Cards) and not _begins(outcomes):
        _commit(play, play.table.propose(Pressed(NextDeal(mano=1))))
        outcomes = play.table.propose(message) if message else ()
    _commit(play, outcomes)
    wrong = [o for o in outcomes if o != Ignored("noted")]  # that counts already
    play.errors = [ERROR_NAMES[type(o)] for o in wrong if type(o) in ERROR_NAMES]
    if play.errors and expected_error is None:
        told = Translatable(
            "{text!r}: {error}: {why}",
            text=step.text,
            error=play.errors[0],
            why=_why(outcomes, play.state),
        )
        return Failure(step.line, told)
    return None


def _begins(outcomes: tuple[Outcome, ...]) -> bool:
    """Whether the first words of a game begin its first deal, as "mus" does (R04)."""
    return any(isinstance(outcome, Accepted) for outcome in outcomes)


def _commit(play: Play, outcomes: tuple[Outcome, ...]) -> None:
    play.table.commit(batches(outcomes, play.table.seq, at=0.0))


def _message(state: State, step: Step) -> Message | None:
    match step:
        case Said():
            return step.heard
        case Cards():
            return CardsSeen(((step.seat, step.hand),))
        case Mano():
            if state.phase in BEFORE_LANCES and state.mano == step.seat:
                return None  # the deal that this line names has begun already
            return Pressed(NextDeal(mano=step.seat))
        case Score():
            return Pressed(SetStones(stones=_stones(state, step)))
        case Agreed(side=side, stones=stones, reason=reason):
            return Pressed(AdjustStones(side=side, stones=stones, reason=reason, agreed=True))
        case _:
            raise ScriptError(step.line, Translatable("{text!r} cannot be played.", text=step.text))


def _stones(state: State, step: Score) -> tuple[int, ...]:
    letters = side_letters(state.sides)
    given = dict(step.stones)
    if set(given) - set(letters):
        raise ScriptError(
            step.line, Translatable("the sides are {letters}.", letters=listed_sides(letters))
        )
    return tuple(given.get(letter, state.stones_of(letter)) for letter in letters)


def _why(outcomes: tuple[Outcome, ...], state: State) -> str:
    """Why a line moved nothing, as the table would say it in the language of the terminal."""
    phrases = load_phrases(nearest("phrases", terminal_language()))
    for outcome in outcomes:
        if isinstance(outcome, Ignored):
            return Translatable(
                "«{text}» is no call at this moment; docs/lexicon.md has those that are.",
                text=outcome.text,
            )
        if isinstance(outcome, Ask):
            return phrases.question(outcome, state)
        if isinstance(outcome, Refused):
            return phrases.reason(outcome.code, outcome.params)
    return ""


def _check(play: Play, step: Expect) -> Failure | None:
    for key, expected in step.items:
        actual = _actual(play, key, expected)
        if actual != expected:
            told = Translatable(
                "expected {key}={expected}, but it is {actual}",
                key=key,
                expected=expected,
                actual=actual,
            )
            return Failure(step.line, told)
    return None


def _actual(play: Play, key: str, expected: str) -> str:
    state = play.state
    letters = side_letters(state.sides)
    by_side = {"juegos": state.juegos, "vacas": state.vacas}
    if key[-1] in letters:
        counted = by_side.get(key[:-2], state.stones)
        return str(counted[letters.index(key[-1])])
    values: dict[str, object] = {
        "phase": state.phase,
        "to_speak": to_speak(state),
        "mano": state.mano,
        "deal": state.deal,
        "over": str(state.phase is Phase.OVER).lower(),
        "winner": state.winner,
        "pending": state.pending.stones if state.pending else 0,
        "error": expected if expected in play.errors else (play.errors or ["none"])[0],
        "penalty": last_article(state.incidents.applied),
        "proposed": last_article(state.proposals),
        "missing": "+".join(map(str, missing_hands(state))) or None,
        "corrido": str(state.corrido).lower(),
    }
    value = values[key]
    return "none" if value is None else str(value)


def last_article(proposals: tuple[Proposal, ...]) -> str | None:
    """The article of the last of these proposals, or None (R47)."""
    return proposals[-1].article if proposals else None


def report(play: Play) -> dict[str, Any]:
    """The end of a played script, as ``mus score --json`` prints it."""
    state = play.state
    letters = side_letters(state.sides)
    return {
        "stones": dict(zip(letters, state.stones, strict=True)),
        "juegos": dict(zip(letters, state.juegos, strict=True)),
        "vacas": dict(zip(letters, state.vacas, strict=True)),
        "phase": str(state.phase),
        "over": state.phase is Phase.OVER,
        "winner": state.winner,
        "lances": lances(state),
        "events": [{"seq": r.seq, **event_to_dict(r.event)} for r in play.table.records],
    }


def lances(state: State) -> list[dict[str, Any]]:
    """The closed lances of the deal: how, which side took how many stones, and why."""
    return [
        {
            "lance": str(result.lance),
            "how": str(result.how),
            "side": result.side if result.won or result.how is How.ORDAGO else None,
            "stones": result.won,
            "why": "+".join(result.whys),
        }
        for result in state.results
    ]


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "score",
        help="play a .mus script and print the stones",
        description="Play a .mus script through the lexicon and the rules, and check its 'expect' "
        "lines. Exit status: 0 all held, 1 a line did not hold, 2 the file is no script or holds "
        "no deal.",
    )
    parser.add_argument(
        "file", type=Path, metavar="FILE.mus", help="the script; - reads it from stdin"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    is_pipe = str(args.file) == "-"
    text = text_of(sys.stdin.buffer, "Standard input") if is_pipe else read_text(args.file)
    try:
        script = parse_script(text, rules_named)
        play = play_script(script, script_lexicon(script.profile))
    except ScriptError as error:
        raise ScriptFileError(args.file, error) from error
    if not play.failure and not play.state.deal:
        source = Translatable("Standard input") if is_pipe else args.file
        raise UsageError("{path} holds no deal: there is nothing to count.", path=source)
    if args.json:
        print(json.dumps(report(play), ensure_ascii=False))
    elif not play.failure:
        print(_summary(play.state))
    if play.failure:
        told = in_terminal_language(play.failure.message)
        print(f"{args.file}:{play.failure.line}: {told}", file=sys.stderr)
        return 1
    return 0


def script_lexicon(profile: Profile) -> Lexicon:
    """The lexicon of a script: the table's languages, and Spanish, in which scripts are written."""
    return load_lexicon(tuple(dict.fromkeys((*profile.calls, "es"))))


class ScriptFileError(ScriptError):
    """A broken script, with the name of its file."""

    def __init__(self, path: Path, error: ScriptError) -> None:
        super().__init__(error.line, error.why)
        told = Translatable("{path}:{line}: {why}", path=path, line=error.line, why=error.why)
        self.args = (told,)


def _summary(state: State) -> str:
    words = load_words(terminal_language())
    wide = max(len(words(f"how.{how}")) for how in How)
    lines = []
    for result, row in zip(state.results, lances(state), strict=True):
        lance, how = words(f"lance.{row['lance']}"), words(f"how.{row['how']}")
        whys = (words(f"why.{why}") for why in result.whys)
        why = " + ".join(text for text in whys if text != how)
        lines.append(f"{lance:7} {how:{wide}} {row['side'] or '-'} {row['stones']:3}  {why}")
    for index, letter in enumerate(side_letters(state.sides)):
        names = words.names(state.seats[seat - 1] for seat in sorted(state.seats_of(letter)))
        stones, juegos, vacas = state.stones[index], state.juegos[index], state.vacas[index]
        counts = [
            output_text("1 stone" if stones == 1 else "{n} stones", n=stones),
            output_text("1 game" if juegos == 1 else "{n} games", n=juegos),
        ]
        if state.profile.vacas > 1:
            counts.append(output_text("1 vaca" if vacas == 1 else "{n} vacas", n=vacas))
        lines.append(f"{letter} ({names}): {', '.join(counts)}")
    if state.winner:
        return "\n".join([*lines, output_text("the match is for {side}", side=state.winner)])
    return "\n".join([*lines, output_text("phase {phase!r}", phase=str(state.phase))])
