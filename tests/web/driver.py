"""Chromium without a window, driven by WebDriver: what the tests in a browser share."""
import base64
import contextlib
import json
import re
import shutil
import subprocess
import sys
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in WebDriver's JSON
QUICK = 8  # times as fast as the clock

# The page's clock, which a test may hurry or stop. A flight takes seconds.
CLOCK = """(() => {
  const now = performance.now.bind(performance), nextFrame = requestAnimationFrame.bind(window);
  let pace = 1, since = 0, shown = 0;
  const clock = (time) => shown + Math.max(time - since, 0) * pace;
  performance.now = () => clock(now());
  window.requestAnimationFrame = (draw) => nextFrame((time) => draw(clock(time)));
  window.startlePace = (next) => {
    const time = now();
    [shown, since, pace] = [clock(time), time, next];
  };
})();"""


def missing():
    """Whether the browser or its driver is; says so."""
    names = [name for name in ("chromedriver", "chromium") if shutil.which(name) is None]
    if names:
        print(f"skipped: {names[0]} is not installed")
    return bool(names)


@contextlib.contextmanager
def started(*command):
    """The address that a program prints, whole or as a port, and the program."""
    program = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.DEVNULL)
    try:
        for line in program.stdout:
            found = re.search(r"http://\S+/|successfully on port (\d+)", line)
            if found:
                yield f"http://127.0.0.1:{found[1]}/" if found[1] else found[0], program
                break
    finally:
        program.terminate()
        program.wait()


class Browser:
    """One window."""

    def __init__(self, driver, profile):
        self.driver = driver
        # As root, and where /dev/shm is small, as in containers.
        options = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                   f"--user-data-dir={profile}"]
        self.session = ""
        self.session = "session/" + self.ask("POST", "session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": options},
            "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        self.ask("POST", "goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument",
                                              "params": {"source": CLOCK}})

    def ask(self, method, path, body=None):
        address = self.driver + "/".join(filter(None, (self.session, path)))
        request = urllib.request.Request(address, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"WebDriver: {path}: {error.read().decode()[:600]}")

    def run(self, script):
        return self.ask("POST", "execute/sync", {"script": script, "args": []})

    def result(self, script):
        """Of a script that awaits."""
        return self.ask("POST", "execute/async", {"args": [], "script": f"""
            const done = arguments[0];
            (async () => {{ {script} }})().then(done, (error) => done(`failed: ${{error}}`));"""})

    def open(self, url):
        # A page of its own each time: an address that differs in its fragment alone would not be loaded.
        self.ask("POST", "url", {"url": "about:blank"})
        self.ask("POST", "url", {"url": url})

    def reload(self):
        self.ask("POST", "refresh", {})

    def pace(self, pace):
        """Of the page's clock, until another page is opened; 1 is that of other clocks."""
        self.run(f"window.startlePace({pace})")

    def emulate(self, what, **parameters):
        self.ask("POST", "goog/cdp/execute", {"cmd": f"Emulation.{what}", "params": parameters})

    def resize(self, width, height):
        self.emulate("setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)

    def wait(self, condition, what, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(f"return {condition}")
            if value:
                return value
            time.sleep(0.05)
        status = self.run("return document.getElementById('status').textContent")
        return sys.exit(f"FAILED: {what}: never {condition}; the page says '{status}'; {self.log()}")

    def log(self):
        return self.ask("POST", "se/log", {"type": "browser"})

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.ask("GET", "screenshot")))

    def click(self, css):
        found = self.ask("POST", "element", {"using": "css selector", "value": css})
        self.ask("POST", f"element/{found[ELEMENT]}/click", {})

    def keys(self, keys):
        """To the canvas, which has the focus."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def point(self, kind, *steps):
        """Steps of a pointer: (x, y), "down", "up"."""
        actions = [{"type": "pointerMove", "duration": 40, "x": round(step[0]), "y": round(step[1])}
                   if isinstance(step, tuple) else {"type": "pointer" + step.capitalize(), "button": 0}
                   for step in steps]
        self.ask("POST", "actions", {"actions": [{"type": "pointer", "id": kind, "actions": actions,
                                                  "parameters": {"pointerType": kind}}]})


def check(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")
