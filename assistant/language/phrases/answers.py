"""Questions and their buttons, answers to commands, and the words on resuming a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from assistant.language.phrases.language import LanceForm, Language, sentence
from assistant.language.phrases.log import proposal, waiting
from assistant.language.phrases.saying import say
from assistant.language.phrases.standing import brief_score, is_adentro, juegos, missing, vacas
from assistant.messages import Ask, Command, Ignored, Outcome, Refused, Told
from assistant.messages.showdown import Trouble
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.engine import to_speak
from assistant.rules.history import Record, effective, fold
from assistant.rules.phases import AFTER_DEAL, DECLARING, LANCE_OF, Lance, Phase
from assistant.rules.state import LanceResult, State, side_letters

# ---- Labels of buttons: a call in a word or two, with its stones in digits ----------------------


def label(language: Language, call: c.Call, state: State | None = None) -> str:
    """A call as a button says it; the state names players, and the lance of a bare declaration."""
    key, words = _key(call, state), _words(language, call, state)
    return sentence(language.fill(f"label.{key}", **words))


def _words(language: Language, call: c.Call, state: State | None) -> dict[str, str | int]:
    """The words for the braces of any label, from the fields that the call has."""
    words: dict[str, str | int] = {}
    if isinstance(stones := getattr(call, "stones", None), int):
        words["stones"] = abs(stones)
    if lance := call.lance or (state.lance if state else None):
        told_at = isinstance(call, c.Bet) or (
            isinstance(call, c.Place) and call.told is not c.Where.HOLDERS
        )
        words["lance"] = language.lance(lance, "to" if told_at else "name")
    elif isinstance(call, c.ClaimLance):
        words["lance"] = language.texts["label.claim_what"]
    if state and (side := getattr(call, "side", None)):
        words["side"] = language.side(state, side)
    if isinstance(call, c.NextDeal) and state and call.mano:
        words["name"] = language.name(state, call.mano)
    if isinstance(call, c.Place) and state and call.player:
        words["name"] = language.name(state, call.player)
    if isinstance(call, c.Place) and state and call.holders:
        seats = [seat for seat in state.order() if seat in call.holders]
        words["name"] = language.join([language.name(state, seat) for seat in seats])
    if isinstance(call, c.ShowHand) and call.cards:
        words["cards"] = language.join([language.card(card.rank) for card in call.cards])
    if isinstance(call, c.Report):
        words["cards"] = call.cards
        words["name"] = language.texts["join.somebody"]
        if state and call.player:
            words["name"] = language.name(state, call.player)
    return words


def _key(call: c.Call, state: State | None) -> str:
    match call:
        case c.Bet(both=True):
            return "bet_both"
        case c.Bet(lance=Lance() as lance) if state and lance is not state.lance:
            return "bet_lance"  # one of the next lance
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Accept(stones=int()):
            return "accept_stones"
        case c.Refuse(plural=True) if not (state and state.sides == state.players):
            return "refuse_plural"  # a player without a partner speaks for himself
        case c.NextDeal(mano=int()) if state:
            return "mano"
        case c.ShowHand(cards=cards) if cards:
            return "show_hand"
        case c.Declare():
            named = call.lance or (state and state.lance)
            return ("holds" if call.holds else "lacks") if named else "yes" if call.holds else "no"
        case c.ClaimLance():
            return _claim(call, state)
        case c.AdjustStones():
            key = "adjust_fewer" if call.stones < 0 else "adjust_more"
            return f"{key}_to" if call.side and state else key
        case c.CorrectBet():
            return "correct_lance" if call.lance or (state and state.lance) else "correct_bet"
        case c.Report():
            return f"report_{call.kind}"
        case c.Place(told=c.Where.HOLDERS):
            return "place_holders" if call.holders else "place_nobody"
        case c.Place():
            told_of_mus = call.told is c.Where.LANCE and call.lance is None
            return "place_mus" if told_of_mus else f"place_{call.told}"
        case c.Verdict():
            return "apply" if call.apply else "waive"
        case _:
            return _LABELS[type(call)]


def _claim(call: c.ClaimLance, state: State | None) -> str:
    if call.side and state:
        return "claim"
    match call.whose:
        case c.Whose.US:
            return "claim_us"
        case c.Whose.THEM:
            return "claim_them"
    return "claim_lance"


_LABELS: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Pedrete: "pedrete",
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
    c.Redeal: "redeal",
}


# ---- Answers to "¿qué se debe?" and "cuenta": the coming count, and the last one -----------------


COUNTED = (e.DealCounted, e.JuegoWon)
"""Events of a batch that counted a deal, whether it ended the juego or not."""


def owed(language: Language, state: State) -> str:
    """The stones that this deal still has to count, lance by lance, and the dejes already taken."""
    if state.phase in AFTER_DEAL:
        return language.texts["owed.counted" if state.results else "owed.nothing"]
    told = [sentence(text) for text in _lines(language, state) if text]
    if not told:
        return language.texts["owed.nothing"]
    return " ".join([*told, language.texts["owed.no_more"]])


def _lines(language: Language, state: State) -> Iterator[str | None]:
    for result in state.results:
        yield _closed(language, state, result)
    yield pending(language, state)


def pending(language: Language, state: State) -> str | None:
    """The bet that waits for an answer, if any."""
    bet = state.pending
    if bet is None:
        return None
    return language.fill(
        "owed.pending_ordago" if bet.ordago else "owed.pending",
        lance=language.lance(bet.lance, "at"),
        side=language.side(state, bet.side),
        **({} if bet.ordago else {"stones": language.stones(bet.stones)}),
    )


def _closed(language: Language, state: State, result: LanceResult) -> str | None:
    lance = language.lance(result.lance, "at")
    side = language.side(state, result.side) if result.side else ""
    match result.how:
        case e.How.ACCEPTED:
            return language.fill(
                "owed.accepted", lance=lance, stones=language.stones(result.stones)
            )
        case e.How.PASSED:
            one = result.lance not in (Lance.PARES, Lance.JUEGO)
            return language.fill("owed.passed_one" if one else "owed.passed", lance=lance)
        case e.How.REFUSED:
            key, stones = _deje(result)
            return language.fill(key, lance=lance, side=side, stones=language.stones(stones))
        case e.How.UNCONTESTED:
            return language.fill("owed.uncontested", lance=lance, side=side)
        case e.How.ORDAGO:
            return language.fill("owed.ordago", lance=lance)
        case e.How.VOID:
            return language.fill("owed.void", lance=lance)
    return None  # nobody holds it, so it brings nothing


def _deje(result: LanceResult) -> tuple[str, int]:
    """A deje is taken at once (R27), but for one that an article leaves to the count."""
    if result.won == 0 and result.owed:
        return "owed.refused_later", result.owed
    valued = result.lance not in (Lance.GRANDE, Lance.CHICA)  # the hands still count (R28, R29)
    return ("owed.refused_more" if valued else "owed.refused"), result.won


def counted(language: Language, state: State, history: Sequence[Record]) -> str:
    """The last count again, with its reasons; in the showdown, whose cards are missing."""
    if state.phase is Phase.SHOWDOWN and (names := missing(language, state)):
        return names
    records = effective(history)
    last = next((r.batch for r in reversed(records) if isinstance(r.event, COUNTED)), None)
    if last is None:
        return language.texts["command.nothing_to_count"]
    before = fold([record for record in records if record.seq < last])
    after = fold([record for record in records if record.batch <= last])
    batch = [record.event for record in records if record.batch == last]
    told = say(language, batch, before, after or state, history, full=True)
    return told or language.texts["command.nothing_to_count"]


# ---- Questions, the reasons why a call moved nothing, and the answers to commands ---------------


Params = Mapping[str, object] | Iterable[tuple[str, object]]
"""The parameters that an error or an outcome carries beside its code."""


def reason(language: Language, code: str, params: Params = ()) -> str:
    """The sentence for a code; a general one if the code has none of its own."""
    key = f"reason.{code}"
    if key not in language.texts:
        key = "reason.other"
    words: dict[str, str] = {}
    if code in ("declare_first", "holders"):
        form: LanceForm = "the" if code == "declare_first" else "name"
        words["lance"] = language.lance(_declared_lance(dict(params)), form)
    return sentence(language.fill(key, **words))


def _declared_lance(params: Mapping[str, object]) -> Lance:
    """The lance that must be declared first, by the phase in the error's parameters."""
    return Lance.JUEGO if params.get("phase") == Phase.JUEGO_SAY else LANCE_OF[Phase.PARES_SAY]


