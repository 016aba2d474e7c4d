// A world on a canvas: landscape, slingshot, objects with their cracks, birds, and what breaks.
import { drawMarks, outlineOf } from "./artwork.js";

const BLAST_S = 0.5, DUST_S = 0.45, IN_BAND_S = 0.3;
const SHADOW = { x: 0.06, y: -0.05 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class SceneView {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.scale = 1; // pixels of the canvas a world unit
  }

  // The level's artwork and the landscape; `box` is what is to be seen, [left, right, bottom, top]; `room`
  // the greatest height, pixels.
  open(sprites, landscape, box, room) {
    this.sprites = sprites;
    this.landscape = landscape;
    this.box = box;
    this.backdrop = null;
    this.#fit(Math.max(room, 160));
  }

  // As large as the page gives room for, the whole box in sight, and sky above it where there is room.
  #fit(most) {
    const [left, right, bottom, top] = this.box;
    const width = this.canvas.clientWidth || 300;
    const needed = (width * (top - bottom)) / (right - left);
    const height = Math.round(Math.min(Math.max(needed, 0.5 * width), most));
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const across = Math.round(width * ratio), down = Math.round(height * ratio);
    if (this.canvas.width !== across || this.canvas.height !== down) {
      this.canvas.width = across;
      this.canvas.height = down;
      this.canvas.style.height = `${height}px`;
      this.backdrop = null;
      this.sprites.forget();
    }
    this.ratio = ratio;
    this.scale = Math.min(this.canvas.width / (right - left), this.canvas.height / (top - bottom));
    this.left = (left + right) / 2 - this.canvas.width / 2 / this.scale;
    this.top = bottom + this.canvas.height / this.scale;
  }

  // From a pointer's event to the world.
  toWorld(event) {
    const frame = this.canvas.getBoundingClientRect();
    return {
      x: this.left + ((event.clientX - frame.left) * this.ratio) / this.scale,
      y: this.top - ((event.clientY - frame.top) * this.ratio) / this.scale,
    };
  }

  // Pixels of the page as world units.
  reach(pixels) { return (pixels * this.ratio) / this.scale; }

  #toWorldUnits(context) {
    context.setTransform(this.scale, 0, 0, -this.scale, -this.left * this.scale, this.top * this.scale);
  }

  #drawLandscape() {
    if (!this.backdrop) {
      this.backdrop = document.createElement("canvas");
      this.backdrop.width = this.canvas.width;
      this.backdrop.height = this.canvas.height;
      const context = this.backdrop.getContext("2d");
      this.#toWorldUnits(context);
      drawMarks(context, this.landscape.marks);
    }
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.drawImage(this.backdrop, 0, 0);
  }

  // moment: { scene, bodies, events, seconds, step_s, apart, flying }. `scene` gives slingshot and waiting
  // birds; `seconds` since the release; `apart`: ids to outline.
  draw(moment) {
    this.#drawLandscape();
    const { context, sprites, scale } = this;
    this.#toWorldUnits(context);
    const { scene, bodies } = moment;
    for (const { pose, art } of bodies) this.#shadow(art, pose);
    for (const { art, at: [x, y] } of scene.waiting) sprites.draw(context, art, scale, { x, y, angle: 0 });
    const held = this.#heldBody(moment);
    this.#drawSlingshot(scene, held);
    for (const body of bodies) {
      if (body === held) continue;
      sprites.draw(context, body.art, scale, body.pose);
      if (body.cracks > 0) sprites.draw(context, `${body.art}/cracks${body.cracks}`, scale, body.pose);
    }
    for (const body of bodies) if (moment.apart?.has(body.id)) this.outline(body, "#b3128a", "#ffffff");
    if (!still.matches) this.#drawEffects(moment);
  }

  // A soft disc below each body, as wide as the artwork.
  #shadow(art, pose) {
    const marks = this.sprites.art[art];
    if (!marks?.length) return;
    const { context } = this;
    context.save();
    context.translate(pose.x + SHADOW.x, pose.y + SHADOW.y);
    context.rotate(pose.angle);
    context.fillStyle = "rgba(0, 0, 0, 0.2)";
    context.fill(outlineOf(marks), "evenodd");
    context.restore();
  }

  // The bird while it is in the band.
  #heldBody({ scene, bodies, seconds = 0 }) {
    if (seconds > IN_BAND_S) return null;
    return bodies.find(({ flyer, pose }) => {
      const x = pose.x - scene.rest[0], y = pose.y - scene.rest[1];
      return flyer && x <= 0.02 && Math.hypot(x, y) <= 1.05 * scene.max_stretch;
    }) ?? null;
  }

  #drawSlingshot(scene, held) {
    const { context, sprites, scale } = this;
    for (const half of ["behind", "before"]) {
      const marks = sprites.art[`slingshot/${half}`];
      const band = marks[3]; // from an arm's tip to the pocket
      context.save();
      context.translate(...scene.slingshot);
      drawMarks(context, held ? marks.with(3, this.#pulledBand(scene, held, band)) : marks);
      context.restore();
      if (held && half === "behind") sprites.draw(context, held.art, scale, held.pose);
    }
  }

  #pulledBand(scene, held, band) {
    const x = held.pose.x - scene.rest[0], y = held.pose.y - scene.rest[1], far = Math.hypot(x, y) || 1;
    const { centre = [0, 0], radius = 0.2 } = scene.bird ?? {};
    const back = 1 + radius / far; // the pocket is behind the bird
    const pocket = [
      scene.rest[0] - scene.slingshot[0] + centre[0] + x * back,
      scene.rest[1] - scene.slingshot[1] + centre[1] + y * back,
    ];
    return { rings: [[...band.rings[0].slice(0, 2), ...pocket.map((value) => value * 1000)]],
      paint: band.paint, width: band.width };
  }

  outline({ art, pose }, colour, halo) {
    const { context } = this;
    context.save();
    context.translate(pose.x, pose.y);
    context.rotate(pose.angle);
    const path = outlineOf(this.sprites.art[art]);
    for (const [width, style] of [[5, halo], [3, colour]]) {
      context.lineWidth = this.reach(width);
      context.strokeStyle = style;
      context.stroke(path);
    }
    context.restore();
  }

  line(points, colour, width, dashes = []) {
    const { context } = this;
    context.save();
    context.setLineDash(dashes.map((length) => this.reach(length)));
    context.lineWidth = this.reach(width);
    context.strokeStyle = colour;
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.stroke();
    context.restore();
  }

  dots(points, colour, size) {
    const { context } = this;
    context.fillStyle = colour;
    for (const { x, y } of points) {
      context.beginPath();
      context.arc(x, y, this.reach(size), 0, 2 * Math.PI);
      context.fill();
    }
  }

  label(text, { x, y }, colour, plate) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    const size = this.reach(13);
    context.scale(size / 13, -size / 13);
    context.font = "600 13px system-ui, sans-serif";
    const width = context.measureText(text).width + 8;
    context.fillStyle = plate;
    context.fillRect(-width / 2, -9, width, 18);
    context.fillStyle = colour;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, 0, 1);
    context.restore();
  }

  #drawEffects({ events = [], seconds = 0, scene }) {
    for (const event of events) {
      const lasts = event.kind === "explosion" ? BLAST_S : event.kind === "destroyed" ? DUST_S : 0;
      const age = (seconds - event.step * scene.step_s) / lasts;
      if (!(age >= 0 && age < 1)) continue;
      if (event.kind === "explosion") this.#blast(event, age);
      else this.#dust(event, age);
    }
  }

  #blast({ at: [x, y], radius }, age) {
    const { context } = this;
    const size = radius * (0.35 + 0.65 * Math.sqrt(age)), left = 1 - age;
    const glow = context.createRadialGradient(x, y, 0, x, y, size);
    glow.addColorStop(0, `rgba(255, 247, 214, ${left})`);
    glow.addColorStop(1, `rgba(255, 154, 46, ${0.15 * left})`);
    context.fillStyle = glow;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
  }

  #dust({ at: [x, y], id, size, colour }, age) {
    const { context } = this;
    context.save();
    context.globalAlpha = 0.9 * (1 - age);
    context.fillStyle = colour;
    for (let i = 0; i < 9; ++i) {
      // Nine ways, a little different for each object, the same in each replay.
      const way = (40 * i + ((id * 37 + i * 53) % 30) - 15) * (Math.PI / 180);
      const far = size * (0.5 + ((id * 13 + i * 29) % 70) / 100) * (0.2 + 0.8 * Math.sqrt(age));
      context.beginPath();
      context.arc(x + far * Math.cos(way), y + far * Math.sin(way) - 0.25 * age * age,
        size * (0.12 + ((i * 17) % 18) / 100) * (1 - 0.6 * age), 0, 2 * Math.PI);
      context.fill();
    }
    context.restore();
  }
}
