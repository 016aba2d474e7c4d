"""A scripted client of the Model Context Protocol, of the standard library alone."""
import json
import subprocess

NEWEST = "2025-06-18"


class Client:
    """Starts the server that a config file names, as clients do, and talks to it by lines."""

    def __init__(self, config, version=NEWEST, environment=None):
        with open(config, encoding="utf-8") as file:
            server = json.load(file)["mcpServers"]["startle"]
        self.process = subprocess.Popen([server["command"], *server["args"]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=environment)
        self.count = 0
        self.hello = None
        if version:
            self.hello = self.request("initialize", protocolVersion=version, capabilities={},
                                      clientInfo={"name": "scripted", "version": "1"})
            self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message):
        self.write_line(json.dumps(message, ensure_ascii=False))

    def write_line(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def request(self, method, **params):
        """The whole answer."""
        self.count += 1
        self.write({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        answer = self.read()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.count, answer
        return answer

    def call(self, tool, **arguments):
        """A tool's result."""
        return self.request("tools/call", name=tool, arguments=arguments)["result"]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(10)


def text_of(result):
    return "".join(part["text"] for part in result["content"] if part["type"] == "text")


def play(client, angle=30, novelty=0.25, description="as usual"):
    """The trial to its end: all results of tools."""
    results = []
    while True:
        results.append(client.call("shoot", angle=angle, stretch=0.9))
        results.append(client.call("report", novelty=novelty, description=description))
        if results[-1]["structuredContent"]["due"] == "nothing":
            return results