def question(language: Language, ask: Ask, state: State | None = None) -> str:
    """The question to the table, with the stones of both readings if there are two."""
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
        case "which_said", _ if state and (names := _manos(language, ask, state)):
            return sentence(language.fill("question.which_mano", a=names[0], b=names[1]))
        case "which_said", _:
            a, b = (label(language, option, state) for option in ask.options)
            words = {"a": a, "b": b[:1].lower() + b[1:]}
            return sentence(language.fill("question.which_said", **words))
        case "which_bet", [a, b]:
            words = {"a": language.stones(a), "b": language.stones(b)}
            return sentence(language.fill("question.which_bet", **words))
        case "cards_unclear", _ if state:
            return _cards_unclear(language, dict(ask.params), state)
        case "unheard", _ if state and (stands := where(language, state)):
            return _unheard(language, state, stands)
        case "no_quereis", _ if state and state.sides == state.players:
            return language.texts["question.no_quieres"]  # a player who has no partner to ask
        case _:
            return reason(language, ask.code, ask.params)


def _yes_or_no(ask: Ask) -> str:
    """A question that is answered by yes or no, because these sound less alike than the calls."""
    kinds = {type(option) for option in ask.options}
    if c.Accept in kinds and kinds & {c.Refuse, c.Pass}:
        return "question.wanted"
    if c.Mus in kinds and kinds & {c.Cut, c.Pass}:
        return "question.mus_or_not"
    return ""


