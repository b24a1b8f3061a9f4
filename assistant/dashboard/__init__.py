"""The table's page: a Flask app that shows snapshots and takes taps. Rank 3."""

from assistant.dashboard.app import create_app
from assistant.dashboard.door import Keys
from assistant.dashboard.hall import create_hall_app
from assistant.dashboard.port import (
    Board,
    BoardError,
    Camera,
    DecksView,
    FaultView,
    History,
    Learner,
    Said,
    SetupError,
    TableView,
    Workshop,
    ZoneError,
)
from assistant.dashboard.server import DashboardError, DashboardServer, serve
from assistant.dashboard.teaching import ClassError, Classroom

__all__ = [
    "Board",
    "BoardError",
    "Camera",
    "ClassError",
    "Classroom",
    "DashboardError",
    "DashboardServer",
    "DecksView",
    "FaultView",
    "History",
    "Keys",
    "Learner",
    "Said",
    "SetupError",
    "TableView",
    "Workshop",
    "ZoneError",
    "create_app",
    "create_hall_app",
    "serve",
]
