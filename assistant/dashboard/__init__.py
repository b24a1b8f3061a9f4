"""The table's page: a Flask app that shows snapshots and takes taps. Rank 3."""

from assistant.dashboard.app import create_app
from assistant.dashboard.port import Board, BoardError, Said
from assistant.dashboard.server import DashboardError, DashboardServer, serve

__all__ = [
    "Board",
    "BoardError",
    "DashboardError",
    "DashboardServer",
    "Said",
    "create_app",
    "serve",
]
