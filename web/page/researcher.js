// How a study goes, for its researcher. The password is asked for once; what the server gives for it is kept
// in this page alone.

const EVERY_MS = 15000;
const STANDINGS = ["invited", "consent", "questions", "practice", "briefing", "items", "finished",
  "declined", "withdrawn"];
const page = {};
for (const element of document.querySelectorAll("[id]")) page[element.id] = element;

async function ask(path, body) {
  const response = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

function row(...cells) {
  const line = document.createElement("tr");
  line.append(...cells.map((cell, index) => {
    const element = document.createElement(index === 0 ? "th" : "td");
    if (index === 0) element.scope = "row";
    element.append(cell);
    return element;
  }));
  return line;
}

const percent = (value) => `${Math.round(100 * value)} %`;

function shape(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// The share and its interval, as words and as a bar from 0 to 1.
function rate({ hits, count, value, low, high }) {
  const cell = document.createElement("div");
  if (count === 0) {
    cell.textContent = "no items yet";
    return cell;
  }
  const bar = shape("svg", { viewBox: "0 0 100 10", width: 200, height: 20, "aria-hidden": "true" });
  bar.append(
    shape("rect", { x: 0, y: 4, width: 100, height: 2, fill: "#64768f" }),
    shape("rect", { x: 100 * low, y: 3, width: Math.max(100 * (high - low), 1), height: 4, fill: "#b4c2d4" }),
    shape("circle", { cx: 100 * value, cy: 5, r: 3, fill: "#ffd54a" }));
  const words = document.createElement("p");
  words.textContent = `${percent(value)} (${percent(low)} to ${percent(high)}), ${hits} of ${count}`;
  cell.append(bar, words);
  return cell;
}

function show({ participants, codes, failed_checks: failed, detection, attentive }) {
  page.people.replaceChildren(...STANDINGS.map((where) =>
    row(where, String(participants[where]), (codes[where] ?? []).join(" "))));
  page.checks.textContent = `Participants who failed an attention check: ${failed}.`;
  for (const [id, rows] of Object.entries({ detection, attentive }))
    page[id].replaceChildren(...rows.map((one) => row(one.tier, rate(one.detected), rate(one.false_alarm))));
  page.when.textContent = `As of ${new Date().toLocaleTimeString()}.`;
}

async function follow(key) {
  for (;;) {
    try {
      show(await ask("/api/researcher/figures", { key }));
      page.status.textContent = "";
    } catch (error) {
      if (error.status === 403) { // the server was started anew
        page.figures.hidden = true;
        page.enter.hidden = false;
        page.status.textContent = "Please say the password once more.";
        return;
      }
      page.status.textContent = "The server does not answer; we try again.";
    }
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
}

page.enter.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { key } = await ask("/api/researcher/enter", { password: page.password.value });
    page.password.value = "";
    page.enter.hidden = true;
    page.figures.hidden = false;
    follow(key);
  } catch (error) {
    page.status.textContent = error.message;
  }
});
