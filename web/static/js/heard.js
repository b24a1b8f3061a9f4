// What was heard last and what was made of it; the question or the article, where one waits.

import { el, reconcile, setText } from "./dom.js";
import { W } from "./texts.js";

const SURE = 0.995;

export function heardView(root) {
  const words = root.querySelector(".heard-words");
  const say = root.querySelector(".heard-say");
  const hearing = root.querySelector(".partial");
  const sure = root.querySelector(".sure");
  return ({ heard, partial, question }) => {
    setText(hearing, partial ? `${partial}…` : "");
    root.dataset.outcome = heard?.outcome ?? "none";
    const doubtful = heard?.text && heard.confidence < SURE;
    setText(sure, doubtful ? W.sure({ percent: Math.round(heard.confidence * 100) }) : "");
    if (!heard) {
      setText(words, W.nothingHeard);
      setText(say, "");
      return;
    }
    setText(words, heard.text ? `«${heard.text}»` : heard.outcome === "note" ? "" : W.tapped);
    setText(say, question ? "" : heard.say); // the question stands above, large
  };
}

export function questionView(root, send) {
  return ({ question }) => {
    root.hidden = question === null;
    if (question !== null) ask(root, question, send);
  };
}

/** The article that the cards of a seat call for; it stands beside these cards. */
export const isOfCards = ({ proposal, contradictions }) => proposal !== null
  && contradictions.some(({ seat, article }) => seat === proposal.seat && article === proposal.article);

/** An article of the table's own regulations in their words, and whose they are; nothing without one. */
export function quote(root, cited) {
  root.hidden = !cited;
  setText(root, cited ? W.quoted(cited) : "");
}

/** What the table is to decide on (R47); the number and the words of its article, if its rules have it. */
export function proposalView(root, send, mayTouch) {
  const article = root.querySelector(".article");
  const law = root.querySelector("details");
  const words = law.querySelector("blockquote");
  return (snapshot) => {
    const { proposal } = snapshot;
    root.hidden = proposal === null || (mayTouch && isOfCards(snapshot));
    if (root.hidden) return;
    const { cited } = proposal;
    article.hidden = law.hidden = !cited;
    if (cited?.text !== words.dataset.of) law.open = false;
    words.dataset.of = cited?.text ?? "";
    setText(article, cited ? W.article(cited) : "");
    quote(words, cited);
    ask(root, proposal, send);
  };
}

function ask(root, { text, options }, send) {
  setText(root.querySelector("h2"), text);
  reconcile(root.querySelector(".options"), options, (option) => option.label,
    () => el("button", { type: "button" }),
    (node, option) => {
      node.className = option.command === "not_said" ? "" : "primary";
      setText(node, option.label);
      node.onclick = () => send.press(
        option.call ? { call: option.call } : { command: option.command },
      );
    });
}
