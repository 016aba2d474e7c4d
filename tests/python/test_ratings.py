"""People's ratings of films: a page that takes a participant to the end, in a browser where there is one;
ratings become the answers that they are; other files are refused."""
import csv
import http.server
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from common import SOURCE, program
from startle import ratings

sys.path.insert(0, str(SOURCE / "tests/web"))
import driver  # noqa: E402
from accessibility import check_by_axe, check_contrast, check_keys  # noqa: E402

PICTURE = b"a picture"


def make_folder(folder, sets=1, frames=3):
    """Films of one block, each with pictures of its own: the readers look at nothing but their bytes."""
    for number in range(sets * 4):
        scene = folder / f"O2/{number // 4 + 1:02}" / str(number % 4 + 1) / "scene"
        scene.mkdir(parents=True)
        for frame in range(frames):
            (scene / f"scene_{frame + 1:03}.png").write_bytes(PICTURE + bytes([number, frame]))


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_ratings(self, *arguments):
        """What it prints, or the message that it ends with."""
        said = io.StringIO()
        with mock.patch("sys.stdout", said):
            try:
                ratings.main([str(argument) for argument in arguments])
            except SystemExit as end:
                return str(end.code)
        return said.getvalue()

    def write_ratings(self, name, rows):
        films = ratings.hash_of(ratings.films_of(self.folder / "dev"))
        lines = [ratings.COLUMNS, *([name, films, i + 1, clip, rating, 1, "0.5"]
                                    for i, (clip, rating) in enumerate(rows))]
        path = self.folder / f"{name}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(lines)
        return path


class Answers(Case):
    def setUp(self):
        super().setUp()
        make_folder(self.folder / "dev")
        self.out = self.folder / "answers.txt"

    def test_means_of_ratings_from_0_to_1(self):
        paths = [self.write_ratings("one", [(f"O2/01/{i}", i) for i in range(1, 5)]),
                 self.write_ratings("two", [("O2/01/1", 6), ("O2/01/4", 6)])]
        said = self.run_ratings("answers", self.folder / "dev", *paths, "--out", self.out)
        self.assertIn("the mean of 6 ratings of 4 films by 2 participants, 1 to 2 of each film", said)
        self.assertEqual(self.out.read_text(), "O2/01/1 0.500000\nO2/01/2 0.200000\nO2/01/3 0.400000\n"
                                               "O2/01/4 0.800000\n")

    def test_films_that_nobody_rated_are_counted(self):
        path = self.write_ratings("one", [("O2/01/1", 6)])
        said = self.run_ratings("answers", self.folder / "dev", path, "--out", self.out)
        self.assertIn("3 of 4 films were rated by nobody, such as O2/01/2", said)
        self.assertFalse(self.out.exists())

    def test_bad_files_are_refused_by_file_and_line(self):
        good = self.write_ratings("one", [("O2/01/1", 6), ("O2/01/2", 6)]).read_text()
        for old, new, message in ((",6,", ",7,", "line 2: rating: found '7', allowed are 1 to 6"),
                                  ("O2/01/2", "O2/09/2", "line 3: clip: found 'O2/09/2'"),
                                  ("O2/01/2", "O2/01/1", "line 3: 'one' has rated O2/01/1 already"),
                                  ("participant", "person", "line 1: found person,films"),
                                  (",0.5", "", "line 2: found 6 columns, allowed are 7")):
            path = self.folder / "bad.csv"
            path.write_text(good.replace(old, new), encoding="utf-8")
            said = self.run_ratings("answers", self.folder / "dev", path, "--out", self.out)
            self.assertTrue(said.startswith(f"startle: {path}: {message}"), said)
        changed = next((self.folder / "dev/O2/01/3/scene").glob("*.png"))
        changed.write_bytes(PICTURE)
        path.write_text(good, encoding="utf-8")
        said = self.run_ratings("answers", self.folder / "dev", path, "--out", self.out)
        self.assertIn("the ratings are of films of another folder", said)
        self.assertIn("is one of the files that are read",
                      self.run_ratings("answers", self.folder / "dev", path, "--out", path))


