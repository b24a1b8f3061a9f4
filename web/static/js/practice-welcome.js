// Three short steps for whoever comes for the first time, and the choice of the company.

import { el, setText } from "./dom.js";
import { post } from "./practice-send.js";
import { P } from "./texts.js";

const SEEN = "mus-practice-seen";

/** `open` shows the choice again; the view shows it while no game is in progress. */
export function welcomeView(root, game, report) {
  let snapshot = null;
  let asked = false; // for another game
  let left = null; // the game that ends by the choice: its last picture is not shown again
  let step = seen() ? -1 : 0;
  let shown = "";

  function show() {
    const { begun, game: now } = snapshot.practice;
    if (left !== null && now !== left) {
      asked = false;
      left = null;
    }
    const here = !begun || asked;
    root.hidden = !here;
    game.hidden = here;
    const key = here ? `${step}${begun}${snapshot.ear.state === "off"}` : "";
    if (key === shown) return; // who has the focus on a button keeps it
    shown = key;
    if (here) root.replaceChildren(...(step >= 0 ? steps() : levels(begun)));
  }

  function steps() {
    const names = snapshot.seats.map((seat) => seat.name);
    const hears = snapshot.ear.state !== "off";
    const [me, right, partner, left] = names;
    const { table, lances, talk, tap } = P.steps;
    const all = [
      [table.title, table.text({ me, partner, right, left, target: snapshot.target })],
      [lances.title, snapshot.practice.kings === 8 ? lances.eight : lances.four],
      hears ? [talk.title, talk.text] : [tap.title, tap.text],
    ];
    const [title, text] = all[step];
    const go = (to) => () => {
      step = to < all.length ? to : -1;
      if (step < 0) remember();
      show();
      root.querySelector("button")?.focus();
    };
    return [
      el("p", { class: "step", textContent: `${step + 1} / ${all.length}` }),
      el("h2", { textContent: title }),
      el("p", { textContent: text }),
      el("div", { class: "options" },
        button(P.next, go(step + 1), "primary"),
        step > 0 ? button(P.before, go(step - 1)) : "",
        step < all.length - 1 ? button(P.skip, go(all.length)) : ""),
    ];
  }

  function levels(begun) {
      const { levels: all, wins, senas: { offered, on } } = snapshot.practice;
      const senas = offered ? el("input", { type: "checkbox", id: "with-senas", checked: on }) : null;
      const choices = all.map((level) => {
      const node = el("button", { type: "button", class: "level", "data-level": level },
        el("strong", { textContent: P.levels[level] }),
        el("span", { textContent: P.levelMeans[level] }),
        level in wins ? el("span", { class: "soft", textContent: P.levelWins({ n: wins[level] }) }) : null);
      node.onclick = async () => {
        node.disabled = true;
        const before = snapshot.practice;
        const done = await post("/api/practice/begin", senas?.checked ? { level, senas: true } : { level }, report);
        asked = !done || before.begun;
        left = done && before.begun ? before.game : null;
        node.disabled = false;
        show();
      };
      return node;
    });
    const back = button(P.back, () => {
      asked = false;
      show();
    });
    return [
      el("h2", { textContent: P.chooseLevel }),
      senas && el("label", { class: "with-senas" }, senas, el("span", { textContent: P.senas.offer })),
      el("div", { class: "levels" }, ...choices),
      el("p", { class: "soft", textContent: P.fresh }),
      begun ? back : null,
    ].filter(Boolean);
  }

  return {
    open: () => {
      asked = true;
      left = null;
      show();
    },
    view: (next) => {
      snapshot = next;
      show();
    },
  };
}

function button(text, onclick, kind = "") {
  const node = el("button", { type: "button", class: kind, onclick });
  setText(node, text);
  return node;
}

function seen() {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false; // a browser that keeps nothing is told each time
  }
}

function remember() {
  try {
    localStorage.setItem(SEEN, "1");
  } catch {
    // told again the next time
  }
}
