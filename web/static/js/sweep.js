// Sweeping a telephone's camera over the cards of a deck: one frame after another goes to the table,
// which outlines the cards that it knows and says which are missing.

import { faultOf } from "./api.js";
import { el, setText, svg } from "./dom.js";
import { S, W } from "./texts.js";

const EVERY = 900; // ms from one frame to the next, at least; the table's answer asks for it
const PATIENCE = 30_000; // ms for a frame on a slow machine
const LONGEST = 1600; // pixels of the longer side: the table looks no finer
const QUALITY = 0.85;
const BUSY = 503;

/** `seen` takes the decks of each answer and gives back what to do next; `ended` shows the outcome. */
export function sweepView(root, { seen, ended }) {
  if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) return;
  const open = el("button", { type: "button", textContent: S.decks.sweep });
  const video = el("video", { autoplay: true, muted: true, playsInline: true });
  const drawn = svg("svg", { "aria-hidden": "true" });
  const say = el("p", { class: "how", role: "status" });
  const done = el("button", { type: "button", class: "primary", textContent: S.decks.sweepDone });
  const live = el("div", { class: "sweep", hidden: true }, say, el("figure", {}, video, drawn),
    el("div", { class: "options" }, done));
  root.append(open, live);
  root.hidden = false;
  let stream = null;

  async function frame() {
    const share = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
    const canvas = el("canvas", {
      width: Math.round(video.videoWidth * share), height: Math.round(video.videoHeight * share),
    });
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((made) => { canvas.toBlob(made, "image/jpeg", QUALITY); });
  }

  async function look(own) {
    while (stream === own) {
      const wait = new Promise((over) => { setTimeout(over, EVERY); });
      if (video.videoWidth) await send(await frame(), own);
      await wait;
    }
  }

  async function send(picture, own) {
    try {
      const answer = await fetch("/api/decks/sweep", {
        method: "POST", headers: { "Content-Type": "image/jpeg" }, body: picture,
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (!answer.ok) {
        if (answer.status !== BUSY) setText(say, faultOf(answer.status));
        return;
      }
      const told = await answer.json();
      const next = seen(told.decks);
      if (stream !== own) return;
      outline(told);
      setText(say, next);
    } catch {
      setText(say, W.fault.offline);
    }
  }

  function outline({ size: [wide, high], cards }) {
    if (!wide) return;
    drawn.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    drawn.replaceChildren(...cards.map(({ corners, card }) => svg("polygon", {
      class: card ? "sure" : "unsure", points: corners.map((corner) => corner.join(",")).join(" "),
    })));
  }

  function stop() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    video.srcObject = null;
    drawn.replaceChildren();
    live.hidden = true;
    open.hidden = false;
  }

  open.onclick = async () => {
    open.hidden = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1440 } },
      });
    } catch {
      root.hidden = true; // not allowed, or none: photographs do
      return;
    }
    video.srcObject = stream;
    setText(say, S.decks.sweepHow);
    live.hidden = false;
    done.focus();
    look(stream);
  };
  done.onclick = () => {
    stop();
    ended();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && stream) stop();
  });
}
