// Spot the change: a level is played in the normal world, then in one that is normal or changed. Whoever has
// said which sees the last shot in both worlds, and why the change is easy or hard to notice.
import { getJson, levelPath } from "./api.js";
import { Game } from "./game.js";

const pick = (list) => list[Math.floor(Math.random() * list.length)];

export class Quiz {
  #level = null;   // as opened
  #changed = false;
  #tally = { normal: [0, 0], changed: [0, 0] }; // right, and all, of the worlds that were

  constructor(page, play, say) {
    Object.assign(this, { page, play, say });
    const on = (id, act) => page[id].addEventListener("click", () =>
      act().catch((error) => this.say(error.message)));
    on("ready", () => this.#test());
    on("normal", () => this.#answer(false));
    on("changed", () => this.#answer(true));
    on("again", () => this.open());
  }

  // A level of the benchmark or another set with tiers: each tier as likely as the others.
  async open() {
    const { levels } = await getJson("/api/levels");
    const made = levels.filter(({ novelty, tier }) => novelty && tier);
    if (made.length === 0) throw new Error("None of these levels is made for a novelty and a tier.");
    const tier = pick([...new Set(made.map((level) => level.tier))]);
    this.#level = await getJson(levelPath(pick(made.filter((level) => level.tier === tier)).id));
    await this.#fly("");
    this.#show("Spot the change", "Here the world is normal. Shoot a few times and watch how things move and " +
      "break; Restart gives the birds back. Then the same level comes again, in the normal world or in one " +
      "where something behaves differently.", ["ready"]);
  }

  close() { this.page.quiz.hidden = true; }

  #fly(world) {
    return this.play.open({ level: this.#level.id, world, shots: [], twins: "" }, { quiz: true });
  }

  #show(title, text, buttons) {
    const { page } = this;
    page.quiz.hidden = false;
    page["quiz-title"].textContent = title;
    page["quiz-text"].textContent = text;
    page["quiz-why"].textContent = "";
    for (const id of ["ready", "normal", "changed", "again"]) page[id].hidden = !buttons.includes(id);
    page.quiz.focus();
  }

  async #test() {
    this.#changed = Math.random() < 0.5;
    await this.#fly(this.#changed ? this.#level.novelty : "");
    this.#show("Normal or changed?", "The same level. Its world is normal or changed, one as likely as the " +
      "other. Shoot, and say which it is as soon as you know, or when no bird is left.", ["normal", "changed"]);
  }

  async #answer(changed) {
    if (!this.play.flown) {
      this.say("Shoot first: before the first shot both worlds look the same.");
      return;
    }
    const right = changed === this.#changed, of = this.#tally[this.#changed ? "changed" : "normal"];
    of[0] += right;
    ++of[1];
    const { novelty, novelties } = this.#level;
    const what = novelties.find(({ name }) => name === novelty)?.description ?? novelty;
    await this.play.reveal(novelty);
    this.#show(right ? "Right" : "Wrong", (this.#changed ? `The world was changed. ${novelty}: ${what}. `
      : `The world was normal. The change would have been ${novelty}: ${what}. `) +
      "Your last shot is shown in both worlds; what is visibly apart is outlined.", ["again"]);
    const { normal, changed: spotted } = this.#tally;
    this.page.tally.textContent = `So far: ${spotted[0]} of ${spotted[1]} changed worlds spotted, ` +
      `${normal[1] - normal[0]} false ${normal[1] - normal[0] === 1 ? "alarm" : "alarms"} in ${normal[1]} normal ones.`;
    const { explanation } = await new Game(this.#level, "").insight(novelty);
    this.page["quiz-why"].textContent = explanation[0]?.text ?? "";
  }
}
