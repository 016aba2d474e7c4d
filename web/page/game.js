// A level being played: its shots so far, and what the server makes of them. Nothing is drawn here.
import { levelPath, postJson } from "./api.js";
import { shotForServer } from "./address.js";
import { Flight } from "./flight.js";

export class Game {
  shots = [];     // flown so far
  flight = null;  // the last one
  twins = null;   // the last one in both worlds: { normal, novel, apart, first }
  scene;          // after all of them

  constructor(level, world) {
    this.level = level;
    this.world = world;
    this.scene = level.scene;
  }

  #ask(what, shots, more = {}) {
    return postJson(`${levelPath(this.level.id)}/${what}`,
      { world: this.world, shots: shots.map(shotForServer), ...more });
  }

  // Sets everything to what it is after these shots.
  async fly(shots, twinNovelty) {
    const [answer, twins] = await Promise.all([
      this.#ask("shots", shots),
      twinNovelty && shots.length ? this.#ask("twins", shots, { novelty: twinNovelty }) : null,
    ]);
    this.shots = shots;
    this.scene = answer.scene;
    this.flight = answer.trace ? new Flight(answer.trace, answer.before) : null;
    this.tapped = answer.tapped ?? false;
    this.twins = twins && {
      normal: new Flight(twins.normal, twins.before), novel: new Flight(twins.novel, twins.before),
      apart: twins.apart, first: twins.first_apart,
    };
  }

  // The last shot with its bird's power used at that step. False, and nothing is changed, where it cannot be.
  async tap(step, twinNovelty) {
    const last = this.shots.at(-1);
    const tap = Math.round(step * this.flight.stepSeconds * 1e9) / 1e9;
    const before = [this.shots, this.scene, this.flight, this.twins];
    await this.fly([...this.shots.slice(0, -1), { ...last, tap }], twinNovelty);
    if (this.tapped) return true;
    [this.shots, this.scene, this.flight, this.twins] = before;
    return false;
  }

  insight(novelty) { return this.#ask("insight", this.shots, { novelty }); }

  get over() { return this.scene.cleared || this.scene.birds === 0; }

  // Steps until the shot has ended in all worlds that are shown.
  get steps() {
    return this.twins ? Math.max(this.twins.normal.steps, this.twins.novel.steps) : this.flight?.steps ?? 0;
  }

  // Ids visibly apart at that step.
  apartAt(step) {
    const ids = new Set();
    for (const [id, intervals] of Object.entries(this.twins?.apart ?? {}))
      if (intervals.some(([from, to]) => from <= step && step <= to)) ids.add(Number(id));
    return ids;
  }
}
