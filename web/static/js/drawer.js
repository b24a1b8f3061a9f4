// What is rarely needed, in a drawer that is closed until somebody asks for it: claims,
// corrections, what went wrong. Each part hides itself where the snapshot offers nothing for it.

import { claimsView } from "./claims.js";
import { betsView, stonesView } from "./corrections.js";
import { el, setText } from "./dom.js";
import { reportsView } from "./reports.js";

/** Make the drawer; `view` shows a snapshot in it, `open` opens it. */
export function drawer(root, opener, send) {
  const say = el("p", { class: "drawer-say", role: "status" });
  const parts = el("div", { class: "parts" });
  root.append(say, parts);
  let shown = null;
  let opened = ""; // what had been told when it was opened: no news in it

  async function press(call, stay) {
    if (await send.press({ call }) && !stay) root.close();
  }
  const views = [claimsView, stonesView, betsView, reportsView].map((make) => make(parts, press));

  function open() {
    opened = shown.heard?.say ?? "";
    setText(say, "");
    if (!root.open) root.showModal();
  }

  opener.onclick = open;
  root.querySelector(".close").onclick = () => root.close();
  // A tap beside the drawer closes it: only the dialog itself is hit there.
  root.onclick = (event) => { if (event.target === root) root.close(); };

  function view(snapshot) {
    shown = snapshot;
    for (const part of views) part(snapshot);
    const news = snapshot.heard?.say ?? "";
    if (root.open && news !== opened) setText(say, news);
    opener.hidden = [...parts.children].every((part) => part.hidden);
    if (opener.hidden && root.open) root.close();
  }
  return { view, open };
}
