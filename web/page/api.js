// Requests to the server; docs/web.md has what it answers.

async function answerOf(response) {
  const answer = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export async function getJson(path) {
  return answerOf(await fetch(path));
}

export async function postJson(path, body) {
  return answerOf(await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }));
}

export const levelPath = (id) => `/api/levels/${encodeURIComponent(id)}`;
