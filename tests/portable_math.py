"""Fails where a module whose results are the same bits everywhere calls the C library's sine, exponential...

  portable_math.py     from the root of the sources

core/math.hpp has those to call instead. std::sqrt, std::floor, std::fmod and the like are exact by IEEE 754.
"""
import pathlib
import re
import sys

MODULES = "core sim statistics reasoning difficulty simulated levels agents people play surprise".split()
NETWORKS = pathlib.Path("surprise/networks")  # sums by LibTorch, whose last bits nobody promises
INEXACT = re.compile(r"\bstd::(?:a?(?:sin|cos|tan)h?|atan2|exp2?|expm1|log(?:2|10|1p)?|pow|cbrt|hypot|erfc?"
                     r"|[lt]gamma)\(")


def main():
    faults = 0
    for module in MODULES:
        files = sorted(pathlib.Path(module).rglob("*.[ch]pp"))
        if not files:
            sys.exit(f"{module}: found no source file")
        for path in files:
            if NETWORKS in path.parents:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for found in INEXACT.finditer(line.split("//")[0]):
                    faults += 1
                    print(f"{path}:{number}: found {found.group()[:-1]}, use core/math.hpp")
    print(f"{faults} calls of the C library's mathematics")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
