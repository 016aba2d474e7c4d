"""The version stands in CMakeLists.txt, and the dependencies in cmake/StartleDependencies.cmake. The
citation, the recipe for conda, the newest release of the changelog, the table of docs/install.md and
scripts/packages have the same, and the extras of pyproject.toml are those of python/dist-info.
    versions.py [ROOT]"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def found(file, pattern):
    return re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.M)


version = found("CMakeLists.txt", r"^project\(startle VERSION (\S+)")[0]
faults = [f"{file}: {other}, but CMakeLists.txt has {version}" for file, other in (
    ("CITATION.cff", found("CITATION.cff", r"^version: (\S+)")[0]),
    ("packaging/conda/recipe.yaml", found("packaging/conda/recipe.yaml", r"^  version: \"(.+)\"")[0]),
    ("CHANGELOG.md", found("CHANGELOG.md", r"^## \[(\d\S*)\]")[0])) if other != version]

packages = set(" ".join(found("scripts/packages", r"packages=\"([^\"]*)\"")).split())
table = {name: (least, names) for name, least, names in
         found("docs/install.md", r"^\| (\S+) \| ([0-9.]+) \| `(.+?)` \|")}
for name, least, names in found("cmake/StartleDependencies.cmake", r"^set\(startle_(\S+) (\S+) (.+)\)"):
    if table.pop(name, None) != (least, names):
        faults.append(f"docs/install.md: no row '| {name} | {least} | `{names}` |'")
    faults += [f"scripts/packages: no {package}" for package in names.split() if package not in packages]
faults += [f"docs/install.md: {name} is not in cmake/StartleDependencies.cmake" for name in table]
extras = {name: re.findall(r'"([^"]+)"', wanted) for name, wanted in
          re.findall(r"^(\w+) = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(encoding="utf-8").split(
              "[project.optional-dependencies]\n")[1].split("\n\n")[0], re.M)}
metadata = [line for name, wanted in extras.items()
            for line in [f"Provides-Extra: {name}",
                         *(f'Requires-Dist: {package}; extra == "{name}"' for package in wanted)]]
if found("python/dist-info/METADATA", r"^(?:Provides-Extra: .*|Requires-Dist: .*; extra.*)$") != metadata:
    faults.append("python/dist-info/METADATA: the extras are not those of pyproject.toml")
print("\n".join(faults + [f"version {version}, {len(faults)} faults"]))
sys.exit(bool(faults))
