"""The connection to a broker: MQTT 5 through paho, renewed whenever it is lost.

The link handles connecting, timeouts and refusals; its owner handles the messages. Callbacks run
on the link's own thread, so an owner must return at once.
"""

from __future__ import annotations

import logging
import random
import socket
import ssl
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from assistant.files.settings import Address, AddressError
from assistant.hall.hub.wire import MOST_BYTES
from assistant.rules.errors import Translatable

log = logging.getLogger("mus.hub.link")

KEEPALIVE = 20
"""MQTT keepalive in seconds. After 1.5 times as long in silence a peer counts as lost."""
SOONEST, LATEST = (0.5, 2.5), (5.0, 8.0)
"""Seconds between two attempts to connect: the first delay, doubled up to the second.

Each is drawn from its range anew after each loss, because all tables of a hall lose the broker at
the same moment, and must not come back at the same moment.
"""
INFLIGHT = 200
"""Most messages on their way to the broker at once."""
PROBE = 3.0
"""Timeout in seconds of the attempt that finds out why a broker does not answer."""
QOS = 1


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription to a topic. ``retained``: also receive the retained message."""

    topic: str
    retained: bool = False


@dataclass(frozen=True, slots=True)
class Will:
    """A last will: the retained message that the broker sends for a client that is lost."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class LinkCallbacks:
    """What the link calls: when it is connected, when it is lost, and for every message.

    ``message`` gets a topic, a payload, and a function that acknowledges the message.
    """

    up: Callable[[], None]
    down: Callable[[], None]
    message: Callable[[str, bytes, Callable[[], None]], None]


