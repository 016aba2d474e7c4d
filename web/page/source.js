// Where answers come from: the server of this page. In a static page web/static/source.js stands in the place
// of this file, and the engine beside the page answers.

// As fetch(). Throws Error with what to tell the player where no answer comes.
export async function request(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Error("The server does not answer; try again.");
  }
}

// What an <img> shows for a path.
export const pictureSource = async (path) => path;

// Levels from files of the player's: here there is none to add to.
export const ownLevels = null;
