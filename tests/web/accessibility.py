"""Whether people who use no mouse, see little or use a screen reader can use a page that a browser shows: by
what the browser does, and by axe where STARTLE_AXE names its file axe.min.js (npm package axe-core).
    accessibility.py own|axe
tests that our own checks, or those of axe, find what they are for; ends with 77, which CTest takes for
skipped, where Chromium or axe is missing."""
import os
import pathlib
import sys
import tempfile
import urllib.parse

from driver import ELEMENT, Browser, check, missing, started

TAB = "\ue004"
AXE = os.environ.get("STARTLE_AXE")
# WCAG 2.0 to 2.2, levels A and AA, and what axe takes for good practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

# Colours as WCAG 2.1 compares them, against what is behind an element.
COLOURS = """
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = (colour) => {
      const [r, g, b] = parts(colour).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => {
      const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    };
    const behind = (element) => {
      for (let one = element.parentElement; one; one = one.parentElement) {
        const colour = getComputedStyle(one).backgroundColor;
        if (parts(colour)[3] !== 0) return colour;
      }
      return "rgb(255, 255, 255)";
    };
    const named = (element) => element.id || element.textContent.slice(0, 30) || element.tagName;
    const visible = (element) => element.checkVisibility();"""


def about_axe():
    """What a test says of axe before it begins."""
    return f"pages are checked by {AXE}" if AXE else "pages are not checked by axe: STARTLE_AXE names no file"


def check_by_axe(browser, where):
    if not AXE:
        return
    if not browser.run("return 'axe' in window"):
        browser.run(pathlib.Path(AXE).read_text())
    violations, incomplete = browser.result(f"""
        const {{ violations, incomplete }} = await axe.run(document, {{
          runOnly: {RULES}, resultTypes: ["violations", "incomplete"] }});
        return [violations, incomplete].map((results) => results.map(({{ id, help, nodes }}) =>
          [id, help, nodes.map(({{ html, failureSummary }}) => [html.slice(0, 200), failureSummary])]));""")
    for result in incomplete:  # for a person to look at
        print(f"axe cannot say, {where}: {result}", flush=True)
    check(violations == [], f"axe, {where}: {violations}")


def check_keys(browser, where):
    """Tab reaches all that can be acted on, and goes on from there; each has a name for a screen reader, and
    shows that it has the focus. Afterwards what had the focus has it again."""
    browser.run("window.startleFocus = document.activeElement; window.startleReached = new Set();")
    while True:
        browser.keys([TAB])
        reached = browser.run(COLOURS + """
            const element = document.activeElement;
            if (window.startleReached.has(element)) return null;
            window.startleReached.add(element);
            if (element === document.body) return { page: true };  // between the last and the first
            const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
            const drawn = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
            return { name: named(element), outlined: drawn && ratio(outlineColor, behind(element)) >= 3 };""")
        if reached is None:
            break
        if "page" in reached:
            continue
        active = browser.ask("GET", "element/active")[ELEMENT]
        label = browser.ask("GET", f"element/{active}/computedlabel")
        check(label.strip() != "", f"{where}: '{reached['name']}' has a name for screen readers")
        check(reached["outlined"], f"{where}: '{reached['name']}' shows that it has the focus")
    missed = browser.run(COLOURS + """
        const acted = "a[href], button, input, select, textarea, summary, [tabindex='0']";
        const missed = [...document.querySelectorAll(acted)].filter((element) =>
          visible(element) && !element.disabled && !window.startleReached.has(element)).map(named);
        window.startleFocus.focus();
        return missed;""")
    check(missed == [], f"{where}: Tab does not reach {missed}")


def check_contrast(browser, where):
    """The edge of each control, or what it is filled with, stands out from what is behind it by 3 to 1 (WCAG
    2.1, 1.4.11). Contrast of text is axe's."""
    faint = browser.run(COLOURS + """
        const controls = "button, select, textarea, input:not([type=checkbox], [type=range])";
        return [...document.querySelectorAll(controls)].filter((element) => {
          if (!visible(element) || element.disabled) return false;
          const { borderTopColor, backgroundColor } = getComputedStyle(element), ground = behind(element);
          return Math.max(ratio(borderTopColor, ground), ratio(backgroundColor, ground)) < 3;
        }).map(named);""")
    check(faint == [], f"{where}: edges of {faint} are hard to see")


# What shuts people out, which check finds it, and by which words.
FAULTS = [
    (check_keys, "<button></button>", "has a name"),
    (check_keys, "<button tabindex='-1'>Go</button>", "does not reach"),
    (check_keys, "<input aria-label='Trap' onkeydown='event.preventDefault()'><button>Go</button>",
     "does not reach"),
    (check_keys, "<button style='outline: none'>Go</button>", "has the focus"),
    (check_keys, "<button style='outline: 3px solid #eee'>Go</button>", "has the focus"),
    (check_contrast, "<button style='border: 1px solid #ddd; background: #eee'>Go</button>", "hard to see"),
    (check_by_axe, "<img src='data:,'>", "image-alt"),
    (check_by_axe, "<p style='color: #999'>Faint</p>", "color-contrast"),
]


def main(whose):
    """A page without faults passes, and each fault is found."""
    if missing():
        return 77
    by_axe = whose == "axe"
    if by_axe and not AXE:
        print(f"skipped: {about_axe()}")
        return 77
    checks = [check_by_axe] if by_axe else [check_keys, check_contrast]
    with started("chromedriver", "--port=0") as (driver, _), \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(driver, profile)

        def found(checks, body):
            browser.open("data:text/html," + urllib.parse.quote(
                "<!doctype html><html lang='en'><title>Page</title><style>button { border: 1px solid #000 } "
                f":focus-visible {{ outline: 3px solid #000 }}</style><main><h1>Page</h1>{body}</main>"))
            try:
                for one in checks:
                    one(browser, "page")
            except SystemExit as end:
                return str(end)
            return ""

        faultless = found(checks, "<button>Go</button> <a href='#'>On</a>")
        check(faultless == "", f"a page without faults passes: {faultless}")
        for one, body, words in FAULTS:
            if one in checks:
                check(words in found([one], body), f"{one.__name__} finds {body}")
        browser.ask("DELETE", "")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
