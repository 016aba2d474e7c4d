#!/usr/bin/env python3
"""Measures how things fall, slide and bounce, and reports what the normal world does not do.

It shoots at things of the materials that it has seen move least. Standard library only. To see more, let
measure() yield another quantity, and add its range among normal shots to NORMAL.
"""
import cmath
import json
import math
import random
import sys

H, G = 0.1, 9.81 * 0.48  # seconds a frame; fall of blocks and pigs in the normal world
# What practice shots in the normal world show. With more of them these ranges can be narrower.
NORMAL = {"falls with": (4.6, 4.8), "slides with friction": (0.2, 9), "bounces by": (-9, 0.35)}


def changes(values):
    return [(b - a) / H for a, b in zip(values, values[1:])]


def body(o):
    """Its centre of mass, its corners seen from there (unturned), and its inertia over its mass."""
    points = [complex(*p) for p in o["outline"]]
    edges = [((p.conjugate() * q).imag, p, q) for p, q in zip(points, points[1:] + points[:1])]
    area = sum(k for k, _, _ in edges)
    centre = sum(k * (p + q) for k, p, q in edges) / 3 / area
    spread = sum(k * (abs(p) ** 2 + abs(q) ** 2 + (p.conjugate() * q).real) for k, p, q in edges) / 6 / area
    return centre, [(p - centre) * cmath.rect(1, -o["angle"]) for p in points], spread - abs(centre) ** 2


def path(o, centre, frames):
    """Places of the centre of mass and angles, frame by frame until it is gone."""
    places, angles, angle = [centre], [o["angle"]], o["angle"]
    offset = (centre - complex(o["x"], o["y"])) * cmath.rect(1, -angle)
    for frame in frames:
        if o["id"] in frame["gone"]:
            break
        for i, x, y, a in frame["moved"]:
            if i == o["id"]:
                centre, angle = complex(x, y) + offset * cmath.rect(1, a), a
        places.append(centre)
        angles.append(angle)
    return places, angles


def measure(o, frames, floors):
    """What one body shows: pairs of a key of NORMAL and a value. Places are exact, and so are these."""
    centre, corners, inertia = body(o)
    places, angles = path(o, centre, frames)
    speed, spin = changes(places), changes(angles)
    pull = changes(speed)
    for k in range(1, len(pull) - 1):
        if abs(pull[k] - pull[k + 1]) < 0.003:  # steady
            if abs(pull[k].real) < 0.002 and pull[k].imag < -0.3:
                yield "falls with", -pull[k].imag
            level = max(abs(speed[k].imag), abs(spin[k]), abs(spin[k + 2]), abs(pull[k].imag) / 10) < 0.001
            if level and pull[k].real * speed[k].real < 0 and abs(speed[k + 2].real) > 0.02:
                yield "slides with friction", abs(pull[k].real) / G
    flies = [abs(a + 1j * G) < 0.02 for a in pull]
    for k in range(len(pull) - 3):
        if flies[k] and not flies[k + 1] and flies[k + 3]:  # one blow between two flights
            before, turning = speed[k + 1] - 0.04j * G, spin[k + 1] / 1.1
            for t in (n * H / 25 for n in range(26)):
                turn = cmath.rect(1, angles[k + 2] + turning * t)
                low = min((turn * c for c in corners), key=lambda c: c.imag)
                foot = places[k + 2] + before * t - 0.5j * G * t * t + low
                if any(a < foot.real < b and -0.05 < foot.imag - top < 0.01 for a, b, top in floors):
                    gain = speed[k + 3] - before + 1j * G * (H + 0.06)
                    turned = spin[k + 3] * 1.1 - turning
                    arm = (turned * inertia + low.imag * gain.real) / gain.imag  # where a single blow was
                    closing = G * t - before.imag - turning * arm
                    if abs(arm - low.real) < 0.02 and closing > 1.5:
                        yield "bounces by", (gain.imag + turned * arm) / closing - 1
                    break


def launch_angle(seen, x, y):
    """Angle of the lower parabola through (x, y); the bird starts pulled back from the rest position."""
    v2, g, angle = seen["launch_speed"] ** 2, seen["flight_gravity"], 0.0
    for _ in range(20):  # the start depends on the angle: a fixed point
        dx = x - seen["rest"][0] + seen["max_stretch"] * math.cos(angle)
        dy = y - seen["rest"][1] + seen["max_stretch"] * math.sin(angle)
        root = v2 * v2 - g * (g * dx * dx + 2 * dy * v2)
        if root < 0:
            return math.pi / 4  # out of reach: as far as it goes
        angle = math.atan2(v2 - math.sqrt(root), g * dx)
    return angle


def material(o):
    return o.get("material", o["kind"])


seen, moved, targets = None, {}, set()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "begin":
        random.seed(message["seed"])
    elif message["type"] == "act":
        seen = message["observation"]
        things = [o for o in seen["objects"] if o["kind"] != "platform"]
        target = min(things, key=lambda o: (moved.get(material(o), 0), o["id"] in targets, random.random()))
        targets.add(target["id"])
        print(json.dumps({"type": "shot", "angle": launch_angle(seen, target["x"], target["y"])}), flush=True)
    elif message["type"] == "report":
        odd, touched = {}, {b[0] for frame in message["frames"][1:] for b in frame["moved"]}
        things = [o for o in seen["objects"] if "outline" in o and abs(math.sin(2 * o["angle"])) < 0.001]
        floors = [(min(p[0] for p in o["outline"]), max(p[0] for p in o["outline"]),
                   max(p[1] for p in o["outline"])) for o in things] + [(-99, 99, seen["ground_y"])]
        for o in seen["objects"]:
            if o["id"] not in touched or o["kind"] not in ("block", "pig") or "outline" not in o:
                continue
            moved[material(o)] = moved.get(material(o), 0) + 1
            for what, value in measure(o, message["frames"], floors):
                if not NORMAL[what][0] < value < NORMAL[what][1]:
                    odd[f"{material(o)} {what} {value:.2f}"] = True
        print(json.dumps({"type": "report", "novelty": 0.9 if odd else 0.1,
                          "description": ", ".join(odd)[:500]}), flush=True)
