"""Refusals: TournamentError with its sentences, and the bounds that numbers and texts must keep."""

from __future__ import annotations

import unicodedata

from assistant.messages.codec import short
from assistant.rules.errors import MusError

SENTENCES = {
    # What an act is made of.
    "out_of_span": "{what} {least} to {most}{of}, not {number}.",
    "missing": "{what} is missing: write it down.",
    "too_long": "{what} is longer than {most} letters: shorten it.",
    "unreadable": "{what} has letters that nobody can read: write it on one line.",
    "no_winner": "A match has a winner: give one pair more juegos than the other.",
    "no_tiebreak": "There is no tie-break {name}: choose among {known}.",
    "tiebreak_twice": "A tie-break stands in the list twice: leave one of them out.",
    "rounds_needed": "Give a Swiss tournament its number of rounds.",
    "rounds_unused": "Only a Swiss tournament has rounds: give 0.",
    "groups_needed": "Give at least two groups, and how many pairs of each go on.",
    "groups_unused": "Only a tournament of groups has groups: give 0.",
    "bronze_unused": "Only a knock-out has a match for the third place: leave it out.",
    "apart_unused": "In a round robin all clubs meet: leave it out.",
    "buchholz_unused": "Where all meet all, buchholz separates nobody: leave it out.",
    # A format from a file.
    "sheet_needed": "A format from a file comes with its stages: name the file.",
    "sheet_unused": "Only a format from a file has stages of its own: leave them out.",
    "no_sheet": "There is no format {name}: choose among {known}.",
    "starts_needed": "This league has a round every so many days: say on which day it begins.",
    "no_date": "{text} is no date: write it as 2027-01-31.",
    "many_dates": "A stage has {most} dates at the most: leave some out.",
    "key_unused": "{name} is only for {kinds}: leave it out.",
    "stage_rounds": "Say how many rounds are played: rounds = 5.",
    "stage_defeats": "Say after how many defeats a pair is out: defeats = 3.",
    "no_choice": "{name} is one of {known}: write one of them.",
    "places_turned": "The first of the two places is the better one: write places = [1, 2].",
    "dates_twice": "Write the dates, or a day and every how many days; not both.",
    "groups_twice": "Write how many groups there are, or how many pairs each has; not both.",
    "bars_late": "Only the first stage is played in bars, and then the bars are its groups.",
    "individual_late": "Everybody gets a new partner in the first stage alone, in one group.",
    "individual_on": "No stage follows one with new partners: it has no pairs.",
    "source_missing": "Say from which stage its pairs come: from = 1.",
    "source_unused": "The first stage takes all pairs: leave from and places out.",
    "source_later": "Its pairs come from a stage that is written before it.",
    "losers_of": "Only a knock-out has losers of first matches: take them from one.",
    "promote_of": "Promotion is from divisions to as many divisions: make both stages alike.",
    "promote_missing": "Say how many pairs of each division go up and down: promote = 2.",
    "places_missing": "Say which places of each group enter: places = [1, 2].",
    "best_filled": "Write how many of the next place go on, or fill = true; not both.",
    "best_of": "The best of a place are found among groups in which all meet all, no divisions.",
    "best_twice": "Another stage takes the best of that place already: leave one of them out.",
    "best_many": "{best} pairs of place {place} are to go on, and {groups} groups have one: "
    "take fewer.",
    "no_end": "The stage that decides has several groups: add a final in which one pair wins.",
    # The house rules.
    "rules_unreadable": "{word} is no KEY=VALUE: write rules as in kings=4 target=30.",
    "rule_twice": "The rule {rule} stands in the list twice: leave one of them out.",
    "rule_elsewhere": "{rule} is for the match, or for each table: leave it out of the rules.",
    "no_rule": "There is no rule {rule}: choose among {known}.",
    "rule_wrong": "{why} ({rule}: {values})",
    "no_profile": "There are no rules called {name}: choose among {known}.",
    # The opening, the pairs.
    "no_act": "There is no act: open a tournament first.",
    "not_open": "There is no tournament yet: open it first.",
    "no_opening": "A tournament begins with its opening.",
    "open_already": "This tournament is open already: open another one beside it.",
    "opened_already": "The tournament is open already.",
    "tournament_taken": "There is a tournament {name} already: name this one otherwise.",
    "no_tournament": "There is no tournament {tournament}.",
    "busy": "Others are writing in this tournament all the time: try again.",
    "no_such_act": "Nobody can do {what} in a tournament.",
    "too_late": "The draw has been made: annul it before the first result, or enrol elsewhere.",
    "no_bye": "No bye is left for a pair that comes late: annul the draw before the first result, "
    "or enrol it elsewhere.",
    "full": "{most} pairs are in: open another tournament for more.",
    "number_taken": "The number {pair} is taken: give the pair another one.",
    "name_taken": "Pair {pair} has the name {name}: give this one another.",
    "person_twice": "{name} plays in pair {pair} already: a person plays in one pair. "
    "Say so where they are two people of one name.",
    "person_perhaps": "{name} may be {other} of pair {pair}: look, and say so if they are two.",
    "telephone_twice": "Pair {pair} has the same telephone: look whether it is in twice, "
    "and say so if they are two.",
    "person_alone": "{name} stands in pair {pair} twice: write down who plays with whom. "
    "Say so where they are two people of one name.",
    "seed_taken": "Pair {pair} has the seed place {seed}: give this one another.",
    "no_pair": "There is no pair {pair}: look up its number.",
    "same_pair": "Pair {pair} is called so already: there is nothing to correct.",
    "withdrawn_already": "Pair {pair} has withdrawn already: nothing is left to do.",
    "unsigned": "Match {match} of pair {pair} waits to be countersigned: "
    "countersign or void it first.",
    # The list of pairs.
    "list_too_long": "The list is too long for a list of pairs: is it the right file?",
    "list_empty": "The list is empty: its first line names the columns.",
    "list_unreadable": "The list cannot be read: {why}.",
    "list_columns": "The first line has to name the columns: pareja, jugador 1, jugador 2, peña, "
    "cabeza; the players' are needed.",
    "no_column": "{text} is no column: choose among {known}.",
    "not_two": "{text} is not two players: write both, as in Ana / Luis.",
    "no_telephone": "{text} is no telephone number: write its digits.",
    "no_yes": "{text} does not say whether it was paid: write yes or no.",
    "no_fee": "{text} is no amount: write it as 20 or 20.50.",
    "list_full": "Line {line}: no more than {most} pairs can be enrolled.",
    "in_line": "Line {line}: {error}",
    "in_lines": "Wrong lines: {wrong}. {error}",
    "no_seed_place": "{text} is no place among the seeded pairs: write 1, 2, 3...",
    # The draw.
    "drawn_already": "The draw has been made: play by it, or annul it before the first result.",
    "begun_already": "Match {match} has a result: the draw stands, play by it.",
    "not_drawn": "The draw has not been made: draw first.",
    "seed_whole": "The seed of a draw is a whole number.",
    "other_order": "This is not the order that the seed {seed} gives: draw again from the seed.",
    "few_pairs": "There are {pairs} pairs: enrol two at the least before the draw.",
    "many_pairs": "{most} pairs play at the most, not {pairs}: hold two of them.",
    "robin_large": "{most} pairs play a round robin at the most, not {pairs}: make groups of them.",
    "swiss_long": "{rounds} Swiss rounds of {pairs} pairs would bring rematches: "
    "play {most} at the most, or a round robin.",
    "groups_small": "{groups} groups of {pairs} pairs are too small: make fewer, of two or more.",
    "group_large": "{most} pairs form a group at the most, not {pairs}: make more groups.",
    "advance_many": "{advance} of each group cannot go on, where one has {smallest}: let fewer.",
    "no_group": "There are groups 1 to {groups}: ask for one of them.",
    "no_standings": "A knock-out has no standings: look at its matches.",
    "no_bar": "Pair {pair} has no bar, and its first matches are played in one: correct the pair.",
    "bar_drawn": "The draw has been made: pair {pair} plays in its bar.",
    "few_players": "There are {players} players: four play at a table at the least.",
    "stage_small": "A stage would have {pairs} pairs: enrol more, or take another format.",
    "players_alone": "Here everybody enrols alone, and gets a new partner each round.",
    "players_paired": "Here people enrol in pairs: say who plays with whom.",
    # Rounds by lot.
    "no_rounds": "Stage {stage}, group {group} is not paired round by round: play by the draw.",
    "other_lots": "These are not the meetings that the seed gives in round {round}: pair it anew.",
    "stage_waits": "Stage {stage} is not decided, from which the pairs come: play it first.",
    "none_to_pair": "No round is left to be paired: look who has won.",
    "bag_other": "Number {pair} is not in the bag, or was drawn already: look at it again.",
    "bag_short": "Number {pair} has not been drawn: draw all that are in the bag.",
    "bag_points": "This round is paired by points: nothing is drawn from a bag.",
    # Swiss rounds.
    "not_swiss": "Only a Swiss tournament is paired round by round: play by the draw.",
    "rounds_over": "There are {rounds} rounds: look at the standings.",
    "undecided": "Match {match} is not decided: enter its result before round {round}.",
    "paired_twice": "Pair {pair} stands in the round twice: pair it once.",
    "paired_withdrawn": "Pair {pair} has withdrawn: leave it out of the round.",
    "left_out": "Pair {pair} is left out of the round: pair it, too.",
    "byes": "{pairs} pairs play: give {byes} of them a bye.",
    "bye_again": "Pair {pair} has had a bye: give it to one that has not.",
    "met_before": "Pairs {one} and {other} have met before: pair them with others.",
    "other_round": "Round {round} cannot be paired now: pair round {wanted}.",
    "round_begun": "Match {match} has a result: play round {round} on, or void its results first.",
    "matcher_short": "The matcher left pairs out: pair this round by hand.",
    "matcher_wrong": "The matcher's pairings are no matching: pair this round by hand.",
    # Tables.
    "no_match": "There is no match {match}: look up its name.",
    "played": "Match {match} has been played: countersign its result, or void it first.",
    "table_busy": "Match {match} is at table {table}: choose a free table.",
    "pair_busy": "Pair {pair} plays match {match} at table {table}: wait until it is over.",
    "bye": "Match {match} has a bye: it is won without being played.",
    "nobody_yet": "Nobody knows yet who plays match {match}: enter the matches before it first.",
    "lost_so": "Pair {pair} has withdrawn: match {match} is lost by it, go on.",
    "moved_over": "Nothing is left to be played in match {match}: choose another one.",
    "moved_already": "Match {match} has that day already: choose another one.",
    # Time and order.
    "no_times": "Nobody said how many minutes of courtesy there are: set the times first.",
    "not_called": "Match {match} is at no table: call it first.",
    "in_courtesy": "Pair {pair} has {left} minutes of courtesy left: wait.",
    "late_already": "Pair {pair} has lost that much by its lateness already: wait, or go on.",
    "not_stopped": "{wanted} juegos win match {match}: enter it as a result.",
    "not_stopped_vacas": "{wanted} vacas win match {match}: enter it as a result.",
    "stopped_level": "The juegos are level: say who wins match {match}, or give both the defeat.",
    "stopped_ahead": "Pair {pair} has fewer juegos: the other one wins match {match}.",
    "not_both": "A pair that loses match {match} plays on elsewhere: let one of them win it.",
    "given_left_out": "Pair {pair} has {given} juegos by lateness or a sanction: count them in.",
    "sanction_match": "A juego or a match is lost in a match: say in which.",
    "not_its_match": "Pair {pair} does not play match {match}: choose another one.",
    "no_player": "{name} does not play in pair {pair}: choose one of its players.",
    "no_penalty": "There is no sanction {number}: look up its number.",
    "lifted_already": "Sanction {number} has been taken back already: go on.",
    "lift_result": "Match {match} has a result: void it before sanction {number} is taken back.",
    "lift_first": "What was played since sanction {number} would have other pairs: "
    "void {matches} first.",
    "lift_gone": "The draw was repeated without pair {pair}: enrol it anew.",
    # Results.
    "counts": "Match {match} has a result that counts: correct it, or void it.",
    "other_juegos": "{wanted} juegos win a match, not {most}: enter {wanted} for the winner.",
    "other_vacas": "{wanted} vacas win this match, not {most}: enter {wanted} for the winner.",
    "no_result": "Match {match} has no result: enter it first.",
    "counts_already": "The result of match {match} counts already: go on.",
    "own_result": "{by} entered the result of match {match}: let somebody else countersign it.",
    "score_changed": "The score was changed meanwhile: read it again before you sign.",
    "not_counting": "Match {match} has no result that counts: enter it anew rather than "
    "correct it.",
    "same_result": "Match {match} has this result: there is nothing to correct.",
    "round_over": "The round of this hour has ended already: set another hour for the next one.",
    "other_hour": "The round on the clock ends at another hour: look at the clock.",
    "none_ended": "No round has ended by itself: there is nothing to take back.",
    "resume_first": "What was played after the end of the round would have other pairs: "
    "void {matches} first.",
    "no_winner_of": "Pair {pair} does not play match {match}: give it to pair {one} or {other}.",
    "referee_called": "The referee is called to match {match} already: wait for him.",
    "no_call": "Nobody calls the referee to match {match}: there is nothing to settle.",
    "nothing_to_void": "Match {match} has no result: there is nothing to void.",
    "void_first": "What was played after match {match} would have other pairs: "
    "void {matches} first.",
    "void_many": "What was played after match {match} would have other pairs: "
    "void {matches} and {more} more first.",
    "no_journal": "Only a table's own journal speaks for a game: leave it out.",
    "no_referee": "A pair enters its results, countersigns them and calls the referee, no more.",
    "not_your_match": "Pair {pair} does not play match {match}.",
}
"""The sentence of each code: what is wrong, and what to do about it."""


