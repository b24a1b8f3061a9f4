"""The table's page: a Flask app that shows snapshots and takes taps."""

from assistant.page.door import Keys
from assistant.page.port import (
    Board,
    BoardError,
    Camera,
    DecksView,
    FaultView,
    HistoryPort,
    SetupError,
    TableView,
    TapOutcome,
    WorkshopPort,
    ZoneError,
)
from assistant.page.server import DashboardError, DashboardServer, serve

__all__ = [
    "Board",
    "BoardError",
    "Camera",
    "DashboardError",
    "DashboardServer",
    "DecksView",
    "FaultView",
    "HistoryPort",
    "Keys",
    "SetupError",
    "TableView",
    "TapOutcome",
    "WorkshopPort",
    "ZoneError",
    "serve",
]
