"""The program that `startle agents run` starts for each trial of a harness (startle/harness.py): it carries
the runner's lines to the socket that STARTLE_HARNESS names, and the answers back. A line that begins with "!"
says why the harness gives the trial up: it goes to standard error, and the program ends with 1. It also ends
with 1 if the harness has gone, but only after a while: a harness that ends takes the runner with it, and then
nothing is recorded."""
import os
import socket
import sys
import threading
import time

PATIENCE = 10  # s


def carry_back(lines):
    for line in lines:
        if line.startswith(b"!"):
            sys.stderr.write(line[1:].decode(errors="replace"))
            sys.stderr.flush()
            os._exit(1)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    time.sleep(PATIENCE)
    sys.stderr.write("the harness has gone\n")
    sys.stderr.flush()
    os._exit(1)


connection = socket.socket(socket.AF_UNIX)
connection.connect(os.environ["STARTLE_HARNESS"])
back = threading.Thread(target=carry_back, args=(connection.makefile("rb"),))
back.start()
try:
    while part := os.read(0, 1 << 16):
        connection.sendall(part)
    os._exit(0)
except OSError:
    back.join()
