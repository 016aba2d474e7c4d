"""What clients of test_mcp.py do, by the client of the official SDK: python3 mcp_player.py CONFIG NOTES BODY,
where BODY is the body of an async function."""
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import mcp.client.session
from mcp import Client, StdioServerParameters

CONFIG, NOTES, BODY = sys.argv[1:4]


def note(value):
    with open(NOTES, "a", encoding="utf-8") as file:
        file.write(json.dumps(value) + "\n")


def server(**more):
    with open(CONFIG, encoding="utf-8") as file:
        return StdioServerParameters(**json.load(file)["mcpServers"]["startle"] | more)


def connect(mode="auto"):
    return Client(server(), mode=mode)


@contextlib.asynccontextmanager
async def connect_by(version):
    """By the handshake, with this version of the protocol as the one that the client wants."""
    mcp.client.session.LATEST_HANDSHAKE_VERSION = version
    async with connect("legacy") as client:
        yield client


def text_of(result):
    return "".join(part.text for part in result.content if part.type == "text")


async def play(client, angle=30, novelty=0.25, description="as usual"):
    """The trial to its end: all results of tools."""
    results = []
    while True:
        results.append(await client.call_tool("shoot", {"angle": angle, "stretch": 0.9}))
        results.append(await client.call_tool("report", {"novelty": novelty, "description": description}))
        if json.loads(json.dumps(results[-1].structured_content))["due"] == "nothing":
            return results


scope = dict(globals())
exec("async def body():\n" + textwrap.indent(textwrap.dedent(BODY).strip() or "pass", "    "), scope)
asyncio.run(scope["body"]())
