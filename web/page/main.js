// The page: the address says whether levels are chosen, one is played, or changes are to be spotted.
import { readAddress } from "./address.js";
import { LevelList } from "./level_list.js";
import { PlayScreen } from "./play_screen.js";
import { Quiz } from "./quiz.js";

// The page's elements by id.
const page = {};
for (const element of document.querySelectorAll("[id]")) page[element.id] = element;

// Read out by screen readers.
function say(text) { page.status.textContent = text; }

const list = new LevelList(page, say);
const play = new PlayScreen(page, say);
const quiz = new Quiz(page, play, say);

async function choose() {
  play.close();
  page.list.hidden = false;
  await list.open();
}

const LOADING = "Loading ...";

async function show() {
  const address = readAddress();
  say("");
  const late = setTimeout(() => say(LOADING), 300);
  quiz.close();
  try {
    if (address.spot) {
      page.list.hidden = true;
      await quiz.open();
    } else if (address.level === "") {
      await choose();
    } else {
      page.list.hidden = true;
      await play.open(address);
    }
  } catch (error) {
    await choose().catch(() => {}); // the server that has failed once may fail again
    say(error.message);
  }
  clearTimeout(late);
  if (page.status.textContent === LOADING) say("");
  const where = address.spot ? "Spot the change" : play.name; // a level's name would tell
  page.where.textContent = where;
  document.title = where ? `${where} - Startle` : "Startle";
}

addEventListener("hashchange", async () => {
  await show();
  page.main.focus();
});
// The address stays that of the level.
page.skip.addEventListener("click", (event) => {
  event.preventDefault();
  page.main.focus();
});
show();
