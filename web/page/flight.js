// One shot as the server sent it: where each body is at any time.

const UNIT = 1000;

function posesOf(track, steps) {
  const length = (track.gone ?? steps + 1) - track.born;
  const poses = { x: new Float32Array(length), y: new Float32Array(length), angle: new Float32Array(length) };
  const now = [...track.pose];
  let next = 0;
  const fill = (until) => {
    for (; next < until; ++next) {
      poses.x[next] = now[0] / UNIT;
      poses.y[next] = now[1] / UNIT;
      poses.angle[next] = now[2] / UNIT;
    }
  };
  for (const [step, ...changes] of track.moves ?? []) {
    fill(step - track.born);
    for (let i = 0; i < changes.length; i += 3) {
      for (let k = 0; k < 3; ++k) now[k] += changes[i + k];
      fill(next + 1);
    }
  }
  fill(length);
  return poses;
}

export class Flight {
  // `before`: the scene from which the shot started.
  constructor(trace, before) {
    Object.assign(this, { steps: trace.steps, stepSeconds: trace.step_s, events: trace.events, before });
    const arts = new Map(before.objects.map((object) => [object.id, object]));
    this.bird = Math.min(...trace.bodies.filter((body) => body.art).map((body) => body.id));
    this.bodies = trace.bodies.map((track) => ({
      id: track.id, art: track.art ?? arts.get(track.id).art, flyer: track.art !== undefined,
      born: track.born, end: track.gone ?? Infinity, cracks: track.cracks ?? [],
      poses: posesOf(track, trace.steps),
    }));
  }

  // The bodies at a position between two steps, mixed of both.
  bodiesAt(position) {
    const step = Math.min(Math.floor(position), this.steps);
    const share = position - step;
    const bodies = [];
    for (const { id, art, flyer, born, end, cracks, poses } of this.bodies) {
      if (step < born || step >= end) continue;
      const i = step - born;
      const k = Math.min(i + 1, poses.x.length - 1);
      const mixed = (values) => values[i] + share * (values[k] - values[i]);
      const stage = cracks.reduce((last, [from, value]) => (from <= step ? value : last), 0);
      bodies.push({ id, art, flyer, cracks: stage,
        pose: { x: mixed(poses.x), y: mixed(poses.y), angle: mixed(poses.angle) } });
    }
    return bodies;
  }

  // Points gained up to there by what broke.
  pointsUntil(position) {
    return this.events.filter(({ kind, step }) => kind === "destroyed" && step <= position)
      .reduce((sum, { points }) => sum + points, 0);
  }
}

// The bodies of a scene that stands, its next bird held at `held`.
export function standingBodies(scene, held) {
  const bodies = scene.objects.map(({ id, art, cracks = 0, pose: [x, y, angle] }) => ({
    id, art, cracks, flyer: false, pose: { x: x / UNIT, y: y / UNIT, angle: angle / UNIT },
  }));
  if (scene.bird && !scene.cleared)
    bodies.push({ id: Infinity, art: scene.bird.art, cracks: 0, flyer: true, pose: { ...held, angle: 0 } });
  return bodies;
}
