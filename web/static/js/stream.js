// Follows the table. The browser reconnects by itself; what it gives up, or does not notice
// (a tablet that slept, a network that went silent), is opened again here.

import { ASKED } from "./texts.js";

const SILENCE = 40_000; // ms; the server beats every 15 s
const RETRY = 2_000;

/** Call `onSnapshot` with every snapshot and `onLink` with whether the table is there. */
export function follow(url, { onSnapshot, onLink }) {
  let source = null;
  let watchdog = 0;

  function alive() {
    onLink(true);
    clearTimeout(watchdog);
    watchdog = setTimeout(open, SILENCE);
  }

  function lost() {
    onLink(false);
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(watchdog);
    watchdog = setTimeout(open, RETRY);
  }

  function close() {
    clearTimeout(watchdog);
    source?.close();
    source = null;
  }

  function open() {
    close();
    source = new EventSource(url + ASKED);
    source.addEventListener("open", alive);
    source.addEventListener("beat", alive);
    source.addEventListener("error", lost);
    source.addEventListener("message", (event) => {
      alive();
      onSnapshot(JSON.parse(event.data));
    });
    watchdog = setTimeout(open, SILENCE);
  }

  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("online", open);
  open();
}
