"""The app of a table whose features are given one by one: real ones or fakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask import Flask

from assistant.cli.demo import demo_pages
from assistant.cli.mus_odds import odds_pages
from assistant.cli.setup import Setup, setup_pages
from assistant.eye.page import (
    Camera,
    HandPhotosPort,
    WorkshopPort,
    camera_pages,
    deck_pages,
    hand_pages,
)
from assistant.page import Board, Keys
from assistant.page.app import table_app
from assistant.page.stream import HEARTBEAT
from assistant.review.history import (
    HistoryPort,
    Reports,
    SeasonPort,
    history_pages,
    report_pages,
    season_pages,
)
from assistant.school.apprentice.page import Learner, apprentice_pages
from assistant.school.drills.page import Drills, drill_pages
from assistant.school.lessons.page import ClassroomPort, classroom_pages
from assistant.school.practice.page import Practice, practice_pages
from assistant.speakers.voice_lessons import Voices, voice_pages
from assistant.telephones.page import SeatsPort, telephone_pages


def create_app(
    board: Board,
    *,
    web_dir: Path,
    keys: Keys | None = None,
    heartbeat: float = HEARTBEAT,
    camera: Camera | None = None,
    workshop: WorkshopPort | None = None,
    photos: HandPhotosPort | None = None,
    history: HistoryPort | None = None,
    setup: Setup | None = None,
    voices: Voices | None = None,
    learner: Learner | None = None,
    classroom: ClassroomPort | None = None,
    drills: Drills | None = None,
    practice: Practice | None = None,
    odds: Path | None = None,
    reports: Reports | None = None,
    seasons: SeasonPort | None = None,
    telephones: SeatsPort | None = None,
    leave: Callable[[], None] | None = None,
) -> Flask:
    app = table_app(board, web_dir=web_dir, keys=keys, heartbeat=heartbeat)
    pages = (
        camera and camera_pages(board, camera),
        workshop and deck_pages(workshop),
        photos and hand_pages(board, photos),
        history and history_pages(history),
        setup and setup_pages(setup),
        voices and voice_pages(voices),
        learner and apprentice_pages(learner),
        classroom and classroom_pages(classroom),
        drills and drill_pages(drills),
        practice and practice_pages(practice),
        odds and odds_pages(odds),
        reports and report_pages(reports),
        seasons and season_pages(seasons),
        telephones and telephone_pages(telephones, lambda: players_of(board)),
        leave and demo_pages(leave),
    )
    for one in pages:
        if one:
            app.register_blueprint(one)
    return app


def players_of(board: Board) -> list[str]:
    """The players of a board, by their seats."""
    return [seat["name"] for seat in board.snapshot()["seats"]]
