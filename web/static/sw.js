// Keeps the page's own files, so that it opens while the table is away and waits for it. What the
// table says is never kept: an old score would be taken for the score.

const KEPT = "mus";
const PAGES = ["/", "/phone", "/watch", "/odds", "/odds.json"];

function isOurs(url) {
  return url.origin === location.origin
    && (PAGES.includes(url.pathname) || ["/static/", "/words/"].some((folder) => url.pathname.startsWith(folder)));
}

/** The file as it is now, which is kept; else the one that was kept. */
async function newest(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (away) {
    const old = await kept.match(request, { ignoreSearch: true });
    if (old) return old;
    throw away;
  }
}

self.addEventListener("install", (event) => {
  // A table need not have every page.
  const keep = (kept) => Promise.allSettled(PAGES.map((page) => kept.add(page)));
  event.waitUntil(caches.open(KEPT).then(keep).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && isOurs(new URL(event.request.url))) {
    event.respondWith(newest(event.request));
  }
});
