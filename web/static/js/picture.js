// The picture of a match to keep and to send: made here, from what the page shows, by nobody's network.

import { heldWords } from "./lances.js";
import { CODE, finalScore, join, W } from "./texts.js";

const [WIDE, HIGH] = [1080, 1350];
const MARGIN = 80;
const CARD = { wide: 150, high: 210, gap: 24, round: 18 };

/** Offer the picture by the system's own sheet; where there is none, keep it as a file. */
export const share = async (snapshot) => {
  const blob = await new Promise((done) => { drawn(snapshot).toBlob(done, "image/png"); });
  const name = `mus-${day(snapshot).toISOString().slice(0, 10)}.png`;
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: W.final.title });
      return;
    } catch (wrong) {
      if (wrong.name === "AbortError") return; // they thought better of it
    }
  }
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** When the match ended. */
const day = ({ log }) => new Date((log.at(-1)?.at ?? Date.now() / 1000) * 1000);

function drawn(snapshot) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = HIGH;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const look = (name) => style.getPropertyValue(`--${name}`).trim();
  const font = { display: look("display"), text: look("text") };

  /** Write one line in the middle, as large as fits. */
  function line(text, y, size, { face = font.display, weight = "700", colour = look("on-felt") } = {}) {
    pen.font = `${weight} ${size}px ${face}`;
    const wide = pen.measureText(text).width;
    if (wide > WIDE - 2 * MARGIN) pen.font = `${weight} ${Math.floor(size * (WIDE - 2 * MARGIN) / wide)}px ${face}`;
    pen.fillStyle = colour;
    pen.textAlign = "center";
    pen.fillText(text, WIDE / 2, y);
  }

  const felt = pen.createRadialGradient(WIDE / 2, HIGH * 0.35, 0, WIDE / 2, HIGH * 0.35, HIGH * 0.75);
  felt.addColorStop(0, look("felt"));
  felt.addColorStop(1, look("felt-deep"));
  pen.fillStyle = felt;
  pen.fillRect(0, 0, WIDE, HIGH);
  pen.strokeStyle = look("gold");
  pen.lineWidth = 6;
  pen.beginPath();
  pen.roundRect(36, 36, WIDE - 72, HIGH - 72, 60);
  pen.stroke();

  const soft = { face: font.text, weight: "500", colour: look("on-felt-soft") };
  const { sides, winner } = snapshot;
  const won = sides.find(({ side }) => side === winner);
  const others = sides.filter((side) => side !== won);
  line("Mus", 150, 84, { weight: "italic 700" });
  line(day(snapshot).toLocaleDateString(CODE, { day: "numeric", month: "long", year: "numeric" }), 210, 34, soft);
  line(W.moment.match, 350, 110, { weight: "italic 700", colour: look("gold") });
  line(join(won.names), 450, 68);
  const figure = result(snapshot, won, others);
  line(figure, 680, 230, { colour: look("gold") });
  line(others.map(({ names }) => join(names)).join(", "), 790, 56, { colour: look("on-felt-soft") });
  if (!isOne(snapshot)) line(finalScore(snapshot), 860, 36, soft);

  const row = snapshot.count.at(-1);
  const best = row?.held[0];
  const hand = best && snapshot.seats[best.seat - 1].hand;
  if (!hand) return canvas;
  line(W.final.decided({ lance: W.lances[row.lance] }), 955, 36, soft);
  const left = (WIDE - hand.length * CARD.wide - (hand.length - 1) * CARD.gap) / 2;
  hand.forEach((card, place) => drawCard(pen, card[0], left + place * (CARD.wide + CARD.gap), 985, font.display));
  line(heldWords({ held: [best] }, snapshot), 1262, 42, { face: font.text, weight: "600" });
  return canvas;
}

/** Whether the match is a single juego. */
const isOne = ({ juegos_to_win: juegos, vacas_to_win: vacas }) => juegos === 1 && vacas === 1;

/** The match in one figure: its vacas or juegos, or the stones of its only juego. */
function result(snapshot, won, others) {
  if (isOne(snapshot) && snapshot.count.at(-1)?.how === "ordago") return W.ordago;
  const what = snapshot.vacas_to_win > 1 ? "vacas" : isOne(snapshot) ? "stones" : "juegos";
  return [won, ...others].map((side) => side[what]).join(" – ");
}

function drawCard(pen, rank, x, y, face) {
  pen.save();
  pen.shadowColor = "rgb(0 0 0 / .35)";
  pen.shadowBlur = 18;
  pen.shadowOffsetY = 6;
  pen.fillStyle = "#fffdf6";
  pen.beginPath();
  pen.roundRect(x, y, CARD.wide, CARD.high, CARD.round);
  pen.fill();
  pen.restore();
  pen.fillStyle = rank === "R" ? "#9c3328" : "#20281f";
  pen.font = `700 120px ${face}`;
  pen.textAlign = "center";
  pen.fillText(rank, x + CARD.wide / 2, y + CARD.high / 2 + 42);
}
