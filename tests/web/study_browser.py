"""A study with people in headless Chromium, driven by WebDriver: one participant by mouse, one by keys alone,
one by touch; the server is killed in the middle of a level, and the page goes on; then a reload, and a
second window.
    study_browser.py STARTLE LEVELS [SCREENSHOTS]
Ends with 77, which CTest takes for skipped, where Chromium or its driver is missing. STARTLE_AXE as for
browser.py."""
import contextlib
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

from accessibility import about_axe, check_by_axe, check_contrast, check_keys
from driver import QUICK, Browser, check, missing, started

PRACTICE, ITEMS, CHECKS = 2, 2, 1
QUESTIONS = pathlib.Path(__file__).parents[2] / "people/sample-questions.json"
BACKSPACE = "\ue003"
ENTER, TAB, UP, RIGHT, SPACE = "\ue007", "\ue004", "\ue013", "\ue014", " "
SIZES = {"mouse": (1300, 860), "keys": (800, 1000), "touch": (390, 844)}


class Study:
    """A file of a study with one participant, and a server of it."""

    def __init__(self, program, levels, folder, name, language="en"):
        self.program, self.file = program, folder / f"{name}.sqlite"
        consent = folder / "consent.txt"
        consent.write_text("You are invited to take part.\n\nYou may stop at any time.\n")
        self.ask("create", "--levels", levels, "--practice", PRACTICE, "--items", ITEMS,
                 "--attention", CHECKS, "--consent", consent, "--language", language, "--seed", 3,
                 "--out", self.file, "--quiet", "--questions", QUESTIONS,
                 "--return-address", "https://recruiter.invalid/?cc={code}")
        self.link = self.ask("invite", self.file).split()[-1].split(",")[1]

    def ask(self, *command):
        return subprocess.run([str(word) for word in (self.program, "study-people", *command)], text=True,
                              check=True, stdout=subprocess.PIPE).stdout

    def server(self, port=0):
        return started(self.program, "web", "--study", self.file, "--port", port, "--enrol", 2)

    def events(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=30)) as file:
            columns = ("session event position number angle stretch tap_time score pigs_left birds_left "
                       "trace confidence description")
            return [dict(zip(columns.split(), row)) for row in file.execute(
                f"SELECT {', '.join(columns.split())} FROM events WHERE participant = 0 ORDER BY sequence")]


