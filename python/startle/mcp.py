"""python3 -m startle mcp: a client of the Model Context Protocol (MCP) as an agent of `startle agents run`.

The agent program starts the client, which starts its servers itself, as a file says that names their
commands. Of the server `startle` that is `python3 -m startle mcp --connect SOCKET`: it speaks MCP on standard
input and output by the official SDK, and passes each call on to the socket of the agent program, where the
trial is. Only the server needs the SDK, PyPI's `mcp`. docs/language-models.md says what a client sees.
"""
from __future__ import annotations

import argparse
import base64
import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from .serve import RunnersStreams, serve_forks
from .trial import Result, Trial

PREFIX = "startle-mcp-"
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>
LONGEST_MESSAGE = 1 << 20  # bytes
GRACE = 10  # s that a client has to end once the trial is over
TAKEN = ("another connection plays this trial; once it has ended, this one may go on. Nothing has changed")


def main(arguments):
    ours, mark, client = arguments, "", []
    if "--" in arguments:
        at = arguments.index("--")
        ours, mark, client = arguments[:at], "--", arguments[at + 1:]
    parser = argparse.ArgumentParser("python3 -m startle mcp", description=__doc__.split("\n")[0])
    parser.add_argument("--connect", metavar="SOCKET", help="serves the client that started this process, as "
                        "the file that names this server says")
    parser.add_argument("--transcripts", metavar="DIR",
                        help="writes each trial's calls and their results to DIR/SEED.jsonl")
    parser.usage = "%(prog)s [--transcripts DIR] -- CLIENT [ARGUMENT...]"
    parser.epilog = ("CLIENT: program of the client; {config} in its arguments stands for the path of the "
                     "file that names this server.")
    options = parser.parse_args(ours)
    if options.connect:
        if mark or options.transcripts:
            parser.error("--connect: allowed by itself alone")
        serve_client(options.connect)
    elif not client:
        parser.error("CLIENT: found none, needed is a program after --, as in python3 -m startle mcp -- "
                     "python3 client.py {config}")
    else:
        play(client, options.transcripts)


# The agent program: the trial, and the connections of the servers that the client starts

def play(client, transcripts=None):
    """Plays trials on standard input and output."""
    with RunnersStreams() as (input, output):
        serve_forks(lambda lines: play_trial(Trial(lines, output, transcripts=transcripts), client), input,
                    output)


def play_trial(trial, client):
    """Starts a client, and lets it play. SystemExit says why one did not come to the trial's end."""
    with private_folder() as folder, Connections(trial, str(folder / "socket")) as connections:
        config = folder / "config.json"
        config.write_text(json.dumps({"mcpServers": {"startle": server_command(folder / "socket")}},
                                     indent=2) + "\n")
        words = [word.replace("{config}", str(config)) for word in client]
        with started(words, os.environ | {"STARTLE_MCP_CONFIG": str(config)}) as process:
            while trial.due != "nothing":
                ended = process.poll() is not None
                # What it has sent before its end counts.
                if not connections.answer(0 if ended else 0.05) and ended:
                    sys.exit(f"startle mcp: the client ended {ending(process.returncode)} before the trial "
                             f"was over; " + (f"a {'shot' if trial.due == 'shoot' else 'report'} is due"
                                              if connections.count else "it has never connected"))
            over = time.monotonic()
            while process.poll() is None and time.monotonic() - over < GRACE:
                connections.answer(0.05)


