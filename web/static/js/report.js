// The report comes whole; opened while the table was away, it may be in the language of another game.

import { asked } from "./school.js";
import { follows } from "./texts.js";

asked("/api/snapshot").then(({ language }) => follows(language)).catch(() => {});
