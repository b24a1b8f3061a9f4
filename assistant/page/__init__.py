"""The table's page: a Flask app that shows snapshots and takes taps."""

from assistant.page.board import Board, BoardError, SetupError, TapOutcome
from assistant.page.door import Keys
from assistant.page.server import DashboardError, DashboardServer, serve

__all__ = [
    "Board",
    "BoardError",
    "DashboardError",
    "DashboardServer",
    "Keys",
    "SetupError",
    "TapOutcome",
    "serve",
]
