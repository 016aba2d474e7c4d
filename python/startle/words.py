"""What a language model is told: the rules, and what a player sees, as text and as PNG. `python3 -m startle
chat`, `mcp` and `openenv` and the Inspect task have the same words. Standard library only."""
from __future__ import annotations

import math
import struct
import zlib

GAME = """You play a two-dimensional physics game in the manner of Angry Birds, and you look out for changes \
of the world. A bird is launched from a slingshot at structures of wood, ice and stone blocks, at pigs and \
TNT. A level is won when all pigs are gone. Lengths are in world units, x to the right, y up; times are in \
seconds; angles are in degrees, 0 to the right, 90 straight up."""

ONE_LEVEL = """In some trials the world is novel: {novel} After each shot you say how likely it is, from 0 \
to 1, that the world of this trial is novel. 0.5 or more counts as an alarm. Half of the trials are normal, \
and a false alarm counts against you."""

SEVERAL_LEVELS = """This trial has {levels} levels. In the first ones, of which there is at least one, the \
world is normal. From one level on, which you are not told, and to the end of the trial the world is novel: \
{novel} After each shot you say how likely it is, from 0 to 1, that the world is novel by now. 0.5 or more \
counts as an alarm. An alarm before the change is a false alarm, and counts against you."""

NOVEL = """some objects look as always but behave differently. They may bounce, slide, fall, weigh or break \
otherwise than such objects do."""

LARGEST_PICTURE = 1024  # pixels


def _tool(what, required, **properties):
    return {"description": what,
            "parameters": {"type": "object", "properties": properties, "required": required,
                           "additionalProperties": False}}


def _number(low, high, description):
    return {"type": "number", "minimum": low, "maximum": high, "description": description}


def _pixels(description):
    return {"type": "integer", "minimum": 1, "maximum": LARGEST_PICTURE, "description": description}


#: What a model calls: by name, a description and a JSON Schema of the arguments.
TOOLS = {
    "look": _tool(
        "Shows the level, or a moment of the last shot. Changes nothing.", [],
        **{"as": {"type": "string", "enum": ["objects", "picture"],
                  "description": "objects: numbers, places and sizes, the default; picture: an image"}},
        frame={"type": "integer", "minimum": 0,
               "description": "of the last shot, 0.1 s apart, while its report is due; without it the level "
                              "as it stands"},
        width=_pixels("of a picture, pixels; default 512"),
        height=_pixels("of a picture, pixels; default 256")),
    "shoot": _tool(
        "Launches the next bird, and says what happened.", ["angle"],
        angle=_number(-360, 360, "direction of the launch in degrees: 0 to the right, 90 upwards"),
        stretch=_number(0.01, 1, "share of the longest pull, over 0 to 1; default 1"),
        tap_time=_number(-1, 1000, "when the bird uses its power, seconds after the launch; -1: never, the "
                                   "default")),
    "report": _tool(
        "Says how likely it is that the world is novel.", ["novelty"],
        novelty=_number(0, 1, "likelihood, 0 to 1"),
        description={"type": "string", "description": "what behaves differently, in a few words"}),
}

TIMES = 8  # places given of each thing that moves, about
STILL = 0.1  # world units and radians: what moves by less is named by number alone


def rules(levels: int) -> str:
    """What a player is told before a trial of so many levels: one (protocol single) or more (shift)."""
    told = (ONE_LEVEL if levels == 1 else SEVERAL_LEVELS).format(levels=levels, novel=NOVEL)
    return f"{GAME}\n\n{told}"


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"


def at(x, y):
    return f"({number(x)}, {number(y)})"


def named(thing):
    return " ".join(str(thing[key]) for key in ("material", "kind", "type") if thing.get(key))


def size(thing):
    """Width and height as it stands."""
    if "radius" in thing:
        return f"radius {number(thing['radius'])}"
    xs, ys = zip(*thing["outline"])
    return f"{number(max(xs) - min(xs))} x {number(max(ys) - min(ys))}"


