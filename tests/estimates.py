"""Every estimate that a page prints with its interval, "0.84 (0.74 to 0.92)" or "71 % (68 to 74)", lies in
it; "5 of 24 (...)" counts as 5/24.
    estimates.py PAGE...
Prints each one that does not, and ends with 1."""
import re
import sys

NUMBER = r"[-+]?\d*\.?\d+"
PATTERN = re.compile(rf"(?:({NUMBER}) of )?(?<![\w.])({NUMBER})( %)?(?: \(95 % interval | \()({NUMBER})(?: "
                     rf"%)? to ({NUMBER})(?: %)?\)")


def faults(text):
    for line_number, line in enumerate(text.split("\n"), 1):
        for match in PATTERN.finditer(line):
            hits, value, percent, low, high = match.groups()
            estimate = float(value)
            if hits is not None:
                estimate = float(hits) / estimate * (100 if percent else 1)
            if not float(low) <= estimate <= float(high):
                yield line_number, match.group(0)


def main():
    count = bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as page:
            text = page.read()
        count += len(PATTERN.findall(text))
        for line, what in faults(text):
            bad += 1
            print(f"{path}:{line}: {what}")
    print(f"{count} estimates, {bad} outside their intervals")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
