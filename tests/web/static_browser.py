"""The static page in headless Chromium, driven by WebDriver, from a host of files: a level is chosen and
played by mouse, touch and keys, seen from the inside and beside its novel twin, and shared; a file is opened.
    static_browser.py PAGE LEVELS [SCREENSHOTS]
PAGE: where scripts/static-page has built it; LEVELS: a folder of levels, of which it does not hold the
last. Ends with 77, which CTest takes for skipped, where the page, Chromium or its driver is missing."""
import contextlib
import pathlib
import shutil
import sys
import tempfile

from browser import Play
from driver import ELEMENT, Browser, check, missing, started


class StaticPlay(Play):
    """The steps of the test that the server's page has not."""

    def look(self, name):
        self.browser.run("scrollTo(0, 0)")
        super().look(name)

    def choose_file(self, path):
        found = self.browser.ask("POST", "element", {"using": "css selector", "value": "#file"})
        self.browser.ask("POST", f"element/{found[ELEMENT]}/value", {"text": str(path.resolve())})

    def open_file(self, level, folder):
        browser = self.browser
        wrong = folder / "wrong.json"
        wrong.write_text('{"format": "startle-level"')
        browser.open(self.site)
        browser.wait("document.querySelectorAll('#cards li').length > 1", "a list of levels")
        self.choose_file(wrong)
        browser.wait("document.getElementById('status').textContent.startsWith('wrong.json: parse error')",
                     "what is wrong with a file")
        self.look("wrong file")
        self.choose_file(level)
        self.state("standing")
        check(browser.run("return document.title").startswith(level.stem), "the opened level is shown")
        self.shoot("mouse")
        self.landed()
        browser.click("header a")
        self.wait_opened("")
        browser.reload()
        self.wait_opened("")
        self.look("opened level")
        browser.run("localStorage.setItem('startle-level/wrong.json', '{')")  # readable no more
        browser.reload()
        self.wait_opened("")
        browser.click("#remove")
        self.wait_opened("!")
        check(browser.run("return localStorage.length") == 0, "opened levels are removed")

        browser.run(f"localStorage.setItem('startle-level/{level.name}', 'of before')")
        browser.run("Storage.prototype.setItem = () => { throw new Error('full'); }")
        self.choose_file(level)
        browser.wait("document.getElementById('status').textContent.includes('no room to keep it')",
                     "that a level is not kept")
        check(browser.run("return localStorage.length") == 0, "nor is the level of before under its name")
        self.wait_opened("")
        browser.reload()
        self.wait_opened("!")

    def wait_opened(self, no):
        """Waits until the list has a level of the player's own, or has none ("!")."""
        self.browser.wait("document.querySelectorAll('#cards li').length > 1 && " + no +
                          "document.querySelector('#set option[value=opened]')", f"{no}an opened level")

    def without_engine(self, site):
        self.browser.open(site)
        self.browser.wait("document.getElementById('status').textContent.includes('cannot be started')",
                          "why nothing can be played")


@contextlib.contextmanager
def served(folder):
    """The address of a host of the files below it."""
    with started(sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1",
                 "--directory", folder) as (site, _):
        yield site


def play_all(play):
    play.choose()
    play.shoot("mouse")
    play.landed()
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


def main(page, levels, pictures=None):
    page = pathlib.Path(page)
    if not (page / "engine.wasm").exists():
        print("skipped: scripts/static-page has not been run")
        return 77
    if missing():
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, \
            started("chromedriver", "--port=0") as (driver, _):
        folder = pathlib.Path(folder)
        # Not at the top of its host, as on most.
        shutil.copytree(page, folder / "site/page")
        shutil.copytree(page, folder / "site/broken", ignore=shutil.ignore_patterns("engine.wasm"))
        with served(folder / "site") as site:
            browser = Browser(driver, folder / "profile")
            try:
                for width, height in ((1300, 860), (800, 1000), (390, 844)):
                    browser.resize(width, height)
                    shown = pictures and pathlib.Path(pictures) / str(width)
                    if shown:
                        shown.mkdir(parents=True, exist_ok=True)
                    play = StaticPlay(browser, site + "page/", shown)
                    play_all(play)
                    overflow = browser.run("return document.documentElement.scrollWidth - innerWidth")
                    check(overflow <= 0, f"the page is {overflow} pixels too wide at {width}")
                    faults = [entry for entry in browser.log() if entry["level"] == "SEVERE"]
                    check(not faults, faults)
                    print(f"played at {width} pixels", flush=True)
                play.decode()
                play.unknown_level()
                play.without_motion()
                play.open_file(max(pathlib.Path(levels).glob('*-[0-9]*.json')), folder)
                play.without_engine(site + "broken/")
                print("a file was opened")
            finally:
                browser.ask("DELETE", "")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
