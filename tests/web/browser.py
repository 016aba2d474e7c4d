"""The game in headless Chromium, driven by WebDriver: a level is opened and played by mouse, touch and keys
alone, seen from the inside and beside its novel twin, and shared.
    browser.py STARTLE LEVELS [SCREENSHOTS]
Ends with 77, which CTest takes for skipped, where Chromium or its driver is missing. STARTLE_AXE names a file
axe.min.js, of the npm package axe-core: then each page is checked by it, too."""
import json
import pathlib
import sys
import tempfile
import time

from accessibility import TAB, about_axe, check_by_axe, check_contrast, check_keys
from driver import QUICK, Browser, check, missing, started

ENTER, UP = "\ue007", "\ue013"
LEVEL = "T2-easy-5005-0003"
SHOTS = "(new URLSearchParams(location.hash.slice(1)).get('shots') ?? '')"  # those in the page's address


class Play:
    """The steps of the test, on one window."""

    def __init__(self, browser, site, pictures):
        self.browser, self.site, self.pictures = browser, site, pictures

    def look(self, name):
        """At the page as it is."""
        check_by_axe(self.browser, name)
        check_contrast(self.browser, name)
        if self.pictures:
            time.sleep(0.3)
            self.browser.picture(self.pictures / f"{name}.png")

    def state(self, state):
        self.browser.wait(f"document.querySelector('canvas').dataset.state === '{state}'", f"state {state}")

    def landed(self):
        """The end of a flight."""
        self.browser.pace(QUICK)
        self.state("standing")
        self.browser.pace(1)

    def shots(self):
        return self.browser.run(f"return {SHOTS}")

    def bird(self):
        """Where the bird hangs, in pixels of the window, and how many of them a world unit has."""
        return self.browser.result(f"""
            const canvas = document.querySelector("canvas"), frame = canvas.getBoundingClientRect();
            const {{ getJson, levelPath }} = await import("{self.site}page/api.js");
            const level = new URLSearchParams(location.hash.slice(1)).get("level");
            const {{ box: [left, right, bottom, top], rest }} = (await getJson(levelPath(level))).scene;
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
        self.look("list")
        browser.click(f"#cards a[href*='{LEVEL}']")
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
        self.look("flight")
        browser.keys(["p"])
        self.landed()

    def tap(self):
        """A bird's power by a touch while it flies."""
        browser = self.browser
        browser.run("const speed = document.getElementById('speed'); speed.value = '0.25';"
                    "speed.dispatchEvent(new Event('change', { bubbles: true }))")
        x, y, scale = self.bird()
        browser.click("#shoot")
        self.state("flying")
        # Paused in flight: the touch may take longer than the bird.
        browser.result("""
            do await new Promise(requestAnimationFrame); while (document.getElementById("time").value <= 20);
            document.getElementById("pause").click();""")
        browser.point("touch", (x + 2 * scale, y), "down", "up")
        browser.wait(f"{SHOTS}.split(';').pop().includes(',')", "a tap in flight")
        browser.run("document.getElementById('pause').click()")
        browser.run("const speed = document.getElementById('speed'); speed.value = '4';"
                    "speed.dispatchEvent(new Event('change', { bubbles: true }))")
        self.landed()

    def video(self):
        self.browser.click("#video")
        self.browser.pace(QUICK)
        self.browser.wait("document.getElementById('status').textContent === 'The video is saved.'",
                          "a video")
        self.browser.pace(1)

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
        browser.run("for (const part of document.querySelectorAll('details')) part.open = true")
        self.look("inside")
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
        self.look("twins")
        browser.run("document.getElementById('pause').click()")
        self.landed()
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
        self.landed()
        check(browser.run("return document.getElementById('address').value") == address,
              "the address stays the same")

    def spot(self):
        """The quiz: neither address nor page tells the world, until the answer."""
        browser = self.browser

        def titled(title):
            browser.wait(f"document.getElementById('quiz-title').textContent === '{title}'", title)

        browser.open(self.site + "#spot")
        titled("Spot the change")
        self.state("standing")
        self.look("spot")
        browser.click("#ready")
        titled("Normal or changed?")
        browser.click("#changed")
        browser.wait("document.getElementById('status').textContent.startsWith('Shoot first')",
                     "no answer before a shot")
        for shot in (1, 2):
            browser.click("#shoot")
            self.landed()
            browser.wait("!document.getElementById('undo').disabled", f"shot {shot}")
            if browser.run("return document.getElementById('shoot').disabled"):
                break  # the level is cleared
        shown = browser.run("return document.title + document.body.innerText + location.href")
        level = browser.run("return document.getElementById('address').value")
        check("T2" not in shown and level == "", f"{shown} {level} says the novelty")
        browser.click("#changed")
        browser.wait("document.getElementById('quiz-why').textContent.includes('a play of this level')",
                     "why it is easy or hard")
        self.landed()
        title, said, tally = (browser.run(f"return document.getElementById('{element}').textContent")
                              for element in ("quiz-title", "quiz-text", "tally"))
        check(("The world was changed. T2" in said) == (title == "Right") and title in ("Right", "Wrong"),
              f"{title}: {said}")
        check(tally == "So far: " + ("1 of 1 changed worlds spotted, 0 false alarms in 0 normal ones."
                                     if title == "Right" else
                                     "0 of 0 changed worlds spotted, 1 false alarm in 1 normal ones."), tally)
        check(browser.run("return document.querySelectorAll('.pane:not([hidden])').length") == 2,
              "both worlds are shown")
        self.look("spotted")
        check_keys(browser, "the quiz")
        browser.click("#again")
        titled("Spot the change")
        browser.open(self.site + f"#level={LEVEL}")
        self.state("standing")
        check(browser.run("return document.getElementById('quiz').hidden &&"
                          "!document.getElementById('panel').hidden"), "a level is no quiz")

    def without_motion(self):
        """Where the system asks for less motion, a shared shot waits to be replayed, nothing bursts, and no
        card changes by degrees."""
        browser = self.browser

        def want_motion(wanted):
            browser.emulate("setEmulatedMedia",
                            features=[{"name": "prefers-reduced-motion", "value": wanted}])

        def picture_with(motion, time):
            want_motion(motion)
            return browser.result(f"""
                const time = document.getElementById("time"), canvas = document.querySelector("canvas");
                time.value = String({time});
                time.dispatchEvent(new Event("input", {{ bubbles: true }}));
                await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
                return canvas.toDataURL();""")

        want_motion("reduce")
        browser.open(self.site + f"#level={LEVEL}&shots=20")
        self.state("standing")
        check(browser.run("return !document.getElementById('replay').disabled"), "it can be replayed")
        browser.click("#replay")
        self.state("flying")
        burst = browser.result(f"""
            const {{ postJson }} = await import("{self.site}page/api.js");
            const shots = [{{ angle: 20 * Math.PI / 180 }}];
            const {{ trace }} = await postJson("/api/levels/{LEVEL}/shots", {{ shots }});
            return trace.events.find(({{ kind }}) => kind === "destroyed").step;""")
        for time, same in ((1, True), (burst + 5, False)):
            check((picture_with("reduce", time) == picture_with("no-preference", time)) == same,
                  f"at step {time} of the shot dust is drawn only where motion is wanted")
        changes = {}
        for motion in ("reduce", "no-preference"):
            want_motion(motion)
            changes[motion] = browser.run("""
                const card = document.createElement("li");
                card.innerHTML = "<a href='#'></a>";
                document.getElementById("cards").append(card);
                const { transitionDuration } = getComputedStyle(card.firstChild);
                card.remove();
                return transitionDuration;""")
        check(changes == {"reduce": "0s", "no-preference": "0.15s"}, f"cards change in {changes}")
        browser.emulate("setEmulatedMedia", features=[])

    def by_keys_alone(self):
        """From the list to the end of a shot, and to each control."""
        browser = self.browser
        browser.open(self.site)
        browser.wait("document.querySelectorAll('#cards li').length > 1", "a list of levels")

        def tab_to(css):
            for _ in range(30):
                browser.keys([TAB])
                if browser.run(f"return document.activeElement.matches({json.dumps(css)})"):
                    return
            sys.exit(f"FAILED: Tab does not reach {css}")

        tab_to("#words")
        browser.keys(list("easy-5005-0003"))
        browser.wait("document.querySelectorAll('#cards li').length === 1", "a level found by its name")
        check("1 level" == browser.run("return document.getElementById('status').textContent"),
              "screen readers say how many levels were found")
        check_keys(browser, "the list")
        tab_to("#cards a")
        browser.keys([ENTER])
        self.state("standing")
        check(browser.run("return document.activeElement.id") == "main", "what was opened has the focus")
        tab_to("canvas")
        browser.keys([UP, " "])
        self.state("flying")
        check(browser.run("return document.getElementById('status').textContent").startswith("Shot 1 at "),
              "screen readers speak of the shot")
        self.landed()
        check_keys(browser, "a level")
        tab_to("#difficulty")
        browser.keys([" "])
        browser.wait("document.querySelector('#about-difficulty summary') !== null", "PID and BID")
        tab_to("summary")
        browser.keys([ENTER])
        check_keys(browser, "a level from the inside")

    def decode(self):
        """The page reads what moves as the server meant it: at the end all is where the next shot begins."""
        faults = self.browser.result(f"""
            const {{ Flight, standingBodies }} = await import("{self.site}page/flight.js");
            const {{ postJson }} = await import("{self.site}page/api.js");
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
    if missing():
        return 77
    print(about_axe())
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
                play.state("standing")  # in the flight's own time
                play.look("level")
                play.take_back()
                play.shoot("touch")
                play.landed()
                play.take_back()
                play.shoot_by_keys()
                play.take_back()
                play.tap()
                play.video()
                play.take_back()
                play.look_inside()
                play.twins()
                play.share()
                play.spot()
                overflow = browser.run("return document.documentElement.scrollWidth - innerWidth")
                check(overflow <= 0, f"the page is {overflow} pixels too wide at {width}")
                faults = [entry for entry in browser.log() if entry["level"] == "SEVERE"]
                check(not faults, faults)
                print(f"played at {width} pixels")
            play.decode()
            play.unknown_level()
            play.without_motion()
            play.by_keys_alone()
            play.survive(program, levels, server)
            print("played on after the server was killed")
        finally:
            browser.ask("DELETE", "")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
