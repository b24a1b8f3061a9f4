"""What is said when a game that was left is taken up again: how it stands and who speaks."""

from __future__ import annotations

from assistant.phrases.answers import standing
from assistant.phrases.article import proposal, waiting
from assistant.phrases.language import Language, sentence
from assistant.phrases.owed import pending
from assistant.phrases.standing import missing
from assistant.rules.engine import to_speak
from assistant.rules.phases import LANCE_OF, Lance, Phase
from assistant.rules.state import State


def resumed(language: Language, state: State, full: bool = True) -> str:
    """The score, then what the table waits for: an article, an answer, cards, or a player."""
    if state.deal == 0:  # nobody has said yet who is mano
        target = language.stones(state.profile.target)
        return sentence(language.fill("say.game_asked", target=target))
    told = [
        language.texts["say.resumed"],
        standing(language, state, full),
        waits_for(language, state),
    ]
    return " ".join(sentence(text) for text in told if text)


def where(language: Language, state: State) -> str | None:
    """Where the deal stands, for who has lost the thread."""
    told = waits_for(language, state)
    return sentence(told) if told else None


def waits_for(language: Language, state: State) -> str | None:
    """What the table waits for, if for anything."""
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
