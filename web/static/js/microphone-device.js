// The telephone itself: its name, its battery, and its screen, which stays on.

/** What people call it: its model if the browser says it, else its kind. */
export const deviceName = async () => {
  const told = await navigator.userAgentData?.getHighEntropyValues(["model"]).catch(() => null);
  if (told?.model) return told.model.slice(0, 30);
  const agent = navigator.userAgent;
  const kind = /iPhone|iPad/.exec(agent)?.[0] ?? (/Android/.test(agent) ? /; ([^;)]+?)(?: Build[^)]*)?\)/.exec(agent)?.[1] : null);
  return (kind && kind !== "K" ? kind : /Android/.test(agent) ? "Android" : "PC").slice(0, 30);
};

/** A function that tells {battery, charging}; the browser may know neither. */
export const batteryOf = async () => {
  const found = await navigator.getBattery?.().catch(() => null);
  return () => (found ? { battery: found.level, charging: found.charging } : { battery: null, charging: false });
};

/** Keep the screen on, again after each time that the page was in the background; returns its end. */
export function awake() {
  let lock = null;
  let over = false;

  async function hold() {
    if (document.hidden || over || (lock && !lock.released)) return;
    lock = await navigator.wakeLock?.request("screen").catch(() => null) ?? null;
    if (over) lock?.release();
  }

  document.addEventListener("visibilitychange", hold);
  hold();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", hold);
    lock?.release();
  };
}
