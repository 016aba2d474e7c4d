"""Where below a prefix (argument) this Python looks for packages: for `cmake --install`. Prints a path
relative to the prefix."""
import os
import site
import sys

prefix = os.path.realpath(sys.argv[1])
searched = [os.path.relpath(os.path.realpath(path), prefix)
            for path in site.getsitepackages() + [site.getusersitepackages()]]
# Debian's Python looks in dist-packages below /usr/local and /usr; elsewhere, a virtual environment or a
# folder of its own, all use site-packages.
usual = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
print(next((path for path in searched if path.startswith("lib" + os.sep)), usual))
