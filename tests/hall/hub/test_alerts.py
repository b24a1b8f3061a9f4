"""The files for Prometheus and Grafana use only figures that a hub exports."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.files.settings import Address
from assistant.hall.hub.service import Hub

HUB = Path(__file__).resolve().parents[3] / "docs" / "hub"
METRIC = re.compile(r"mus_hub_[a-z_]+")


def asked() -> dict[str, list[str]]:
    """By file: the expressions in it."""
    alerts = re.findall(r"^        expr: (.+)$", (HUB / "alerts.yml").read_text(), re.MULTILINE)
    panels = json.loads((HUB / "dashboard.json").read_text())["panels"]
    return {
        "alerts.yml": alerts,
        "dashboard.json": [target["expr"] for panel in panels for target in panel["targets"]],
    }


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_every_metric_that_is_asked_for_exists(engine: Engine) -> None:
    hub = Hub(Address("127.0.0.1", 1, tls=False, user="hub", password=""), engine)
    hub.metrics.refused("topic")
    told = set(re.findall(r"^(mus_hub_[a-z_]+)", hub.metrics.text().decode(), re.MULTILINE))
    for file, expressions in asked().items():
        assert len(expressions) > 8, file
        for expression in expressions:
            assert set(METRIC.findall(expression)) <= told, (file, expression)
            assert METRIC.search(expression) or expression.startswith("up{"), (file, expression)


def test_every_alert_says_what_to_do() -> None:
    alerts = (HUB / "alerts.yml").read_text().split("      - alert: ")[1:]
    assert len(alerts) == len({alert.split("\n")[0] for alert in alerts}) == 9
    for alert in alerts:
        assert all(f"{key}: " in alert for key in ("for", "labels", "summary", "description"))


def test_no_two_panels_of_the_dashboard_lie_over_each_other() -> None:
    panels = json.loads((HUB / "dashboard.json").read_text())["panels"]
    places = {
        (panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y)
        for panel in panels
        for x in range(panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["h"])
    }
    assert len(places) == sum(p["gridPos"]["w"] * p["gridPos"]["h"] for p in panels)
    assert max(x for x, _ in places) < 24
