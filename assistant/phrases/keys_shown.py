"""The sentences of the screen, by section: the log, the buttons, and why a call moved nothing."""

from __future__ import annotations

SHOWN: dict[str, str] = {
    "log": """
        implied: line
        game: target juegos sides
        game_one: target sides
        game_vacas: target juegos vacas sides
        versus
        deal: deal name
        deal_corrido: deal name
        mano: name
        seat_turn: name
        seat_pair: name
        seat_voice: name
        mus: name
        pedrete: name side stones
        discard
        cut: name
        open: lance
        pass: name lance
        bet: name stones lance
        bet_both: name stones
        raise: name stones lance
        partner_bet: name stones lance
        ordago: name lance
        ordago_both: name
        accept: name lance
        accept_stones: name lance stones
        reopened: lance
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
        closed_void: lance
        hand: name cards
        hand_early: name cards
        disproved_holds: name lance
        disproved_lacks: name lance
        claimed: lance side
        claimed_values: lance side values
        decided: lance name side
        won_deje: side stones lance
        won_paso: side stones lance
        won_bet: side stones lance
        won_pares: side stones lance
        won_juego: side stones lance
        won_punto: side stones lance
        won_penalty: side stones lance
        counted
        recount
        juego_target: side
        juego_ordago: side
        vaca: side
        match: side
        set: score
        set_side: side stones
        adjust_more: side stones
        adjust_fewer: side stones
        because: line reason
        bet_corrected: lance stones
        deal_void
        exposed_card
        exposed_card_of: name
        card_count: name cards
        same_mano
        peeked: name
        in_deck: name
        penalty_proposed: article what
        penalty_applied: article what
        penalty_waived: article what
        lost: side stones lance article
        retracted: seq
    """,
    "label": """
        mus
        pedrete
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
        accept_stones: stones
        refuse
        refuse_plural
        holds: lance
        lacks: lance
        yes
        no
        show
        show_hand: cards
        claim: lance side
        claim_lance: lance
        claim_us: lance
        claim_them: lance
        claim_what
        deal
        mano: name
        set
        adjust_more: stones
        adjust_fewer: stones
        adjust_more_to: stones side
        adjust_fewer_to: stones side
        correct_bet: stones
        correct_lance: stones lance
        report_exposed_card
        report_card_count: name cards
        report_same_mano
        report_peeked: name
        report_in_deck: name
        redeal
        apply
        waive
        place_lance: lance
        place_mus
        place_bet: lance stones
        place_turn: name
        place_nobody: lance
        place_holders: lance name
        place_again: lance
    """,
    "reason": """
        not_now
        not_your_turn
        not_your_lance
        other_lance
        later_lance
        off_by_rules
        no_bet
        own_bet
        which_bet
        already_spoken
        already_refused
        no_pares
        no_juego
        declare_first: lance
        min_bet
        min_raise
        other_stones
        too_much
        raise_after_ordago
        pedrete_twice
        cards_wrong
        cards_missing
        cards_unclear
        cards_shown_early
        out_of_play
        claim_wrong
        claim_closed
        nothing_to_correct
        nothing_to_decide
        decide_first
        not_this_deal
        redeal_asked
        same_mano
        game_over
        match_running
        seat_unknown
        score_wrong
        mus_forced
        bare_raise
        reenvido
        no_quereis
        sure
        which_said
        spoken_over
        sure_ordago
        sure_accept
        sure_undo
        change_of_mind
        who
        whose
        unsure
        taken_back
        noted
        proposal
        mano
        lost
        holders: lance
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
}
"""Section -> its sentences, one a line: the key, and after a colon the words for its braces."""
