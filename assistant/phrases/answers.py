"""Buttons, questions, and the reasons why a call moved nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.messages import Ask, Command, Ignored, Outcome, Refused, Told
from assistant.phrases.language import Language, sentence
from assistant.phrases.standing import is_adentro, juegos
from assistant.rules import calls as c
from assistant.rules.phases import LANCE_OF, Lance, Phase
from assistant.rules.state import State, side_letters

Params = Mapping[str, object] | Iterable[tuple[str, object]]
"""What an error or an outcome carries beside its code."""


def label(language: Language, call: c.Call, state: State | None = None) -> str:
    """A call as a button says it; the state names the lance of a bare declaration."""
    words: dict[str, str | int] = {}
    if isinstance(call, c.Bet | c.Raise):
        words["stones"] = call.stones
    if isinstance(call, c.Declare) and (lance := call.lance or (state.lance if state else None)):
        words["lance"] = language.lance(lance)
    return sentence(language.fill(f"label.{_label_key(call, bool(words))}", **words))


def _label_key(call: c.Call, named: bool) -> str:
    match call:
        case c.Bet(both=True):
            return "bet_both"
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Refuse(plural=True):
            return "refuse_plural"
        case c.Declare(holds=True):
            return "holds" if named else "yes"
        case c.Declare(holds=False):
            return "lacks" if named else "no"
        case _:
            return _LABELS[type(call)]


_LABELS: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Reenvido: "reenvido",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.ShowHand: "show",
    c.NextDeal: "deal",
    c.SetStones: "set",
}


def reason(language: Language, code: str, params: Params = ()) -> str:
    """The sentence for a code; one that fits always where a code has none of its own."""
    key = f"reason.{code}"
    if key not in language.texts:
        key = "reason.other"
    words: dict[str, str] = {}
    if code == "declare_first":
        words["lance"] = language.lance(_declared_lance(dict(params)), "the")
    return sentence(language.fill(key, **words))


def _declared_lance(params: Mapping[str, object]) -> Lance:
    """Which lance must be declared first, by the phase that the error tells of."""
    return Lance.JUEGO if params.get("phase") == Phase.JUEGO_SAY else LANCE_OF[Phase.PARES_SAY]


def question(language: Language, ask: Ask) -> str:
    """What the table is asked, with the stones of both readings where there are two."""
    stones = [option.stones for option in ask.options if isinstance(option, c.Raise)]
    match ask.code, stones:
        case "bare_raise", [by, _]:
            number = language.stones(by)
            return sentence(language.fill("question.raise", stones=number, up_to=number))
        case "bare_raise", [by]:
            return sentence(language.fill("question.raise_only", stones=language.stones(by)))
        case "reenvido", [double, plus]:
            words = {"stones": language.stones(double), "other": language.stones(plus)}
            return sentence(language.fill("question.reenvido", **words))
        case _:
            return reason(language, ask.code, ask.params)


def options(language: Language, ask: Ask, state: State | None = None) -> tuple[str, ...]:
    """A button for each reading; of a bare number the second is "up to that many" (R22)."""
    labels = [label(language, option, state) for option in ask.options]
    if ask.code == "bare_raise" and len(labels) == 2 and isinstance(ask.options[0], c.Raise):
        labels[1] = language.fill("label.raise_up_to", stones=ask.options[0].stones)
    return tuple(labels)


def standing(language: Language, state: State) -> str:
    """The answer to "¿cómo vamos?": stones, who is adentro, and the juegos once there are any.

    When a juego is over its stones are nothing any more: who won it is told.
    """
    if state.winner:
        return language.fill("say.match", side=language.side(state, state.winner))
    if side := state.juego_won:
        won = juegos(language, state, side)
        return language.fill("say.juego", side=language.side(state, side), juegos=won)
    sides = []
    for side in side_letters(state.sides):
        key = "score.side_adentro" if is_adentro(state, side) else "score.side"
        score = language.score(state.stones_of(side))
        sides.append(language.fill(key, side=language.side(state, side), score=score))
    told = language.texts["score.between"].join(sides)
    if any(state.juegos):
        won = juegos(language, state, side_letters(state.sides)[0])
        told = language.fill("score.juegos", score=told, juegos=won)
    return language.fill("say.total", score=told)


def answer(language: Language, outcome: Outcome, state: State) -> str | None:
    """What is said to a message that moved nothing; table talk gets no answer."""
    match outcome:
        case Ask():
            return question(language, outcome)
        case Refused():
            return reason(language, outcome.code, outcome.params)
        case Told(command=Command.SCORE):
            return standing(language, state)
        case Told(command=command) if command in _COMMANDS:
            return language.texts[_COMMANDS[command]]
        case Told() | Ignored():
            return None
        case _:
            return None


_COMMANDS: dict[Command, str] = {
    Command.PAUSE: "command.paused",
    Command.RESUME: "command.resumed",
    Command.HELP: "command.help",
    # Whoever asks for what was said last, and nothing was, gets an answer all the same.
    Command.REPEAT: "command.nothing_said",
}
