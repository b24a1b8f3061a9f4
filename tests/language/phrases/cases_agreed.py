"""Cases in Spanish: agreements, corrections, and articles that decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assistant.language.phrases import Phrases
from assistant.language.phrases.language import sentence
from assistant.language.phrases.saying import Scene, tell
from assistant.language.phrases.standing import closing, count_aloud, count_in_brief
from assistant.messages import Ask, Command, Told
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.changes import apply
from assistant.rules.events import Irregularity, Remedy
from assistant.rules.history import number
from assistant.rules.penalties import OF_INTERPENAS
from assistant.rules.phases import Lance
from assistant.rules.profile import Articles, PartnerConflict, Profile
from assistant.rules.state import Incidents, LanceResult, Pending, Proposal, State
from tests.language.phrases.aloud import PLAIN, Aloud, Case
from tests.language.phrases.cases_voice import in_paso
from tests.rules.play import SEATS, envido, no_queremos, nueva_mano, ordago, paso, quiero

GRANDE, CHICA, PARES, JUEGO, PUNTO = Lance

Tell = Callable[[Phrases], str | None]


BY_INTERPENAS = replace(PLAIN, articles=Articles.INTERPENAS)
"""A table whose own regulations have all articles."""


def table(
    names: tuple[str, ...] = SEATS, sides: int = 2, profile: Profile = BY_INTERPENAS, **fields: Any
) -> State:
    """A table of any size in its first deal, with these fields."""
    opened = apply(apply(None, e.GameOpened(profile, names, sides)), e.DealStarted(1, 1))
    return replace(opened, **fields)


def single(**fields: Any) -> State:
    """A table of three single players."""
    return table(("Ana", "Luis", "Eva"), 3, **fields)


def sentence_for(
    event: e.Event, state: State | None = None, full: bool = False, batch: tuple[e.Event, ...] = ()
) -> Tell:
    """What is spoken of an event that led to this table."""
    at = state or table()

    def told(p: Phrases) -> str | None:
        text = tell(Scene(p.language, at, at, (), full, batch or (event,)), event)
        return text and sentence(text)

    return told


def logged(event: e.Event, state: State | None = None) -> Tell:
    return lambda p: p.log_line(event, state or table())


def button(call: c.Call, state: State | None = None) -> Tell:
    return lambda p: p.label(call, state)


def undone(*batch: e.Event, at: State | None = None) -> Tell:
    """The log line of an undo of these events."""
    records = (*number(batch, 0, 0.0), *number((e.Retracted(1),), len(batch), 0.0))
    return lambda p: p.log_line(e.Retracted(1), at or table(), records)


def asked(command: Command, state: State) -> Tell:
    return lambda p: p.answer(Told(command), state)


def counted_again(game: Callable[[Phrases], Aloud]) -> Tell:
    """The answer to "cuenta" after a game."""

    def told(p: Phrases) -> str | None:
        played = game(p).game
        return p.answer(Told(Command.COUNT), played.state, history=played.records)

    return told


def owed_after(play: Callable[[Aloud], Aloud]) -> Tell:
    """The answer to "¿qué se debe?" after a game."""
    return lambda p: p.answer(Told(Command.OWED), play(Aloud(p)).game.state)


def owed_with(**changes: Any) -> Tell:
    return asked(Command.OWED, replace(table(), **changes))


def undecided(*articles: str) -> State:
    """A table with these proposed articles."""
    waiting = tuple(Proposal(number, Remedy.LIMIT, 2, JUEGO) for number in articles)
    return table(incidents=Incidents(proposals=waiting))


def with_vacas(won: str | None, *vacas: int) -> State:
    return table(juegos=(1, 2), vacas=vacas, vaca_won=won)


def count_of(*won: e.StonesWon) -> Tell:
    """The count of stones that no shown hand explains."""
    return lambda p: count_aloud(p.language, won, table())


def count_in_few_words(stones: tuple[int, int], *won: e.StonesWon) -> Tell:
    """The short count, with the resulting score; a side that is near the target is "adentro"."""
    at = table(stones=stones)

    def told(p: Phrases) -> str:
        scene = Scene(p.language, at, at, (), False, told=(0, 0))
        return count_in_brief(p.language, won, at, scene.brief_score())

    return told


def in_a_batch(state: State, *events: e.Event) -> Tell:
    """What is spoken, in short form, of the last of several events."""
    return lambda p: tell(Scene(p.language, state, state, (), False, events), events[-1])


W = e.StonesWon
VOID = e.DealVoided(1)

MUS: tuple[Case, ...] = (
    Case(
        "mus corrido opens a match",
        sentence_for(e.DealStarted(1, 1, corrido=True)),
        "Mus corrido y sin señas.",
    ),
    Case(
        "mus corrido in a later deal",
        sentence_for(e.DealStarted(4, 2, corrido=True)),
        "Mus corrido y sin señas; es mano Oeste.",
    ),
    Case(
        "log: mus corrido",
        logged(e.DealStarted(4, 2, corrido=True)),
        "Reparto 4, mus corrido. Es mano Oeste",
    ),
    Case("mano moves on", sentence_for(e.ManoChanged(3)), "Es mano Sur."),
    Case("log: mano moves on", logged(e.ManoChanged(3)), "Es mano Sur"),
    Case(
        "who cuts a mus corrido is mano",
        sentence_for(e.MusCut(2), batch=(e.MusCut(2), e.ManoChanged(2))),
        "Corta Oeste: es mano.",
    ),
    Case(
        "pedrete",
        sentence_for(e.PedreteSung(2, 1), table(stones=(0, 6))),
        "Pedrete de Oeste, una. Cero a seis.",
    ),
    Case(
        "log: cards shown early",
        logged(e.CardsShownEarly(2, parse_hand("RC71"))),
        "Oeste enseña R C 7 1 con el envite en el aire",
    ),
    Case("log: pedrete", logged(e.PedreteSung(2, 1)), "Oeste canta pedrete: Oeste y Este, 1"),
)

BETS: tuple[Case, ...] = (
    Case(
        "a partner bets more",
        sentence_for(
            e.PartnerBet(3, GRANDE, 5), table(pending=Pending(GRANDE, 1, "A", 5)), full=True
        ),
        "Sur dice cinco a la grande: van cinco.",
    ),
    Case("a partner's bet is not essential", sentence_for(e.PartnerBet(3, GRANDE, 5)), None),
    Case(
        "the rivals choose",
        sentence_for(
            e.PartnerBet(3, GRANDE, 5),
            table(profile=replace(PLAIN, partner_conflict=PartnerConflict.RIVALS_CHOOSE)),
            full=True,
        ),
        "Sur dice cinco a la grande: elegid, Oeste y Este.",
    ),
    Case(
        "log: a partner's bet",
        logged(e.PartnerBet(3, GRANDE, 5)),
        "Sur dice 5 a grande, por encima de su compañero",
    ),
    Case(
        "a bet heard faintly",
        lambda p: p.question(Ask("sure", (c.Bet(stones=5),))),
        "¿Has dicho «Envido 5»?",
    ),
    Case(
        "pares that may be none",
        lambda p: p.question(
            Ask(
                "which_said",
                (c.Declare(lance=PARES, holds=True), c.Declare(lance=PARES, holds=False)),
            )
        ),
        "¿Pares sí, o pares no?",
    ),
    Case(
        "a bet that may be of other stones",
        lambda p: p.question(Ask("which_said", (c.Bet(stones=30), c.Bet(stones=20)))),
        "¿Envido 30, o envido 20?",
    ),
    Case(
        "a number that raises, or is bet at the next lance",
        lambda p: p.question(
            Ask("which_said", (c.Raise(stones=5), c.Bet(stones=5, lance=Lance.CHICA))),
            Aloud(p).cut().say(envido(1)).game.state,
        ),
        "¿5 más, o envido 5 a la chica?",
    ),
    Case(
        "an answer that may be its opposite",
        lambda p: p.question(Ask("which_said", (c.Accept(), c.Refuse()))),
        "¿Se quiere, sí o no?",
    ),
    Case(
        "mus that may be none",
        lambda p: p.question(Ask("which_said", (c.Cut(), c.Mus()))),
        "¿Hay mus, sí o no?",
    ),
    Case(
        "an answer that may be a raise",
        lambda p: p.question(Ask("which_said", (c.Accept(), c.Raise(stones=3)))),
        "¿Quiero, o 3 más?",
    ),
    Case(
        "one of two players is mano",
        lambda p: p.question(Ask("which_said", (c.NextDeal(mano=2), c.NextDeal(mano=4))), table()),
        "¿Es mano Oeste, o Este?",
    ),
    Case(
        "which of two bets",
        lambda p: p.question(Ask("which_bet", (c.Accept(stones=2), c.Accept(stones=5)))),
        "¿Cuál queréis: dos o cinco?",
    ),
    Case(
        "showing the cards accepts",
        sentence_for(
            e.BetAccepted(2, PARES, implied=True), table(pending=Pending(PARES, 1, "A", 4))
        ),
        "Enseñar es querer: Oeste quiere cuatro a pares.",
    ),
    Case(
        "one of two bets is accepted",
        sentence_for(
            e.BetAccepted(2, GRANDE, stones=5), table(pending=Pending(GRANDE, 1, "A", 2)), full=True
        ),
        "Oeste quiere la grande: van cinco.",
    ),
    Case(
        "log: so many are accepted", logged(e.BetAccepted(2, GRANDE, 5)), "Oeste quiere 5 a grande"
    ),
    Case("a lance again", sentence_for(e.LanceReopened(CHICA), full=True), "Otra vez a la chica."),
    Case("log: a lance again", logged(e.LanceReopened(CHICA)), "Otra vez a chica"),
    Case(
        "log: silence declares",
        logged(e.Declared(2, PARES, False, implied=True)),
        "Oeste, pares no (se entiende)",
    ),
    Case(
        "silence declares, and nothing is said",
        sentence_for(e.Declared(2, PARES, False, True), full=True),
        None,
    ),
    Case(
        "a bet put right",
        sentence_for(e.BetCorrected(GRANDE, 5)),
        "Corregido: cinco a la grande.",
    ),
    Case("log: a bet put right", logged(e.BetCorrected(GRANDE, 5)), "Corregido: 5 a grande"),
    Case(
        "who has no partner is asked alone",
        lambda p: p.answer(Ask("no_quereis", (c.Refuse(plural=True),)), single()),
        "¿No quieres?",
    ),
    Case(
        "and answers alone",
        lambda p: " | ".join(p.options(Ask("no_quereis", (c.Refuse(plural=True),)), single())),
        "No quiero",
    ),
)

CLAIMS: tuple[Case, ...] = (
    Case("a claim", sentence_for(e.LanceClaimed(GRANDE, "A")), "Grande, para Norte y Sur."),
    Case(
        "a claim with hands",
        sentence_for(e.LanceClaimed(PARES, "B", (3, 2))),
        "Pares, cinco para Oeste y Este.",
    ),
    Case(
        "a claim that the cards contradict",
        sentence_for(e.ClaimDisproved(GRANDE, "B", "A")),
        "Ojo: grande se dijo para Norte y Sur, y por las cartas es para Oeste y Este. "
        "Si las cartas están bien, decid otra vez para quién es.",
    ),
    Case(
        "hands that the cards contradict",
        sentence_for(e.ClaimDisproved(PARES, "B", "B", 4)),
        "Ojo: por las cartas, pares son cuatro para Oeste y Este. "
        "Si las cartas están bien, decid otra vez para quién es.",
    ),
    Case(
        "log: a claim that the cards contradict",
        logged(e.ClaimDisproved(GRANDE, "B", "A")),
        "Grande: se dijo para Norte y Sur, y por las cartas es para Oeste y Este",
    ),
    Case(
        "log: hands that the cards contradict",
        logged(e.ClaimDisproved(PARES, "B", "B", 4)),
        "Pares: por las cartas, 4 para Oeste y Este, y se dijo otra cosa",
    ),
    Case(
        "log: a claim given up for the cards",
        logged(e.LanceClaimed(GRANDE, "A", by_cards=True)),
        "Grande, para Norte y Sur, por las cartas",
    ),
    Case(
        "log: a claim",
        logged(e.LanceClaimed(GRANDE, "A")),
        "Grande, para Norte y Sur, sin ver las cartas",
    ),
    Case(
        "log: a claim with hands",
        logged(e.LanceClaimed(PARES, "B", (3, 2))),
        "Pares, 3 + 2 para Oeste y Este, sin ver las cartas",
    ),
    Case(
        "the count of what was claimed",
        count_of(
            W("A", 2, GRANDE, e.Why.BET),
            W("B", 4, PARES, e.Why.BET),
            W("B", 5, PARES, e.Why.PARES),
            W("B", 3, JUEGO, e.Why.JUEGO),
        ),
        "Grande, dos para Norte y Sur. Pares, cuatro del envite, y cinco más para Oeste y Este; "
        "juego, tres.",
    ),
    Case(
        "a count that is too long tells the stones of a side together",
        count_in_few_words(
            (35, 13),
            W("A", 1, GRANDE, e.Why.PASO),
            W("A", 1, CHICA, e.Why.PASO),
            W("A", 5, PARES, e.Why.PARES),
            W("A", 3, JUEGO, e.Why.JUEGO),
        ),
        "Norte y Sur, diez de grande, chica, pares y juego. Treinta y cinco a trece, adentro.",
    ),
    Case(
        "and without the lances where even that is too long",
        count_in_few_words(
            (35, 33),
            W("B", 21, GRANDE, e.Why.BET),
            W("A", 1, CHICA, e.Why.PASO),
            W("B", 5, PARES, e.Why.PARES),
            W("A", 3, JUEGO, e.Why.JUEGO),
        ),
        "Oeste y Este, veintiséis; los otros cuatro. Treinta y cinco a treinta y tres, adentro.",
    ),
    Case(
        "stones of one lance are told together, the deje that an article left to the count too",
        count_in_few_words(
            (4, 5),
            W("B", 1, PARES, e.Why.DEJE),
            W("B", 3, PARES, e.Why.PARES),
            W("B", 1, PARES, e.Why.PENALTY),
            W("A", 4, PUNTO, e.Why.BET),
        ),
        "Oeste y Este, pares cinco; los otros punto cuatro. Cuatro a cinco.",
    ),
    Case(
        "the count of a negada by an article",
        count_of(
            W("A", 3, PARES, e.Why.PARES),
            W("A", 1, PARES, e.Why.PENALTY),
            W("A", 1, JUEGO, e.Why.PENALTY),
        ),
        "Pares, tres, y una de negada para Norte y Sur; juego, una de negada.",
    ),
    Case(
        "log: a negada",
        logged(W("A", 1, PARES, e.Why.PENALTY)),
        "Norte y Sur, 1 de la negada a pares",
    ),
    Case(
        "stones by agreement",
        sentence_for(e.StonesAdjusted("A", 2, "faltaban"), table(stones=(7, 0))),
        "Dos más para Norte y Sur. Siete a cero.",
    ),
    Case(
        "stones taken by agreement",
        sentence_for(e.StonesAdjusted("A", -1, ""), table(stones=(7, 0))),
        "Una menos para Norte y Sur. Siete a cero.",
    ),
    Case(
        "log: stones by agreement",
        logged(e.StonesAdjusted("A", 2, "faltaban de la chica")),
        "Norte y Sur, 2 más por acuerdo (faltaban de la chica)",
    ),
    Case(
        "log: stones taken",
        logged(e.StonesAdjusted("B", -2, "")),
        "Oeste y Este, 2 menos por acuerdo",
    ),
    Case("the count is made again", sentence_for(e.CountReopened()), "Se cuenta otra vez."),
    Case("log: the count is made again", logged(e.CountReopened()), "Se cuenta otra vez"),
)

IRREGULAR: tuple[Case, ...] = (
    Case(
        "mus visto", sentence_for(e.IrregularityReported(Irregularity.EXPOSED_CARD)), "Carta vista."
    ),
    Case(
        "five cards",
        sentence_for(e.IrregularityReported(Irregularity.CARD_COUNT, 2, 5)),
        "Cartas de Oeste: cinco.",
    ),
    Case(
        "mano twice",
        sentence_for(e.IrregularityReported(Irregularity.SAME_MANO)),
        "Se ha repetido mano.",
    ),
    Case(
        "he looked again",
        sentence_for(e.IrregularityReported(Irregularity.PEEKED, 2)),
        "Oeste ha vuelto a mirar las cartas.",
    ),
    Case(
        "somebody looked again",
        sentence_for(e.IrregularityReported(Irregularity.PEEKED)),
        "Alguien ha vuelto a mirar las cartas.",
    ),
    Case(
        "the deck accepts",
        sentence_for(e.IrregularityReported(Irregularity.IN_DECK, 2)),
        "Oeste se mete en baraja.",
    ),
    Case(
        "log: the deck accepts",
        logged(e.IrregularityReported(Irregularity.IN_DECK, 2)),
        "Oeste se ha metido en baraja",
    ),
    Case(
        "log: mus visto", logged(e.IrregularityReported(Irregularity.EXPOSED_CARD)), "Carta vista"
    ),
    Case(
        "log: whose card",
        logged(e.IrregularityReported(Irregularity.EXPOSED_CARD, 2)),
        "Carta vista de Oeste",
    ),
    Case(
        "log: five cards",
        logged(e.IrregularityReported(Irregularity.CARD_COUNT, 2, 5)),
        "Cartas de Oeste: 5",
    ),
    Case(
        "log: mano twice",
        logged(e.IrregularityReported(Irregularity.SAME_MANO)),
        "Se ha repetido mano",
    ),
    Case(
        "log: he looked again",
        logged(e.IrregularityReported(Irregularity.PEEKED, 2)),
        "Oeste ha vuelto a mirar las cartas",
    ),
    Case(
        "an article is proposed",
        sentence_for(e.PenaltyProposed("5.3", Remedy.DENIED, 2, PARES)),
        "Artículo 5.3: Oeste negó los pares, y los pares y la negada son para Norte y "
        "Sur. ¿Se aplica?",
    ),
    Case(
        "an article that the rivals decide on",
        sentence_for(e.PenaltyProposed("1.7", Remedy.REDEAL, 2)),
        "Artículo 1.7: carta descubierta al dar, y se reparte otra vez. A decidir, Norte y Sur: "
        "¿se aplica?",
    ),
    Case(
        "of two articles the second waits",
        sentence_for(e.PenaltyProposed("7.2", Remedy.LIMIT, 2, JUEGO), undecided("5.3", "7.2")),
        None,
    ),
    Case(
        "the first of two is asked about",
        sentence_for(e.PenaltyProposed("1.6", Remedy.LIMIT, 2, JUEGO), undecided("1.6", "7.2")),
        "Artículo 1.6: por repetir mano, esta no vale y se reparte otra vez. ¿Se aplica?",
    ),
    Case(
        "the second is asked about once the first is decided",
        lambda p: closing(p.language, undecided("5.3", "1.6"), undecided("1.6"), full=False),
        "Artículo 1.6: por repetir mano, esta no vale y se reparte otra vez. ¿Se aplica?",
    ),
    Case(
        "an article is applied",
        sentence_for(e.PenaltyApplied("1.5", Remedy.OUT, 2)),
        "Artículo 1.5: con cartas de más, las de Oeste van a la baraja y no cuentan.",
    ),
    Case(
        "an article is waived",
        sentence_for(e.PenaltyWaived("5.3", Remedy.DENIED, 2)),
        "Se perdona el artículo 5.3.",
    ),
    Case(
        "log: an article is proposed",
        logged(e.PenaltyProposed("5.3", Remedy.DENIED, 2, PARES)),
        "A decidir, artículo 5.3: Oeste negó los pares, y los pares y la negada son para Norte y "
        "Sur",
    ),
    Case(
        "log: an article is waived",
        logged(e.PenaltyWaived("1.6", Remedy.REDEAL)),
        "Se perdona el artículo 1.6: por repetir mano, esta no vale y se reparte otra vez",
    ),
    Case("the deal is void", sentence_for(VOID), "Esta no vale: se reparte otra vez."),
    Case(
        "a deal that an article voids",
        sentence_for(VOID, batch=(e.PenaltyApplied("1.6", Remedy.REDEAL), VOID)),
        None,
    ),
    Case("log: the deal is void", logged(VOID), "Esta no vale: se reparte otra vez"),
    Case(
        "stones go back",
        sentence_for(e.StonesLost("B", 2, PARES, "5.2"), table(stones=(0, 5))),
        "Dos menos para Oeste y Este, por el artículo 5.2. Cero a cinco.",
    ),
    Case(
        "log: stones go back",
        logged(e.StonesLost("B", 2, PARES, "5.2")),
        "Oeste y Este, 2 menos a pares, por el artículo 5.2",
    ),
    Case(
        "a lance is void",
        sentence_for(e.LanceClosed(PARES, e.How.VOID), full=True),
        "Lance nulo: pares.",
    ),
    Case("log: a lance is void", logged(e.LanceClosed(PARES, e.How.VOID)), "Pares: lance nulo"),
)


def article(number: str, remedy: Remedy, lance: Lance | None, text: str) -> Case:
    """The log line of an article that is applied to Oeste."""
    line = logged(e.PenaltyApplied(number, remedy, 2, lance))
    return Case(f"article {number} {remedy}", line, f"Se aplica el artículo {number}: {text}")


ARTICLES: tuple[Case, ...] = (
    article(
        "1.4", Remedy.REDEAL, None, "las cartas de Oeste están mal dadas, y se reparte otra vez"
    ),
    article("1.5", Remedy.SHORT, None, "con cartas de menos, Oeste juega con las que tiene"),
    article(
        "4.1",
        Remedy.LIMIT,
        GRANDE,
        "de dos envites distintos de Oeste y Este, vale el que elijan los otros",
    ),
    article("4.2", Remedy.NO_QUIERO, GRANDE, "hablar del lance siguiente es no querer a la grande"),
    article("4.6", Remedy.LIMIT, PARES, "enseñar las cartas es querer a pares, y las enseñó Oeste"),
    article(
        "4.7",
        Remedy.LIMIT,
        CHICA,
        "Oeste volvió a mirar las cartas, y a la chica solo vale la negada y la jugada para Oeste "
        "y Este",
    ),
    article(
        "4.8",
        Remedy.NO_QUIERO,
        PARES,
        "Oeste no podía ganar el órdago a pares, y su quiero no vale",
    ),
    article(
        "5.1", Remedy.SING, PARES, "pares negados y rectificados, a cantar los suyos Oeste y Este"
    ),
    article(
        "5.2",
        Remedy.VOID,
        PARES,
        "Oeste negó los pares, no cuentan, y el envite a pares que ganó su bando no vale",
    ),
    article("5.5", Remedy.VOID, PARES, "Oeste echó órdago sin tener pares, y el lance es nulo"),
    article(
        "5.5",
        Remedy.LIMIT,
        JUEGO,
        "por el órdago sin pares de Oeste, a juego solo la negada y la jugada para Oeste y Este",
    ),
    article(
        "5.5",
        Remedy.DENIED,
        PUNTO,
        "por el órdago sin pares de Oeste, al punto la jugada y la negada para Norte y Sur",
    ),
    article(
        "5.6",
        Remedy.LIMIT,
        JUEGO,
        "Oeste cantó lo que no era, y a juego solo vale la negada y la jugada para Oeste y Este",
    ),
    article(
        "7.2",
        Remedy.LIMIT,
        JUEGO,
        "Oeste dijo juego no y luego sí, y a juego solo vale la negada y la jugada para Oeste "
        "y Este",
    ),
    article("8.4", Remedy.DENIED, None, "con las cartas en el monte ya no se reclama nada"),
    Case(  # of a later version: nobody's regulations have it, so it is not named
        "article 9.9 void",
        logged(e.PenaltyApplied("9.9", Remedy.VOID, 2)),
        "Se aplica: se hace lo que manda el reglamento",
    ),
    Case(
        "article 5.3, of nobody knows whom",
        logged(e.PenaltyApplied("5.3", Remedy.DENIED, None, JUEGO)),
        "Se aplica el artículo 5.3: alguien negó el juego, y el juego y la negada son para los "
        "otros",
    ),
)


def uncited(tells: Callable[[State], Tell], articles: Articles = Articles.OFF) -> Tell:
    """What is told at a table whose own regulations have no such article."""
    return tells(table(profile=replace(PLAIN, articles=articles)))


DENIED = e.PenaltyProposed("5.3", Remedy.DENIED, 2, PARES)
EXPOSED = e.PenaltyProposed("1.7", Remedy.REDEAL, 2)

UNCITED: tuple[Case, ...] = (
    Case(
        "what is proposed where no article says so",
        uncited(lambda at: sentence_for(DENIED, at)),
        "Oeste negó los pares, y los pares y la negada son para Norte y Sur. ¿Se aplica?",
    ),
    Case(
        "what the rivals decide on where no article says so",
        uncited(lambda at: sentence_for(EXPOSED, at)),
        "Carta descubierta al dar, y se reparte otra vez. A decidir, Norte y Sur: ¿se aplica?",
    ),
    Case(
        "an article that the regulations number otherwise, and that asks nobody",
        uncited(lambda at: sentence_for(EXPOSED, at), Articles.FFM),
        "Artículo 4: carta descubierta al dar, y se reparte otra vez. ¿Se aplica?",
    ),
    Case(
        "an article that the table's regulations do not have",
        uncited(lambda at: sentence_for(DENIED, at), Articles.FFM),
        "Oeste negó los pares, y los pares y la negada son para Norte y Sur. ¿Se aplica?",
    ),
    Case(
        "what is applied where no article says so",
        uncited(lambda at: sentence_for(e.PenaltyApplied("1.5", Remedy.OUT, 2), at)),
        "Con cartas de más, las de Oeste van a la baraja y no cuentan.",
    ),
    Case(
        "what is waived where no article says so",
        uncited(lambda at: sentence_for(e.PenaltyWaived("5.3", Remedy.DENIED, 2), at)),
        "Se perdona.",
    ),
    Case(
        "stones go back where no article says so",
        uncited(
            lambda at: sentence_for(e.StonesLost("B", 2, PARES, "5.2"), replace(at, stones=(0, 5)))
        ),
        "Dos menos para Oeste y Este. Cero a cinco.",
    ),
    Case(
        "log: what is proposed where no article says so",
        uncited(lambda at: logged(DENIED, at)),
        "A decidir: Oeste negó los pares, y los pares y la negada son para Norte y Sur",
    ),
    Case(
        "log: what is applied where no article says so",
        uncited(lambda at: logged(e.PenaltyApplied("1.7", Remedy.REDEAL, 2), at)),
        "Se aplica: carta descubierta al dar, y se reparte otra vez",
    ),
    Case(
        "log: what is waived where no article says so",
        uncited(lambda at: logged(e.PenaltyWaived("1.6", Remedy.REDEAL), at)),
        "Se perdona: por repetir mano, esta no vale y se reparte otra vez",
    ),
    Case(
        "log: stones go back where no article says so",
        uncited(lambda at: logged(e.StonesLost("B", 2, PARES, "5.2"), at)),
        "Oeste y Este, 2 menos a pares",
    ),
    Case(
        "undo of what no article says",
        uncited(lambda at: undone(e.PenaltyApplied("5.3", Remedy.DENIED, 2), at=at)),
        "Deshecho: lo que se aplicó",
    ),
    Case(
        "undo of a waiver where no article says so",
        uncited(lambda at: undone(e.PenaltyWaived("5.3", Remedy.DENIED, 2), at=at)),
        "Deshecho: el perdón",
    ),
)


def quoted(article: str, articles: Articles = Articles.INTERPENAS) -> Tell:
    """The words of an article in the table's own regulations, and whose they are."""

    def told(p: Phrases) -> str | None:
        at = table(profile=replace(PLAIN, articles=articles))
        found = p.cited(e.PenaltyProposed(article, Remedy.DENIED, 2), at)
        return f"{found.number}: {found.text} {found.source}" if found else None

    return told


