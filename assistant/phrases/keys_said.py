"""The sentences that are said aloud, by section: each key with the words that may stand in it."""

from __future__ import annotations

SAID: dict[str, str] = {
    "join": """
        comma
        and: first last
        and_soft: first last
        soft_before
        somebody
        others
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
        vacas: score vacas
        games_between
        games_of: side games
        games_of_between
    """,
    "say": """
        game: target name
        game_asked: target
        resumed
        turn_mus: name
        deal: name
        corrido
        deal_corrido: name
        discard
        mano: name
        cut: name
        cut_mano: name
        pedrete: name stones
        bet: name stones lance
        bet_both: name stones
        bet_second: name stones lance
        raise: name stones total lance
        partner_bet: name stones total lance
        partner_bet_choose: name stones lance rivals
        ordago: name lance
        ordago_both: name
        accept: name stones lance
        accept_shown: name stones lance
        ordago_accepted: name lance
        reopened: lance
        refuse: name lance
        deje: side stones lance
        in_all: score
        ask_pares
        ask_juego
        open_lance: lance name
        open_punto: name
        uncontested: lance side
        nobody: lance
        void: lance
        showdown: names
        showdown_all: name
        missing: names
        missing_one: name
        disproved_holds: name lance
        disproved_lacks: name lance
        claimed: lance side
        claimed_values: lance side stones
        total: score
        adentro: side
        juego: side juegos
        juego_ordago: side juegos name
        vaca: side vacas
        match: side
        set: score
        adjust_more: side stones
        adjust_fewer: side stones
        bet_corrected: lance stones
        recount
        deal_void
        exposed_card
        card_count: name cards
        same_mano
        peeked: name
        in_deck: name
        penalty_proposed: article what
        penalty_proposed_rivals: article what rivals
        penalty_applied: article what
        penalty_agreed: article
        penalty_waived: article
        lost: side stones article
    """,
    "brief": """
        lance: lance stones
        lances: lances stones
        side: side stones
        others: stones
        other_side
        between
        adentro: score
        juego: juegos
        ordago_won: name
        vaca: vacas
        match
    """,
    "count": """
        to: prize side
        same_side
        other_side
        end: prizes
        passed: lance stones
        bet: lance stones
        bet_more: lance bet stones
        hands: hands stones lance
        bet_hands: lance bet stones hands
        bet_punto: bet stones
        punto: stones
        negada: lance stones
        and_negada: prize stones
        and_hand
        pareja: rank
        medias: rank
        duples: rank other
        duples_four: rank
        juego: points
        juego_31: points
        juego_real: points
    """,
    "owed": """
        accepted: lance stones
        passed_one: lance
        passed: lance
        refused: lance stones side
        refused_more: lance stones side
        refused_later: lance stones side
        uncontested: lance side
        ordago: lance
        void: lance
        pending: lance stones side
        pending_ordago: lance side
        nothing
        no_more
        counted
    """,
    "undo": """
        done: what
        redone: what
        mus: name
        pedrete: name
        cut: name
        pass: name lance
        bet: name stones lance
        bet_both: name stones
        raise: name stones lance
        partner_bet: name stones lance
        ordago: name lance
        accept: name lance
        refuse: name lance
        holds: name lance
        lacks: name lance
        hand: name
        claim: lance side
        deal
        set
        adjust: side
        bet_corrected: lance
        void
        report
        applied: article
        waived: article
        other
    """,
    "understood": """
        said: what
        mus: name
        cut: name
        pass: name lance
        bet: name stones lance
        raise: name stones lance
        ordago: name lance
        accept: name lance
        refuse: name lance
        holds: name lance
        lacks: name lance
    """,
    "ear": """
        loud
        noisy
        faint
    """,
    "question": """
        raise: stones up_to
        raise_only: stones
        reenvido: stones other
        sure: call
        which_said: a b
        wanted
        mus_or_not
        which_bet: a b
        no_quieres
        cards_hand: name
        cards_none: name
        cards_few: name cards
        cards_few_one: name
        cards_many: name
        cards_back: name
        cards_unclear: name
    """,
    "command": """
        paused
        resumed
        help
        softer
        louder
        nothing_said
        nothing_to_count
    """,
}
"""Section -> its sentences, one a line: the key, and after a colon the words for its braces."""
