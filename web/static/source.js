// In the place of page/source.js, with the same exports: the engine answers, in a worker beside the page, so
// that the page never waits for a shot.

const worker = new Worker("worker.js");
const waiting = new Map(); // by number: what takes the answer
let asked = 0, broken = null;

worker.onmessage = ({ data: { number, failed, status, type, bytes } }) => {
  if (failed) {
    fail(failed);
    return;
  }
  const { answered } = waiting.get(number);
  waiting.delete(number);
  answered(new Response(bytes, { status, headers: { "Content-Type": type } }));
};
worker.onerror = () => fail("The engine cannot be loaded; load the page again.");

// The engine does not come back.
function fail(what) {
  broken = new Error(what);
  for (const { refused } of waiting.values()) refused(broken);
  waiting.clear();
}

export function request(path, { method = "GET", body = "" } = {}) {
  if (broken) return Promise.reject(broken);
  return new Promise((answered, refused) => {
    waiting.set(++asked, { answered, refused });
    worker.postMessage({ number: asked, method, path, body });
  });
}

// Pictures are asked for one after the other: a shot waits for one of them at most.
const pictures = new Map();
let last = Promise.resolve();

export function pictureSource(path) {
  if (!pictures.has(path)) {
    last = last.catch(() => {}).then(async () => URL.createObjectURL(await (await request(path)).blob()));
    pictures.set(path, last);
  }
  return pictures.get(path);
}

// Levels from files of the player's. The browser keeps them, each by the name of its file, if it has room.
const KEPT = "startle-level/";

function keptFiles() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(KEPT)).map((key) => key.slice(KEPT.length));
  } catch { // a browser that keeps nothing
    return [];
  }
}

// Whether it is kept: what was kept under the name before is not, in any case.
function keep(file, text) {
  try {
    localStorage.removeItem(KEPT + file);
    localStorage.setItem(KEPT + file, text);
    return true;
  } catch {
    return false;
  }
}

async function add(file, text) {
  const response = await request("/api/levels", { method: "POST", body: JSON.stringify({ file, text }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer.id;
}

// Before anything else is asked for. A file that can be read no more is left out.
for (const file of keptFiles()) add(file, localStorage.getItem(KEPT + file)).catch(() => {});

export const ownLevels = {
  // Adds a level to the list. Returns its id, and whether it is kept.
  async open(file) {
    const text = await file.text(), id = await add(file.name, text);
    pictures.clear(); // it may have taken the place of another level
    return { id, kept: keep(file.name, text) };
  },
  count: () => keptFiles().length,
  // They are in the list until the page is loaded again.
  removeAll() {
    for (const file of keptFiles()) localStorage.removeItem(KEPT + file);
  },
};