def first_words(p: Phrases) -> str:
    """Each article of Interpeñas, as far as its fourth word."""
    found = [p.cited(e.PenaltyProposed(one, Remedy.DENIED, 2), table()) for one in OF_INTERPENAS]
    return " | ".join(" ".join([x.number, *x.text.split()[:4]]) for x in found if x)


QUOTED: tuple[Case, ...] = (
    Case(
        "the words of an article",
        quoted("5.3"),
        "5.3: Si uno o dos compañeros negasen los pares y al descubrir las cartas se viese que los "
        "tiene, el contrario tendrá derecho a llevarse los pares y la negada, aunque fuesen "
        "inferiores. Reglamento de Mus Interpeñas 1996",
    ),
    Case(
        "the words of an article in another country",
        quoted("1.4", Articles.FFM),
        "4: Si en el primer reparto se vuelve una carta o alguien no tiene cuatro, se recoge todo "
        "y se vuelve a barajar, cortar y dar. Reglamento de la Federación Francesa de Mus (resumen "
        "nuestro, no es el texto oficial)",
    ),
    Case("no words where the regulations say something else", quoted("1.5", Articles.FFM), None),
    Case("no words where the table has no regulations", quoted("5.3", Articles.OFF), None),
    Case(
        "how each article begins",
        first_words,
        "1.4 Cuando un jugador que | 1.5 En sucesivos descartes, quien | 1.6 Cuando una pareja, por"
        " | 1.7 Cuando un jugador esté | 4.1 Cuando dos compañeros envidan | 4.2 Si después de "
        "realizado | 4.6 Enseñar las cartas total | 4.7 Cualquier jugador que no | 4.8 Un jugador "
        "puede hacer | 5.1 Todo jugador que teniendo | 5.2 Un jugador que desde | 5.3 Si uno o dos "
        "| 5.5 Cuando un jugador ordaguee | 5.6 Si un jugador de | 7.2 Cuando un jugador dice | "
        "8.4 Una vez contados y",
    ),
)

