// Requests, and what is read of their answers; docs/web.md has both, web/study_routes.hpp those of a study.
import { request } from "./source.js";

async function ask(path, options) {
  const response = await request(path, options);
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
