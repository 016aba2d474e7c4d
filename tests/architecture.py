#!/usr/bin/env python3
"""Fails when a file includes what its folder may not:
  - another module than those that its CMakeLists.txt declares with USES;
  - from a folder of its own within a module, or from a program or the Python package, more than is said
  below;
  - from a module that reasons, the world that simulates;
  - a third-party library that belongs to another module, or one that nobody owns;
when headers include one another in a circle; and when a test has a name that CTest cannot hold.

    architecture.py ROOT
"""
import re
import sys
from pathlib import Path

# Library header -> the only modules that may include it.
OWNERS = {
    "box2d/": "sim", "Eigen/": "statistics", "libsvm/": "statistics", "agg_": "render", "png.h": "render",
    "gif_lib": "render", "sqlite3": "core", "termios": "app", "sodium": "core agents rollouts",
    "hdf5": "surprise rollouts",
    "zlib": "surprise probes rollouts web", "mpi.h": "agents_mpi", "torch/": "networks", "ATen/": "networks",
    "c10/": "networks", "SFML/": "viewer", "imgui": "viewer", "backends/imgui": "viewer", "X11/": "viewer",
    "GL/": "viewer", "CLI/": "app", "pybind11/": "python",
    "nlohmann/": "core sim difficulty levels dynamics agents agents_mpi people surprise probes rollouts "
                 "reports reports_people reports_surprise play web app"}
SYSTEM = re.compile(r"(sys|netinet|arpa|linux)/|"
                    r"(unistd|fcntl|poll|pthread|sched|spawn|signal|execinfo|dirent)\.h$")
# What runs the physics, and the modules that reason without it.
SIMULATING = {"sim/world.hpp", "sim/probe_world.hpp"}
REASONING = {"statistics", "qualitative", "impulse", "difficulty"}

# Folders within a module, and what of their own module they may include.
INNER = {"agents/programs": "agents", "agents/trials": "agents agents/programs",
         "agents/entries": "agents agents/programs agents/trials",
         "agents/aibirds": "agents agents/programs agents/trials",
         "surprise/probes/intphys": "surprise/probes", "viewer/drawing": "viewer",
         "viewer/panels": "viewer viewer/drawing",
         "viewer/screens": "viewer viewer/drawing viewer/panels"}
# What a module may include of the folders within it.
OF_INNER = {"surprise/probes": "surprise/probes/intphys", "viewer": "viewer/drawing viewer/screens"}
# The programs and the Python package. Only startle-surprise loads LibTorch, only that and startle-rollouts
# HDF5, only startle-viewer needs a display.
BELOW = "agents render dynamics levels simulated difficulty impulse qualitative statistics sim core"
PROGRAMS = {"app": "reports agents_mpi " + BELOW,
            "app/people": "app reports reports_people web people " + BELOW,
            "app/surprise": "app reports reports_surprise networks probes surprise " + BELOW,
            "app/static": "web",
            "app/rollouts": "app rollouts " + BELOW, "app/viewer": "app viewer people " + BELOW,
            "python": BELOW}

INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*([<"])([^>"]*)[>"].*)$', re.M)
SOURCES = {".hpp", ".cpp", ".h", ".cc", ".inl"}


class Rooms:
    """Folders with limits, and what the files of each may include besides its own."""

    def __init__(self, root):
        self.names, self.uses, modules = {}, {}, {}  # folder -> name of its module; folder -> folders
        for lists in sorted(root.glob("**/CMakeLists.txt")):
            if lists.parts[len(root.parts)] in ("tests", "build"):
                continue
            text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
            for call in re.findall(r"startle_module\(([^)]*)\)", text):
                name, *words = call.split()
                keys, key = {}, None
                for word in words:
                    if word.isupper():
                        key = keys.setdefault(word, [])
                    elif key is not None:
                        key.append(word)
                folder = str(lists.parent.relative_to(root))
                if "FOLDER" in keys:
                    folder += "/" + keys["FOLDER"][0]
                modules[name] = folder
                self.names[folder] = name
                self.uses[folder] = set(keys.get("USES", []))
        for folder in self.uses:
            self.uses[folder] = {modules.get(name, name) for name in self.uses[folder]}
        for folder, own in INNER.items():
            if (root / folder).is_dir():
                module = self.module(folder + "/")
                self.names[folder] = self.names[module]
                self.uses[folder] = self.uses[module] | set(own.split())
        for folder, inner in OF_INNER.items():
            if folder in self.uses:
                self.uses[folder] |= set(inner.split())
        for folder, used in PROGRAMS.items():
            if (root / folder).is_dir():
                self.names[folder] = folder.split("/")[0]
                self.uses[folder] = {modules.get(name, name) for name in used.split()}
        self.modules = set(modules.values())

    def room(self, path):
        """The deepest folder with limits that holds the file."""
        at = path.rpartition("/")[0]
        while at and at not in self.uses:
            at = at.rpartition("/")[0]
        return at

    def module(self, path):
        """The deepest folder of a module that holds the file."""
        at = path.rpartition("/")[0]
        while at and (at not in self.names or at in INNER):
            at = at.rpartition("/")[0]
        return at

    def allows(self, room, file, header):
        included = self.room(header)
        if included == room or included in self.uses[room]:
            return True
        own = self.module(header)  # who may include a module may include all folders within it
        return own != self.module(file) and own in self.uses[room]


def faults_of_includes(root, rooms, file, text):
    room = rooms.room(file)
    name = rooms.names[room]
    for line, mark, header in INCLUDE.findall(text):
        if rooms.room(header):
            if not rooms.allows(room, file, header):
                yield f"{line}: {room} may include only {' '.join(sorted(rooms.uses[room]))}"
            elif header in SIMULATING and name in REASONING:
                yield f"{line}: {room} is to reason, and does not simulate"
            continue
        owners = [names for library, names in OWNERS.items() if header.startswith(library)]
        if owners:
            if name not in owners[0].split():
                yield f"{line}: only {owners[0]} may include it"
        elif mark == '"':
            yield f"{line}: what is in quotes is in a module, and is named from the root"
        elif re.search(r"[/.]", header) and not SYSTEM.match(header):
            yield f"{line}: a library that no module owns; its owner is named in tests/architecture.py"


def circles(includes):
    """Headers that include one another in a circle, each circle once: a depth-first search."""
    done, found = set(), []

    def visit(header, path):
        if header in path:
            found.append(path[path.index(header):] + [header])
        elif header not in done:
            for included in sorted(includes.get(header, ())):
                visit(included, path + [header])
            done.add(header)

    for header in sorted(includes):
        visit(header, [])
    return found


def main(root):
    rooms = Rooms(root)
    faults, files, includes = [], 0, {}
    tops = {folder.split("/")[0] for folder in rooms.uses}
    for path in sorted(p for top in tops for p in (root / top).rglob("*") if p.suffix in SOURCES):
        file = str(path.relative_to(root))
        text = path.read_text(encoding="utf-8")
        files += 1
        faults += [f"{file}: {fault}" for fault in faults_of_includes(root, rooms, file, text)]
        if path.suffix == ".hpp":
            includes[file] = {header for _, _, header in INCLUDE.findall(text)}
    faults += [f"a circle of headers: {' -> '.join(circle)}" for circle in circles(includes)]
    # CMake takes a semicolon in the name of a test for the end of one test and the start of another; neither
    # then runs.
    for path in sorted((root / "tests").rglob("*.cpp")):
        file = str(path.relative_to(root))
        if file.startswith("tests/architecture/"):  # the tree of faults that this script is tested on
            continue
        for name in re.findall(r'TEST_CASE\(\s*"([^"\n]*;[^"\n]*)"', path.read_text(encoding="utf-8")):
            faults.append(f"{file}: a test's name holds a semicolon: {name}")
    if not files:
        faults.append(f"no source file of a module found below {root}")
    print("\n".join(faults + [f"{len(faults)} faults in {files} files"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