class Link:
    """A connection to a broker.

    ``manual``: a message is acknowledged by its receiver, and belongs to the broker until then.
    ``room``: how many messages the broker may send before the first is acknowledged.
    """

    def __init__(
        self,
        address: Address,
        client_id: str,
        ears: LinkCallbacks,
        wishes: Sequence[Subscription] = (),
        *,
        will: Will | None = None,
        manual: bool = False,
        room: int = 1000,
        logs: bool = True,
    ) -> None:
        """Prepare it. ``logs``: log troubles as warnings, beside showing them in ``trouble``.

        Raises AddressError for certificates that cannot be used.
        """
        self._address = address
        self._ears = ears
        self._wishes = tuple(wishes)
        self._room = room
        self._level = logging.WARNING if logs else logging.DEBUG
        self._told = ""
        self._stood = False
        self.client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=mqtt.MQTTv5, manual_ack=manual
        )
        self.client.max_inflight_messages_set(INFLIGHT)
        self._draw_delays()
        self.client.on_connect = self._connected
        self.client.on_disconnect = self._lost
        self.client.on_connect_fail = self._failed
        self.client.on_message = self._message
        self.client.on_publish = self._published
        if address.user:
            self.client.username_pw_set(address.user, address.password or None)
        self._tls = _tls(address) if address.tls else None
        if self._tls:
            self.client.tls_set_context(self._tls)
        if will:
            self.client.will_set(will.topic, will.payload, QOS, retain=True)

    @property
    def up(self) -> bool:
        """Whether it is connected."""
        return self.client.is_connected()

    @property
    def trouble(self) -> str:
        """Why it is not connected, as far as that is known; "" if it is."""
        return self._told

    def start(self) -> None:
        """Connect, and reconnect when it is lost, in a thread of its own."""
        self.prepare()
        self.client.loop_start()

    def prepare(self) -> None:
        """Set where to connect to, for an owner that runs paho's loop itself."""
        asks = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        asks.ReceiveMaximum = min(self._room, 65535)
        asks.MaximumPacketSize = 2 * MOST_BYTES
        self.client.connect_async(
            self._address.host, self._address.port, KEEPALIVE, clean_start=True, properties=asks
        )

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        """Send a message; False if it is not connected, and then the message is dropped."""
        if not self.up:
            return False
        done = self.client.publish(topic, payload, QOS, retain)
        return done.rc == mqtt.MQTT_ERR_SUCCESS

    def subscribe(self, wishes: Sequence[Subscription]) -> None:
        """Add subscriptions, now and at each new connection."""
        self._wishes = (*self._wishes, *wishes)
        if self.up:
            self._subscribe(wishes)

    def unsubscribe(self, topics: Collection[str]) -> None:
        """Take subscriptions back."""
        self._wishes = tuple([wish for wish in self._wishes if wish.topic not in topics])
        if self.up and topics:
            self.client.unsubscribe(list(topics))

    def _subscribe(self, wishes: Sequence[Subscription]) -> None:
        """Ask for all of them in one packet."""
        if wishes:
            # 2: retained messages are not sent; 0: they are, at each subscription.
            self.client.subscribe(
                [
                    (w.topic, SubscribeOptions(qos=QOS, retainHandling=0 if w.retained else 2))
                    for w in wishes
                ]
            )

    def stop(self, last: tuple[str, bytes] | None = None, patience: float = 2.0) -> None:
        """Send the retained message ``last``, if any, then disconnect and end the thread."""
        if last and self.up:
            try:
                self.client.publish(*last, QOS, retain=True).wait_for_publish(patience)
            except (RuntimeError, ValueError) as error:
                log.debug("The goodbye did not leave: %s", error)
        self.client.disconnect()
        self.client.loop_stop()
        # The client closes its sockets when it is freed, which a reference cycle would delay.
        self.client.on_connect = self.client.on_disconnect = self.client.on_connect_fail = None
        self.client.on_message = self.client.on_publish = None

    def _connected(
        self, _client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any
    ) -> None:
        if code.is_failure:
            refused = Translatable(
                "The broker {address} lets nobody in as that ({code}): check the name and "
                "the password (--password-file; at a table --hub or hub_password_file).",
                address=self._address,
                code=code,
            )
            self._tell(refused)
            return
        self._told = ""
        self._stood = True
        log.info("Connected to %s.", self._address)
        self._subscribe(self._wishes)
        self._ears.up()

    def _lost(
        self, _client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any
    ) -> None:
        if code.is_failure and self._stood:
            why = "another one came by the same name" if code == TAKEN_OVER else str(code).lower()
            lost = Translatable(
                "The line to {address} is lost ({why}); trying again.",
                address=self._address,
                why=why,
            )
            self._tell(lost)
        elif code.is_failure and not self._told:  # otherwise the reason was told already
            hangs_up = Translatable(
                "The broker {address} hangs up at once: check mqtt or mqtts.",
                address=self._address,
            )
            self._tell(hangs_up)
        self._stood = False
        self._draw_delays()
        self._ears.down()

    def _draw_delays(self) -> None:
        first, last = random.uniform(*SOONEST), random.uniform(*LATEST)
        self.client.reconnect_delay_set(first, last)  # type: ignore[arg-type]

    def _failed(self, _client: mqtt.Client, _data: Any) -> None:
        if not self._told:  # paho does not say why; it is enough to find out once
            self._tell(_why_not(self._address, self._tls))

    def _message(self, client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        mid, qos = message.mid, message.qos
        payload = bytes(message.payload)
        self._ears.message(message.topic, payload, lambda: _quiet(client.ack, mid, qos))

    def _published(
        self, _client: mqtt.Client, _data: Any, _mid: int, code: ReasonCode, _more: Any
    ) -> None:
        if code.is_failure:
            refused = Translatable(
                "The broker {address} does not take what is sent ({code}): check its ACL.",
                address=self._address,
                code=code,
            )
            self._tell(refused)

    def _tell(self, text: str) -> None:
        """Log a trouble once, not at every attempt."""
        if text != self._told:
            log.log(self._level, "%s", text)
        self._told = text


TAKEN_OVER = ReasonCode(PacketTypes.DISCONNECT, "Session taken over")


def _quiet(acknowledge: Callable[[int, int], object], mid: int, qos: int) -> None:
    """Acknowledge, unless the connection was lost meanwhile: then the message comes again."""
    try:
        acknowledge(mid, qos)
    except (OSError, ValueError) as error:
        log.debug("A message was not acknowledged: %s", error)


def _why_not(address: Address, tls: ssl.SSLContext | None) -> str:
    """Why there is no connection, found out by trying, and what to do about it."""
    try:
        with socket.create_connection((address.host, address.port), PROBE) as line:
            if tls:
                tls.wrap_socket(line, server_hostname=address.host).close()
    except ssl.SSLCertVerificationError:
        return Translatable(
            "The broker {address} shows a certificate that nobody known vouches for: give its "
            "ca.pem.",
            address=address,
        )
    except ssl.SSLError:
        return Translatable(
            "The broker {address} does not speak TLS as we do: check the port, mqtt or mqtts, and "
            "the certificates.",
            address=address,
        )
    except socket.gaierror:
        return Translatable(
            "The broker {address} is nowhere: check the name of the host.", address=address
        )
    except OSError:
        pass
    return Translatable(
        "The broker {address} does not answer: check that it runs; trying again.", address=address
    )


def _tls(address: Address) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=str(address.ca) if address.ca else None)
        if address.cert and address.key:
            context.load_cert_chain(address.cert, address.key)
    except (ssl.SSLError, OSError):
        raise AddressError(
            "The certificates for the hub cannot be used: check that they are PEM files, and that "
            "the key is that of the certificate."
        ) from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
