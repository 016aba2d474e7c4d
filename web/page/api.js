// Requests to the server; docs/web.md has what it answers.

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer; try again.");
  }
  const answer = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export async function getJson(path) {
  return ask(path);
}

export async function postJson(path, body) {
  return ask(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
}

export const levelPath = (id) => `/api/levels/${encodeURIComponent(id)}`;
