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

// Adds a level from a file of the player's to the list, until the page is closed. Returns its id.
export async function openFile(file) {
  const body = JSON.stringify({ file: file.name, text: await file.text() });
  const response = await request("/api/levels", { method: "POST", body });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  pictures.clear(); // it may have taken the place of another level
  return answer.id;
}
