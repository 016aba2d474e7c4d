// A study with people, for one participant: what is shown follows from where the server says that he or she
// stands.
import { Refused, StudyLink } from "./study_link.js";
import { QuestionForm } from "./study_questions.js";
import { StudyLevel } from "./study_level.js";

const LONGEST_DESCRIPTION = 2000; // bytes of UTF-8

// The page's elements by id.
const page = {};
for (const element of document.querySelectorAll("[id]")) page[element.id] = element;

// Read out by screen readers.
function say(text) { page.status.textContent = text; }

class Study {
  #texts = { "errors.connection": "There is no connection; we try again." };
  #busy = false;
  #form = false;      // the report is being written
  #over = false;      // nothing more is asked of the server
  #screen = "";       // what has the focus: another one takes it
  #landscape = null;

  constructor() {
    this.link = new StudyLink((waiting) => say(waiting ? this.text("errors.connection") : ""));
    this.level = new StudyLevel(page.canvas, this);
    this.questions = new QuestionForm(page.questions, (...asked) => this.text(...asked),
      (answers) => this.#act("answer", { answers }));
    page.report.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#report();
    });
    page.back.addEventListener("click", () => this.#showForm(false));
    for (const event of ["input", "pointerdown"])
      page.confidence.addEventListener(event, () => this.#setConfidence(page.confidence.value));
    page.confidence.addEventListener("keydown", (event) => this.#confidenceKey(event));
    page.description.addEventListener("input", () => this.#cutDescription());
    addEventListener("beforeunload", (event) => {
      if (!this.#over && this.#inItem) event.preventDefault(); // an item that is left is over: browsers ask
    });
    addEventListener("pagehide", () => {
      if (!this.#over && this.state) this.link.close();
      this.#over = true;
    });
    // A page that comes back from the browser's memory has been left.
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  get state() { return this.link.state; }
  get #inItem() { return this.state?.stage === "item" || this.state?.stage === "question"; }
  // For the level.
  get mayShoot() { return !this.#busy && !this.#form && !this.state.over && !this.state.paused; }
  say(text) { say(text); }

  text(name, places = {}) {
    return (this.#texts[name] ?? "").replace(/\{(\w+)\}/g, (whole, place) => places[place] ?? whole);
  }

  async start() {
    try {
      const { language, texts, id } = await this.link.ask("/api/study");
      document.documentElement.lang = language;
      this.#texts = texts;
      this.#label();
      this.#landscape = await this.link.ask("/api/landscape");
      await this.link.read(id);
      this.#take(await this.link.open());
    } catch (error) {
      this.#refuse(error);
    }
  }

  #label() {
    page.keys.textContent = [["keys.drag", "keys.pull"], ["↑ ↓ ← →", "keys.aim"],
      ["keys.space", "keys.shoot"], ["keys.click", "keys.power"], ["keys.escape", "keys.put_back"]]
      .map(([key, what]) => `${this.text(key) || key}: ${this.text(what)}`).join(". ") + ".";
    page["report-heading"].textContent = this.text("report.heading");
    page["report-text"].textContent = `${this.text("report.text")} ${this.text("report.keys")}`;
    page["report-description"].textContent = this.text("report.description");
    page.send.textContent = this.text("report.send");
    page.back.textContent = this.text("report.back");
  }

  // --- What the server says

  #take(answer) {
    if (answer.art) this.level.enter(answer, this.#landscape);
    if (answer.trace) this.level.fly(answer);
    else if (answer.scene) this.level.stand(answer.scene);
    if (!this.state.may_report) this.#form = false;
    this.#show();
  }

  // Does it, and shows what came of it. False where nothing did.
  async #act(name, more) {
    if (this.#busy || this.#over) return;
    this.#busy = true;
    this.#enable();
    try {
      const answer = await this.link.act(name, more);
      this.#busy = false;
      say("");
      this.#take(answer);
    } catch (error) {
      this.#busy = false;
      this.#refuse(error, () => this.#act(name, more));
    }
  }

  #refuse(error, again) {
    if (!(error instanceof Refused)) throw error;
    const sheet = (heading, text, choices = []) => this.#showSheet("refused", { heading, text, choices });
    if (error.status === 507 && again) {
      sheet(this.text("errors.storing_heading"), this.text("errors.storing", { reason: error.message }),
        [{ text: this.text("errors.try_again"), act: again }]);
      return;
    }
    this.#over = true;
    const name = error.text ?? { 403: "errors.full", 404: "errors.unknown_link", 409: "errors.opened_again" }[error.status];
    sheet("Startle", name ? this.text(name) : error.message);
  }

  // --- What the level asks for

  shoot(shot) { return this.#act("shoot", { shot }); }

  async tap(seconds) {
    try {
      const flown = await this.link.tap(seconds);
      return flown.tapped ? flown : null;
    } catch (error) {
      if (error.status !== 409) this.#refuse(error);
      return null; // the shot's end says what has become of it
    }
  }

  ended(tap) { this.#act("end-shot", tap === null ? {} : { tap_time: tap }); }

  // --- What is shown

  #show() {
    const { state } = this;
    if (state.paused) {
      this.#showSheet("pause", { heading: this.text("pause.heading"), text: this.text("pause.text"),
        choices: [{ text: this.text("pause.go_on"), act: () => this.#act("go-on") }] });
    } else if (state.playing) {
      this.#showLevel();
    } else {
      this.level.close();
      this.#showSheet(`${state.stage} ${state.items_done}`, this.#sheet());
    }
  }

  // The pages without a level.
  #sheet() {
    const { state } = this;
    const heading = this.text(`${state.stage}.heading`, { done: state.items_done, count: state.items });
    const text = this.text(`${state.stage}.text`, { count: state.items });
    const begin = { act: () => this.#act("begin-item") };
    switch (state.stage) {
      case "consent":
        return { heading, text: state.consent, note: this.text("consent.code", { code: state.code }),
          choices: [{ text: this.text("consent.agree"), act: () => this.#act("agree") },
            { text: this.text("consent.decline"), act: () => this.#act("decline") }] };
      case "questions":
        return { heading, text, questions: state.questions };
      case "practice":
        return { heading, text: this.text("practice.text", { count: state.practised.length }),
          choices: [{ text: this.text(this.#next < 0 ? "practice.play_on" : "practice.start"),
            act: () => this.#practise(Math.max(this.#next, 0)) }, ...this.#leavePractice()] };
      case "briefing":
        return { heading, text, choices: [{ ...begin, text: this.text("briefing.begin") }] };
      case "between":
        return { heading, text, choices: [{ ...begin, text: this.text("between.next") }] };
      case "finished":
        this.#over = true;
        return this.#thanks();
      default: // declined
        this.#over = true;
        return { heading, text };
    }
  }

  #thanks() {
    const { code, completion, return_address: address } = this.state;
    return { heading: this.text("thanks.heading"), text: this.text("thanks.text", { code }),
      note: this.text("thanks.completion", { code: completion }),
      choices: address ? [{ text: this.text("thanks.return"), address }] : [] };
  }

  get #next() { return this.state.practised.indexOf(false); } // practice level that was not played; -1: none
  #practise(position) { return this.#act("begin-practice", { position }); }
  #leavePractice() {
    return this.#next < 0
      ? [{ text: this.text("practice.leave"), act: () => this.#act("leave-practice") }] : [];
  }

  #showSheet(screen, { heading, text, note = "", questions = null, choices = [] }) {
    page.level.hidden = true;
    page.sheet.hidden = false;
    page["sheet-heading"].textContent = heading;
    page.note.textContent = note;
    page.note.classList.toggle("dim", this.state?.stage === "consent");
    page.text.textContent = text;
    page.questions.hidden = true;
    if (questions) this.questions.show(questions);
    this.#fill(page.choices, choices);
    document.title = heading;
    this.#focus(screen, page["sheet-heading"]);
  }

  #showLevel() {
    const { state } = this;
    const practice = state.stage === "practice";
    const number = state.position + 1, count = practice ? state.practised.length : state.items;
    const flying = this.level.flying;
    page.sheet.hidden = true;
    page.level.hidden = false;
    const place = this.text(practice ? "practice.place" : "item.place", { number, count });
    page.place.textContent = practice && state.practised[state.position]
      ? `${place} ${this.text("practice.played")}` : place;
    page.asked.textContent = [
      state.attention ? this.text("attention.text") : "",
      !practice && state.reports ? this.text(state.over ? "item.reported" : "item.reported_may_play") : "",
    ].filter(Boolean).join(" ");
    page.score.textContent = this.text("level.left", this.level.counts);
    page.hint.textContent = state.shots === 0 && !flying ? this.text("level.hint") : "";
    document.title = place;
    this.#fill(page.tools, practice ? this.#practiceTools(flying) : this.#itemTools(flying));
    page.report.hidden = !this.#form;
    const result = this.#form || flying || !state.over ? null : practice ? this.#practised() : this.#question();
    page.result.hidden = result === null;
    if (result) {
      page["result-heading"].textContent = this.text(state.over && this.level.scene.cleared
        ? "level.no_pigs" : "level.no_birds");
      page["result-text"].textContent = result.text;
      this.#fill(page["result-choices"], result.choices);
    }
    this.level.fit();
    this.#focus(`${state.stage} ${state.position} ${this.#form} ${result !== null}`,
      this.#form ? page["report-heading"] : result ? page["result-heading"] : page.canvas);
  }

  #practiceTools(flying) {
    const { position, practised } = this.state;
    return [
      { text: this.text("practice.previous"), act: () => this.#practise(position - 1),
        disabled: flying || position === 0 },
      { text: this.text("practice.again"), act: () => this.#practise(position), disabled: flying },
      { text: this.text("practice.next"), act: () => this.#practise(position + 1),
        disabled: flying || position + 1 === practised.length },
      { text: this.text("pause.button"), act: () => this.#act("pause"), disabled: flying },
      ...this.#leavePractice().map((choice) => ({ ...choice, disabled: flying })),
    ];
  }

  #practised() {
    const { position, practised } = this.state;
    const done = practised.filter(Boolean).length, count = practised.length;
    return { text: this.text(this.#next < 0 ? "practice.all_played" : "practice.some_played", { done, count }),
      choices: [
        ...(this.#next < 0 ? [] : [{ text: this.text("practice.next_level"),
          act: () => this.#practise(this.#next) }]),
        { text: this.text("practice.play_again"), act: () => this.#practise(position) },
        ...this.#leavePractice(),
      ] };
  }

  #itemTools(flying) {
    const { state } = this;
    const tools = [
      { text: this.text("item.noticed"), act: () => this.#showForm(true),
        disabled: !state.may_report || flying || this.#form },
      { text: this.text("pause.button"), act: () => this.#act("pause"),
        disabled: flying || this.#form || state.stage !== "item" },
    ];
    if (state.reports > 0)
      tools.push({ text: this.text("item.done"), act: () => this.#act("leave-item"),
        disabled: flying || this.#form });
    return tools;
  }

  // After the last shot of an item in which nothing was reported.
  #question() {
    if (this.state.stage !== "question") return null;
    return { text: this.text("question.text"), choices: [
      { text: this.text("question.yes"), act: () => this.#showForm(true) },
      { text: this.text("question.no"), act: () => this.#act("report-nothing") },
    ] };
  }

  // Buttons, the first of them the one that leads on; a link where there is an address.
  #fill(parent, choices) {
    parent.replaceChildren(...choices.map(({ text, act, address, disabled = false }, index) => {
      const element = document.createElement(address ? "a" : "button");
      element.textContent = text;
      if (address) {
        element.href = address;
        element.className = "button";
      } else {
        element.type = "button";
        element.dataset.disabled = disabled;
        element.disabled = disabled || this.#busy;
        element.classList.toggle("strong", index === 0 && parent !== page.tools);
        element.addEventListener("click", act);
      }
      return element;
    }));
  }

  // While the server is asked, nothing else can be.
  #enable() {
    for (const button of page.main.querySelectorAll("button[data-disabled]"))
      button.disabled = this.#busy || button.dataset.disabled === "true";
    page.send.disabled = this.#busy || page.confidence.classList.contains("unset");
  }

  // What is new takes the focus, and is read out; what is the same leaves it where it is.
  #focus(screen, element) {
    document.body.dataset.screen = screen; // what a test waits for
    this.#enable();
    const lost = document.activeElement === document.body;
    if (screen === this.#screen && !lost) return;
    this.#screen = screen;
    element.focus({ preventScroll: element === page.canvas });
    if (element === page["report-heading"] || element === page["result-heading"])
      element.parentElement.scrollIntoView({ block: "nearest" });
  }

  // --- The report

  #showForm(open) {
    this.#form = open;
    page.confidence.classList.add("unset");
    page.confidence.value = "75";
    page.sure.textContent = this.text("report.unset");
    page.confidence.setAttribute("aria-valuetext", this.text("report.unset"));
    this.#show();
  }

  #setConfidence(percent) {
    page.confidence.value = percent;
    page.confidence.classList.remove("unset");
    page.sure.textContent = `${percent} %`;
    page.confidence.setAttribute("aria-valuetext", `${percent} %`);
    this.#enable();
  }

  // 5 to 9 and 0 say 50 to 100 %; any other key that moves the slider says what it then has.
  #confidenceKey(event) {
    const digit = "567890".indexOf(event.key);
    if (digit >= 0) this.#setConfidence(String(50 + 10 * digit));
  }

  #cutDescription() {
    const size = (text) => new TextEncoder().encode(text).length;
    const letters = Array.from(page.description.value);
    if (size(page.description.value) <= LONGEST_DESCRIPTION) return;
    while (size(letters.join("")) > LONGEST_DESCRIPTION) letters.pop();
    page.description.value = letters.join("");
  }

  async #report() {
    if (page.send.disabled) return;
    const reports = this.state.reports;
    await this.#act("report", { confidence: Number(page.confidence.value) / 100,
      description: page.description.value });
    if (this.state.reports > reports) page.description.value = "";
  }
}

new Study().start();
