// The hand of this telephone's player, photographed: read at the table, shown for one tap of yes.

import { el, reconcile, setText } from "./dom.js";
import { W, worded } from "./texts.js";

const KEPT = "mus.seat"; // whose telephone this is
const MICROPHONE = "mus.microphone"; // a telephone that is a seat's microphone is that player's
const LONGEST = 1600; // pixels of the longer side: the table reads no finer
const LARGEST = 25_000_000; // bytes that the table takes
const QUALITY = 0.9;
const PATIENCE = 30_000; // ms for a photograph on a slow machine

function keptSeat() {
  try {
    const microphone = JSON.parse(localStorage.getItem(MICROPHONE) ?? "{}");
    return Number(localStorage.getItem(KEPT)) || microphone.seat || 0;
  } catch {
    return 0;
  }
}

function keep(seat) {
  try {
    localStorage.setItem(KEPT, String(seat));
  } catch {
    // asked for again the next time
  }
}

const drawn = (picture, wide, high) => {
  const share = Math.min(1, LONGEST / Math.max(wide, high));
  const canvas = el("canvas", { width: Math.round(wide * share), height: Math.round(high * share) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
};

/** A photograph as small as the table needs it; as it is where this browser cannot open it. */
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file);
    return (await drawn(picture, picture.width, picture.height)) ?? file;
  } catch {
    return file;
  }
}

/** What the table reads in a photograph: {cards, fault}. */
async function read(file, seat, deal) {
  const fault = (code) => ({ cards: [], fault: { code, params: {} } });
  const picture = await smaller(file);
  if (!picture.type.startsWith("image/")) return fault("image");
  if (picture.size > LARGEST) return fault("large");
  try {
    const answer = await fetch(`/api/hand/photo?seat=${seat}&deal=${deal}`, {
      method: "POST", headers: { "Content-Type": picture.type }, body: picture,
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.ok) return await answer.json();
    return fault({ 403: "door", 409: "late", 413: "large", 503: "busy" }[answer.status] ?? "image");
  } catch {
    return fault("offline");
  }
}

/**
 * The panel of the photograph. `fill` puts a seat's cards where they are confirmed or corrected.
 */
export function handPhotoView(root, fill) {
  const title = el("h2", { id: "photo-title", textContent: W.photo.who });
  const who = el("div", { class: "tabs", role: "group", "aria-labelledby": "photo-title" });
  const input = el("input", { type: "file", accept: "image/*", id: "photo-file" });
  input.setAttribute("capture", "environment");
  const pick = el("label", { class: "shoot", htmlFor: "photo-file", textContent: W.photo.take });
  const open = el("button", { type: "button", class: "shoot", textContent: W.photo.take });
  const video = el("video", { autoplay: true, muted: true, playsInline: true });
  const shutter = el("button", { type: "button", class: "shoot", textContent: W.photo.shutter });
  const close = el("button", { type: "button", textContent: W.photo.close });
  const live = el("div", { class: "live", hidden: true }, video, el("div", { class: "options" }, shutter, close));
  const say = el("p", { class: "say", role: "status" });
  const teach = el("a", { href: "/decks", textContent: W.photo.teach, hidden: true });
  const other = el("button", { type: "button", class: "quiet" });
  root.append(title, who, el("div", { class: "take" }, input, pick, open), live, say, teach, other);

  let snapshot = null;
  let seat = keptSeat();
  let stream = null;
  let busy = false;
  let sees = window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

  const me = () => snapshot.seats[seat - 1];

  function became(chosen) {
    seat = chosen;
    keep(seat);
    if (seat) ready();
    setText(say, "");
    teach.hidden = true;
    show();
  }

  /** The table learns the deck before the first hand has to be read. */
  function ready() {
    fetch("/api/hand/ready", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: "{}",
    }).catch(() => {}); // then the first hand takes a second longer
  }

  async function look(file) {
    if (busy || !file) return;
    const [whose, deal] = [seat, snapshot.deal];
    busy = true;
    teach.hidden = true;
    setText(say, W.photo.looking);
    show();
    const { cards, fault } = await read(file, whose, deal);
    busy = false;
    const still = snapshot.deal === deal && me()?.may_show && whose === seat;
    if (still && cards.length > 0) fill(seat, cards);
    setText(say, said(cards, still ? fault : fault && { code: "late", params: {} }));
    teach.hidden = !["deck", "none"].includes(fault?.code);
    show();
  }

  function said(cards, fault) {
    if (fault) return worded(W.photo.fault[fault.code], { ...fault.params, n: fault.params.found });
    return cards.includes(null) ? W.photo.some : W.photo.check;
  }

  async function film() {
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1440 } },
      });
      video.srcObject = stream;
      live.hidden = false;
      shutter.focus();
    } catch {
      sees = false; // not allowed, or none: the telephone's own camera takes it
      setText(say, W.photo.without);
    }
    show();
  }

  function stop() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    video.srcObject = null;
    live.hidden = true;
  }

  open.onclick = film;
  close.onclick = () => { stop(); show(); };
  shutter.onclick = async () => {
    if (!video.videoWidth) return;
    const picture = await drawn(video, video.videoWidth, video.videoHeight);
    stop();
    look(picture);
  };
  input.onchange = () => {
    look(input.files[0]);
    input.value = "";
  };
  other.onclick = () => became(0);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stop(); show(); }
  });

  function show() {
    const known = Boolean(me());
    // What the table's camera has read is corrected below: there is nothing to photograph.
    const seen = (one) => snapshot.read?.some(({ seat: other }) => other === one.seat);
    const lacks = (one) => one.may_show && one.hand === null && !seen(one);
    root.hidden = known ? !lacks(me()) : !snapshot.seats.some(lacks);
    if (root.hidden) stop();
    title.hidden = known;
    reconcile(who, known ? [] : snapshot.seats, (one) => one.seat,
      (one) => el("button", { type: "button", class: "tab", "data-side": one.side }),
      (node, one) => {
        setText(node, one.name);
        node.onclick = () => became(one.seat);
      });
    input.hidden = pick.hidden = !known || sees;
    open.hidden = !known || !sees || Boolean(stream);
    input.disabled = open.disabled = shutter.disabled = busy;
    pick.classList.toggle("busy", busy);
    other.hidden = !known || Boolean(stream);
    if (known) setText(other, W.photo.notMe({ name: me().name }));
  }

  if (seat) ready();
  return (next) => {
    if (next.deal !== snapshot?.deal || next.phase !== snapshot.phase) {
      setText(say, "");
      teach.hidden = true;
    }
    snapshot = next;
    show();
  };
}
