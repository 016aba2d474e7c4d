// The levels to choose from, with pictures, tiers and search.
import { getJson, levelPath } from "./api.js";

const AT_ONCE = 60;

function option(text) {
  const made = document.createElement("option");
  made.textContent = made.value = text;
  return made;
}

const inOrder = (texts) => [...new Set(texts)].filter(Boolean).sort((a, b) => a.localeCompare(b));

export class LevelList {
  #levels = null;
  #shown = AT_ONCE;

  constructor(page, say) {
    this.page = page;
    this.say = say;
    page.filter.addEventListener("submit", (event) => event.preventDefault());
    page.filter.addEventListener("input", () => {
      this.#shown = AT_ONCE;
      this.#fill(true);
    });
    page.more.addEventListener("click", () => {
      const next = this.#shown;
      this.#shown += AT_ONCE;
      this.#fill(false);
      page.cards.children[next]?.querySelector("a").focus();
    });
  }

  async open() {
    if (this.#levels) return;
    this.#levels = (await getJson("/api/levels")).levels;
    const { set, novelty, tier } = this.page;
    set.append(...inOrder(this.#levels.map((level) => level.set)).map(option));
    novelty.append(...inOrder(this.#levels.map((level) => level.novelty)).map(option));
    tier.append(...inOrder(this.#levels.map((level) => level.tier)).map(option));
    this.#fill(false);
  }

  #fill(announce) {
    const { words, set, novelty, tier, cards, more } = this.page;
    const wanted = words.value.trim().toLowerCase();
    const found = this.#levels.filter((level) =>
      level.name.toLowerCase().includes(wanted) && (!set.value || level.set === set.value) &&
      (!novelty.value || level.novelty === novelty.value) && (!tier.value || level.tier === tier.value));
    cards.replaceChildren(...found.slice(0, this.#shown).map((level) => this.#card(level)));
    more.hidden = found.length <= this.#shown;
    if (announce) this.say(`${found.length} ${found.length === 1 ? "level" : "levels"}`);
  }

  #card({ id, name, novelty, tier, birds, pigs }) {
    const item = document.createElement("li"), link = document.createElement("a");
    const picture = document.createElement("img");
    const source = `${levelPath(id)}/thumbnail.png`;
    Object.assign(picture, { alt: "", loading: "lazy", width: 256, height: 144, src: source });
    const title = document.createElement("span"), about = document.createElement("span");
    title.className = "name";
    title.textContent = name;
    about.className = "about";
    about.textContent = [novelty && `novelty ${novelty}`, tier, `${birds} ${birds === 1 ? "bird" : "birds"}`,
      `${pigs} ${pigs === 1 ? "pig" : "pigs"}`].filter(Boolean).join(", ");
    link.href = `#${new URLSearchParams({ level: id })}`;
    link.append(picture, title, about);
    item.append(link);
    return item;
  }
}