UNDO: tuple[Case, ...] = (
    Case("undo of a pedrete", undone(e.PedreteSung(2, 1)), "Deshecho: el pedrete de Oeste"),
    Case(
        "undo of a partner's bet",
        undone(e.PartnerBet(3, GRANDE, 5)),
        "Deshecho: 5 a la grande, de Sur",
    ),
    Case(
        "undo of a claim after the count",
        undone(e.CountReopened(), e.LanceClaimed(GRANDE, "A")),
        "Deshecho: grande para Norte y Sur",
    ),
    Case(
        "undo of a bet put right",
        undone(e.BetCorrected(GRANDE, 5)),
        "Deshecho: la corrección del envite a la grande",
    ),
    Case(
        "undo of stones",
        undone(e.StonesAdjusted("A", 2, "")),
        "Deshecho: el cambio de piedras de Norte y Sur",
    ),
    Case("undo of a void deal", undone(VOID), "Deshecho: el reparto nulo"),
    Case(
        "undo of a report",
        undone(e.IrregularityReported(Irregularity.PEEKED, 2)),
        "Deshecho: el aviso",
    ),
    Case(
        "undo of an article",
        undone(e.PenaltyApplied("5.3", Remedy.DENIED, 2)),
        "Deshecho: el artículo 5.3",
    ),
    Case(
        "undo of a pardon",
        undone(e.PenaltyWaived("5.3", Remedy.DENIED, 2)),
        "Deshecho: el perdón del artículo 5.3",
    ),
)

