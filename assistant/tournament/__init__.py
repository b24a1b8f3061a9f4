"""Tournaments of pairs: enrolment, draw, brackets, groups, rounds, results, standings. Rank 1.

Acts are the truth (``acts``); ``fold`` makes the tournament that they tell of, ``check`` says
whether one may follow. No clock, no files, and no chance but that of a printed seed.
"""

from assistant.tournament.acts import (
    Act,
    Drawn,
    Format,
    MatchVoided,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    PairWithdrawn,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    RoundPaired,
    TableAssigned,
    Walkover,
)
from assistant.tournament.checks import check, to_void_first
from assistant.tournament.codec import act_from_dict, act_from_json, act_to_dict, act_to_json
from assistant.tournament.drawing import draw, order_of
from assistant.tournament.errors import TournamentError
from assistant.tournament.folding import apply, fold
from assistant.tournament.model import BYE, Bye, Match, Pair, Player, Result, Tournament
from assistant.tournament.people import People, check_people
from assistant.tournament.progress import (
    Podium,
    assign,
    awaiting,
    finished,
    podium,
    ready,
    standings,
)
from assistant.tournament.ranking import Row
from assistant.tournament.resolving import Outcome, outcome, players
from assistant.tournament.seating import seating
from assistant.tournament.shown import TournamentShown, shown
from assistant.tournament.swiss import Matcher, pair_round

__all__ = [
    "BYE",
    "Act",
    "Bye",
    "Drawn",
    "Format",
    "Match",
    "MatchVoided",
    "Matcher",
    "Opened",
    "Options",
    "Outcome",
    "Pair",
    "PairCorrected",
    "PairEnrolled",
    "PairWithdrawn",
    "People",
    "Player",
    "Podium",
    "Result",
    "ResultCorrected",
    "ResultCountersigned",
    "ResultEntered",
    "RoundPaired",
    "Row",
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
    "finished",
    "fold",
    "order_of",
    "outcome",
    "pair_round",
    "players",
    "podium",
    "ready",
    "seating",
    "shown",
    "standings",
    "to_void_first",
]
