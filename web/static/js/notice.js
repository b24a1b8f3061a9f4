// A sentence for whoever tapped, at the foot of the screen for a while.

import { setText } from "./dom.js";

const STAYS = 6000; // ms

/** What shows sentences in `node`, one at a time. */
export function notices(node) {
  let timer = 0;
  return (sentence) => {
    setText(node, sentence);
    node.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => { node.hidden = true; }, STAYS);
  };
}
