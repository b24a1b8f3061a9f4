"""Every sentence that a phrase file holds, with the words that the code fills into it."""

from __future__ import annotations

from assistant.rules.cards import Rank
from assistant.rules.penalties import CITED
from assistant.rules.phases import Lance
from assistant.rules.profile import OPTIONS

# ---- The sentences that are said aloud, by section: each key with the words that may stand in it


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
        given_one: side
        given_many: side juegos
        more_one: side
        more_many: side juegos
        fewer_one: side
        fewer_many: side juegos
        enough: side
        decided
        ends_at: hour
        ends_one
        ends_many: minutes
        next_match: one other
        resumed
        your_turn
        turn_mus: name
        deal: name
        corrido
        deal_corrido: name
        discard
        mano: name
        cut: name
        cut_mano: name
        pedrete: name stones
        bet: name stones lance rivals
        bet_both: name stones rivals
        bet_second: name stones lance rivals
        raise: name stones total lance rivals
        partner_bet: name stones total lance
        partner_bet_choose: name stones lance rivals
        ordago: name lance rivals
        ordago_both: name rivals
        accept: name stones lance the
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
        or_claim
        claim_pares
        claim_juego
        disproved_holds: name lance
        disproved_lacks: name lance
        claimed: lance side
        claimed_values: lance side stones
        claim_disproved: lance side claimed
        claim_disproved_values: lance side stones
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
        penalty_proposed_uncited: what
        penalty_proposed_rivals_uncited: what rivals
        penalty_applied_uncited: what
        penalty_agreed_uncited
        penalty_waived_uncited
        lost_uncited: side stones
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
        applied_uncited
        waived_uncited
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
        which_mano: a b
        wanted
        mus_or_not
        which_bet: a b
        unheard: where
        unheard_of: name where
        unheard_bet: stones lance
        unheard_ordago: lance
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


# ---- The sentences of the screen, by section: the log, the buttons, and why a call moved nothing


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
        claimed_by_cards: lance side
        claim_disproved: lance side claimed
        claim_disproved_values: lance side stones
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
        penalty_proposed_uncited: what
        penalty_applied_uncited: what
        penalty_waived_uncited: what
        lost_uncited: side stones lance
        retracted: seq
    """,
    "label": """
        mus
        pedrete
        cut
        pass
        bet: stones
        bet_lance: stones lance
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
        said
        not_said
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
        claim_values
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
        unheard
        sure_ordago
        sure_accept
        sure_undo
        new_deal
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
        too_late
        undo_nothing
        redo_nothing
        undo_breaks
        paused
        journal_failed
        other
    """,
}
"""Section -> its sentences, one a line: the key, and after a colon the words for its braces."""


# ---- Every sentence that a phrase file holds, with the words that the code fills into it --------
# These tables are the contract between the code and the people who edit the files:
# ``phrases_from`` refuses a file that lacks a sentence, has one too many, or asks for a word that
# is not there.


ARTICLE_WORDS = "name side rivals lance the"
"""The offender, his side, the others; the lance as in "a pares", and as in "los pares"."""

ARTICLES = tuple(
    """
    1.4 1.5_out 1.5_short 1.6 1.7 4.1 4.2 4.6 4.7 4.8 5.1 5.2 5.3 5.5_void 5.5_limit 5.5_denied
    5.6 7.2 8.4 other
    """.split()
)
"""The articles of S2 (Interpeñas 1996) that settle something; some do two things, by remedy."""


def _shape() -> dict[str, str]:
    shape = {"language": ""}
    for section, table in (SAID | SHOWN).items():
        for line in table.split("\n"):
            key, _, words = line.strip().partition(":")
            if key:
                shape[f"{section}.{key}"] = words.strip()
    shape |= {f"reason.{rule.key}": "" for rule in OPTIONS.values() if rule.refusal}
    shape |= {f"article.{key}": ARTICLE_WORDS for key in ARTICLES}
    shape |= {
        f"regulations.{whose}.{key}": ""
        for whose, articles in CITED.items()
        for key in ("source", *sorted(set(articles.values())))
        if articles
    }
    shape |= {f"ranks.{rank}": "" for rank in Rank}
    shape |= {f"card.{rank}": "" for rank in Rank}
    forms = ("name", "the", "to", "at")
    shape |= {f"lance.{form}.{lance}": "" for form in forms for lance in Lance}
    return shape


SHAPE: dict[str, str] = _shape()
"""Key of a sentence, as "say.bet" -> the words that may stand in its braces."""


# ---- What a caller's style may change ----------------------------------------------------------


STYLED = (*(section for section in SAID if section != "join"), "reason", "article")
"""Sections of the sentences that are said aloud, and how they may be worded in a style."""
LEFT_OUT = frozenset(
    f"say.{key}"
    for key in """
    cut deal discard bet bet_both bet_second raise partner_bet accept reopened refuse in_all
    ask_pares ask_juego open_lance open_punto uncontested nobody claimed claimed_values
    """.split()
)
"""Sentences that a style may leave out, because players have just said it themselves."""
