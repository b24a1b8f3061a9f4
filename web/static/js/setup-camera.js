// The camera: which one, what it sees, and which deck is played with.

import { el, setText } from "./dom.js";
import { choice } from "./setup-table.js";
import { S, W, worded } from "./texts.js";

const OTHER = "other";

export function cameraPart(root, { view, keep, post }) {
  const { values, choices } = view();
  const known = choices.camera;
  const own = values.camera && !known.includes(values.camera);
  const which = choice(S.setup.which, [["", S.setup.noCamera],
    ...known.map((name) => [name, worded(S.setup.camera[name] ?? S.setup.camera.other, { name })]), [OTHER, S.setup.address]],
  own ? OTHER : values.camera);
  const address = el("input", { type: "url", value: own ? values.camera : "", spellcheck: false });
  const addressLabel = el("label", {}, el("span", { textContent: S.setup.address }), address);
  const deck = choice(S.setup.deck, [["", S.setup.ownDeck], ...choices.deck.map((name) => [name, name])], values.deck);
  const go = el("button", { type: "button", textContent: S.setup.look });
  const sight = el("canvas", { class: "sight", role: "img", "aria-label": S.setup.seen });
  const told = el("p", { class: "told wrong", role: "status" });
  const links = el("p", { class: "row links" });

  const camera = () => (which.select.value === OTHER ? address.value.trim() : which.select.value);

  function arranged() {
    addressLabel.hidden = which.select.value !== OTHER;
    go.disabled = !camera();
    deck.label.hidden = !which.select.value;
    links.hidden = !view().values.camera;
  }
  async function set() {
    sight.hidden = true;
    setText(told, "");
    arranged();
    if (which.select.value === OTHER && !camera()) return;
    if (!await keep({ camera: camera() || null })) setText(told, document.getElementById("say").textContent);
    arranged();
  }
  which.select.onchange = set;
  address.onchange = set;
  address.oninput = arranged;
  deck.select.onchange = () => keep({ deck: deck.select.value || null });
  go.onclick = async () => {
    go.disabled = true;
    setText(told, S.setup.looking);
    try {
      const picture = await createImageBitmap(await (await post("/api/setup/look", { camera: camera() })).blob());
      sight.width = picture.width;
      sight.height = picture.height;
      sight.getContext("2d").drawImage(picture, 0, 0);
      sight.hidden = false;
      setText(told, "");
    } catch (wrong) {
      sight.hidden = true;
      setText(told, wrong.message);
    }
    arranged();
  };
  links.append(el("a", { href: "/camera", textContent: W.page.camera }), el("a", { href: "/decks", textContent: W.page.decks }));
  sight.hidden = true;
  root.append(el("p", { class: "hint", textContent: S.setup.cameraHint }), which.label, addressLabel, deck.label,
    el("div", { class: "row" }, go), sight, told, links);
  arranged();
}