BUTTONS: tuple[Case, ...] = tuple(
    Case(f"button: {text}", button(call, state), text)
    for call, state, text in (
        (c.Pedrete(), None, "Pedrete"),
        (c.Accept(stones=5), None, "Quiero 5"),
        (c.ClaimLance(lance=GRANDE, side="B"), table(), "Grande para Oeste y Este"),
        (c.ClaimLance(lance=GRANDE, whose=c.Whose.US), table(), "Grande para nosotros"),
        (c.ClaimLance(lance=GRANDE, whose=c.Whose.THEM), None, "Grande para los otros"),
        (c.ClaimLance(lance=GRANDE), None, "Grande ganado"),
        (c.ClaimLance(side="A"), table(), "Esto para Norte y Sur"),
        (c.AdjustStones(stones=2), None, "2 más"),
        (c.AdjustStones(stones=-2), None, "2 menos"),
        (c.AdjustStones(stones=2, side="A"), table(), "2 más para Norte y Sur"),
        (c.AdjustStones(stones=-2, side="A"), single(), "2 menos para Ana"),
        (c.CorrectBet(stones=5), None, "Eran 5"),
        (c.CorrectBet(stones=5, lance=CHICA), None, "Chica: eran 5"),
        (c.Report(), None, "Carta vista"),
        (c.Report(kind=Irregularity.CARD_COUNT, player=2, cards=5), table(), "Cartas de Oeste: 5"),
        (c.Report(kind=Irregularity.SAME_MANO), None, "Se ha repetido mano"),
        (c.Report(kind=Irregularity.PEEKED, player=2), table(), "Oeste ha vuelto a mirar"),
        (c.Report(kind=Irregularity.IN_DECK, player=2), table(), "Oeste se mete en baraja"),
        (c.Redeal(), None, "Repartir otra vez"),
        (c.Verdict(), None, "Se aplica"),
        (c.Verdict(apply=False), None, "Se perdona"),
    )
)

