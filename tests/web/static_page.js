// The engine of the static page answers as the server does, byte for byte, and its shots have the hashes that
// the native program prints.
//     node static_page.js PAGE STARTLE BENCHMARK
// PAGE: where scripts/static-page has built it. Ends with 77, which CTest takes for skipped, where it has not.
const { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { execFileSync, spawn } = require("node:child_process");
const http = require("node:http");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const vm = require("node:vm");

const [page, program, benchmark] = process.argv.slice(2);
// As scripts/hashes shoots, in degrees: with pull and tap in seconds.
const NORMAL = [[12], [25, 1, 0.9], [38], [52, 0.8, 1.4], [67]], NOVEL = [[38], [12], [60, 1, 1]];

if (!existsSync(join(page, "engine.wasm"))) {
  console.log("skipped: scripts/static-page has not been run");
  process.exit(77);
}

const shot = ([degrees, stretch = 1, tap_time = -1]) =>
  ({ angle: degrees * Math.PI / 180, stretch, ...(tap_time < 0 ? {} : { tap_time }) });

// The worker's own file, with what a browser gives it.
function startedWorker() {
  process.chdir(page); // in Node emscripten looks for files here,
  delete globalThis.fetch; // and does not find them by this
  const waiting = [];
  globalThis.importScripts = (name) => { globalThis.startle = require(join(page, name)); };
  globalThis.postMessage = (answer) => waiting.shift()(answer);
  vm.runInThisContext(readFileSync("worker.js", "utf8"), "worker.js");
  return (method, path, body = "") => new Promise((answered) => {
    waiting.push(({ failed, status, type, bytes }) => {
      if (failed) throw new Error(failed);
      answered({ status, type, body: Buffer.from(bytes) });
    });
    globalThis.onmessage({ data: { number: 0, method, path, body } });
  });
}

// A server of the same levels.
async function startedServer(levels) {
  const server = spawn(program, ["web", levels, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    server.stdout.once("data", (text) => found(new URL(String(text).trim())));
    server.once("exit", () => failed(new Error("the server has not started")));
  });
  const agent = new http.Agent({ keepAlive: true });
  const ask = (method, path, body = "") => new Promise((answered, failed) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    http.request(new URL(path, address), { method, headers, agent }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => answered({
        status: response.statusCode, type: response.headers["content-type"], body: Buffer.concat(parts),
      }));
    }).on("error", failed).end(body);
  });
  return { ask, stop: () => { agent.destroy(); server.kill(); } };
}

// What is asked of each level: [method, path, body].
function requestsOf({ id, novelty }) {
  const path = `/api/levels/${encodeURIComponent(id)}`;
  const post = (what, body) => ["POST", `${path}/${what}`, JSON.stringify(body)];
  const flown = (what, shots, more = {}) => shots.map((_, i) =>
    post(what, { shots: shots.slice(0, i + 1).map(shot), ...more }));
  return [
    ["GET", path], ["GET", `${path}/thumbnail.png`],
    ...flown("shots", NORMAL), ...flown("shots", NOVEL, { world: novelty }),
    post("twins", { novelty, shots: [shot([25])] }),
    post("insight", { novelty, shots: [] }), post("insight", { shots: [shot([38])] }),
    post("shots", { shots: [{ angle: "up" }] }), post("twins", { novelty: "none", shots: [] }),
  ];
}

function nativeHashes(file, shots, novelty) {
  const options = shots.flatMap(([degrees, stretch = 1, tap]) =>
    ["--shot", `${degrees},${tap ?? ""},${stretch}`]);
  const text = execFileSync(program, ["simulate", file, ...options, "--format", "json", "--quiet",
    ...(novelty ? ["--novelty", novelty] : [])], { maxBuffer: 2 ** 30 });
  return JSON.parse(text).shots.map(({ hash }) => hash);
}

async function main() {
  const engine = startedWorker();
  const listed = await engine("GET", "/api/levels");
  const { levels } = JSON.parse(listed.body);
  const folder = mkdtempSync(join(tmpdir(), "startle-static-"));
  const fileOf = ({ set, id }) => join(benchmark, set, `${id}.json`);
  for (const level of levels) {
    mkdirSync(join(folder, level.set), { recursive: true });
    copyFileSync(fileOf(level), join(folder, level.set, `${level.id}.json`));
  }
  const server = await startedServer(folder);
  const faults = [];
  let answers = 0, hashes = 0;

  const compare = async (request) => {
    const [ours, theirs] = await Promise.all([engine(...request), server.ask(...request)]);
    ++answers;
    const { body, ...head } = ours, { body: native, ...nativeHead } = theirs;
    if (JSON.stringify(head) !== JSON.stringify(nativeHead) || !body.equals(native))
      faults.push(`another answer: ${request.join(" ")}`);
    return body;
  };
  const compareHashes = (level, bodies, shots, novelty) => {
    const flown = bodies.map((body) => JSON.parse(body).trace?.hash).filter(Boolean);
    const native = nativeHashes(fileOf(level), shots, novelty);
    hashes += native.length;
    if (flown.length === 0 || flown.join() !== native.join())
      faults.push(`another hash: ${level.id} ${novelty}: ${flown}, native ${native}`);
  };

  for (const request of [["GET", "/api/levels"], ["GET", "/api/landscape"], ["GET", "/api/levels/none"],
    ["GET", "/nowhere"], ["DELETE", "/api/levels"]]) await compare(request);
  for (const level of levels) {
    const bodies = [];
    for (const request of requestsOf(level)) bodies.push(await compare(request));
    compareHashes(level, bodies.slice(2, 2 + NORMAL.length), NORMAL, "");
    compareHashes(level, bodies.slice(2 + NORMAL.length, 2 + NORMAL.length + NOVEL.length), NOVEL,
      level.novelty);
  }
  server.stop();
  rmSync(folder, { recursive: true });
  for (const fault of faults.slice(0, 20)) console.log(fault);
  console.log(`${levels.length} levels: ${answers} answers and ${hashes} hashes of traces compared with the`
    + ` native program's, ${faults.length} differ`);
  if (faults.length) console.log("Is the page of these sources? scripts/static-page builds it anew.");
  process.exitCode = faults.length || levels.length === 0 ? 1 : 0;
}

main();
