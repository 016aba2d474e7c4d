// A level and its shots in the page's address: #level=NAME&world=T1&shots=25;62.5,1.4;30,,0.85&twins=T2
// A shot stands there as `startle simulate --shot` takes it: degrees, then tap in seconds and pull. #spot is the
// quiz.

const number = (value) => String(Math.round(value * 1e9) / 1e9);

export function shotText(shot) {
  let text = number(shot.degrees);
  if (shot.tap >= 0) text += `,${number(shot.tap)}`;
  if (shot.stretch < 1) text += `${shot.tap >= 0 ? "" : ","},${number(shot.stretch)}`;
  return text;
}

// null for a text that is no shot.
export function parseShot(text) {
  const [degrees, tap, stretch, ...more] = text.split(",");
  const read = (part, otherwise) => (part === undefined || part === "" ? otherwise : Number(part));
  const shot = { degrees: read(degrees, NaN), tap: read(tap, -1), stretch: read(stretch, 1) };
  const sound = Math.abs(shot.degrees) <= 360 && shot.tap <= 1000 && shot.stretch > 0 && shot.stretch <= 1;
  return sound && more.length === 0 ? shot : null;
}

// As the server takes it.
export function shotForServer(shot) {
  const body = { angle: shot.degrees * (Math.PI / 180), stretch: shot.stretch };
  if (shot.tap >= 0) body.tap_time = shot.tap;
  return body;
}

export function readAddress() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const shots = (fields.get("shots") ?? "").split(";").filter((text) => text !== "").map(parseShot);
  return {
    level: fields.get("level") ?? "", world: fields.get("world") ?? "", twins: fields.get("twins") ?? "",
    shots: shots.includes(null) ? [] : shots, spot: fields.has("spot"),
  };
}

export function addressOf({ level, world, twins, shots }) {
  const fields = new URLSearchParams({ level });
  if (world) fields.set("world", world);
  if (twins) fields.set("twins", twins);
  // The separators of shots stay legible.
  const rest = shots.length ? `&shots=${shots.map(shotText).join(";")}` : "";
  return `${location.origin}${location.pathname}#${fields}${rest}`;
}