class Participant:
    """The steps of the test, on one window, by one kind of input."""

    def __init__(self, browser, kind, pictures):
        self.browser, self.kind, self.pictures, self.seen = browser, kind, pictures, set()

    def look(self, name):
        """At the page as it is, the first time that it is seen."""
        if name in self.seen:
            return
        self.seen.add(name)
        check_by_axe(self.browser, f"{name}, {self.kind}")
        check_contrast(self.browser, name)
        if self.kind == "keys":
            check_keys(self.browser, name)
        if self.pictures:
            time.sleep(0.2)
            self.browser.picture(self.pictures / f"{self.kind}-{name}.png")

    def page(self):
        return self.browser.run("""
            const { screen } = document.body.dataset, shown = (id) => !document.getElementById(id).hidden;
            const busy = document.querySelector("[data-disabled=false]:disabled") !== null;
            return { screen, busy, level: shown("level"), form: shown("level") && shown("report"),
                     result: shown("level") && shown("result"), state: document.getElementById("canvas")
                       .dataset.state, asked: document.getElementById("asked").textContent,
                     buttons: [...document.querySelectorAll("main button")].filter((one) =>
                       one.offsetParent && !one.disabled).map((one) => one.textContent) };""")

    def press(self, text, within="main"):
        """The button of that text."""
        if self.kind == "keys":
            for _ in range(30):
                if self.browser.run("return document.activeElement.textContent") == text:
                    return self.browser.keys([ENTER])
                self.browser.keys([TAB])
            sys.exit(f"FAILED: '{text}' is not reached by Tab")
        x, y = self.browser.run(f"""
            const found = [...document.querySelectorAll("{within} button")].find((one) =>
              one.offsetParent && one.textContent === {json.dumps(text)});
            found.scrollIntoView({{ block: "center" }});
            const box = found.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];""")
        return self.browser.point(self.kind, (x, y), "down", "up")

    def settled(self, what):
        self.browser.wait("""(() => {
            const state = document.getElementById("canvas").dataset.state;
            const busy = document.querySelector("[data-disabled=false]:disabled") !== null;
            return document.body.dataset.screen !== undefined && !busy &&
              (document.getElementById("level").hidden || state === "standing"); })()""", what, 60)

    def bird(self):
        """Where the bird hangs, in pixels of the window, and pixels a world unit."""
        return self.browser.run("""
            const canvas = document.getElementById("canvas");
            canvas.scrollIntoView({ block: "center" });
            const frame = canvas.getBoundingClientRect();
            const { box: [left, right, bottom, top], rest } = window.startleScene;
            const scale = Math.min(frame.width / (right - left), frame.height / (top - bottom));
            return [frame.left + frame.width / 2 + (rest[0] - (left + right) / 2) * scale,
                    frame.bottom - (rest[1] - bottom) * scale, scale];""")

    def watch(self):
        """Keeps what the server says of the level, to know where the bird is."""
        self.browser.run("""
            const real = window.fetch;
            window.startleAnswers = [];
            window.fetch = async (...asked) => {
              const answer = await real(...asked);
              answer.clone().json().then((said) => {
                window.startleAnswers.push(JSON.stringify(said));
                if (said.art) window.startleScene = said.scene;
              }, () => {});
              return answer;
            };""")

    def shoot(self, flat=0.6):
        if self.kind == "keys":
            self.browser.wait("document.activeElement.id === 'canvas'", "a canvas in focus")
            self.browser.keys([UP] * 3 + [RIGHT] + [SPACE])
        else:
            x, y, scale = self.bird()
            self.browser.point(self.kind, (x, y), "down", (x - 0.4 * scale, y + 0.2 * scale),
                               (x - 1.2 * scale, y + flat * scale), "up")
        self.browser.wait("document.getElementById('canvas').dataset.state === 'flying'", "a flight")
        first = "flight" not in self.seen
        if first:
            self.browser.pace(0)
            self.look("flight")
            self.browser.pace(1)
        time.sleep(0.4)
        if self.kind == "keys":
            self.browser.keys([SPACE])
        else:
            x, y = self.browser.run("""
                const frame = document.getElementById("canvas").getBoundingClientRect();
                return [frame.left + frame.width / 2, frame.top + frame.height / 3];""")
            self.browser.point(self.kind, (x, y), "down", "up")
        self.browser.pace(1 if first else QUICK)  # one flight has its own time
        self.settled("the end of a shot")
        self.browser.pace(1)

    def questions(self, button):
        """Sends the form too early, and out of range; then answers the first and the last question."""
        self.look("questions")
        for typed in ("", "7"):
            self.browser.keys(list(typed))
            self.press(button)
            self.browser.wait("document.activeElement.id === 'answer-0' && "
                              "document.activeElement.ariaInvalid === 'true'", "an answer that is not taken")
        self.look("questions-missing")
        self.browser.keys([BACKSPACE, "3", "1", TAB, TAB, "o"])
        check(self.browser.run("return document.activeElement.value") == "often", "an option that is chosen")
        self.press(button)
        self.settled("what comes after the questions")

    def report(self, percent, description):
        self.look("report")
        if self.kind == "keys":
            self.browser.keys([TAB, str(percent // 10 % 10), TAB] + list(description))
        else:
            x, y, width = self.browser.run("""
                const slider = document.getElementById("confidence");
                slider.scrollIntoView({ block: "center" });
                const box = slider.getBoundingClientRect();
                return [box.left, box.top + box.height / 2, box.width];""")
            # The thumb's middle goes from 8 pixels within one end to 8 within the other.
            self.browser.point(self.kind, (x + 8 + (width - 16) * (percent - 50) / 50, y), "down", "up")
            self.browser.run("document.getElementById('description').focus()")
            self.browser.keys(list(description))
        self.browser.wait("!document.getElementById('send').disabled", "a report that can be sent")
        self.press("Report")
        self.browser.wait("document.getElementById('report').hidden", "a report that was sent")
        self.settled("what comes after a report")

    def item(self, check_of_attention, noticed):
        """Plays an item to its end; reports after the first shot where something is noticed."""
        self.shoot()
        self.look("attention" if check_of_attention else "item")
        if check_of_attention or noticed:
            self.press("I noticed something")
            self.browser.wait("!document.getElementById('report').hidden", "the form")
            self.report(50 if check_of_attention else 90, "It bounces.")
            self.look("reported")
            self.press("Done with this level")
            self.settled("the end of an item")
            return
        while not self.page()["result"]:
            self.shoot()
        self.look("question")
        self.press("No, nothing")
        self.settled("the end of an item")


def take_part(one, study, address, middle=None):
    """From the link to the end. `middle`: is called in the midst of the second practice level."""
    browser = one.browser
    browser.open(f"{address}#link={study.link}")
    one.settled("the consent")
    one.watch()
    one.look("consent")
    one.press("I agree")
    one.settled("questions")
    one.questions("Continue")
    one.settled("practice")
    one.look("practice")
    one.press("Start")
    one.settled("a practice level")
    one.look("level")
    for level in range(PRACTICE):
        while not one.page()["result"]:
            one.shoot()
            if level == 1 and middle:
                middle()
                middle = None
        one.look("practised")
        one.press("Next level" if level + 1 < PRACTICE else "Go on to the study", "#result")
        one.settled("the next practice level, or the briefing")
    one.look("briefing")
    one.press("Begin")
    for number in range(ITEMS + CHECKS):
        one.settled("an item")
        page = one.page()
        one.item("checks" in page["asked"], noticed=number == 0)
        if number + 1 < ITEMS + CHECKS:
            one.look("between")
            one.press("Next level")
    one.settled("thanks")
    one.look("thanks")
    browser.wait("document.body.dataset.screen.startsWith('finished')", "the end")
    text = browser.run("return document.getElementById('note').textContent")
    code = re.search(r"code is (\w{8})\.", text)
    check(code and code[1] in study.ask("completions", study.file), f"the completion code stands in '{text}'")
    check(browser.run("return document.querySelector('#choices a').href") ==
          f"https://recruiter.invalid/?cc={code[1]}", "the way back to the recruiter")


def replay(program, levels, folder, events):
    """The same acts sent to a server by themselves: what it stores."""
    study = Study(program, levels, folder, "again")
    routes = {"agreed": "agree", "answered": "answer", "practice_begun": "begin-practice",
              "practice_left": "leave-practice", "item_begun": "begin-item", "shot": "shoot",
              "shot_ended": "end-shot", "reported": "report", "unnoticed": "report-nothing",
              "item_left": "leave-item", "paused": "pause", "continued": "go-on",
              "closed": "close"}
    with study.server() as (address, _):
        def post(what, body):
            request = urllib.request.Request(f"{address}api/study/{what}", json.dumps(body).encode(),
                                             {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        state = None
        for event in events:
            if event["event"] == "interrupted":
                continue
            if event["event"] == "opened":
                state = post("open", {"link": study.link})["state"]
                continue
            body = {"link": study.link, "opening": state["opening"], "sequence": state["sequence"]}
            if event["event"] == "practice_begun":
                body["position"] = event["position"]
            elif event["event"] == "answered":
                body["answers"] = json.loads(event["description"])
            elif event["event"] == "shot":
                body["shot"] = {"angle": event["angle"], "stretch": event["stretch"]}
            elif event["event"] == "shot_ended" and event["tap_time"] is not None:
                body["tap_time"] = event["tap_time"]
            elif event["event"] == "reported":
                body.update(confidence=event["confidence"], description=event["description"])
            state = post(routes[event["event"]], body)["state"]
    return study.events()


def no_truth(browser, study):
    """Nothing that the page was sent names a level, a novelty, a tier or a world."""
    with contextlib.closing(sqlite3.connect(f"file:{study.file}?mode=ro", uri=True)) as file:
        words = {word for row in file.execute("SELECT name, tier FROM levels") for word in row}
    answers = browser.run("return window.startleAnswers")
    check(len(answers) > 10, "answers were kept")
    for answer in answers:
        for word in (*words, "novel", "tier", "plan"):
            check(f'"{word}"' not in answer, f"an answer has '{word}'")


def whole_studies(program, levels, driver, folder, pictures):
    stored = {}
    for kind, (width, height) in SIZES.items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = Browser(driver, profile)
            browser.resize(width, height)
            if kind == "touch":
                browser.emulate("setTouchEmulationEnabled", enabled=True)
            study = Study(program, levels, folder, kind)
            with contextlib.ExitStack() as servers:
                address, server = servers.enter_context(study.server())

                def killed():
                    server.kill()
                    server.wait()
                    one.press("Pause")
                    browser.wait("document.getElementById('status').textContent.includes('no connection')",
                                 "a server that does not answer")
                    one.look("no-connection")
                    servers.enter_context(study.server(address.rstrip("/").rsplit(":", 1)[1]))
                    browser.wait("document.body.dataset.screen === 'pause'", "the study goes on")
                    one.look("pause")
                    one.press("Go on")
                    one.settled("the level after a pause")

                one = Participant(browser, kind, pictures)
                take_part(one, study, address, killed)
                no_truth(browser, study)
                overflow = browser.run("return document.documentElement.scrollWidth - innerWidth")
                check(overflow <= 0, f"the page is {overflow} pixels too wide at {width}")
            faults = [entry for entry in browser.log() if entry["level"] == "SEVERE" and
                      "ERR_CONNECTION_REFUSED" not in entry["message"]]
            check(not faults, faults)
            events = study.events()
            kinds = [event["event"] for event in events]
            check("interrupted" not in kinds and kinds.count("opened") == 1,
                  f"a server that was killed interrupts nothing: {kinds}")
            check(kinds.count("shot") == kinds.count("shot_ended"), "every shot has its end")
            check(any(event["tap_time"] for event in events if event["event"] == "shot_ended"),
                  "a bird's power was used in flight")
            stored[kind] = events
            browser.ask("DELETE", "")
            print(f"a whole study by {kind} at {width} pixels: {len(events)} events")
    again = replay(program, levels, folder, stored["mouse"])
    check(again == stored["mouse"], "the same acts, sent by themselves, are stored as the same events")


def elsewhere(program, levels, driver, folder, pictures):
    """German texts; a page that is loaded again in the middle of an item; the study opened in a second
    window; links that are none; a recruiter's participants; the researcher's page."""
    study = Study(program, levels, folder, "german", "de")
    password = folder / "researcher.hash"
    subprocess.run([program, "study-people", "password", "--out", password], input="a long password\n",
                   text=True, check=True)
    with started(program, "web", "--study", study.file, "--port", 0, "--enrol", 2, "--researcher",
                 password) as (address, _), \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(driver, profile)
        browser.resize(1300, 860)
        one = Participant(browser, "mouse", pictures and pictures / "de")
        page = f"{address}#link={study.link}"

        def shows(text, what):
            browser.wait(f"document.getElementById('main').textContent.includes({json.dumps(text)})", what)

        browser.open(page)
        one.settled("the consent")
        check(browser.run("return document.documentElement.lang") == "de", "the page is German")
        one.watch()
        one.look("consent")
        one.press("Ich stimme zu")
        one.settled("questions")
        # Loaded again: they are still to be answered; once they are, no more.
        browser.open(page)
        one.settled("questions")
        one.watch()
        one.questions("Weiter")
        browser.open(page)
        one.settled("practice")
        one.watch()
        one.look("practice")
        one.press("Anfangen")
        one.settled("a level")
        for level in range(PRACTICE):
            while not one.page()["result"]:
                one.shoot()
            one.look("practised")
            one.press("Nächstes Level" if level + 1 < PRACTICE else "Weiter zur Studie", "#result")
            one.settled("what comes next")
        one.look("briefing")
        one.press("Beginnen")
        one.settled("an item")
        one.shoot()
        one.look("item")
        one.press("Mir ist etwas aufgefallen")
        one.look("report")
        # Loaded again: the item is over, as in a window that was closed.
        browser.open(page)
        one.settled("between two items")
        one.look("between")
        kinds = [event["event"] for event in study.events()]
        check(kinds[-2:] == ["opened", "interrupted"], f"the item was interrupted: {kinds[-4:]}")
        # The study goes on where it was opened last.
        first = browser.ask("GET", "window")
        second = browser.ask("POST", "window/new", {"type": "window"})["handle"]
        browser.ask("POST", "window", {"handle": second})
        browser.open(page)
        one.settled("the second window")
        browser.ask("POST", "window", {"handle": first})
        one.press("Nächstes Level")
        shows("noch einmal geöffnet", "what the first window says")
        one.look("opened-again")
        browser.open(f"{address}#link=0123")
        shows("gehört zu niemandem", "what is said of a link that is none")
        one.look("unknown-link")
        # A recruiter's people: the address then holds the link, so that loading it again goes on.
        browser.open(f"{address}?identifier=person1")
        one.settled("the consent")
        link = browser.run("return location.href")
        check(re.fullmatch(f"{address}#link=[0-9a-f]{{32}}", link), f"the address is {link}")
        # The same browser finds its link again; another one, which has none, gets none.
        browser.open(f"{address}?identifier=person1")
        one.settled("the consent")
        check(browser.run("return location.href") == link, "the same browser has the same link")
        browser.run("localStorage.clear()")
        browser.open(f"{address}?identifier=person1")
        shows("schon begonnen", "what is said of an identifier that is known")
        one.look("enrolled")
        browser.open(f"{address}#identifier=person2")
        shows("alle Teilnehmenden", "a study that is full")
        one.look("full")
        browser.open(f"{address}researcher")
        one.look("researcher-door")
        browser.click("#password")
        browser.keys(list("a long password") + [ENTER])
        browser.wait("document.querySelectorAll('#people tr').length === 9", "the figures")
        one.look("researcher")
        check_keys(browser, "the researcher's page")
        faults = [entry for entry in browser.log() if entry["level"] == "SEVERE" and
                  not re.search("status of (403|404|409)", entry["message"])]
        check(not faults, faults)
        browser.ask("DELETE", "")
    print("a page loaded again, a second window, links, recruiter and researcher")


def main(program, levels, pictures=None):
    if missing():
        return 77
    print(about_axe())
    if pictures:
        pictures = pathlib.Path(pictures)
        (pictures / "de").mkdir(parents=True, exist_ok=True)
    with started("chromedriver", "--port=0") as (driver, _), \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for steps in (whole_studies, elsewhere):
            steps(program, levels, driver, pathlib.Path(folder), pictures)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
