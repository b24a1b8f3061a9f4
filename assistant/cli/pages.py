"""All pages of one table: the table's own, and those of each feature that is there."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from assistant.eye.page import add_camera, add_workshop
from assistant.page import Keys
from assistant.page.app import add_api, add_errors, add_pages, bare_app
from assistant.page.port import Board, Camera, HistoryPort, SetupPort, Voices, WorkshopPort
from assistant.page.setup import add_odds, add_setup
from assistant.page.stream import HEARTBEAT
from assistant.review.history import add_history
from assistant.review.report_page import Reports, add_report
from assistant.school.apprentice.page import Learner, add_apprentice
from assistant.school.lessons.page import ClassroomPort, add_classroom, is_learning
from assistant.school.practice.page import Practice, add_practice


def create_app(
    board: Board,
    *,
    web_dir: Path,
    keys: Keys | None = None,
    heartbeat: float = HEARTBEAT,
    camera: Camera | None = None,
    workshop: WorkshopPort | None = None,
    history: HistoryPort | None = None,
    setup: SetupPort | None = None,
    voices: Voices | None = None,
    learner: Learner | None = None,
    classroom: ClassroomPort | None = None,
    practice: Practice | None = None,
    odds: Path | None = None,
    reports: Reports | None = None,
) -> Flask:
    """Make the app over a board, its history, a camera and its decks, and what sets all that up.

    ``web_dir`` holds ``templates`` and ``static``. With ``keys`` other devices of the local network
    may open the page, and whoever knows the PIN may touch it; without, it is this machine's alone.
    ``heartbeat`` is in seconds. With ``practice`` the table is one against the computer.
    ``odds`` is the file of the odds of all hands.
    """
    app = bare_app(board, web_dir=web_dir, keys=keys, heartbeat=heartbeat, free=is_learning)
    there = {
        "eye": camera is not None,
        "past": history is not None,
        "sets": setup is not None,
        "learns": learner is not None,
    }
    there |= {"teaches": classroom is not None, "odds": odds is not None}
    there["reports"] = reports is not None
    if practice:
        add_practice(app, practice, there)  # first, for the front door is its own
    add_pages(app, there, setup.fresh if setup else lambda: False)
    add_api(app, board)
    if camera:
        add_camera(app, board, camera)
    if history:
        add_history(app, history, there)
    if learner:
        add_apprentice(app, learner)
    if workshop:
        add_workshop(app, workshop)
    if setup:
        add_setup(app, setup, voices)
    if classroom:
        add_classroom(app, classroom)
    if odds:
        add_odds(app, odds)
    if reports:
        add_report(app, reports)
    add_errors(app)
    return app