OTHER_SIZES: tuple[Case, ...] = (
    Case(
        "juegos of three who play for themselves",
        sentence_for(e.JuegoWon("B", e.WonBy.TARGET), single(juegos=(0, 1, 2))),
        "Juego para Luis: Luis uno, Ana cero, Eva dos.",
    ),
    Case(
        "the score of three",
        lambda p: p.score(single(stones=(7, 0, 12), juegos=(0, 1, 2))),
        "Ana, un amarraco y dos; Luis, a cero; Eva, dos amarracos y dos. Juegos: Ana cero, Luis "
        "uno, Eva dos.",
    ),
    Case(
        "a side of three is told by three names",
        sentence_for(e.MatchWon("A"), table(("Ana", "Luis", "Eva", "Jon", "Iñaki", "Pilar"))),
        "¡Partida para Ana, Eva e Iñaki!",
    ),
    Case(
        "a vaca",
        sentence_for(e.VacaWon("B"), with_vacas("B", 1, 2)),
        "Vaca para Oeste y Este: dos a una.",
    ),
    Case(
        "a vaca after its last juego",
        in_a_batch(with_vacas("B", 1, 2), e.JuegoWon("B", e.WonBy.TARGET), e.VacaWon("B")),
        "Vaca: dos a una.",
    ),
    Case("the last vaca is the match", sentence_for(e.VacaWon("B"), table(winner="B")), None),
    Case("log: a vaca", logged(e.VacaWon("B")), "Vaca para Oeste y Este"),
    Case(
        "the score with vacas",
        lambda p: p.score(with_vacas(None, 1, 0)),
        "Norte y Sur, a cero; Oeste y Este, a cero. Juegos: uno a dos. Vacas: una a cero.",
    ),
    Case(
        "the score after a vaca",
        lambda p: p.score(with_vacas("A", 1, 0)),
        "Vaca para Norte y Sur: una a cero.",
    ),
    Case(
        "log: a match of vacas",
        logged(e.GameOpened(replace(PLAIN, vacas=3), SEATS)),
        "Empieza la partida: a 40 piedras, 3 juegos y 3 vacas. Norte y Sur contra Oeste y Este",
    ),
    Case(
        "adentro is not said where it is not played",
        lambda p: (
            Aloud(p, replace(PLAIN, adentro=False), stones=(34, 0))
            .cut()
            .say(envido(1))
            .voice(no_queremos(2))
        ),
        "Una para Norte y Sur. Treinta y cinco a cero.",
    ),
)

