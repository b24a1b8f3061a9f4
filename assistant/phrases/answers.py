"""Questions, the reasons why a call moved nothing, and the answers to commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.messages import Ask, Command, Ignored, Outcome, Refused, Told
from assistant.phrases.labels import label
from assistant.phrases.language import LanceForm, Language, sentence
from assistant.phrases.owed import counted, owed
from assistant.phrases.standing import brief_score, is_adentro, juegos, vacas
from assistant.rules import calls as c
from assistant.rules.history import Record
from assistant.rules.phases import LANCE_OF, Lance, Phase
from assistant.rules.state import State, side_letters
from assistant.showdown import Trouble

Params = Mapping[str, object] | Iterable[tuple[str, object]]
"""What an error or an outcome carries beside its code."""


def reason(language: Language, code: str, params: Params = ()) -> str:
    """The sentence for a code; one that fits always where a code has none of its own."""
    key = f"reason.{code}"
    if key not in language.texts:
        key = "reason.other"
    words: dict[str, str] = {}
    if code in ("declare_first", "holders"):
        form: LanceForm = "the" if code == "declare_first" else "name"
        words["lance"] = language.lance(_declared_lance(dict(params)), form)
    return sentence(language.fill(key, **words))


def _declared_lance(params: Mapping[str, object]) -> Lance:
    """Which lance must be declared first, by the phase that the error tells of."""
    return Lance.JUEGO if params.get("phase") == Phase.JUEGO_SAY else LANCE_OF[Phase.PARES_SAY]


def question(language: Language, ask: Ask, state: State | None = None) -> str:
    """What the table is asked, with the stones of both readings where there are two."""
    stones = [
        option.stones
        for option in ask.options
        if isinstance(option, c.Raise | c.Accept) and option.stones is not None
    ]
    match ask.code, stones:
        case "bare_raise", [by, _]:
            number = language.stones(by)
            return sentence(language.fill("question.raise", stones=number, up_to=number))
        case "bare_raise" | "reenvido", [only]:
            return sentence(language.fill("question.raise_only", stones=language.stones(only)))
        case "reenvido", [double, plus]:
            words = {"stones": language.stones(double), "other": language.stones(plus)}
            return sentence(language.fill("question.reenvido", **words))
        case "sure", _:
            words = {"call": label(language, ask.options[0], state)}
            return sentence(language.fill("question.sure", **words))
        case "which_said", _ if key := _yes_or_no(ask):
            return language.texts[key]
        case "which_said", _:
            a, b = (label(language, option, state) for option in ask.options)
            words = {"a": a, "b": b[:1].lower() + b[1:]}
            return sentence(language.fill("question.which_said", **words))
        case "which_bet", [a, b]:
            words = {"a": language.stones(a), "b": language.stones(b)}
            return sentence(language.fill("question.which_bet", **words))
        case "cards_unclear", _ if state:
            return _cards_unclear(language, dict(ask.params), state)
        case "no_quereis", _ if state and state.sides == state.players:
            return language.texts["question.no_quieres"]  # one who has no partner to ask
        case _:
            return reason(language, ask.code, ask.params)


def _yes_or_no(ask: Ask) -> str:
    """What is asked where a yes and a no say which: they sound less alike than the calls do."""
    kinds = {type(option) for option in ask.options}
    if c.Accept in kinds and kinds & {c.Refuse, c.Pass}:
        return "question.wanted"
    if c.Mus in kinds and kinds & {c.Cut, c.Pass}:
        return "question.mus_or_not"
    return ""


def _cards_unclear(language: Language, params: Mapping[str, object], state: State) -> str:
    """What a player is asked to do so that the camera can read his cards."""
    name = state.seats[int(str(params["seat"])) - 1]
    number = int(str(params["cards"]))
    match params["trouble"]:
        case Trouble.FEW if number == 1:
            told = language.fill("question.cards_few_one", name=name)
        case Trouble.FEW:
            told = language.fill("question.cards_few", name=name, cards=str(number))
        case trouble:
            told = language.fill(f"question.cards_{trouble}", name=name)
    return sentence(told)


def options(language: Language, ask: Ask, state: State | None = None) -> tuple[str, ...]:
    """A button for each reading; of a bare number the second is "up to that many" (R22).

    Where it is asked who said something, the buttons are the players' names.
    """
    if ask.code == "who" and state:
        return tuple(language.name(state, option.seat) for option in ask.options)
    labels = [label(language, option, state) for option in ask.options]
    if ask.code == "bare_raise" and len(labels) == 2 and isinstance(ask.options[0], c.Raise):
        labels[1] = language.fill("label.raise_up_to", stones=ask.options[0].stones)
    return tuple(labels)


def standing(language: Language, state: State, full: bool = True) -> str:
    """The answer to "¿cómo vamos?": stones, who is adentro, and the juegos once there are any.

    Without ``full`` the stones are told in numbers alone.

    When a juego is over its stones are nothing any more: who won it is told.
    """
    if state.winner:
        return language.fill("say.match", side=language.side(state, state.winner))
    if side := state.vaca_won:
        won = vacas(language, state, side)
        return language.fill("say.vaca", side=language.side(state, side), vacas=won)
    if side := state.juego_won:
        won = juegos(language, state, side)
        return language.fill("say.juego", side=language.side(state, side), juegos=won)
    told = _by_names(language, state) if full else brief_score(language, state)
    if any(state.juegos):
        won = juegos(language, state, side_letters(state.sides)[0])
        told = language.fill("score.juegos", score=told, juegos=won)
    if any(state.vacas):
        won = vacas(language, state, side_letters(state.sides)[0])
        told = language.fill("score.vacas", score=told, vacas=won)
    return language.fill("say.total", score=told)


def _by_names(language: Language, state: State) -> str:
    sides = []
    for side in side_letters(state.sides):
        key = "score.side_adentro" if is_adentro(state, side) else "score.side"
        score = language.score(state.stones_of(side))
        sides.append(language.fill(key, side=language.side(state, side), score=score))
    return language.texts["score.between"].join(sides)


def answer(
    language: Language, outcome: Outcome, state: State, history: Sequence[Record] = ()
) -> str | None:
    """What is said to a message that moved nothing; table talk gets no answer."""
    match outcome:
        case Ask():
            return question(language, outcome, state)
        case Refused():
            return reason(language, outcome.code, outcome.params)
        case Told(command=Command.SCORE):
            return standing(language, state)
        case Told(command=Command.OWED):
            return owed(language, state)
        case Told(command=Command.COUNT):
            return counted(language, state, history)
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
    Command.SOFTER: "command.softer",
    Command.LOUDER: "command.louder",
    # Whoever asks for what was said last, and nothing was, gets an answer all the same.
    Command.REPEAT: "command.nothing_said",
}
