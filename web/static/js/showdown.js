// Tapping in the cards that lie open: four a hand, or fewer after a misdeal; ranks alone. A hand that a
// telephone or the table's camera has read is put in, too: a tap says yes, or chooses another card.

import { el, reconcile, setName, setText } from "./dom.js";
import { isOfCards, quote } from "./heard.js";
import { cardName, RANKS, W } from "./texts.js";

/** Make the view, and `fill(seat, cards)`: cards as texts, null for one that is to be tapped. */
export function showdownPad(root, send, claim) {
  const title = el("h2");
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": W.whoseCards });
  const say = el("p", { class: "say" });
  const hand = el("div", { class: "hand", role: "group", "aria-live": "polite" });
  const likely = el("div", { class: "hand likely", role: "group", "aria-label": W.read.likely });
  const other = el("button", { type: "button", textContent: W.read.other });
  const ranks = el("div", { class: "ranks", role: "group", "aria-label": W.cardsOnly });
  const clear = el("button", { type: "button", textContent: W.clear });
  const put = el("button", { type: "button", class: "primary" });
  const claims = el("button", { type: "button", textContent: W.claim });
  const wrong = el("button", { type: "button", class: "primary", textContent: W.repair.wrongCards });
  const right = el("button", { type: "button", textContent: W.repair.rightCards });
  const verdicts = el("div", { class: "options" });
  const law = el("p");
  const words = el("blockquote");
  const why = el("div", { id: "why", class: "why", hidden: true }, law, words, verdicts);
  const article = el("button", { type: "button", class: "article-link", "aria-controls": "why" });
  const doubt = el("p", { class: "doubt", role: "status" });
  const against = el("div", { class: "against" }, doubt, wrong, article, right, why);
  const aside = document.getElementById("against"); // where no cards are put in any more
  const options = el("div", { class: "options" }, other, clear, put, claims);
  root.append(title, tabs, against, say, hand, likely, ranks, options);
  let snapshot = null;
  let chosen = null;
  let cards = []; // one for each place; null where none is yet
  let offers = []; // for each place, the cards that the camera takes for likely
  let owner = null; // the seat whose cards these are
  let place = null; // where the next card goes, if not first
  let read = ""; // what has read the cards: "photo", "camera", or nothing
  let touched = false; // somebody has tapped a card: what is read from now on changes none
  let all = false; // every rank is offered, and not the likeliest cards alone
  let mended = null; // the seat whose cards are put in once more, because they were wrong
  const known = new Set(); // hands against what was declared, of which somebody said that they are right

  for (const rank of RANKS) {
    const button = el("button", { type: "button", class: "rank", "data-rank": rank },
      el("span", { textContent: rank }), el("small", { textContent: W.ranks[rank] }));
    button.onclick = () => take(rank);
    ranks.append(button);
  }
  claims.onclick = claim;
  clear.onclick = () => {
    choose(seatShown());
    empty(); // what the camera has read does not come back
    touched = true;
    show();
  };
  put.onclick = confirm;
  other.onclick = () => { all = true; show(); };

  wrong.onclick = () => {
    mended = doubtful() ?? disputed().seat;
    choose(mended, [...snapshot.seats[mended - 1].hand]);
  };
  right.onclick = () => {
    const claim = mended === null ? disputed() : null;
    if (claim) {
      send.press({ call: claim.call });
      return;
    }
    known.add(handOf(mended ?? doubtful()));
    if (mended !== null) choose(null);
    else show();
  };

  async function confirm() {
    const seat = seatShown();
    if (mended === seat && String(cards) === String(snapshot.seats[seat - 1].hand)) {
      right.onclick(); // none of them was wrong
    } else if (mended === seat) {
      const call = { type: "ShowHand", seat, cards };
      if (await send.press({ call, instead: true })) choose(null);
    } else if (await send.cards(seat, cards)) choose(null);
  }

  article.onclick = () => unfold(why.hidden);

  /** Show the words of the article, or fold them away. */
  function unfold(open) {
    why.hidden = !open;
    article.setAttribute("aria-expanded", String(open));
    if (open) why.scrollIntoView({ block: "nearest" }); // below a long count, the column scrolls
  }

  const handOf = (seat) => `${seat} ${snapshot.seats[seat - 1].hand ?? ""}`;

  /** What the cards of a seat contradict. */
  const contradicted = (seat) => snapshot.contradictions.filter((one) => one.seat === seat);

  /** The seat whose cards contradict its words, where nobody has said which of them is right. */
  function doubtful() {
    if (isOfCards(snapshot)) return snapshot.proposal.seat;
    return snapshot.contradictions.find(({ seat }) => !known.has(handOf(seat)))?.seat ?? null;
  }

  /** A claim that the cards contradict, once no player's own words are in doubt. */
  const disputed = () => (doubtful() === null ? snapshot.disproved[0] ?? null : null);

  function seatShown() {
    if (mended !== null) return mended;
    const may = (seat) => snapshot.seats[seat - 1]?.may_show;
    const first = snapshot.missing[0] ?? snapshot.seats.find((other) => other.may_show)?.seat;
    return may(chosen) ? chosen : first ?? null;
  }

  const places = () => Array.from({ length: snapshot.seats[seatShown() - 1].cards }, (_, i) => cards[i] ?? null);

  /** What the table's camera has read before a seat: for each of its places a card and others. */
  const seenBefore = (seat) => snapshot.read?.find((one) => one.seat === seat)?.cards ?? [];

  /** The cards that a place may hold: beside the camera's own card, those it takes for likely. */
  function likeliest(at) {
    if (read !== "camera" || all || at < 0) return [];
    return (offers[at] ?? []).filter((card) => !places().includes(card));
  }

  /** Put in what the camera has read before the seat, as long as nobody has tapped. */
  function asRead(seat) {
    if (touched || read === "photo") return;
    const seen = seenBefore(seat);
    const shown = snapshot.seats[seat - 1].hand;
    if (seen.length === 0 && read !== "camera") return;
    read = seen.length > 0 ? "camera" : "";
    if (!shown) {
      cards = seen.map(({ card }) => card);
      offers = seen.map(({ likely }) => likely);
      return;
    }
    const left = [...seen];
    cards = read ? [...shown] : [];
    offers = cards.map((card) => {
      const at = left.findIndex((one) => one.card === card);
      return at < 0 ? [] : left.splice(at, 1)[0].likely;
    });
  }

  function empty() {
    cards = [];
    offers = [];
    place = null;
    read = "";
    touched = all = false;
  }

  function choose(seat, filled = []) {
    empty();
    if (seat !== mended) mended = null;
    chosen = owner = seat;
    cards = filled;
    read = filled.length > 0 ? "photo" : "";
    show();
  }

  /** Where the next card goes. */
  const next = () => place ?? places().indexOf(null);

  function take(card) {
    const at = next();
    if (at < 0) return;
    cards = places();
    cards[at] = card;
    place = null;
    all = false;
    touched = true;
    // This tap was the last that is needed.
    if (read === "camera" && !cards.includes(null)) confirm();
    show();
    if (!cards.includes(null)) put.focus({ preventScroll: true });
  }

  function show() {
    const seat = seatShown();
    root.hidden = seat === null;
    showDoubt();
    root.dataset.needed = String(snapshot.missing.length > 0);
    if (root.hidden) return;
    if (seat !== owner) empty(); // the next one's turn has come: these were another's cards
    owner = seat;
    asRead(seat);
    claims.hidden = snapshot.incidents.claims.length === 0 || !against.hidden; // its place is taken
    const { name } = snapshot.seats[seat - 1];
    setText(title, snapshot.missing.length > 0 || mended !== null ? W.cards({ name }) : W.moreCards({ name }));
    hand.setAttribute("aria-label", W.cards({ name }));
    showTabs(seat);
    tabs.hidden = mended !== null || read === "photo"; // whose they are is known
    const now = places();
    const full = !now.includes(null);
    reconcile(hand, now, (card, i) => `${i}${card ?? ""}`, cardButton, (node, card) => {
      const at = Number(node.dataset.key[0]);
      const asked = place === at || (read === "camera" && place === null && at === next());
      node.setAttribute("aria-pressed", String(asked));
      node.disabled = card === null && !read;
      node.onclick = () => {
        place = place === at ? null : at;
        all = false;
        touched = true;
        show();
      };
    });
    const offered = likeliest(next());
    reconcile(likely, offered, (card) => card, cardButton, (node, card) => { node.onclick = () => take(card); });
    likely.hidden = other.hidden = offered.length === 0;
    ranks.hidden = offered.length > 0 || (read === "camera" && full && place === null);
    say.hidden = read !== "camera" && mended === null;
    setText(say, mended !== null ? W.repair.again({ name }) : W.read[place !== null || all ? "which" : full ? "check" : offered.length > 0 ? "some" : "lacks"]);
    for (const button of ranks.children) button.disabled = full && place === null;
    put.hidden = read === "camera" && !full;
    put.disabled = !full;
    setText(put, read ? W.photo.these : W.put);
    clear.disabled = now.every((card) => card === null);
  }

  function showTabs(seat) {
    reconcile(tabs, snapshot.seats.filter((other) => other.may_show), (other) => other.seat,
      (other) => el("button", { type: "button", class: "tab", "data-side": other.side }, el("span", { class: "name" })),
      (node, other) => {
        setName(node.firstChild, other.name);
        node.classList.toggle("missing", snapshot.missing.includes(other.seat));
        node.classList.toggle("against", contradicted(other.seat).length > 0);
        node.setAttribute("aria-pressed", String(other.seat === seat));
        node.onclick = () => choose(other.seat);
      });
  }

  /** The cards that contradict their player's words, and what can be done about them. */
  function showDoubt() {
    const claim = mended === null ? disputed() : null;
    const seat = mended === null ? claim?.seat ?? doubtful() : null;
    against.hidden = seat === null;
    aside.hidden = against.hidden || !root.hidden;
    const place = root.hidden ? aside : root;
    if (against.parentElement !== place) place.insertBefore(against, root.hidden ? null : say);
    // All cards lie there: nothing else is waited for.
    root.toggleAttribute("data-against", seat !== null && chosen === null && snapshot.missing.length === 0);
    if (seat === null) return;
    if (claim) {
      setText(doubt, claim.text);
      article.hidden = true;
      right.hidden = false;
      unfold(false);
      return;
    }
    const { name, hand: cards } = snapshot.seats[seat - 1];
    const found = contradicted(seat);
    const said = found.map((one) => W.repair.against[one.said ? one.lance : `no_${one.lance}`]);
    setText(doubt, W.repair.against.text({ name, said, cards: cards.map((card) => card[0]).join("\u00a0") }));
    const rule = found.find((one) => one.article !== null);
    const decides = isOfCards(snapshot) && snapshot.proposal.seat === seat;
    article.hidden = !rule;
    right.hidden = decides;
    if (!rule || article.dataset.of !== handOf(seat)) unfold(false);
    article.dataset.of = handOf(seat);
    setText(article, rule ? (rule.cited ? W.article(rule.cited) : W.repair.proposed) : "");
    setText(law, rule?.text ?? "");
    quote(words, rule?.cited);
    reconcile(verdicts, decides ? snapshot.proposal.options : [], (option) => option.label,
      () => el("button", { type: "button" }),
      (node, option) => {
        setText(node, option.label);
        node.onclick = () => {
          known.add(handOf(seat));
          send.press({ call: option.call });
        };
      });
  }

  const view = (now) => {
    if (now.deal !== snapshot?.deal) known.clear();
    if (now.deal !== snapshot?.deal || now.phase !== snapshot.phase) {
      chosen = mended = null;
      empty();
    }
    snapshot = now;
    show();
  };
  const fill = (seat, filled) => {
    choose(seat, filled);
    root.scrollIntoView({ block: "start" });
    if (!places().includes(null)) put.focus({ preventScroll: true });
  };
  return { view, fill };
}

/** A card that is tapped to choose another one in its place. */
function cardButton(card) {
  if (!card) return el("button", { type: "button", class: "card none", "aria-label": W.photo.none });
  const button = el("button", { type: "button", class: "card", "data-rank": card[0], "aria-label": cardName(card) },
    el("span", { textContent: card[0] }));
  if (card[1]) button.append(el("small", { textContent: W.photo.suits[card[1]] }));
  return button;
}
