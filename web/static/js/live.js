// The camera's picture while it is mounted: the cards that it sees, and in words what is good and
// wrong. The table gives it only while no cards are in play.

import { faultOf } from "./api.js";
import { el, reconcile, setText, svg } from "./dom.js";
import { S, W, worded } from "./texts.js";

const EVERY = 800; // ms from one answer to the next question
const LONGEST = 8000; // ms
const FORBIDDEN = 403; // this device may only look on
const GOOD = ["good", "fair"]; // what is said of cards that are seen as they should be
const NO_MATTER_BARE = ["none", "other_deck", "better_deck", "small", "cut"]; // faults of cards
const LABEL = 14; // pixels of the screen: the height of a card's name

/** Fill the figure and the list; `look(step)` begins, and ends without a step. */
export function liveView(figure, list) {
  const canvas = el("canvas", { width: 960, height: 540 });
  const drawn = svg("svg", { "aria-hidden": "true", viewBox: "0 0 960 540" });
  figure.append(canvas, drawn);
  let step = null;
  let timer = 0;
  let shown = 0; // the number of the picture
  let last = null;

  async function ask() {
    timer = 0;
    try {
      const answer = await fetch("/api/camera/live", { signal: AbortSignal.timeout(LONGEST) });
      if (answer.ok) await take(await answer.json());
      else stand(faultOf(answer.status));
      if (answer.status === FORBIDDEN) return; // the PIN is given on another page
    } catch {
      stand(W.fault.offline);
    }
    wait();
  }

  function wait() {
    if (step && !timer && !document.hidden) timer = setTimeout(ask, EVERY);
  }

  async function take({ picture, why }) {
    if (why) return stand(why === "cards" ? S.lesson.fault.cards : S.live[why]);
    if (!picture) return say([["wait", S.live.waiting]]);
    if (picture.number !== shown) {
      const answer = await fetch(`/api/camera/live.jpg?number=${picture.number}`, { signal: AbortSignal.timeout(LONGEST) });
      if (!answer.ok) return undefined; // a newer one is there by now
      draw(await createImageBitmap(await answer.blob()), picture);
    }
    last = picture;
    return judge();
  }

  /** Nothing to look at: the sentence says why. */
  function stand(why) {
    shown = 0;
    last = null;
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    drawn.replaceChildren();
    say([["fault", why]]);
  }

  function draw(bitmap, picture) {
    shown = picture.number;
    const [wide, high] = picture.size;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const size = LABEL * wide / Math.max(1, canvas.clientWidth);
    drawn.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    drawn.replaceChildren(
      ...picture.glares.map((corners) => ring("glare", corners)),
      ...picture.cards.flatMap((card) => [
        ring(card.cut ? "cut" : card.card ? "sure" : "unsure", card.corners), name(card, size),
      ]).filter(Boolean));
  }

  function judge() {
    if (!last) return;
    const { cards, faults, high, mirrored, praise, table_cm: table } = last;
    const bare = step === "empty"; // no card is to lie there
    const found = { n: cards.length, high };
    const wrong = faults.filter(({ code }) => !(bare && NO_MATTER_BARE.includes(code)));
    const lines = wrong.map(({ code, params }) => ["fault", worded(S.live.fault[code], params)]);
    if (bare) lines.push(cards.length > 0 ? ["fault", S.live.left(found)] : ["good", S.live.bare]);
    else if (praise) lines.push([GOOD.includes(praise) ? "good" : "note", S.live[praise](found)]);
    if (table && !bare) lines.push(["note", S.live.table({ wide: table[0], high: table[1] })]);
    if (mirrored && !bare) lines.push(["note", S.live.mirrored]);
    say(lines);
  }

  /** Say each sentence once: a live region must not repeat itself. */
  function say(lines) {
    reconcile(list, lines, ([, text], i) => `${i}`, () => el("li"), (node, [kind, text]) => {
      node.dataset.kind = kind;
      setText(node, text);
    });
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    timer = 0;
    wait();
  });

  return (wanted) => {
    step = wanted;
    figure.hidden = list.hidden = !step;
    if (!step) return;
    if (last) judge();
    else say([["wait", S.live.waiting]]);
    if (!timer) ask();
  };
}

const ring = (kind, corners) => svg("polygon", { class: kind, points: corners.map((corner) => corner.join(",")).join(" ") });

/** A card's name in short, in its middle: "R oros", as overlapping cards have no room for more. */
function name({ card, corners }, size) {
  if (!card) return null;
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  const text = svg("text", { x, y, "font-size": size });
  text.textContent = `${card[0]} ${W.photo.suits[card[1]] ?? ""}`.trim();
  return text;
}
