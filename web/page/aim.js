// The bird pulled back in the slingshot. Angle and pull lie on a grid of hundredths, as in the window.

const LEAST = 0.1; // a shorter pull is none

const onGrid = (value) => Math.round(value * 100) / 100;
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

function turned(degrees) {
  const rest = degrees % 360;
  if (rest > 180) return rest - 360;
  return rest <= -180 ? rest + 360 : rest;
}

export class Aim {
  degrees = 30;
  stretch = 1;
  pulled = false;

  // The bird is held at `point`.
  dragTo(point, scene) {
    const x = scene.rest[0] - point.x, y = scene.rest[1] - point.y;
    const pull = Math.min(Math.hypot(x, y) / scene.max_stretch, 1);
    this.pulled = pull >= LEAST;
    if (this.pulled) this.set((Math.atan2(y, x) * 180) / Math.PI, pull);
  }

  set(degrees, stretch) {
    this.degrees = turned(onGrid(degrees));
    this.stretch = clamp(onGrid(stretch), LEAST, 1);
  }

  // By keys; the first call pulls the bird to where it was aimed last.
  nudge(degrees, stretch) {
    if (this.pulled) this.set(this.degrees + degrees, this.stretch + stretch);
    this.pulled = true;
  }

  release() { this.pulled = false; }

  get shot() { return { degrees: this.degrees, stretch: this.stretch, tap: -1 }; }

  heldAt(scene) {
    const [x, y] = scene.rest;
    const [left, below] = scene.bird?.centre ?? [0, 0];
    if (!this.pulled) return { x: x - left, y: y - below };
    const angle = (this.degrees * Math.PI) / 180, pull = this.stretch * scene.max_stretch;
    return { x: x - pull * Math.cos(angle), y: y - pull * Math.sin(angle) };
  }

  // The next 0.6 s of the flight, if nothing stands in the way.
  flightPoints(scene) {
    const { launch_speed: speed, gravity, centre, radius } = scene.bird;
    const angle = (this.degrees * Math.PI) / 180, held = this.heldAt(scene);
    const vx = this.stretch * speed * Math.cos(angle);
    const vy = this.stretch * speed * Math.sin(angle) - 0.5 * gravity * scene.step_s;
    const points = [];
    for (let t = 0; t <= 0.6; t += 0.04) {
      const y = held.y + centre[1] + vy * t - 0.5 * gravity * t * t;
      if (y < scene.ground + radius) break;
      points.push({ x: held.x + centre[0] + vx * t, y });
    }
    return points;
  }
}
