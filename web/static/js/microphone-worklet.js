// Runs beside the page, on the thread of the sound: mono, 16 kHz, pieces of 40 ms with their time.

const RATE = 16_000;
const PIECE = 640; // samples of a piece, 40 ms
const SIDE = 24; // zero crossings of the low-pass filter at each side

const gcd = (a, b) => (b ? gcd(b, a % b) : a);

/** A windowed sinc, one row of weights for each place between two samples of the input. */
function filter(from) {
  const phases = RATE / gcd(from, RATE);
  const cut = Math.min(1, RATE / from) * 0.94; // of the lower of the two Nyquist frequencies
  const half = Math.ceil(SIDE / cut);
  const rows = Array.from({ length: phases }, (_, phase) => {
    const weights = Float32Array.from({ length: 2 * half }, (_, tap) => {
      const x = tap - half + 1 - phase / phases;
      const wave = x === 0 ? 1 : Math.sin(Math.PI * x * cut) / (Math.PI * x * cut);
      return wave * 0.5 * (1 + Math.cos((Math.PI * x) / (half + 1)));
    });
    const sum = weights.reduce((all, one) => all + one, 0);
    return weights.map((one) => one / sum);
  });
  return { phases, half, rows };
}

class Microphone extends AudioWorkletProcessor {
  constructor() {
    super();
    const { phases, half, rows } = filter(sampleRate);
    this.phases = phases;
    this.half = half;
    this.rows = rows;
    this.step = (sampleRate * phases) / RATE; // of the input, in parts of a sample, for each sample out
    this.kept = new Float32Array(2 * half);
    this.length = half; // silence before the first sample, as long as half a filter
    this.place = (half - 1) * phases; // of the next sample out, in parts, from the first kept one
    this.begun = null; // frame of the context at the first kept sample
    this.piece = new Int16Array(PIECE);
    this.filled = 0;
    this.at = 0;
    this.energy = 0;
    this.next = null;
  }

  process([input]) {
    if (!input.length) return true; // nothing is connected yet
    const frames = input[0].length;
    if (this.next !== null && currentFrame !== this.next) this.skip(currentFrame - this.next);
    this.next = currentFrame + frames;
    if (this.begun === null) this.begun = currentFrame - this.length;
    this.take(input, frames);
    while (this.place + this.half * this.phases < this.length * this.phases) this.give();
    this.forget();
    return true;
  }

  /** The sound stood still for so many frames: what comes next has a later time. */
  skip(frames) {
    this.begun += frames;
    this.filled = 0;
    this.energy = 0;
  }

  take(input, frames) {
    if (this.kept.length < this.length + frames) {
      const larger = new Float32Array(2 * (this.length + frames));
      larger.set(this.kept.subarray(0, this.length));
      this.kept = larger;
    }
    for (let i = 0; i < frames; i += 1) {
      let sum = 0;
      for (const channel of input) sum += channel[i];
      this.kept[this.length + i] = sum / input.length;
    }
    this.length += frames;
  }

  /** One more sample out. */
  give() {
    const first = Math.floor(this.place / this.phases) - this.half + 1;
    const row = this.rows[this.place % this.phases];
    let sum = 0;
    for (let tap = 0; tap < row.length; tap += 1) sum += this.kept[first + tap] * row[tap];
    if (this.filled === 0) this.at = (this.begun + this.place / this.phases) / sampleRate;
    const sample = Math.max(-32768, Math.min(32767, Math.round(sum * 32768)));
    this.piece[this.filled] = sample;
    this.energy += sample * sample;
    this.filled += 1;
    this.place += this.step;
    if (this.filled === PIECE) this.send();
  }

  send() {
    const decibels = 10 * Math.log10(Math.max(this.energy / PIECE / 2 ** 30, 1e-10));
    const { buffer } = this.piece;
    this.port.postMessage({ at: this.at, decibels, buffer }, [buffer]);
    this.piece = new Int16Array(PIECE);
    this.filled = 0;
    this.energy = 0;
  }

  /** Drop what no later sample needs. */
  forget() {
    const old = Math.floor(this.place / this.phases) - this.half + 1;
    if (old <= 0) return;
    this.kept.copyWithin(0, old, this.length);
    this.length -= old;
    this.place -= old * this.phases;
    this.begun += old;
  }
}

registerProcessor("microphone", Microphone);
