"""The game in headless Chromium, driven by WebDriver: a level is opened and played by mouse, touch and keys
alone, seen from the inside and beside its novel twin, and shared.
    browser.py STARTLE LEVELS [SCREENSHOTS]
Ends with 77, which CTest takes for skipped, where Chromium or its driver is missing."""
import base64
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element in WebDriver's JSON
LEVEL = "T2-detection-easy-5001-0001"
SHOTS = "(new URLSearchParams(location.hash.slice(1)).get('shots') ?? '')"  # those in the page's address


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


class Play:
    """The steps of the test, on one window."""

    def __init__(self, browser, site, pictures):
        self.browser, self.site, self.pictures = browser, site, pictures

    def picture(self, name):
        if self.pictures:
            time.sleep(0.3)
            self.browser.picture(self.pictures / f"{name}.png")

    def state(self, state):
        self.browser.wait(f"document.querySelector('canvas').dataset.state === '{state}'", f"state {state}")

    def shots(self):
        return self.browser.run(f"return {SHOTS}")

    def bird(self):
        """Where the bird hangs, in pixels of the window, and how many of them a world unit has."""
        return self.browser.run("""
            const canvas = document.querySelector("canvas"), frame = canvas.getBoundingClientRect();
            const path = "/api/levels/" + encodeURIComponent(
              new URLSearchParams(location.hash.slice(1)).get("level"));
            const asked = new XMLHttpRequest();
            asked.open("GET", path, false);
            asked.send();
            const { box: [left, right, bottom, top], rest } = JSON.parse(asked.responseText).scene;
            const scale = Math.min(frame.width / (right - left), frame.height / (top - bottom));
            return [frame.left + frame.width / 2 + (rest[0] - (left + right) / 2) * scale,
                    frame.bottom - (rest[1] - bottom) * scale, scale];""")

    def choose(self):
        browser = self.browser
        browser.open(self.site)
        browser.wait("document.querySelectorAll('#cards li').length > 1", "a list of levels")
        every = browser.run("return document.querySelectorAll('#cards li').length")
        browser.run("""const tier = document.getElementById("tier"); tier.value = "easy";
                       tier.dispatchEvent(new Event("input", { bubbles: true }));""")
        easy = browser.run("return document.querySelectorAll('#cards li').length")
        check(0 < easy < every, f"{easy} of {every} levels are easy")
        browser.wait("[...document.querySelectorAll('#cards img')].slice(0, 4)"
                     ".every((one) => one.complete && one.naturalWidth === 256)", "thumbnails")
        self.picture("list")
        browser.click("#cards a")
        self.state("standing")

    def shoot(self, kind):
        """Drags the bird back and lets go."""
        before = self.shots()
        x, y, scale = self.bird()
        self.browser.point(kind, (x, y), "down", (x - 0.4 * scale, y + 0.2 * scale),
                           (x - 1.2 * scale, y + 0.7 * scale), "up")
        self.browser.wait(f"!location.hash.endsWith({json.dumps('shots=' + before)}) &&"
                          "location.hash.includes('shots=')", f"a shot by {kind}")
        angle = float(self.shots().split(";")[-1].split(",")[0])
        check(25 < angle < 35, f"a pull to the lower left by {kind} shoots at {angle} degrees")
        self.state("standing")

    def shoot_by_keys(self):
        browser = self.browser
        before = self.shots()
        browser.run("document.querySelector('canvas').focus()")
        browser.keys(["\ue013"] * 3 + ["\ue015", " "])  # up, up, up, down, space
        browser.wait(f"{SHOTS} !== {json.dumps(before)}", "a shot by keys")
        check(self.shots().split(";")[-1] not in before, "keys aim otherwise than the shot before")
        self.state("flying")
        browser.keys(["p"])
        browser.wait("document.getElementById('pause').textContent === 'Go on'", "a pause by a key")
        browser.keys(["p"])
        self.state("standing")

    def tap(self):
        """A bird's power by a touch while it flies."""
        browser = self.browser
        browser.run("const speed = document.getElementById('speed'); speed.value = '0.25';"
                    "speed.dispatchEvent(new Event('change', { bubbles: true }))")
        x, y, scale = self.bird()
        browser.click("#shoot")
        self.state("flying")
        browser.wait("document.getElementById('time').value > 20", "a bird in flight")
        browser.point("touch", (x + 2 * scale, y), "down", "up")
        browser.wait(f"{SHOTS}.split(';').pop().includes(',')", "a tap in flight")
        browser.run("const speed = document.getElementById('speed'); speed.value = '4';"
                    "speed.dispatchEvent(new Event('change', { bubbles: true }))")
        self.state("standing")

    def video(self):
        self.browser.click("#video")
        self.browser.wait("document.getElementById('status').textContent === 'The video is saved.'",
                          "a video")

    def take_back(self):
        count = len(self.shots().split(";"))
        self.browser.click("#undo")
        self.browser.wait(f"{SHOTS}.split(';').filter(Boolean).length === {count - 1}", "a shot taken back")
        self.state("standing")
        self.browser.click("#restart")
        self.browser.wait("!location.hash.includes('shots=')", "the start")
        self.state("standing")

    def look_inside(self):
        browser = self.browser
        for overlay in ("targets", "impacted", "difficulty"):
            browser.click(f"#{overlay}")
        browser.wait("document.querySelector('#about-difficulty dd') !== null", "PID and BID")
        check(browser.run("return document.querySelectorAll('#about-target li').length") > 0,
              "trajectories are listed")
        check(browser.run("return document.getElementById('target').length") > 0, "targets can be chosen")
        self.picture("inside")
        for overlay in ("targets", "impacted", "difficulty"):
            browser.click(f"#{overlay}")
        check(browser.run("return document.getElementById('inside').hidden"), "overlays can be put away")

    def twins(self):
        browser = self.browser
        browser.click("#twins")
        browser.wait("document.querySelectorAll('.pane:not([hidden])').length === 2", "two worlds")
        self.state("standing")
        browser.run("const angle = document.getElementById('angle'); angle.value = '20';"
                    "angle.dispatchEvent(new Event('input', { bubbles: true }))")
        browser.click("#shoot")
        self.state("flying")
        browser.run("const time = document.getElementById('time'); time.value = Math.round(time.max / 2);"
                    "time.dispatchEvent(new Event('input', { bubbles: true }))")
        self.picture("twins")
        browser.run("document.getElementById('pause').click()")
        self.state("standing")
        check(browser.run("return document.getElementById('apart').textContent") != "",
              "the page says when the worlds part")

    def share(self):
        """The shared address shows the same level, shot and worlds in a page of its own."""
        browser = self.browser
        address = browser.run("return document.getElementById('address').value")
        check("shots=20" in address and "twins=" in address, f"the shot stands in {address}")
        browser.open(address)
        browser.wait("document.querySelectorAll('.pane:not([hidden])').length === 2", "two worlds, shared")
        self.state("flying")
        self.state("standing")
        check(browser.run("return document.getElementById('address').value") == address,
              "the address stays the same")

    def without_motion(self):
        """Where the system asks for less motion, a shared shot waits to be replayed."""
        self.browser.emulate("setEmulatedMedia",
                             features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        self.browser.open(self.site + f"#level={LEVEL}&shots=20")
        self.state("standing")
        check(self.browser.run("return !document.getElementById('replay').disabled"), "it can be replayed")
        self.browser.emulate("setEmulatedMedia", features=[])

    def decode(self):
        """The page reads what moves as the server meant it: at the end all is where the next shot begins."""
        faults = self.browser.result(f"""
            const {{ Flight, standingBodies }} = await import("/page/flight.js");
            const {{ postJson }} = await import("/page/api.js");
            const faults = [];
            for (const degrees of [5, 20, 35, 60]) {{
              const shots = [{{ angle: degrees * Math.PI / 180 }}];
              const answer = await postJson("/api/levels/{LEVEL}/shots", {{ shots }});
              const flight = new Flight(answer.trace, answer.before);
              const end = flight.bodiesAt(flight.steps).filter((body) => !body.flyer);
              const after = standingBodies(answer.scene, {{ x: 0, y: 0 }}).filter((body) => !body.flyer);
              const text = (bodies) => JSON.stringify(bodies.map(({{ id, art, cracks, pose }}) =>
                [id, art, cracks, ...[pose.x, pose.y, pose.angle].map((value) => value.toFixed(3))]));
              if (end.length === 0 || text(end) !== text(after)) faults.push(degrees, text(end), text(after));
              const start = flight.bodiesAt(0).filter((body) => !body.flyer);
              if (start.length !== answer.before.objects.length) faults.push(degrees, "at the start");
            }}
            return faults;""")
        check(faults == [], f"decoded otherwise: {faults}")

    def unknown_level(self):
        """An address of a level that is none leads to the list, and says why."""
        self.browser.open(self.site + "#level=none")
        self.browser.wait("document.querySelectorAll('#cards li').length > 1", "a list of levels")
        check("none" in self.browser.run("return document.getElementById('status').textContent"),
              "the page says that there is no such level")

    def survive(self, program, levels, server):
        """The server is killed, and another one takes its place: play goes on after the shot before."""
        before = self.shots()
        server.kill()
        server.wait()
        self.browser.click("#shoot")
        self.browser.wait("document.getElementById('status').textContent.includes('answer')",
                          "a server that does not answer")
        check(self.shots() == before, "a shot that got no answer was not flown")
        port = self.site.rstrip("/").rsplit(":", 1)[1]
        with started(program, "web", levels, "--port", port):
            self.browser.click("#shoot")
            self.browser.wait(f"{SHOTS}.startsWith({json.dumps(before + ';')})", "a shot after the kill")


def main(program, levels, pictures=None):
    for name in ("chromedriver", "chromium"):
        if shutil.which(name) is None:
            print(f"skipped: {name} is not installed")
            return 77
    if pictures:
        pictures = pathlib.Path(pictures)
        pictures.mkdir(parents=True, exist_ok=True)
    with started(program, "web", levels, "--port", "0") as (site, server), \
            started("chromedriver", "--port=0") as (driver, _), \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(driver, profile)
        try:
            for width, height in ((1300, 860), (800, 1000), (390, 844)):
                browser.resize(width, height)
                folder = pictures and pictures / str(width)
                if folder:
                    folder.mkdir(exist_ok=True)
                play = Play(browser, site, folder)
                play.choose()
                play.shoot("mouse")
                play.take_back()
                play.shoot("touch")
                play.take_back()
                play.shoot_by_keys()
                play.take_back()
                play.tap()
                play.video()
                play.take_back()
                play.look_inside()
                play.twins()
                play.share()
                overflow = browser.run("return document.documentElement.scrollWidth - innerWidth")
                check(overflow <= 0, f"the page is {overflow} pixels too wide at {width}")
                faults = [entry for entry in browser.log() if entry["level"] == "SEVERE"]
                check(not faults, faults)
                print(f"played at {width} pixels")
            play.decode()
            play.unknown_level()
            play.without_motion()
            play.survive(program, levels, server)
            print("played on after the server was killed")
        finally:
            browser.ask("DELETE", "")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
