// What reasoning says of the scene that stands: targets, trajectories, what a hit moves, and how hard the
// novelty is to detect. All of it comes from the server.

const LOWER = "#0072b2", UPPER = "#d55e00", IMPACTED = "#e69f00", DETECTABLE = "#b3128a", FOCUS = "#ffd54a";
const percent = (share) => `${Math.round(100 * share)} %`;

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function values(pairs) {
  const list = element("dl");
  for (const [name, value] of pairs) list.append(element("dt", name), element("dd", value));
  return list;
}

export class Overlays {
  insight = null; // of the scene that stands; null: not there yet, or not asked for

  constructor(page) {
    this.page = page; // elements by id
  }

  get any() {
    const { targets, impacted, difficulty } = this.page;
    return targets.checked || impacted.checked || difficulty.checked;
  }

  // The target described: the chosen one, else the best, else the first.
  get target() {
    const targets = this.insight?.targets ?? [];
    return targets.find(({ id }) => String(id) === this.page.target.value) ??
      targets.find(({ best }) => best) ?? targets[0];
  }

  choose(id) {
    if (!this.insight?.targets.some((target) => target.id === id)) return false;
    this.page.target.value = String(id);
    this.describe();
    return true;
  }

  show(insight) {
    this.insight = insight;
    const chosen = this.page.target.value;
    this.page.target.replaceChildren(...(insight?.targets ?? []).map(({ id, name, best }) => {
      const option = element("option", `#${id} ${name}${best ? " (best)" : ""}`);
      option.value = String(id);
      return option;
    }));
    const best = insight?.targets.find((target) => target.best);
    this.page.target.value = insight?.targets.some(({ id }) => String(id) === chosen) ? chosen
      : String(best?.id ?? insight?.targets[0]?.id ?? "");
    this.describe();
  }

  describe() {
    const { page, insight } = this;
    page.inside.hidden = !this.any;
    page["target-choice"].hidden = !(page.targets.checked || page.impacted.checked);
    page["about-target"].replaceChildren();
    page["about-difficulty"].replaceChildren();
    if (!this.any) return;
    if (!insight) {
      page["about-target"].append(element("p", "Marks come when nothing moves."));
      return;
    }
    if (page.targets.checked) this.#describeTarget();
    if (page.impacted.checked) this.#describeImpacted();
    if (page.difficulty.checked) this.#describeDifficulty();
  }

  #describeTarget() {
    const about = this.page["about-target"];
    if (!this.target) return about.append(element("p", "The next bird reaches no target."));
    const lower = element("p", ""), upper = element("p", "");
    lower.append(element("span", "", "key lower"), "lower trajectory");
    upper.append(element("span", "", "key upper"), "upper trajectory");
    about.append(lower, upper);
    const list = element("ul");
    for (const { upper, angle, time } of this.target.trajectories) {
      const degrees = ((angle * 180) / Math.PI).toFixed(2);
      list.append(element("li",
        `${upper ? "upper" : "lower"}: ${degrees} degrees, there after ${time.toFixed(2)} s`));
    }
    about.append(list);
  }

  #describeImpacted() {
    const about = this.page["about-target"];
    if (!this.target) return;
    const impacted = element("p", ""), detectable = element("p", "");
    impacted.append(element("span", "", "key impacted"), "moved by a hit");
    detectable.append(element("span", "", "key detectable"), "makes the novelty visible");
    about.append(impacted, detectable);
    const list = element("ul");
    for (const { id, reason } of this.target.hits[0]?.impacted ?? [])
      list.append(element("li", `#${id}: ${reason}`));
    about.append(list);
  }

  #describeDifficulty() {
    const about = this.page["about-difficulty"], { insight } = this;
    if (!insight.novelty) return about.append(element("p", "Choose a novelty to ask about."));
    const { pid, bid, value, detection, stored } = insight;
    const pairs = [["PID", pid.toFixed(3)], ["BID", bid.toFixed(3)], ["value", value.toFixed(3)]];
    if (detection)
      pairs.push(["predicted detection, best shot", percent(detection.best)],
        ["by one shot of the level", percent(detection.any)]);
    const inFile = stored ? [stored.novelty, stored.tier, stored.value.toFixed(3)] : [];
    if (stored) pairs.push(["in the file", inFile.filter(Boolean).join(", ")]);
    about.append(values(pairs));
    for (const { title, text } of insight.explanation) {
      const part = element("details");
      const lines = element("pre", text);
      lines.tabIndex = 0;
      part.append(element("summary", title), lines);
      about.append(part);
    }
  }

  // Over the scene that stands; `bodies` as they are drawn.
  draw(view, bodies) {
    if (!this.insight) return;
    const { page, target } = this;
    if (page.impacted.checked && target?.hits.length) {
      const { impacted, detectable } = target.hits[0];
      const moved = new Set(impacted.map(({ id }) => id)), visible = new Set(detectable);
      for (const body of bodies)
        if (moved.has(body.id)) view.outline(body, visible.has(body.id) ? DETECTABLE : IMPACTED, "#ffffffb0");
    }
    if (page.targets.checked) this.#drawTargets(view, bodies, target);
  }

  #drawTargets(view, bodies, chosen) {
    const { targets } = this.insight;
    for (const front of [false, true])
      for (const target of targets) {
        if ((target === chosen) !== front) continue;
        for (const { points, upper } of target.trajectories) {
          if (front) view.line(points, "#ffffffa0", 5);
          view.line(points, (upper ? UPPER : LOWER) + (front ? "" : "60"), front ? 2.5 : 1.4,
            front && upper ? [9, 6] : []);
        }
      }
    this.#labelTargets(view, bodies, [chosen, ...targets.filter((target) => target !== chosen)]);
  }

  // Numbers that lie over others already there are left out.
  #labelTargets(view, bodies, targets) {
    const taken = [];
    for (const [index, target] of targets.entries()) {
      const body = bodies.find(({ id }) => id === target?.id);
      if (!body) continue;
      const { x, y } = body.pose;
      if (index === 0) view.outline(body, FOCUS, "#16202e");
      const covers = (at) => Math.abs(at.x - x) < view.reach(26) && Math.abs(at.y - y) < view.reach(17);
      if (taken.some(covers)) continue;
      taken.push({ x, y });
      view.label(String(target.id), body.pose, index === 0 ? "#16202e" : "#ffffff",
        index === 0 ? FOCUS : "#17212fd8");
    }
  }
}
