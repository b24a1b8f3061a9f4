"""The line to a broker: MQTT 5 through paho, made again and again until it holds.

Connection, silence, refusal are the link's business; what is said over it, its owner's. Callbacks
come on the link's own thread, so an owner must return at once.
"""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from assistant.files.broker_address import Address, AddressError
from assistant.hall.hub.wire import MOST_BYTES

log = logging.getLogger("mus.hub.link")

KEEPALIVE = 20
"""Seconds; after half as many more of silence a broker, or a table, is taken for lost."""
SOONEST, LATEST = 1, 10
"""Seconds between two attempts to connect; each is twice as long after the one before."""
INFLIGHT = 200
"""Messages on their way to the broker at once."""
PROBE = 3.0
"""Seconds of trying to find out why a broker does not answer."""
QOS = 1


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription. ``retained``: what the broker keeps is wanted, too, and not only news."""

    topic: str
    retained: bool = False


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker says for one who is lost without a word; kept for who asks later."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class LinkCallbacks:
    """Who is told: of a line that stands, one that is lost, and of every message.

    ``message`` gets a topic, a payload and what says to the broker that the message is dealt with.
    """

    up: Callable[[], None]
    down: Callable[[], None]
    message: Callable[[str, bytes, Callable[[], None]], None]


class Link:
    """One line. ``manual``: messages are the broker's until their taker says they are dealt with.

    ``room``: how many of them it may hand over before.
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
        """Prepare it; ``logs``: its troubles are for the log, and not only for who asks for them.

        Raises AddressError for certificates that are none.
        """
        self._address = address
        self._ears = ears
        self._wishes = wishes
        self._room = room
        self._level = logging.WARNING if logs else logging.DEBUG
        self._told = ""
        self._stood = False
        self.client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=mqtt.MQTTv5, manual_ack=manual
        )
        self.client.max_inflight_messages_set(INFLIGHT)
        self.client.reconnect_delay_set(SOONEST, LATEST)
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
        """Whether the line stands."""
        return self.client.is_connected()

    @property
    def trouble(self) -> str:
        """Why the line does not stand, as far as that is known; "" where it does."""
        return self._told

    def start(self) -> None:
        """Connect, and keep connecting, in a thread of the link's own."""
        self.prepare()
        self.client.loop_start()

    def prepare(self) -> None:
        """Set down where to connect to, for an owner that turns the loop by himself."""
        asks = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        asks.ReceiveMaximum = min(self._room, 65535)
        asks.MaximumPacketSize = 2 * MOST_BYTES
        self.client.connect_async(
            self._address.host, self._address.port, KEEPALIVE, clean_start=True, properties=asks
        )

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        """Send a message; False where the line does not stand, and nothing is kept of it."""
        if not self.up:
            return False
        done = self.client.publish(topic, payload, QOS, retain)
        return done.rc == mqtt.MQTT_ERR_SUCCESS

    def stop(self, last: tuple[str, bytes] | None = None, patience: float = 2.0) -> None:
        """Say goodbye, with a ``last`` retained message where one is owed, and end the thread."""
        if last and self.up:
            try:
                self.client.publish(*last, QOS, retain=True).wait_for_publish(patience)
            except (RuntimeError, ValueError) as error:
                log.debug("The goodbye did not leave: %s", error)
        self.client.disconnect()
        self.client.loop_stop()
        # It closes its sockets when it is let go of, which a circle of references would put off.
        self.client.on_connect = self.client.on_disconnect = self.client.on_connect_fail = None
        self.client.on_message = self.client.on_publish = None

    def _connected(
        self, client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any
    ) -> None:
        if code.is_failure:
            self._tell(
                f"The broker {self._address} lets nobody in as that ({code}): check the name and "
                "the password (--password-file; at a table --hub or hub_password_file)."
            )
            return
        self._told = ""
        self._stood = True
        log.info("Connected to %s.", self._address)
        for wish in self._wishes:
            # 2: what is retained is not sent; 0: it is, at each subscription.
            how = SubscribeOptions(qos=QOS, retainHandling=0 if wish.retained else 2)
            client.subscribe(wish.topic, options=how)
        self._ears.up()

    def _lost(
        self, _client: mqtt.Client, _data: Any, _flags: Any, code: ReasonCode, _more: Any
    ) -> None:
        if code.is_failure and self._stood:
            why = "another one came by the same name" if code == TAKEN_OVER else str(code).lower()
            self._tell(f"The line to {self._address} is lost ({why}); trying again.")
        elif code.is_failure and not self._told:  # else it was told already why it never stood
            self._tell(f"The broker {self._address} hangs up at once: check mqtt or mqtts.")
        self._stood = False
        self._ears.down()

    def _failed(self, _client: mqtt.Client, _data: Any) -> None:
        if not self._told:  # paho does not say why; once is enough to find out
            self._tell(f"The broker {self._address} {_why_not(self._address, self._tls)}.")

    def _message(self, client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        mid, qos = message.mid, message.qos
        payload = bytes(message.payload)
        self._ears.message(message.topic, payload, lambda: _quiet(client.ack, mid, qos))

    def _published(
        self, _client: mqtt.Client, _data: Any, _mid: int, code: ReasonCode, _more: Any
    ) -> None:
        if code.is_failure:
            self._tell(
                f"The broker {self._address} does not take what is sent ({code}): check its ACL."
            )

    def _tell(self, text: str) -> None:
        """Once for each fault, not at every attempt."""
        if text != self._told:
            log.log(self._level, "%s", text)
        self._told = text


TAKEN_OVER = ReasonCode(PacketTypes.DISCONNECT, "Session taken over")


def _quiet(acknowledge: Callable[[int, int], object], mid: int, qos: int) -> None:
    """A line that went away meanwhile needs no acknowledgement: the message comes again."""
    try:
        acknowledge(mid, qos)
    except (OSError, ValueError) as error:
        log.debug("A message was not acknowledged: %s", error)


def _why_not(address: Address, tls: ssl.SSLContext | None) -> str:
    """Why there is no line, found out by trying; what to do about it."""
    try:
        with socket.create_connection((address.host, address.port), PROBE) as line:
            if tls:
                tls.wrap_socket(line, server_hostname=address.host).close()
    except ssl.SSLCertVerificationError:
        return "shows a certificate that nobody known vouches for: give its ca.pem"
    except ssl.SSLError:
        return "does not speak TLS as we do: check the port, mqtt or mqtts, and the certificates"
    except socket.gaierror:
        return "is nowhere: check the name of the host"
    except OSError:
        pass
    return "does not answer: check that it runs; trying again"


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
