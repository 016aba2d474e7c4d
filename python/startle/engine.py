"""The compiled module, or a message that says why it is missing."""
import sys

try:
    import numpy  # noqa: F401  (the compiled module needs it)
except ImportError as error:
    raise ImportError(f"startle: {sys.executable} has no NumPy. Debian's python3-numpy is for "
                      "/usr/bin/python3.") from error
try:
    from . import _startle as engine
except ImportError as error:
    import pathlib

    folder = pathlib.Path(__file__).parent
    found = ", ".join(file.name for file in folder.glob("_startle*.so")) or "none"
    raise ImportError("startle: no compiled module for Python "
                      f"{sys.version_info.major}.{sys.version_info.minor} in {folder} (found {found}). Where "
                      "this is "
                      "the source folder, start Python in another one; else build with cmake "
                      "-DSTARTLE_BUILD_PYTHON=ON -DPython_EXECUTABLE=... and install "
                      "with cmake --install build --component python --prefix ~/.local, or have build/python "
                      "on PYTHONPATH.") from error
