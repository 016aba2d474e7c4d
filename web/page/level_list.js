// The levels to choose from, with pictures, tiers and search.
import { getJson, levelPath } from "./api.js";
import { ownLevels, pictureSource } from "./source.js";

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
    page.own.hidden = ownLevels === null;
    page.file.addEventListener("change", () => this.#openFile());
    page.remove.addEventListener("click", () => {
      ownLevels.removeAll();
      location.reload();
    });
  }

  async open() {
    this.page.remove.hidden = !ownLevels?.count();
    if (this.#levels) return;
    this.#levels = (await getJson("/api/levels")).levels;
    for (const key of ["set", "novelty", "tier"]) {
      const select = this.page[key];
      select.replaceChildren(select.options[0], ...inOrder(this.#levels.map((level) => level[key])).map(option));
    }
    this.#fill(false);
  }

  // A level of the player's own, which is in the list from now on.
  async #openFile() {
    const { file } = this.page;
    if (file.files.length === 0) return;
    try {
      const { id, kept } = await ownLevels.open(file.files[0]);
      this.#levels = null;
      if (kept) {
        location.hash = new URLSearchParams({ level: id });
      } else {
        await this.open();
        this.say("The level is in the list until the page is loaded again: this browser has no room to keep it.");
      }
    } catch (error) {
      this.say(error.message);
    }
    file.value = ""; // the same file may be opened again
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
    Object.assign(picture, { alt: "", loading: "lazy", width: 256, height: 144 });
    pictureSource(`${levelPath(id)}/thumbnail.png`).then((source) => { picture.src = source; }, () => {});
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