def level_text(seen):
    """A text of an observation."""
    lines = [f"Level {seen['level']}, shot {seen['shot']}. Birds left, the next one first: "
             f"{', '.join(seen['birds'])}.",
             f"The bird starts from {at(*seen['rest'])}, pulled back by up to "
             f"{number(seen['max_stretch'])}, with speed {number(seen['launch_speed'])} at the longest "
             f"pull, and falls with {number(seen['flight_gravity'])} per second squared. The ground is at "
             f"y = {number(seen['ground_y'])}; the world ends at x = +-{number(seen['half_width'])}.",
             "Objects (number, what, centre, size as it stands):"]
    lines += [f"{thing['id']}: {named(thing)} {at(thing['x'], thing['y'])} {size(thing)}"
              for thing in seen["objects"]]
    return "\n".join(lines)


def waypoints(path):
    """About TIMES of the places, the first and the last of them, at about equal lengths of way."""
    lengths = [0.0]
    for (_, x, y, _), (_, x2, y2, _) in zip(path, path[1:]):
        lengths.append(lengths[-1] + math.hypot(x2 - x, y2 - y))
    marks = [lengths[-1] * i / (TIMES - 1) for i in range(TIMES)]
    kept = {min(range(len(path)), key=lambda i, mark=mark: abs(lengths[i] - mark)) for mark in marks}
    return [path[i] for i in sorted(kept | {0, len(path) - 1})]


def motions(seen_before, message):
    """What a shot moved: a list of dicts, and the ids of what moved by less than STILL. `seen_before`: the
    observation that it started from; `message`: the runner's of the shot.

    id, what   of the body
    places     (time, x, y, angle) about TIMES times; world units, radians, s
    turned     over all of it, radians
    gone       when it was destroyed or left, s; None: it is there
    """
    names = {thing["id"]: named(thing) for thing in seen_before["objects"]}
    paths, gone = {}, {}
    for frame in message["frames"]:
        for body, x, y, angle in frame["moved"]:
            paths.setdefault(body, []).append((frame["time"], x, y, angle))
        for body in frame["gone"]:
            gone[body] = frame["time"]
    start = {thing["id"]: (0.0, thing["x"], thing["y"], thing["angle"])
             for thing in seen_before["objects"]}
    moved, still = [], []
    for body in sorted(set(paths) | set(gone)):
        path = ([start[body]] if body in start else []) + paths.get(body, [])
        if not path:
            continue
        if body not in gone and all(abs(now - then) < STILL for place in path
                                    for now, then in zip(place[1:], path[0][1:])):
            still.append(body)
            continue
        what = names.get(body, "bird" if body == message["first_bird"] else "another bird")
        moved.append({"id": body, "what": what, "places": waypoints(path), "gone": gone.get(body),
                      "turned": path[-1][3] - path[0][3]})
    return moved, still


def shot_text(seen_before, message):
    """A text of what a shot did."""
    angle = math.degrees(message["shot"]["angle"])
    lines = [f"The {message['bird']} was launched at {number(angle)} degrees. What moved, with places "
             "at times; a turn is over all of it:"]
    moved, still = motions(seen_before, message)
    for motion in moved:
        places = " ".join(f"t={number(t)}{at(x, y)}" for t, x, y, _ in motion["places"])
        turn = math.degrees(motion["turned"])
        turned = f" turned {turn:.0f} degrees" if abs(turn) >= 1 else ""
        ended = "" if motion["gone"] is None else f" destroyed or gone at t={number(motion['gone'])}"
        lines.append(f"{motion['id']}: {motion['what']}: {places}{turned}{ended}")
    if still:
        lines.append(f"Moved by less than {STILL}, or turned by a few degrees: {', '.join(map(str, still))}")
    if len(lines) == 1:
        lines.append("nothing")
    return "\n".join(lines)


def png(width, height, rgb):
    """The bytes of a picture file."""
    rows = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