@contextlib.contextmanager
def started(words, variables):
    """The client, in a process group of its own, which is killed at the end. It goes with this process."""
    prctl = ctypes.CDLL(None).prctl
    try:
        process = subprocess.Popen(words, env=variables, stdin=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
    except OSError as error:
        sys.exit(f"startle mcp: {words[0]}: {error.strerror}")
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def server_command(path):
    """As the file names it: it works in any folder, and with none of this process's variables."""
    return {"command": sys.executable, "args": ["-m", "startle", "mcp", "--connect", str(path)],
            "env": {"PYTHONPATH": os.pathsep.join(word for word in sys.path if word)}}


def ending(code):
    return f"with exit code {code}" if code >= 0 else f"by signal {-code}"


@contextlib.contextmanager
def private_folder():
    """A folder of this user alone, locked, which goes at the end. Those of processes that were killed, as
    that of a trial which takes too long is, go first."""
    for old in pathlib.Path(tempfile.gettempdir()).glob(PREFIX + "*"):
        with contextlib.suppress(OSError), locked(old):
            # One that is just being made may not be locked yet.
            if (old / "config.json").exists() or time.time() - old.stat().st_mtime > 60:
                shutil.rmtree(old, ignore_errors=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with locked(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def locked(folder):
    """Raises OSError where another process has it."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(file)


class Connections:
    """Servers that have connected to the trial. The one that came first of those that are there plays; the
    calls of others are refused."""

    def __init__(self, trial, path):
        self.trial, self.count = trial, 0
        self._received = {}  # by connection, in the order in which they came: bytes without a line's end yet
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            self._listener.bind(path)
        except OSError as error:
            sys.exit(f"startle mcp: {path}: {error}; TMPDIR names a shorter folder")
        self._listener.listen()
        self._selector.register(self._listener, selectors.EVENT_READ)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in [*self._received, self._listener]:
            connection.close()
        self._selector.close()

    def answer(self, seconds):
        """Waits so long for something to come, and answers it. False where nothing came."""
        ready = [key.fileobj for key, _ in self._selector.select(seconds)]
        for connection in ready:
            if connection is self._listener:
                self._welcome()
            else:
                self._read(connection)
        return bool(ready)

    def _welcome(self):
        connection, _ = self._listener.accept()
        self.count += 1
        self._received[connection] = b""
        self._selector.register(connection, selectors.EVENT_READ)
        self._send(connection, {"rules": self.trial.rules, "tools": self.trial.tools})

    def _read(self, connection):
        try:
            data = connection.recv(1 << 16)
        except OSError:
            data = b""
        *lines, rest = (self._received[connection] + data).split(b"\n")
        self._received[connection] = rest
        for line in lines:
            call = json.loads(line)
            plays = connection is next(iter(self._received))
            result = self.trial.call(call["tool"], call["arguments"]) if plays else Result(TAKEN,
                                                                                            is_error=True)
            picture = result.picture and base64.b64encode(result.picture).decode()
            if not self._send(connection, vars(result) | {"picture": picture}):
                return
        if not data or len(rest) > LONGEST_MESSAGE:
            self._drop(connection)

    def _send(self, connection, message):
        """False where nobody reads it any more."""
        try:
            connection.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self._drop(connection)
            return False
        return True

    def _drop(self, connection):
        self._selector.unregister(connection)
        del self._received[connection]
        connection.close()


# The server

def serve_client(path):
    """Serves the client on standard input and output, until it has gone."""
    try:
        import anyio
        import mcp_types as types
        from mcp.server.lowlevel import Server
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        sys.exit(f"startle mcp: {sys.executable} has no MCP SDK of version 2 ({error}); pip install 'mcp>=2'")
    trial = socket.socket(socket.AF_UNIX)
    try:
        trial.connect(path)
    except OSError as error:
        sys.exit(f"startle mcp: {path}: no trial is there: {error.strerror}")
    lines = trial.makefile("rw", encoding="utf-8", newline="\n")
    welcome = json.loads(lines.readline())

    def asked(tool, arguments):
        """One call, and its result: it is not left half way, whatever the client cancels meanwhile."""
        call = json.dumps({"tool": tool, "arguments": arguments})
        if len(call) > LONGEST_MESSAGE:
            return vars(Result(f"{tool}: found {len(call)} bytes, allowed are {LONGEST_MESSAGE}",
                               is_error=True))
        try:
            lines.write(call + "\n")
            lines.flush()
            line = lines.readline()
        except OSError:
            line = ""
        return json.loads(line) if line else vars(Result("the trial is over; there is nothing more to do",
                                                         is_error=True))

    tools = [types.Tool(name=name, title=name.capitalize(), description=tool["description"],
                        input_schema=tool["parameters"],
                        annotations=types.ToolAnnotations(title=name.capitalize(),
                                                          read_only_hint=name == "look",
                                                          destructive_hint=False,
                                                          idempotent_hint=name == "look",
                                                          open_world_hint=False))
             for name, tool in welcome["tools"].items()]
    one_by_one = anyio.Lock()

    async def list_tools(_, __):
        return types.ListToolsResult(tools=tools)

    async def call_tool(_, params):
        with anyio.CancelScope(shield=True):
            async with one_by_one:
                result = await anyio.to_thread.run_sync(asked, params.name, params.arguments)
        content = [types.TextContent(type="text", text=result["text"])]
        if result["picture"]:
            content.insert(0, types.ImageContent(type="image", data=result["picture"], mime_type="image/png"))
        return types.CallToolResult(content=content, structured_content=result["structured"],
                                    is_error=result["is_error"])

    async def run():
        server = Server("startle", version=version(), instructions=welcome["rules"], on_list_tools=list_tools,
                        on_call_tool=call_tool)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


def version():
    from importlib import metadata

    try:
        return metadata.version("startle")
    except metadata.PackageNotFoundError:  # from the folder of the sources
        return ""