def _manos(language: Language, ask: Ask, state: State) -> list[str]:
    """The two players who may be mano, by name; none where something else is asked."""
    seats = [one.mano for one in ask.options if isinstance(one, c.NextDeal) and one.mano]
    return [language.name(state, seat) for seat in seats] if len(seats) == 2 else []


def _unheard(language: Language, state: State, stands: str) -> str:
    """The question about calls not understood: to the player who has to declare, or to all."""
    if bet := state.pending:
        lance = language.lance(bet.lance, "at")
        if bet.ordago:
            return sentence(language.fill("question.unheard_ordago", lance=lance))
        stones = language.stones(bet.stones)
        return sentence(language.fill("question.unheard_bet", stones=stones, lance=lance))
    speaker = to_speak(state) if state.phase in DECLARING else None
    if speaker is None:
        return language.fill("question.unheard", where=stands)
    name = language.name(state, speaker)
    return language.fill("question.unheard_of", name=name, where=stands)


def _cards_unclear(language: Language, params: Mapping[str, object], state: State) -> str:
    """The request to a player that lets the camera read his cards."""
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

    If the question is who said something, the buttons are the players' names.
    """
    if ask.code == "who" and state:
        return tuple(language.name(state, option.seat) for option in ask.options)
    labels = [label(language, option, state) for option in ask.options]
    if ask.code == "bare_raise" and len(labels) == 2 and isinstance(ask.options[0], c.Raise):
        labels[1] = language.fill("label.raise_up_to", stones=ask.options[0].stones)
    return tuple(labels)


def standing(language: Language, state: State, full: bool = True) -> str:
    """The answer to "¿cómo vamos?": stones, who is adentro, and the juegos once there are any.

    Without ``full`` the stones are numbers alone. When a juego is over, its stones mean nothing any
    more, so the sentence names its winner instead.
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
    """The answer to a message that moved nothing; table talk gets no answer."""
    match outcome:
        case Ask():
            return question(language, outcome, state)
        case Refused(code="cards_missing") if names := missing(language, state):
            return f"{sentence(names)} {language.texts['say.or_claim']}"
        case Refused(code="claim_values", call=c.ClaimLance() as claim):
            return language.texts[f"say.claim_{claim.lance}"]
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
    # "Repite" gets an answer even if nothing was said before.
    Command.REPEAT: "command.nothing_said",
}


# ---- Resuming a game: how it stands and who speaks ----------------------------------------------


def resumed(language: Language, state: State, full: bool = True) -> str:
    """The score, then what the table waits for: an article, an answer, cards, or a player."""
    if state.deal == 0:  # nobody has named mano yet
        target = language.stones(state.profile.target)
        return sentence(language.fill("say.game_asked", target=target))
    told = [
        language.texts["say.resumed"],
        standing(language, state, full),
        waits_for(language, state),
    ]
    return " ".join(sentence(text) for text in told if text)


def where(language: Language, state: State) -> str | None:
    """Where the deal stands, for somebody who has lost track."""
    told = waits_for(language, state)
    return sentence(told) if told else None


def waits_for(language: Language, state: State) -> str | None:
    """What the table waits for, or None."""
    if asked := waiting(state):
        return proposal(language, state, asked[0])
    if bet := pending(language, state):
        return bet
    if state.phase is Phase.SHOWDOWN:
        return missing(language, state)
    if state.phase in _ASKED:
        return language.texts[_ASKED[state.phase]]
    return _turn(language, state)


def _turn(language: Language, state: State) -> str | None:
    speaker = to_speak(state)
    if speaker is None:
        return None
    name = language.name(state, speaker)
    if state.phase is Phase.MUS:
        return language.fill("say.turn_mus", name=name)
    lance = LANCE_OF.get(state.phase)
    if lance is None:
        return None
    key = "say.open_punto" if lance is Lance.PUNTO else "say.open_lance"
    return language.fill(key, lance=language.lance(lance, "to"), name=name)


_ASKED = {
    Phase.DISCARD: "say.discard",
    Phase.PARES_SAY: "say.ask_pares",
    Phase.JUEGO_SAY: "say.ask_juego",
}
