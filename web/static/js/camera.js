// Marking before whom each part of the table lies: four taps on the picture of the empty table.

import { faultOf } from "./api.js";
import { el, setText, svg } from "./dom.js";
import { lesson } from "./lesson.js";
import { liveView } from "./live.js";
import { S, W } from "./texts.js";

const CORNERS = 4;
const LEAST = 0.002; // of the picture: a zone that is smaller is a slip
const MARKED = 90; // of the picture's width to a dot's radius
const SIDES = ["below", "right", "above", "left"]; // anticlockwise, as the players sit
const $ = (id) => document.getElementById(id);

let names = [];
let table = null;
let chosen = 0; // the seat whose zone is being marked; 0: none
let corners = [];
let wrong = "";

async function asked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/** Send what changes the table's calibration. */
async function send(url, body) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8000),
    });
    if (answer.ok) table = await answer.json();
    wrong = answer.ok ? "" : answer.status === 422 ? S.camera.fault : faultOf(answer.status);
  } catch {
    wrong = W.fault.offline;
  }
  corners = [];
}

/** Say at which side of the picture the first player sits. */
async function turn(side) {
  await send("/api/camera/first", { side });
  show();
}

/** Send a seat's zone, or null to take it away. */
async function mark(seat, zone) {
  await send("/api/camera/zone", { seat, corners: zone });
  if (!wrong) chosen = zone ? next(seat) : seat;
  show();
}

/** The seat after this one that has no zone yet; 0 when all have. */
function next(seat) {
  const order = names.map((_, i) => ((seat + i) % names.length) + 1);
  return order.find((other) => !(other in table.zones)) ?? 0;
}

function tapped(event) {
  if (!chosen || corners.length === CORNERS) return;
  const drawing = $("photo").querySelector("svg");
  const { x, y } = new DOMPoint(event.clientX, event.clientY)
    .matrixTransform(drawing.getScreenCTM().inverse());
  const [wide, high] = table.size;
  corners.push([Math.min(Math.max(x, 0), wide), Math.min(Math.max(y, 0), high)]);
  wrong = "";
  if (corners.length < CORNERS) {
    show();
  } else if (isZone(corners)) {
    mark(chosen, corners);
  } else {
    wrong = S.camera.fault;
    corners = [];
    show();
  }
}

/** Whether four corners make a ring that does not cross itself and is no slip of a finger. */
function isZone(points) {
  const side = (from, to) => [points[to % 4][0] - points[from % 4][0], points[to % 4][1] - points[from % 4][1]];
  const turns = points.map((_, i) => {
    const [one, other] = [side(i, i + 1), side(i + 1, i + 2)];
    return one[0] * other[1] - one[1] * other[0];
  });
  const area = Math.abs(turns[0] + turns[2]) / 2;
  const left = turns.filter((turn) => turn > 0).length;
  return left !== 2 && area > LEAST * table.size[0] * table.size[1];
}

function choose(seat) {
  chosen = chosen === seat ? 0 : seat;
  corners = [];
  wrong = "";
  show();
}

function state() {
  const open = names.filter((_, i) => !(i + 1 in table.zones));
  if (open.length === names.length) return S.camera.none;
  return open.length ? S.camera.some({ names: open }) : S.camera.all;
}

function step() {
  if (wrong) return wrong;
  if (chosen) return S.camera.corner({ name: names[chosen - 1], n: Math.min(corners.length + 1, CORNERS) });
  return S.camera.choose;
}

function show() {
  setText($("state"), state());
  setText($("step"), step());
  $("step").classList.toggle("wrong", wrong !== "");
  $("photo").classList.toggle("marking", chosen > 0);
  $("unmark").hidden = !(chosen in table.zones);
  for (const button of $("whose").children) {
    const seat = Number(button.dataset.seat);
    button.setAttribute("aria-pressed", seat === chosen);
    button.classList.toggle("marked", seat in table.zones);
  }
  const zones = Object.entries(table.zones);
  $("first").hidden = zones.length > 0 || chosen > 0; // zones say where each sits
  for (const button of $("first").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", button.dataset.side === table.first);
  }
  const drawn = $("photo").querySelector("g");
  drawn.replaceChildren(...(zones.length > 0 ? zones.flatMap(zone) : names.map(atItsSide)), ...corners.map(dot));
}

/** The name of a player at his side of the picture: the first at hers, the others anticlockwise. */
function atItsSide(name, place) {
  const angle = (SIDES.indexOf(table.first) / SIDES.length + place / names.length) * 2 * Math.PI;
  const [wide, high] = table.size;
  return svg("text", {
    "data-seat": place + 1, "font-size": wide / 30,
    x: wide * (0.5 + 0.4 * Math.sin(angle)), y: high * (0.5 + 0.42 * Math.cos(angle)),
  }, name);
}

function zone([seat, points]) {
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / 4);
  return [
    svg("polygon", {
      class: Number(seat) === chosen ? "zone chosen" : "zone", "data-seat": seat,
      points: points.map((point) => point.join(",")).join(" "),
    }),
    svg("text", { x: middle[0], y: middle[1], "font-size": table.size[0] / 30 },
      names[seat - 1] ?? seat),
  ];
}

function dot([x, y]) {
  return svg("circle", { class: "corner", cx: x, cy: y, r: table.size[0] / MARKED });
}

/** Build what does not change. */
function build() {
  const [wide, high] = table.size;
  const picture = svg("image", { href: "/api/camera/empty.jpg", width: wide, height: high });
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": S.camera.photo },
    picture, svg("g"));
  drawing.onclick = tapped;
  $("photo").append(drawing);
  $("photo").hidden = false;
  $("whose").append(...names.map((name, i) => {
    const button = el("button", { type: "button", textContent: name, "data-seat": i + 1 });
    button.onclick = () => choose(i + 1);
    return button;
  }));
  $("first").append(el("p", { textContent: S.camera.where({ name: names[0] }) }), ...["above", "right", "below", "left"].map((side) => {
    const button = el("button", { type: "button", textContent: S.camera.sides[side], "data-side": side });
    button.onclick = () => turn(side);
    return button;
  }));
  $("unmark").onclick = () => mark(chosen, null);
}

async function begin() {
  try {
    const snapshot = await asked("/api/snapshot");
    names = snapshot.seats.map((seat) => seat.name);
    table = await asked("/api/camera");
  } catch {
    setText($("state"), W.fault.offline);
    return;
  }
  if (table === null) {
    setText($("state"), S.camera.uncalibrated);
  } else {
    build();
    show();
  }
  const look = liveView($("live"), $("told"));
  lesson($("lesson"), table !== null, () => location.reload(), (step) => {
    $("page").dataset.doing = step ? "mounting" : "marking";
    look(step);
  });
  $("page").setAttribute("aria-busy", "false");
}

begin();
