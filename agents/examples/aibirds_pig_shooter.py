#!/usr/bin/env python3
"""A Science Birds agent over TCP that shoots at pigs: aibirds_pig_shooter.py [PORT]. Standard library only.

It aims as the agents of Phy-Q do, from the slingshot's box on the screen, and reports after each shot that
nothing is novel. The server must run with --dev, for the labels. docs/aibirds.md has the messages.
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
        self.socket = socket.create_connection(("127.0.0.1", port))

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

    def ground_truth(self):
        (length,) = self.ask("B", "I", 62)
        return json.loads(self.read(length)[:-5])[0]["features"]


def boxes(features, label):
    """Left, top, width and height of what has such a label."""
    found = []
    for feature in features:
        if feature["properties"]["label"].startswith(label):
            xs, ys = zip(*feature["geometry"]["coordinates"][0])
            found.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return found


def aim(sling, pig):
    """Where to let the bird go so that it flies through the middle of the pig, on the lower parabola."""
    left, top, width, height = sling
    reference = (left + 0.45 * width, top + 0.35 * width)
    scale = (width + height) / 2.7  # pixels a unit
    v, g = 9.5 * scale, 0.48 * 9.81 * scale
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
            features = server.ground_truth()
            x, y = aim(boxes(features, "Slingshot")[0], random.choice(boxes(features, "pig")))
            server.ask("Biiii", "B", 31, x, y, 0, 0)
            shots += 1
        elif state == REPORT:
            server.ask("Bffiii", "B", 66, 0.0, 1.0, 0, 0, 0)
        elif state == TERMINATED:
            break
    print(f"{won} of {levels} levels won with {shots} shots")


random.seed(1)
main()
