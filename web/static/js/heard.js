// What was heard last and what was made of it; the question, where there is one.

import { el, reconcile, setText } from "./dom.js";
import { SAY } from "./texts.js";

export function heardView(root) {
  const words = root.querySelector(".heard-words");
  const say = root.querySelector(".heard-say");
  const hearing = root.querySelector(".partial");
  return ({ heard, partial, question }) => {
    setText(hearing, partial ? `${partial}…` : "");
    root.dataset.outcome = heard?.outcome ?? "none";
    if (!heard) {
      setText(words, SAY.nothingHeard);
      setText(say, "");
      return;
    }
    setText(words, heard.text ? `«${heard.text}»` : SAY.tapped);
    setText(say, question ? "" : heard.say); // the question stands above, large
  };
}

export function questionView(root, send) {
  const title = root.querySelector("h2");
  const options = root.querySelector(".options");
  return ({ question }) => {
    root.hidden = question === null;
    if (question === null) return;
    setText(title, question.text);
    reconcile(options, question.options, (option) => option.label,
      () => el("button", { type: "button", class: "primary" }),
      (node, option) => {
        setText(node, option.label);
        node.onclick = () => send.press({ call: option.call });
      });
  };
}
