// An órdago and its answer, large over the felt for a few seconds, with a short sound. On the wall they
// fill the screen. Nothing in it can be tapped, and #live says the same to a screen reader.

import { el, setText } from "./dom.js";
import { W } from "./texts.js";

const ORDAGO_MS = 3000;
const ANSWER_MS = 2000;
const TONES = { ordago: [196, 294, 392], accepted: [392, 523], refused: [294, 196] }; // Hz
const TONE_S = 0.16;
const LOUDNESS = 0.12; // of 1: the table's ear listens meanwhile

export function momentView(root) {
  const who = el("p", { class: "moment-who" });
  const word = el("p", { class: "moment-word" });
  root.append(who, word);
  let before = null;
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    root.hidden = true;
  }

  function show(kind, bet, snapshot) {
    const name = snapshot.seats[bet.seat - 1].name;
    root.dataset.kind = kind;
    setText(who, W.moment.who({ name, lance: W.toLance[bet.lance] }));
    setText(word, kind === "ordago" ? W.ordago : W.moment[kind]);
    root.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(hide, kind === "ordago" ? ORDAGO_MS : ANSWER_MS);
    sound(TONES[kind]);
  }

  return (snapshot) => {
    const [was, now] = [openOrdago(before), openOrdago(snapshot)];
    const answer = was && !now && answerTo(was, snapshot);
    // What an undo opens again was called before.
    if (before && now && !was && !snapshot.can_redo) show("ordago", now, snapshot);
    else if (answer) show(answer, was, snapshot);
    else if (was && !now) hide(); // it was undone
    if (snapshot.question || snapshot.proposal || (snapshot.pending && !now)) hide();
    root.parentElement.classList.toggle("at-stake", Boolean(now)); // the felt is red while it is open
    before = snapshot;
  };
}

const openOrdago = (snapshot) => (snapshot?.pending?.ordago ? snapshot.pending : null);

/** How a bet was answered; null where it was undone or does not count. */
function answerTo(bet, { lances }) {
  const { status, how } = lances.find(({ lance }) => lance === bet.lance) ?? {};
  if (status !== "closed" || how === "void") return null;
  return how === "refused" ? "refused" : "accepted";
}

let context = null;

/** Play some tones one after the other, where the browser lets the page sound: after a tap or a key. */
function sound(tones) {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume().catch(() => {});
  tones.forEach((pitch, place) => {
    const start = context.currentTime + place * TONE_S;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
    volume.gain.linearRampToValueAtTime(0, start + TONE_S);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE_S);
  });
}
