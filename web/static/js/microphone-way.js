// The way from the plain address to the secure one, through the browser's one warning, in pictures.

import { el, svg } from "./dom.js";
import { S } from "./texts.js";

const KINDS = ["android", "iphone"];
const STEPS = { android: ["advanced", "visit"], iphone: ["details", "visit"] };

const isApple = () => /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/** A drawn telephone with the warning, and a finger on what is to be tapped. */
function drawn(kind, step, text) {
  const lines = (y, ...widths) => widths.map((width, i) =>
    svg("rect", { class: "line", x: 22, y: y + 11 * i, width, height: 5, rx: 2.5 }));
  const low = step === "visit";
  const parts = kind === "android"
    ? [svg("path", { class: "alarm", d: "M32 40 50 72H14Z" }), svg("path", { class: "sign", d: "M32 50v11M32 65v2" }),
      ...lines(84, 86, 104, 96, 60), low ? null : svg("rect", { class: "primary", x: 22, y: 192, width: 108, height: 22, rx: 11 })]
    : [svg("circle", { class: "alarm", cx: 76, cy: 58, r: 15 }), svg("path", { class: "sign", d: "M76 50v10M76 64v2" }),
      ...lines(84, 100, 108, 92, 70)];
  const at = kind === "android" ? (low ? 178 : 160) : low ? 178 : 150;
  return svg("svg", { viewBox: "0 0 152 236", class: "drawn", role: "img", "aria-label": text },
    svg("rect", { class: "case", x: 4, y: 4, width: 144, height: 228, rx: 18 }),
    svg("rect", { class: "line", x: 56, y: 14, width: 40, height: 5, rx: 2.5 }),
    svg("rect", { class: "address", x: 16, y: 24, width: 120, height: 11, rx: 5.5 }),
    ...parts.filter(Boolean),
    low ? svg("g", {}, ...lines(138, 104, 88, 96)) : "",
    svg("rect", { class: "tap", x: 16, y: at, width: 120, height: 24, rx: 6 }),
    tapped(text, at + 16),
    svg("path", { class: "finger", d: `M122 ${at + 22}c8-3 11 2 12 8l2 10c1 7-3 14-10 14s-11-4-14-9l-5-8c-2-4 3-7 6-4l5 4-4-11c-1-4 5-7 8-4Z` }));
}

/** The words on a button, as narrow as the drawing. */
function tapped(text, y) {
  const node = svg("text", { class: "words", x: 22, y, textLength: String(Math.min(108, text.length * 5.6)), lengthAdjust: "spacingAndGlyphs" });
  node.append(text);
  return node;
}

/** Fill the part; `secure`: the address to go to, or "" where the table has none. */
export function wayView(root, secure) {
  if (!secure) {
    root.replaceChildren(el("h2", { textContent: S.microphone.noWay }));
    return;
  }
  let kind = isApple() ? "iphone" : "android";
  const tabs = el("div", { class: "options tabs", role: "group", "aria-label": S.microphone.kind });
  const steps = el("ol", { class: "ways" });
  const last = el("ol", { class: "lasting" });
  const go = el("a", { class: "go-on", href: secure, textContent: S.microphone.forward });

  function show() {
    tabs.replaceChildren(...KINDS.map((one) => {
      const button = el("button", { type: "button", "aria-pressed": String(one === kind), textContent: S.microphone.kinds[one] });
      button.onclick = () => { kind = one; show(); };
      return button;
    }));
    steps.replaceChildren(...STEPS[kind].map((step) => {
      const text = S.microphone.way[kind][step];
      return el("li", {}, drawn(kind, step, text), el("p", {}, el("span", { textContent: S.microphone.tap }), el("b", { textContent: text })));
    }));
    last.replaceChildren(...S.microphone.lasting[kind].map((text) => el("li", { textContent: text })));
  }

  show();
  root.replaceChildren(
    el("h2", { textContent: S.microphone.warned }),
    el("p", { class: "hint", textContent: S.microphone.safe }),
    tabs, steps, go,
    el("details", {}, el("summary", { textContent: S.microphone.forever }),
      el("p", { class: "hint", textContent: S.microphone.reason }),
      el("p", {}, el("a", { href: "/authority.crt", download: "mus.crt", textContent: S.microphone.certificate })), last));
}
