"""What the hub counts of itself, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one hub process; those of several add up."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        new = self.registry
        self._messages = Counter("mus_hub_messages", "Messages that came", registry=new)
        self._events = Counter("mus_hub_events_stored", "New events stored", registry=new)
        self._repeats = Counter("mus_hub_repeats", "Games sent again in vain", registry=new)
        self._gaps = Counter("mus_hub_gaps", "Times that something was missing", registry=new)
        self._refused = Counter(
            "mus_hub_refused", "Messages not taken, by their fault", ["code"], registry=new
        )
        self._storing = Histogram(
            "mus_hub_store_seconds", "Time of one transaction", buckets=SECONDS, registry=new
        )
        self._waiting = Histogram(
            "mus_hub_wait_seconds",
            "Time that a message waited to be stored",
            buckets=SECONDS,
            registry=new,
        )
        self._database = Gauge("mus_hub_database_up", "Whether it answers", registry=new)
        self._broker = Gauge("mus_hub_broker_up", "Whether the line stands", registry=new)

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Show a value that is asked for when somebody looks."""
        Gauge(f"mus_hub_{name}", meaning, registry=self.registry).set_function(value)

    def received(self, messages: int) -> None:
        """So many messages came."""
        self._messages.inc(messages)

    def stored(self, events: int, seconds: float, waited: float) -> None:
        """So many new events were stored in so much time; the oldest message had waited so long."""
        self._events.inc(events)
        self._storing.observe(seconds)
        self._waiting.observe(waited)

    def repeated(self, messages: int) -> None:
        """So many messages held nothing new."""
        self._repeats.inc(messages)

    def gap(self) -> None:
        """Something was missing, and was asked for again."""
        self._gaps.inc()

    def refused(self, code: str) -> None:
        """A message was not taken."""
        self._refused.labels(code).inc()

    def database(self, there: bool) -> None:
        """Whether the database answers."""
        self._database.set(there)

    def broker(self, there: bool) -> None:
        """Whether the line to the broker stands."""
        self._broker.set(there)

    def text(self) -> bytes:
        """All of it, in Prometheus's text form."""
        return generate_latest(self.registry)
