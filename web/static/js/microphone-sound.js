// The telephone's microphone: opened, cut into pieces by a worklet, and opened again when it stood.

const WATCH = 1000; // ms between two looks whether sound comes
const STOOD = 3000; // ms without sound after which the microphone is opened again

/** What the browser does to the sound; all of it is off, unless the address asks for it. */
function processing() {
  const asked = new URLSearchParams(location.search);
  const on = (key) => asked.get(key) === "1";
  return {
    channelCount: 1,
    echoCancellation: on("echo"),
    noiseSuppression: on("noise"),
    autoGainControl: on("gain"),
  };
}

/** Which sentence fits an error of the browser. */
export function faultOf(error) {
  const codes = {
    NotAllowedError: "refused", SecurityError: "refused",
    NotFoundError: "none", OverconstrainedError: "none",
    NotReadableError: "busy", AbortError: "busy",
  };
  return codes[error?.name] ?? (navigator.mediaDevices?.getUserMedia ? "other" : "insecure");
}

/**
 * Listen: `onPiece({ at, decibels, buffer })` for every 40 ms. `onAnew` is called where the clock of
 * the pieces begins anew, `onFault` with the code of a sentence where there is no sound any more,
 * `onWaits` with whether the browser wants to be touched first. Throws an error of the browser.
 */
export const listen = async ({ worklet, onPiece, onAnew, onFault, onWaits }) => {
  let open = await opened();
  let heard = performance.now();
  let opening = false;
  let over = false;

  async function opened() {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: processing() });
    const context = new AudioContext({ latencyHint: "interactive" });
    try {
      await context.audioWorklet.addModule(worklet);
      const source = context.createMediaStreamSource(stream);
      const node = new AudioWorkletNode(context, "microphone", { numberOfInputs: 1, outputChannelCount: [1] });
      node.port.onmessage = ({ data }) => {
        heard = performance.now();
        onWaits(false);
        onPiece(data);
      };
      source.connect(node).connect(context.destination); // silence; unconnected, some would stand still
      context.resume().catch(() => {});
      return { stream, context };
    } catch (error) {
      shut({ stream, context });
      throw error;
    }
  }

  function shut({ stream, context }) {
    for (const track of stream.getTracks()) track.stop();
    context.close().catch(() => {});
  }

  async function again() {
    opening = true;
    shut(open);
    try {
      open = await opened();
      if (over) shut(open);
      heard = performance.now();
      onAnew();
    } catch (error) {
      onFault(faultOf(error));
    }
    opening = false;
  }

  /** A page in the background, a ring, a headset that was plugged in: sound stands still, or ends. */
  function watch() {
    if (document.hidden || opening || over) return;
    const ended = open.stream.getAudioTracks().every((track) => track.readyState === "ended");
    const { state } = open.context;
    if (ended || state === "closed") again();
    else if (state !== "running") {
      open.context.resume().catch(() => {});
      if (performance.now() - heard > STOOD) onWaits(true);
    } else if (performance.now() - heard > STOOD) again();
  }

  const timer = setInterval(watch, WATCH);
  document.addEventListener("visibilitychange", watch);
  return {
    /** Somebody has touched the page: go on. */
    touched: () => open.context.resume().catch(() => {}),
    stop: () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", watch);
      shut(open);
    },
  };
};
