// The line to the table: a WebSocket that comes back by itself, with growing pauses.

const FIRST = 500; // ms before the first new attempt; each later one waits twice as long
const LONGEST = 8000;
const EVERY = 1000; // ms between two pings
const SILENCE = 5000; // ms without a word of the table after which the line is opened anew
const WAITING = 16_000; // bytes: half a second of sound that has not left; later sound is dropped
const HEADER = 12;
const ENDED = { 4400: "bad", 4404: "seat", 4409: "taken", 4410: "replaced", 4426: "insecure", 4429: "bad" };

/**
 * Open a line for a seat. `onState(state, name)` tells how it stands: "connecting", "there", or why
 * it has ended; `onStatus` gets what the table says of the sound; `battery()` tells of the battery.
 */
export function line({ url, hello, onState, onStatus, onFailed, battery }) {
  let socket = null;
  let seated = false;
  let over = false;
  let number = 0;
  let pause = FIRST;
  let failures = 0;
  let other = "";
  let spoke = 0;
  let delay = null; // half of the round trip, in ms
  let retry = 0;

  function open() {
    clearTimeout(retry);
    drop();
    onState("connecting");
    const mine = socket = new WebSocket(url);
    mine.binaryType = "arraybuffer";
    spoke = performance.now();
    mine.onopen = () => {
      failures = 0;
      mine.send(JSON.stringify({ is: "hello", ...hello }));
    };
    mine.onmessage = ({ data }) => {
      spoke = performance.now();
      told(JSON.parse(data));
    };
    mine.onclose = ({ code }) => { if (mine === socket) closed(code); };
  }

  function told(message) {
    if (message.is === "seated") {
      seated = true;
      pause = FIRST;
      hello.take = false; // by mistake a returning telephone would take the seat once more
      onState("there");
      ping();
    } else if (message.is === "status") onStatus({ ...message, travel: delay });
    else if (message.is === "pong") delay = (performance.now() - message.at) / 2;
    else other = message.name;
  }

  function closed(code) {
    const wasThere = seated;
    seated = false;
    socket = null;
    if (over) return;
    if (code in ENDED) {
      over = true;
      clearInterval(timer);
      onState(ENDED[code], other);
      return;
    }
    if (!wasThere) failures += 1;
    onState("connecting");
    if (failures > 0) onFailed(failures);
    retry = setTimeout(open, pause);
    pause = Math.min(2 * pause, LONGEST);
  }

  function drop() {
    const old = socket;
    socket = null;
    seated = false;
    old?.close();
  }

  function ping() {
    if (seated && socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ is: "ping", at: performance.now(), ...battery() }));
    }
  }

  function watch() {
    if (socket && performance.now() - spoke > SILENCE) open();
    else ping();
  }

  /** The network is back, or the page is looked at again: do not wait for the pause to end. */
  function soon() {
    if (over || document.hidden || seated) return;
    pause = FIRST;
    open();
  }

  const timer = setInterval(watch, EVERY);
  addEventListener("online", soon);
  document.addEventListener("visibilitychange", soon);
  open();
  return {
    /** Send a piece of sound; it is dropped where the line does not carry it in time. */
    send: ({ at, buffer }) => {
      const here = number;
      number = (number + 1) >>> 0;
      if (!seated || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > WAITING) return;
      const message = new Uint8Array(HEADER + buffer.byteLength);
      const head = new DataView(message.buffer);
      head.setUint32(0, here, true);
      head.setBigUint64(4, BigInt(Math.max(0, Math.round(at * 1e6))), true);
      message.set(new Uint8Array(buffer), HEADER); // of a little-endian machine, as all telephones are
      socket.send(message);
    },
    /** The clock of the sound begins anew, and so does the line. */
    anew: open,
    /** Leave the seat for good: the table does not wait for this telephone. */
    stop: () => {
      over = true;
      if (seated && socket.readyState === WebSocket.OPEN) socket.send('{"is":"bye"}');
      clearTimeout(retry);
      clearInterval(timer);
      removeEventListener("online", soon);
      document.removeEventListener("visibilitychange", soon);
      drop();
    },
  };
}
