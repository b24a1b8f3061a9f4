"""Every sentence that a phrase file holds, with the words that the code fills into it.

The table is the contract between the code and the players who edit the files: ``phrases_from``
refuses a file that lacks a sentence, has one too many, or asks for a word that is not there.
"""

from __future__ import annotations

from assistant.rules.cards import Rank
from assistant.rules.phases import Lance

_SECTIONS: dict[str, str] = {
    "join": """
        comma
        and: first last
        and_soft: first last
        soft_before
    """,
    "score": """
        none
        piedra
        piedras: stones
        amarraco
        amarraco_and: stones
        amarracos: amarracos
        amarracos_and: amarracos stones
        side: side score
        side_adentro: side score
        between
        juegos: score juegos
        juegos_between
    """,
    "say": """
        game: target name
        deal: name
        discard
        cut: name
        bet: name stones lance
        bet_both: name stones
        bet_second: name stones lance
        raise: name stones total lance
        ordago: name lance
        ordago_both: name
        accept: name stones lance
        ordago_accepted: name lance
        refuse: name lance
        deje: side stones score lance
        ask_pares
        ask_juego
        open_lance: lance name
        open_punto: name
        uncontested: lance side
        nobody: lance
        showdown: names
        showdown_all
        missing: names
        disproved_holds: name lance
        disproved_lacks: name lance
        total: score
        adentro: side
        juego: side juegos
        juego_ordago: side juegos name
        match: side
        set: score
    """,
    "count": """
        to: prize side
        same_side
        other_side
        end: prizes
        passed: lance stones
        bet: lance stones
        hands: hands stones lance
        bet_hands: lance bet stones hands
        bet_punto: bet stones
        punto: stones
        and_hand
        pareja: rank
        medias: rank
        duples: rank other
        duples_four: rank
        juego: points
        juego_31: points
        juego_real: points
    """,
    "undo": """
        done: what
        redone: what
        mus: name
        cut: name
        pass: name lance
        bet: name stones lance
        bet_both: name stones
        raise: name stones lance
        ordago: name lance
        accept: name lance
        refuse: name lance
        holds: name lance
        lacks: name lance
        hand: name
        deal
        set
        other
    """,
    "log": """
        implied: line
        game: target juegos sides
        versus
        deal: deal name
        seat_turn: name
        seat_pair: name
        mus: name
        discard
        cut: name
        open: lance
        pass: name lance
        bet: name stones lance
        bet_both: name stones
        raise: name stones lance
        ordago: name lance
        ordago_both: name
        accept: name lance
        refuse: name lance
        refuse_plural: name lance
        holds: name lance
        lacks: name lance
        closed_passed: lance
        closed_accepted: lance stones
        closed_refused: lance
        closed_uncontested: lance side
        closed_nobody: lance
        closed_ordago: lance
        hand: name cards
        disproved_holds: name lance
        disproved_lacks: name lance
        decided: lance name side
        won_deje: side stones lance
        won_paso: side stones lance
        won_bet: side stones lance
        won_pares: side stones lance
        won_juego: side stones lance
        won_punto: side stones lance
        counted
        juego_target: side
        juego_ordago: side
        match: side
        set: score
        set_side: side stones
        retracted: seq
    """,
    "label": """
        mus
        cut
        pass
        bet: stones
        bet_both: stones
        raise: stones
        raise_up_to: stones
        reenvido
        ordago
        ordago_both
        accept
        refuse
        refuse_plural
        holds: lance
        lacks: lance
        yes
        no
        show
        deal
        set
    """,
    "question": """
        raise: stones up_to
        raise_only: stones
        reenvido: stones other
    """,
    "reason": """
        not_now
        not_your_lance
        other_lance
        later_lance
        no_bet
        own_bet
        already_spoken
        already_refused
        no_pares
        no_juego
        declare_first: lance
        min_bet
        min_raise
        too_much
        raise_after_ordago
        cards_wrong
        cards_missing
        game_over
        match_running
        seat_unknown
        score_wrong
        bare_raise
        reenvido
        no_quereis
        change_of_mind
        who
        unsure
        unsure_yes
        unknown
        talk
        table_talk
        noise
        question
        old_page
        undo_nothing
        redo_nothing
        undo_breaks
        paused
        journal_failed
        other
    """,
    "command": """
        paused
        resumed
        help
        nothing_said
    """,
}


def _shape() -> dict[str, frozenset[str]]:
    shape = {"language": frozenset[str]()}
    for section, table in _SECTIONS.items():
        for line in table.split("\n"):
            key, _, words = line.strip().partition(":")
            if key:
                shape[f"{section}.{key}"] = frozenset(words.split())
    shape |= {f"ranks.{rank}": frozenset() for rank in Rank}
    forms = ("name", "the", "to", "at")
    shape |= {f"lance.{form}.{lance}": frozenset() for form in forms for lance in Lance}
    return shape


SHAPE: dict[str, frozenset[str]] = _shape()
"""Key of a sentence, as "say.bet" -> the names that may stand in its braces."""
