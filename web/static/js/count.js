// The last cards that lay open: the camera's picture of them, who won each lance, stone by stone.

import { el, reconcile, setText } from "./dom.js";
import { lancesView } from "./lances.js";
import { createCard } from "./seats.js";
import { follow } from "./stream.js";
import { CODE, follows, W } from "./texts.js";

const $ = (id) => document.getElementById(id);
let seq = -1;
let showLances = null;

/** What the table answers, in the language of the page. */
async function asked(url) {
  const answer = await fetch(`${url}?lang=${CODE}`, { signal: AbortSignal.timeout(8000) });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** The newest deal in which a card lay open or a stone was won. */
async function newest(deals) {
  for (const { deal } of [...deals].reverse()) {
    const told = await asked(`/api/history/${deal}`);
    if (told.count.length > 0 || told.seats.some((seat) => seat.hand)) return told;
  }
  return null;
}

function handsView(seats) {
  const shown = seats.filter((seat) => seat.hand);
  reconcile($("hands"), shown, (seat) => seat.seat,
    (seat) => el("li", { class: "open-hand", "data-side": seat.side },
      el("span", { class: "name" }), el("span", { class: "cards" }),
      el("span", { class: "mark-of-side", "aria-hidden": "true" })),
    (node, seat) => {
      setText(node.querySelector(".name"), seat.name);
      reconcile(node.querySelector(".cards"), seat.hand, (card, i) => `${card}${i}`, createCard,
        () => {});
    });
}

function stonesView(count, sides) {
  reconcile($("stones"), count, (_, i) => i,
    () => el("li", {}, el("span", { class: "text" }), el("strong"), el("span", { class: "totals" })),
    (node, one) => {
      node.dataset.side = one.side;
      setText(node.querySelector(".text"), one.text);
      setText(node.querySelector("strong"), one.stones < 0 ? `−${-one.stones}` : `+${one.stones}`);
      setText(node.querySelector(".totals"),
        sides.map((side, i) => `${side.side} ${one.totals[i]}`).join(" · "));
    });
}

function picture(deal) {
  const image = $("photo").querySelector("img");
  const address = `/api/history/${deal}/cards.jpg?seq=${seq}`;
  image.alt = W.past.photo;
  image.onload = () => { $("photo").hidden = false; };
  image.onerror = () => { $("photo").hidden = true; };
  if (image.getAttribute("src") !== address) image.src = address;
}

async function show() {
  const { deals } = await asked("/api/history");
  const told = await newest(deals);
  $("none").hidden = told !== null;
  $("page").setAttribute("aria-busy", "false");
  if (told === null) return;
  setText($("deal"), `${W.past.deal({ n: told.deal.deal })} · ${W.past.mano({ name: told.deal.mano })}`);
  handsView(told.seats);
  showLances ??= lancesView($("lances"));
  showLances(told.deal);
  stonesView(told.count, told.deal.sides);
  picture(told.deal.deal);
}

follow("/events", {
  onLink: (there) => { $("lost").hidden = there; },
  onSnapshot: (snapshot) => {
    if (snapshot.seq === seq) return;
    follows(snapshot.language);
    seq = snapshot.seq;
    show();
  },
});
