#!/usr/bin/env python3
"""A Science Birds agent over TCP that shoots at pigs: aibirds_pig_shooter.py [PORT]. Standard library only.

It aims as the agents of Phy-Q do, from the slingshot's box on the screen. It measures how fast things fall in
the frames of each shot, and reports novelty where they fall otherwise than in the normal world. The server
must run with --dev, for the labels. docs/aibirds.md has the messages.
"""
import json
import math
import random
import socket
import struct
import sys

LEVEL_SELECTION, PLAYING, WON, LOST, NEW_TRIAL, REPORT, TERMINATED = 3, 5, 6, 7, 11, 12, 13


class Server:
    def __init__(self, port):
        try:
            self.socket = socket.create_connection(("127.0.0.1", port))
        except OSError as error:
            sys.exit(f"no server at 127.0.0.1:{port} ({error}); startle agents serve --dev starts one")

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                sys.exit("the server has closed the connection")
            data += part
        return data

    def ask(self, request, reply, *fields):
        """Both layouts as for struct; the request begins with its code."""
        self.socket.sendall(struct.pack("!" + request, *fields))
        return struct.unpack("!" + reply, self.read(struct.calcsize("!" + reply)))

    def ground_truth(self, length):
        return json.loads(self.read(length)[:-5])[0]["features"]

    def look(self):
        return self.ground_truth(*self.ask("B", "I", 62))

    def shoot(self, x, y):
        """What the screen shows in each frame of the shot."""
        (count,) = self.ask("Biiiii", "I", 38, x, y, 0, 0, 1)
        return [self.ground_truth(*struct.unpack("!I", self.read(4))) for _ in range(count)]


def boxes(features, label):
    """Left, top, width and height of what has such a label."""
    found = []
    for feature in features:
        if feature["properties"]["label"].startswith(label):
            xs, ys = zip(*feature["geometry"]["coordinates"][0])
            found.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return found


def slow_falls(frames, normal):
    """Labels of what falls at less than 0.65 of the normal acceleration (pixels over frames squared) for ten
    frames, as pixels are coarse. Triangles are left out: the middle of their box moves when they turn."""
    paths, found = {}, []
    for number, features in enumerate(frames):
        for feature in features:
            name = feature["properties"]["label"]
            if name.startswith(("pig", "wood", "ice", "stone")) and "triang" not in name:
                xs, ys = zip(*feature["geometry"]["coordinates"][0])
                place = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
                paths.setdefault((feature["properties"]["id"], name), {})[number] = place
    for (_, name), path in paths.items():
        for k in path:
            if all(k + n in path for n in range(10)):
                x, y = zip(*(path[k + n] for n in range(10)))
                steps = [b - a for a, b in zip(y, y[1:])]
                pulls = [(y[n] - 2 * y[n + 3] + y[n + 6]) / 9 for n in range(4)]
                flies = all(abs(x[n] - 2 * x[n + 3] + x[n + 6]) <= 1 for n in range(4))
                falls = min(steps) >= 1.5 and steps[-1] >= max(steps) - 0.5
                if flies and falls and max(pulls) < 0.65 * normal and name not in found:
                    found.append(name)
    return found


def scale(sling):
    return (sling[2] + sling[3]) / 2.7  # pixels a unit


def aim(sling, pig):
    """Where to let the bird go so that it flies through the middle of the pig, on the lower parabola."""
    left, top, width, height = sling
    reference = (left + 0.45 * width, top + 0.35 * width)
    v, g = 9.5 * scale(sling), 0.48 * 9.81 * scale(sling)
    x, y = pig[0] + pig[2] / 2 - reference[0], reference[1] - pig[1] - pig[3] / 2
    root = v**4 - g * (g * x * x + 2 * y * v * v)
    angle = math.atan2(v * v - math.sqrt(root), g * x) if root >= 0 else math.pi / 4
    pull = 5 * height
    return round(reference[0] - pull * math.cos(angle)), round(reference[1] + pull * math.sin(angle))


def main():
    server = Server(int(sys.argv[1]) if len(sys.argv) > 1 else 2004)
    server.ask("BIB", "BBB", 1, 1, 1)
    levels = won = shots = 0
    while True:
        (state,) = server.ask("B", "B", 12)
        won += state == WON
        if state == NEW_TRIAL:
            server.ask("B", "IIIIBBB", 68)
        elif state in (LEVEL_SELECTION, WON, LOST):
            (number,) = server.ask("B", "I", 53)
            if number == 1 and state != LEVEL_SELECTION:
                break  # free play begins again
            levels += number > 0
        elif state == PLAYING:
            features = server.look()
            sling = boxes(features, "Slingshot")[0]
            x, y = aim(sling, random.choice(boxes(features, "pig")))
            odd = slow_falls(server.shoot(x, y), 0.48 * 9.81 * scale(sling) * 0.1**2)  # 0.1 s a frame
            shots += 1
        elif state == REPORT:
            novel, words = (0.9 if odd else 0.1), ", ".join(odd)[:200].encode()
            server.ask(f"Bffiii{len(words)}s", "B", 66, novel, 1 - novel, 0, 0, len(words), words)
        elif state == TERMINATED:
            break
    print(f"{won} of {levels} levels won with {shots} shots")


random.seed(1)
main()
