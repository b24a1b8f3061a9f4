// The short tones of an órdago, its answer, a juego and the match, and whether this device plays them.
// They come from one place: where the table's loudspeaker has them, the pages near it are silent. On a
// device in another room somebody chooses otherwise, in the menu, or by ?sounds=on in the address.

const KEPT = "mus-tones";
const PITCHES = { // Hz
  ordago: [196, 294, 392],
  accepted: [392, 523],
  refused: [294, 196],
  juego: [392, 523, 659],
  match: [392, 523, 659, 523, 659, 784],
};
const TONE_S = 0.16;
const LOUDNESS = 0.12; // of 1: the table's ear listens meanwhile

let context = null;
let barred = true; // the browser bars sound until a tap or a key
/** Tell that this browser lets a page sound at once, as a kiosk's does. */
export const unbar = () => { barred = false; };

/** Whether this device plays tones: as somebody chose on it, or else where the loudspeaker has none. */
export function sounding(snapshot) {
  if (snapshot.sounds === false) return false;
  const asked = chosen() ?? new URLSearchParams(location.search).get("sounds");
  return asked ? asked === "on" : !snapshot.voice_tones;
}

function chosen() {
  try { return localStorage.getItem(KEPT); } catch { return null; }
}

/** Choose for this device. */
export function choose(on) {
  try { localStorage.setItem(KEPT, on ? "on" : "off"); } catch { /* it follows the table */ }
}

/** Play the tones of a moment, where the browser lets the page sound: after a tap or a key. */
export function sound(moment) {
  if (barred && !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume().catch(() => {});
  PITCHES[moment].forEach((pitch, place) => {
    const start = context.currentTime + place * TONE_S;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
    volume.gain.linearRampToValueAtTime(0, start + TONE_S);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE_S);
  });
}
