// The page: the address says whether levels are chosen or one is played.
import { readAddress } from "./address.js";
import { LevelList } from "./level_list.js";
import { PlayScreen } from "./play_screen.js";

// The page's elements by id.
const page = {};
for (const element of document.querySelectorAll("[id]")) page[element.id] = element;

// Read out by screen readers.
function say(text) { page.status.textContent = text; }

const list = new LevelList(page, say);
const play = new PlayScreen(page, say);

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
  try {
    if (address.level === "") {
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
  page.where.textContent = play.name;
  document.title = play.name ? `${play.name} - Startle` : "Startle";
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
