"""Tournaments of pairs: enrolment, draw, brackets, groups, rounds, results, standings.

Acts (``acts``) are the only stored truth. ``fold`` builds the tournament from them, and ``check``
says whether another act may follow. The package is pure: no clock, no files, and no chance except
that of a printed seed.
"""

from assistant.hall.tournament.acts import (
    Act,
    DrawAnnulled,
    Drawn,
    Format,
    MatchVoided,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    PairWithdrawn,
    PlayerEnrolled,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    RoundDrawn,
    RoundPaired,
    TableAssigned,
    Walkover,
    act_from_dict,
    act_from_json,
    act_to_dict,
    act_to_json,
)
from assistant.hall.tournament.draw import draw, order_of
from assistant.hall.tournament.engine import apply, check, fold, to_void_first
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.formats import FormatSheet, SheetError, Stage, StageKind
from assistant.hall.tournament.model import (
    BYE,
    Bye,
    Match,
    Pair,
    Player,
    Result,
    Tournament,
    pair_name,
)
from assistant.hall.tournament.people import People, check_people
from assistant.hall.tournament.ranking import MatchOutcome, StandingRow, outcome, players, standings
from assistant.hall.tournament.rounds import due, pair_rounds
from assistant.hall.tournament.shown import (
    Podium,
    TournamentShown,
    assign,
    awaiting,
    finished,
    podium,
    ready,
    seating,
    shown,
)
from assistant.hall.tournament.swiss import Matcher, pair_round

__all__ = [
    "BYE",
    "Act",
    "Bye",
    "DrawAnnulled",
    "Drawn",
    "Format",
    "FormatSheet",
    "Match",
    "MatchOutcome",
    "MatchVoided",
    "Matcher",
    "Opened",
    "Options",
    "Pair",
    "PairCorrected",
    "PairEnrolled",
    "PairWithdrawn",
    "People",
    "Player",
    "PlayerEnrolled",
    "Podium",
    "Result",
    "ResultCorrected",
    "ResultCountersigned",
    "ResultEntered",
    "RoundDrawn",
    "RoundPaired",
    "SheetError",
    "Stage",
    "StageKind",
    "StandingRow",
    "TableAssigned",
    "Tournament",
    "TournamentError",
    "TournamentShown",
    "Walkover",
    "act_from_dict",
    "act_from_json",
    "act_to_dict",
    "act_to_json",
    "apply",
    "assign",
    "awaiting",
    "check",
    "check_people",
    "draw",
    "due",
    "finished",
    "fold",
    "order_of",
    "outcome",
    "pair_name",
    "pair_round",
    "pair_rounds",
    "players",
    "podium",
    "ready",
    "seating",
    "shown",
    "standings",
    "to_void_first",
]
