// One participant's line to the server. Every act says which opening of the study it belongs to and the number
// of its event, so that nothing is done twice; what gets no answer is asked again until there is one.

const AGAIN_MS = 2000;
// The server was not reached, is busy, or is being started anew behind its proxy.
const passing = new Set([0, 429, 500, 502, 503, 504]);

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(path, body) {
  let response;
  try {
    response = await fetch(path, body && {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, "the server does not answer");
  }
  const answer = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Refused(response.status, answer.error);
  return answer;
}

// The link that was drawn for the identifier in this browser for the study of that id, or a new one.
function keptLink(study, identifier) {
  const name = `study ${study} ${identifier.trim()}`;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const kept = localStorage.getItem(name);
    if (kept) return kept;
    localStorage.setItem(name, fresh);
  } catch {
    // The browser keeps nothing: it has the link in its address alone.
  }
  return fresh;
}

export class StudyLink {
  // `waiting(yes)`: is called when the server is not reached, and when it is again.
  constructor(waiting) { this.waiting = waiting; }

  async ask(path, body) {
    for (let failed = false; ; failed = true) {
      try {
        const answer = await request(path, body);
        if (failed) this.waiting(false);
        return answer;
      } catch (refused) {
        if (!passing.has(refused.status)) {
          if (failed) this.waiting(false);
          throw refused;
        }
        this.waiting(true);
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
  }

  // The link that the page's address has: of the participant, or one that is drawn here for a recruiter's
  // identifier and kept in this browser, so that whoever comes back finds it, and nobody else gets it by the
  // identifier. It stands behind "#", which browsers send to nobody.
  async read(study) {
    const hash = new URLSearchParams(location.hash.slice(1));
    const identifier = hash.get("identifier") ?? new URLSearchParams(location.search).get("identifier");
    this.link = hash.get("link") ?? "";
    if (this.link || !identifier) return;
    const drawn = keptLink(study, identifier);
    try {
      this.link = (await this.ask("/api/study/enrol", { identifier, link: drawn })).link;
    } catch (refused) {
      if (refused.status === 409) refused.text = "errors.enrolled";
      throw refused;
    }
    history.replaceState(null, "", `${location.pathname}#link=${this.link}`);
  }

  #took(answer) {
    if (answer.state) this.state = answer.state;
    return answer;
  }

  async open() { return this.#took(await this.ask("/api/study/open", { link: this.link })); }

  #body(more) { return { link: this.link, opening: this.state.opening, ...more }; }

  // A shot as it would be with its tap; nothing is stored.
  async tap(tap_time) { return this.ask("/api/study/tap", this.#body({ tap_time })); }

  // Does it, and gives what is to be seen. An act that the server has already, or that comes out of turn, ends
  // in the state that the server has.
  async act(name, more = {}) {
    try {
      return this.#took(await this.ask(`/api/study/${name}`,
        this.#body({ sequence: this.state.sequence, ...more })));
    } catch (refused) {
      if (refused.status !== 409) throw refused;
      return this.#took(await this.ask("/api/study/state", this.#body()));
    }
  }

  // The page goes: sent without waiting for an answer.
  close() {
    fetch("/api/study/close", {
      method: "POST", headers: { "Content-Type": "application/json" }, keepalive: true,
      body: JSON.stringify(this.#body({ sequence: this.state.sequence })),
    }).catch(() => {});
  }
}
