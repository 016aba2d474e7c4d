"""The compiled module, or a message that says why it is missing."""
try:
    from . import _startle as engine
except ImportError as error:
    import pathlib
    import sys

    found = ", ".join(file.name for file in pathlib.Path(__file__).parent.glob("_startle*.so")) or "none"
    raise ImportError(f"startle: no compiled module for Python {sys.version_info.major}.{sys.version_info.minor} (found {found}). "
                      "Build it with cmake -DSTARTLE_BUILD_PYTHON=ON -DPython_EXECUTABLE=... and have build/python on PYTHONPATH.") from error
