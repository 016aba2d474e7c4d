"""The page that scripts/quickstart ends with."""
import html
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM, LEVELS = os.environ["STARTLE_PROGRAM"], SOURCE / "levels/benchmark/T2"


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)


def overview(folder):
    return subprocess.run([SOURCE / "scripts/overview", folder], capture_output=True, text=True)


def of_reports(pattern, *files):
    return [re.search(pattern, file.read_text(encoding="utf-8"), re.S).group(0) for file in files]


class Overview(unittest.TestCase):
    def test_finding_and_figure_of_each_report(self):
        with tempfile.TemporaryDirectory() as temporary:
            out = Path(temporary)
            played, agents = out / "played.html", out / "agents.html"
            run(PROGRAM, "observe", LEVELS, "--limit", 1, "--plays", 1, "--out", played)
            shown = overview(out)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            page = (out / "index.html").read_text(encoding="utf-8")
            self.assertEqual(re.findall(r'href="(.*?)"', page), ["played.html"])

            run(PROGRAM, "agents", "run", "--agent", "random+chance", "--levels", LEVELS, "--limit", 1,
                "--out", out / "agents.sqlite")
            run(PROGRAM, "agents", "report", out / "agents.sqlite", "--out", agents)
            shown = overview(out)
            page = (out / "index.html").read_text(encoding="utf-8")
            findings = of_reports(r'<p class="finding">.*?</p>', played, agents)
            figures = of_reports(r"<svg.*?</svg>", played, agents)
            self.assertEqual(re.findall(r'<p class="finding">.*?</p>', page), findings)
            self.assertEqual(re.findall(r"<svg.*?</svg>", page, re.S), figures)
            self.assertEqual(re.findall(r'href="(.*?)"', page), ["played.html", "agents.html"])
            self.assertEqual(len(re.findall("<h1>", page)), 1)
            self.assertEqual(len(re.findall("<h2>", page)), 2)
            text = html.unescape(re.sub("<.*?>", "", findings[0])).replace("\N{NO-BREAK SPACE}", " ")
            self.assertEqual(shown.stdout.split("\n")[1], text)
            self.assertEqual(sorted(path.name for path in out.iterdir()),
                             ["agents.html", "agents.sqlite", "index.html", "played.html"])

    def test_nothing_found_is_said(self):
        with tempfile.TemporaryDirectory() as temporary:
            shown = overview(temporary)
            self.assertEqual(shown.returncode, 2)
            self.assertIn("no report in " + temporary, shown.stderr)


if __name__ == "__main__":
    unittest.main()
