// An órdago and its answer, large over the felt for a few seconds, with a short sound. On the wall they
// fill the screen. The end of a juego and of the match fills every screen, and a tap takes it away.
// Nothing else in it can be tapped, and #live says the same to a screen reader.

import { el, setText } from "./dom.js";
import { finalScore, join, W } from "./texts.js";
import { sound, sounding } from "./tones.js";

const STAYS = { ordago: 3000, accepted: 2000, refused: 2000, juego: 3500, match: 5000 }; // ms

/** `sounds`: whether each moment has its tones, where this device plays them. */
export function momentView(root, sounds = true) {
  const who = el("p", { class: "moment-who" });
  const word = el("p", { class: "moment-word" });
  const score = el("p", { class: "moment-score" });
  root.append(who, word, score);
  root.onclick = hide;
  let before = null;
  let timer = 0;
  let quiet = !sounds;

  function hide() {
    clearTimeout(timer);
    root.hidden = true;
  }

  function show(kind, above, large, below = "") {
    root.dataset.kind = kind;
    setText(who, above);
    setText(word, large);
    setText(score, below);
    root.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(hide, STAYS[kind]);
    if (!quiet) sound(kind);
  }

  function showCall(kind, bet, { seats }) {
    const { name } = seats[bet.seat - 1];
    const large = kind === "ordago" ? W.ordago : W.moment[kind];
    show(kind, W.moment.who({ name, lance: W.toLance[bet.lance] }), large);
  }

  function showEnd(kind, snapshot) {
    const { names } = snapshot.sides.find(({ side }) => side === snapshot.juego_won) ?? { names: [] };
    show(kind, join(names), W.moment[kind], finalScore(snapshot));
  }

  return (snapshot) => {
    const [was, now] = [openOrdago(before), openOrdago(snapshot)];
    quiet = !sounds || !sounding(snapshot);
    const answer = was && !now && answerTo(was, snapshot);
    const end = ended(snapshot);
    // What an undo opens again was called before.
    if (before && now && !was && !snapshot.can_redo) showCall("ordago", now, snapshot);
    else if (before && end && end !== ended(before) && !snapshot.can_redo) showEnd(end, snapshot);
    else if (answer) showCall(answer, was, snapshot);
    else if ((was && !now) || ended(before) !== end) hide(); // it was undone, or they play on
    if (snapshot.question || snapshot.proposal || (snapshot.pending && !now)) hide();
    root.parentElement.classList.toggle("at-stake", Boolean(now)); // the felt is red while it is open
    before = snapshot;
  };
}

const openOrdago = (snapshot) => (snapshot?.pending?.ordago ? snapshot.pending : null);

/** What the present deal has ended, if anything. */
const ended = (snapshot) => (snapshot?.winner ? "match" : snapshot?.juego_won ? "juego" : "");

/** How a bet was answered; null where it was undone or does not count. */
function answerTo(bet, { lances }) {
  const { status, how } = lances.find(({ lance }) => lance === bet.lance) ?? {};
  if (status !== "closed" || how === "void") return null;
  return how === "refused" ? "refused" : "accepted";
}