class Page(Case):
    def test_arguments_are_refused_with_what_is_allowed(self):
        make_folder(self.folder / "dev")
        out = ("--out", self.folder / "page.html")
        for options, message in ((("--count", 5), "--count: found 5, allowed are 1 to 4"),
                                 (("--rate", "nan"), "--rate: found nan, allowed are 1 to 120"),
                                 (("--send", "ftp://x"), "--send: found 'ftp://x', allowed are addresses")):
            self.assertIn(message, self.run_ratings("page", self.folder / "dev", *out, "--count", 4,
                                                    *options))
        self.assertIn("found none of O1, O2 and O3", self.run_ratings("page", self.folder, *out))
        shutil.rmtree(self.folder / "dev/O2/01/4/scene")
        self.assertIn("found no scene/*.png", self.run_ratings("page", self.folder / "dev", *out, "--count",
                                                                1))
        self.assertFalse(out[1].exists())

    @unittest.skipIf(driver.missing(), "no browser")
    def test_a_participant_rates_and_the_ratings_stand_beside_models(self):
        """Films of the program, rated in a browser by keys and mouse, with a reload on the way; sent to a
        server; made to answers; scored. Who rates by what is possible has no error."""
        program_of_surprise = str(pathlib.Path(program.__globals__["PROGRAM"]).with_name("startle-surprise"))
        subprocess.run([program_of_surprise, "intphys", "--train-clips", "1", "--dev-sets", "1",
                        "--test-sets", "0", "--out", str(self.folder / "data"), "--quiet"], check=True)
        dev = self.folder / "data/dev"
        for block in ("O2", "O3"):
            shutil.rmtree(dev / block)
        kept = sorted((dev / "O1").iterdir())[0]
        for other in sorted((dev / "O1").iterdir())[1:]:
            shutil.rmtree(other)
        possible = {f"O1/{kept.name}/{i}": "true" in (kept / str(i) / "status.json").read_text()
                    .split('"is_possible"')[1][:8] for i in range(1, 5)}
        sent = []

        class Server(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                sent.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        shown = self.folder / "page.html"
        self.run_ratings("page", dev, "--out", shown, "--count", 4, "--rate", 120, "--send",
                         f"http://127.0.0.1:{server.server_port}/")
        with driver.started("chromedriver", "--port=0") as (address, _):
            browser = driver.Browser(address, self.folder / "profile")
            browser.resize(390, 844)
            browser.open(f"{shown.as_uri()}?participant=P%221")
            browser.run("""const decode = HTMLImageElement.prototype.decode;  // as on a slow machine
                HTMLImageElement.prototype.decode = async function () {
                  await new Promise((done) => setTimeout(done, 300));
                  return decode.call(this);
                };""")
            for look in (check_keys, check_contrast, check_by_axe):
                look(browser, "the first page of ratings")
            browser.click("#start button")
            title = "document.getElementById('title').textContent"
            browser.wait(f"{title}.startsWith('Example 1 of 1')", "examples")
            browser.wait("!document.getElementById('next').disabled", "an example ends")
            browser.click("#next")
            for number in range(1, 5):
                browser.wait(f"{title}.startsWith('Film {number} of 4')", "films in their order")
                if number == 3:  # what is rated is kept
                    browser.reload()
                    browser.click("#start button")
                browser.wait("!document.getElementById('again').disabled", "a film ends")
                clip = browser.run("return kept.order[kept.rows.length]")
                if number == 2:
                    browser.keys("6" if possible[clip] else "1")
                else:
                    browser.click(f"#scale button:nth-child({6 if possible[clip] else 1})")
            browser.wait("document.getElementById('status').textContent.includes('were sent')", "it is sent")
            table = browser.run("return table()")
            browser.ask("DELETE", "")
        self.assertEqual(sent, [table])
        page = (SOURCE / "docs/files.md").read_text(encoding="utf-8")
        page = page.partition("## python3 -m startle ratings")[2].partition("\n## ")[0]
        self.assertEqual(re.findall(r"^\| `(.+?)`", page, re.M), ratings.COLUMNS)
        (self.folder / "P.csv").write_text(table, encoding="utf-8")
        self.assertTrue(all(row["participant"] == 'P"1' for row in csv.DictReader(io.StringIO(table))))
        said = self.run_ratings("answers", dev, self.folder / "P.csv", "--out", self.folder / "people.txt")
        self.assertIn("the mean of 4 ratings of 4 films by 1 participants, 1 to 1 of each film", said)
        scored = subprocess.run([program_of_surprise, "probe", "--suite", "intphys", "--from", str(dev),
                                 "--answers", str(self.folder / "people.txt"), "--quiet", "--out",
                                 str(self.folder / "scored")], check=True, capture_output=True, text=True)
        with open(self.folder / "scored/cells.csv", newline="", encoding="utf-8") as file:
            errors = {float(row["relative_error"]) for row in csv.DictReader(file)
                      if row["scorer"] == "people" and row["relative_error"]}
        self.assertEqual(errors, {0.0}, scored.stdout)
