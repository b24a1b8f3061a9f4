// A page of the hall that only has to be spoken.

import { speakHall } from "./hall-texts.js";

speakHall("codes");
document.getElementById("page").setAttribute("aria-busy", "false");
