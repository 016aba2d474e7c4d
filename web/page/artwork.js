// Artwork of the engine as canvas drawings: fills and lines with their colours (render/artwork.hpp).

const UNIT = 1000; // whole numbers a world unit

function pathOf(mark) {
  const path = new Path2D();
  for (const ring of mark.rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) path.moveTo(ring[0] / UNIT, ring[1] / UNIT);
      else path.lineTo(ring[i] / UNIT, ring[i + 1] / UNIT);
    }
    if (mark.width === undefined || mark.closed) path.closePath();
  }
  return path;
}

function styleOf(context, paint) {
  if (typeof paint === "string") return paint;
  const [from, to] = paint.slice(-2);
  const gradient = paint.length === 6
    ? context.createLinearGradient(...paint.slice(0, 4))
    : context.createRadialGradient(paint[0], paint[1], 0, paint[0], paint[1], paint[2]);
  gradient.addColorStop(0, from);
  gradient.addColorStop(1, to);
  return gradient;
}

// In world units: the context's transformation turns them into pixels.
export function drawMarks(context, marks) {
  context.lineJoin = context.lineCap = "round";
  for (const mark of marks) {
    mark.path ??= pathOf(mark);
    if (mark.width === undefined) {
      context.fillStyle = styleOf(context, mark.paint);
      context.fill(mark.path, "evenodd");
    } else {
      context.strokeStyle = styleOf(context, mark.paint);
      context.lineWidth = mark.width / UNIT;
      context.stroke(mark.path);
    }
  }
}

function extentOf(marks) {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const { rings, width = 0 } of marks) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        box.left = Math.min(box.left, (ring[i] - width) / UNIT);
        box.right = Math.max(box.right, (ring[i] + width) / UNIT);
        box.bottom = Math.min(box.bottom, (ring[i + 1] - width) / UNIT);
        box.top = Math.max(box.top, (ring[i + 1] + width) / UNIT);
      }
    }
  }
  return box;
}

// The outline of what the first mark fills: the body itself.
export function outlineOf(marks) {
  const body = marks.find((mark) => mark.width === undefined);
  body.path ??= pathOf(body);
  return body.path;
}

// Drawings made once a scale, as pictures that are quick to turn and shift.
export class Sprites {
  constructor(art) {
    this.art = art;
    this.made = new Map();
  }

  #sprite(name, scale) {
    const key = `${name}@${scale}`;
    if (!this.made.has(key)) {
      const marks = this.art[name];
      const box = extentOf(marks);
      const finer = 1.5 * scale, border = 2;
      const picture = document.createElement("canvas");
      picture.width = Math.ceil((box.right - box.left) * finer) + 2 * border;
      picture.height = Math.ceil((box.top - box.bottom) * finer) + 2 * border;
      const context = picture.getContext("2d");
      context.setTransform(finer, 0, 0, -finer, border - box.left * finer, border + box.top * finer);
      drawMarks(context, marks);
      this.made.set(key, { picture, finer, x: box.left - border / finer, y: box.top + border / finer });
    }
    return this.made.get(key);
  }

  // `context` is in world units, y up, `scale` pixels a unit.
  draw(context, name, scale, pose) {
    if (!this.art[name]?.length) return;
    const { picture, finer, x, y } = this.#sprite(name, scale);
    context.save();
    context.translate(pose.x, pose.y);
    context.rotate(pose.angle);
    context.scale(1 / finer, -1 / finer);
    context.drawImage(picture, x * finer, -y * finer);
    context.restore();
  }

  forget() {
    this.made.clear();
  }
}
