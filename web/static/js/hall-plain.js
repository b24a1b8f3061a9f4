// A page of the hall that only has to be spoken: the codes of the tables, what is not there.

import { setText } from "./dom.js";
import { tableName } from "./texts.js";

const page = document.getElementById("page");
const form = document.querySelector(".how-many");

for (const name of page.querySelectorAll("h2[data-table]")) setText(name, tableName(name.dataset.table));
if (form) {
  form.onsubmit = (event) => { // sent from here: no form of the pages leaves by itself
    event.preventDefault();
    const asked = new URLSearchParams(location.search);
    asked.set("tables", form.elements.tables.value);
    location.search = asked;
  };
}
page.setAttribute("aria-busy", "false");
