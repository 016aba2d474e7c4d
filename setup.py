"""Builds the wheel: the Python module and the program `startle` by CMake, with all libraries linked in.

STARTLE_LIBRARIES: the folder that scripts/libraries has filled; without, it is called. `python3 -m build
--no-isolation` works without a network once it has been.
"""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = ROOT / "build-wheel"
PROGRAM = BUILD / "startle"
VERSION = re.search(r"project\(startle VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
# What every Linux with glibc has (PEP 600).
ALLOWED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}


def run(*command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True)


class BuildExtension(build_ext):
    """All of it by one build of CMake."""

    def build_extension(self, extension):
        libraries = os.environ.get("STARTLE_LIBRARIES")
        if not libraries:
            libraries = BUILD / "libraries"
            run("scripts/libraries", libraries)
        linked = "-static-libstdc++ -static-libgcc -s"
        run("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={libraries}", f"-DPython_EXECUTABLE={sys.executable}",
            "-DSTARTLE_BUILD_PYTHON=ON", "-DSTARTLE_BUILD_SURPRISE=OFF", "-DSTARTLE_BUILD_VIEWER=OFF",
            "-DSTARTLE_BUILD_ROLLOUTS=OFF", "-DSTARTLE_BUILD_TESTS=OFF", f"-DCMAKE_EXE_LINKER_FLAGS={linked}",
            f"-DCMAKE_MODULE_LINKER_FLAGS={linked}")
        run("cmake", "--build", BUILD, "--target", "startle", "_startle")
        module, = (BUILD / "python/startle").glob("_startle*.so")
        self.copy_file(module, self.get_ext_fullpath(extension.name))


class Wheel(bdist_wheel):
    """Its platform is what the compiled files ask of a machine."""

    def get_tag(self):
        files = [PROGRAM, *(BUILD / "python/startle").glob("_startle*.so")]
        newest = 17  # manylinux2014
        for file in files:
            shown = subprocess.run(["objdump", "-p", file], check=True, capture_output=True, text=True).stdout
            foreign = set(re.findall(r"NEEDED +(\S+)", shown)) - ALLOWED
            if foreign:
                sys.exit(f"{file.name} needs {', '.join(sorted(foreign))}, allowed are: "
                         f"{', '.join(sorted(ALLOWED))}")
            newest = max([newest, *map(int, re.findall(r"GLIBC_2\.(\d+)", shown))])
        python, abi, platform = super().get_tag()
        return python, abi, platform.replace("linux_", f"manylinux_2_{newest}_")


def shared(*folders):
    """Data files, below PREFIX/share/startle as `cmake --install` puts them."""
    return [(f"share/startle/{path.relative_to(ROOT)}",
             [str(file.relative_to(ROOT)) for file in sorted(path.iterdir()) if file.is_file()])
            for folder in folders for path in sorted({p.parent for p in (ROOT / folder).rglob("*")
                                                      if p.is_file() and p.parent.name != "__pycache__"})]


setup(
    version=VERSION,
    packages=["startle"],
    package_dir={"startle": "python/startle"},
    package_data={"startle": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("startle._startle", [])],
    data_files=[("bin", [str(PROGRAM.relative_to(ROOT))]),
                *shared("levels/data", "levels/benchmark", "agents/examples")],
    cmdclass={"build_ext": BuildExtension, "bdist_wheel": Wheel},
)
