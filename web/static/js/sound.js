// What is read aloud here: the table makes the sound, this device plays it, one at a time.

import { faultOf } from "./api.js";
import { CODE, L, W } from "./texts.js";

const MUTE = 503; // the status of a table whose voice cannot speak
const PATIENCE = 40_000; // ms: the first sentence starts the voice
let context = null;
let playing = null;

/** Play a text of the table's, from its classroom or `url`; what comes back is what went wrong. */
export const play = async (what, url = `/api/sound?lang=${CODE}`) => {
  try {
    context ??= new AudioContext();
    await Promise.race([context.resume(), new Promise((done) => { setTimeout(done, 300); })]);
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(what),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!answer.ok) {
      const { code } = await answer.json();
      return L.school.fault[answer.status === MUTE ? "voice" : code] ?? faultOf(answer.status);
    }
    const sound = await context.decodeAudioData(await answer.arrayBuffer());
    hush();
    playing = context.createBufferSource();
    playing.buffer = sound;
    playing.connect(context.destination);
    playing.start();
    return "";
  } catch {
    return W.fault.offline;
  }
};

/** Stop what sounds. */
export function hush() {
  playing?.stop();
  playing = null;
}
