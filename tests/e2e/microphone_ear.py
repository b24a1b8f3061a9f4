"""A process that listens to the system's microphone and prints what it hears as JSON lines."""

import json
import logging
import sys
from pathlib import Path

from assistant.ear import Ear, EarState, EchoGate, MicrophoneSource, Recogniser, SpeechError
from assistant.messages import Heard


def tell(kind: str, text: str) -> None:
    print(json.dumps([kind, text]), flush=True)


def heard(what: Heard) -> None:
    tell("heard", what.text)


def state(now: EarState, note: str) -> None:
    tell(str(now), note)


def ended(failure: SpeechError | None) -> None:
    tell("end", str(failure or ""))


class Told(logging.Handler):
    """Prints the warnings that the terminal would show."""

    def emit(self, record: logging.LogRecord) -> None:
        tell("log", record.getMessage())


def main() -> None:
    model, grammar = sys.argv[1], json.loads(sys.argv[2])
    device = sys.argv[3] if len(sys.argv) > 3 else None
    channels = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    log = logging.getLogger("mus.ear")
    log.addHandler(Told())
    log.setLevel(logging.INFO)
    source = MicrophoneSource(device, channels=channels)
    ear = Ear(
        source,
        Recogniser(Path(model), grammar),
        EchoGate(),
        on_heard=heard,
        on_state=state,
        on_end=ended,
    )
    ear.start()
    sys.stdin.read()  # until the test closes it
    ear.stop()


if __name__ == "__main__":
    main()
