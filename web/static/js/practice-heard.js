// What the person said, as it was heard; what the company calls stands in its bubbles.

import { heardView } from "./heard.js";
import { P } from "./texts.js";

/** Shown while somebody speaks, and until the table goes on. `report` asks to say it again. */
export function spokenView(root, report) {
  const heard = heardView(root);
  let told = -1; // the moment at which somebody was asked to say it again
  return (snapshot) => {
    const spoken = Boolean(snapshot.heard?.text || snapshot.partial);
    root.hidden = !spoken;
    if (spoken) heard(snapshot);
    const over = snapshot.question?.code === "spoken_over";
    if (over && told !== snapshot.seq) report(P.unheard);
    told = over ? snapshot.seq : -1;
  };
}