OWED: tuple[Case, ...] = (
    Case("nothing is owed", owed_after(lambda a: a.cut()), "Aún no se debe nada."),
    Case(
        "what is owed after two lances",
        owed_after(
            lambda a: a.cut().say(envido(1, 5), quiero(2), envido(1, 2, CHICA), no_queremos(2))
        ),
        "A grande van cinco. A chica, deje de una para Norte y Sur, ya apuntado. Nada más.",
    ),
    Case(
        "what is owed in paso, and what waits for an answer",
        owed_after(
            lambda a: (
                a.cut()
                .all_pass(2)
                .declare("sí sí no no")
                .all_pass()
                .declare("sí sí no no")
                .say(envido(1, 4))
            )
        ),
        "A grande, en paso: una por contar. A chica, en paso: una por contar. A pares, en paso: la "
        "jugada, por contar. A juego, cuatro de Norte y Sur, sin contestar. Nada más.",
    ),
    Case(
        "what is owed of refused pares, and of juego that one side has",
        owed_after(
            lambda a: (
                a.cut()
                .all_pass(2)
                .declare("sí sí no no")
                .say(envido(1), no_queremos(2))
                .declare("no sí no sí")
            )
        ),
        "A grande, en paso: una por contar. A chica, en paso: una por contar. A pares, deje de una "
        "para Norte y Sur, ya apuntado; la jugada, por contar. A juego, solo de Oeste y Este: por "
        "contar. Nada más.",
    ),
    Case(
        "an órdago that waits",
        owed_after(lambda a: a.cut().say(ordago(1))),
        "A grande, órdago de Norte y Sur, sin contestar. Nada más.",
    ),
    Case(
        "an órdago accepted",
        owed_after(lambda a: a.cut().say(ordago(1), quiero(2))),
        "A grande, órdago querido. Nada más.",
    ),
    Case(
        "what an article changed",
        owed_with(
            results=(
                LanceResult(PARES, e.How.REFUSED, "A", owed=1),
                LanceResult(JUEGO, e.How.VOID),
            )
        ),
        "A pares, deje de una para Norte y Sur, por contar. A juego, nulo. Nada más.",
    ),
    Case(
        "nothing is owed after the count",
        lambda p: p.answer(Told(Command.OWED), in_paso(p).game.state),
        "Todo está contado.",
    ),
    Case(
        "nothing to count yet",
        counted_again(lambda p: Aloud(p).cut()),
        "Aún no hay nada que contar.",
    ),
    Case(
        "the count waits for cards",
        counted_again(lambda p: Aloud(p).to_juego("no no no no").all_pass().show("RC71", "C765")),
        "Sur y Este, las cartas.",
    ),
    Case(
        "the last count again, in the next deal",
        counted_again(lambda p: in_paso(p).say(nueva_mano()).cut().say(paso(2))),
        "Grande en paso, una para Norte y Sur. Chica en paso, una para Oeste y Este. Punto, una "
        "para Norte y Sur. Norte y Sur, dos piedras; Oeste y Este, una piedra.",
    ),
)

AGREED: tuple[Case, ...] = (
    *(*MUS, *BETS, *CLAIMS, *IRREGULAR, *ARTICLES, *UNCITED, *QUOTED),
    *(*UNDO, *BUTTONS, *OTHER_SIZES, *OWED),
)