class TournamentError(MusError, ValueError):
    """An act that is impossible, or not possible now; one sentence says what to do.

    A page that says it in another language uses ``code`` and ``facts``.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(SENTENCES[code].format(**facts))
        self.code = code
        self.facts = facts


# ---- The bounds of numbers and texts, each with its check ---------------------------------------


MAX_PAIRS = 2_600
MAX_NUMBER = 999_999
"""The highest number of a pair, and the highest seed place."""
MAX_TEXT = 120
"""Letters in a name, or in who did something."""
MAX_REASON = 500
MAX_STONES = 9_999
MAX_JUEGOS = 15
MAX_ROUNDS = 60
MAX_MINUTES = 1_440
MAX_TABLES = 1_300
"""Tables that a hall has, also without devices: the most pairs fill so many."""
MAX_CLOCK = 2**40
"""The highest Unix time in seconds."""
MAX_SEED = 2**53 - 1
"""The highest seed of a draw: the highest number that a web page keeps exactly."""


def check_within(number: int, least: int, most: int, what: str, of: str) -> None:
    """Raise TournamentError for a number out of bounds, with the sentence "what 1 to 9 of"."""
    if not least <= number <= most:
        of = f" {of}" if of else ""
        facts = {"what": what, "least": least, "most": most, "of": of, "number": short(number)}
        raise TournamentError("out_of_span", **facts)


def check_text(given: str, what: str, optional: bool = False, most: int = MAX_TEXT) -> None:
    """Raise TournamentError for a text that is missing, too long, or not one printable line."""
    if not given.strip() and not (optional and not given):
        raise TournamentError("missing", what=what)
    if len(given) > most:
        raise TournamentError("too_long", what=what, most=most)
    if not given.isprintable():
        raise TournamentError("unreadable", what=what)


def check_reason(reason: str, by: str) -> None:
    """Raise TournamentError unless both a reason and an author are given."""
    check_text(reason, "The reason", most=MAX_REASON)
    check_text(by, "Who did it")


def check_score(juegos: tuple[int, int], stones: tuple[int, int]) -> None:
    """Raise TournamentError for a score that no match can have."""
    if juegos[0] == juegos[1]:
        raise TournamentError("no_winner")
    for won in juegos:
        check_within(won, 0, MAX_JUEGOS, "A pair wins", "juegos")
    for count in stones:
        check_within(count, 0, MAX_STONES, "A pair has", "stones")


def normalized(given: str) -> str:
    """A text for comparison: without accents, capitals and double spaces."""
    apart = unicodedata.normalize("NFD", given)
    letters = "".join(c for c in apart if not unicodedata.combining(c))
    return " ".join(letters.casefold().split())
