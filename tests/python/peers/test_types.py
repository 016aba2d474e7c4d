"""The package's types, by mypy: those of its Python files, of a user's program, and of the compiled module,
whose stub has what the module has."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import startle

USER = """
import startle

environment = startle.make(startle.LEVELS / "benchmark/T1", novelty=True, seed=3)
observation, info = environment.reset(seed=3)
observation, reward, terminated, truncated, info = environment.step((0.6, 1.0, -1.0))
wrong: str = environment.level_count
levels: list[startle.Level] = startle.generate("castles", count=1, seed=1)
environment.report(0.2, "nothing odd")
"""


cache = tempfile.TemporaryDirectory()  # of what it has read of other packages
unittest.addModuleCleanup(cache.cleanup)


def mypy(*arguments, module="mypy"):
    """Exit code and output."""
    done = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], capture_output=True,
                          text=True, cwd=cache.name,
                          env=os.environ | {"MYPY_CACHE_DIR": cache.name,
                                            "MYPYPATH": str(pathlib.Path(startle.__file__).parents[1])})
    return done.returncode, done.stdout + done.stderr


class Types(unittest.TestCase):
    def test_those_of_the_package_agree(self):
        code, said = mypy("-p", "startle", "--ignore-missing-imports")
        self.assertEqual(code, 0, said)

    def test_a_users_mistake_is_found_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "user.py")
            program.write_text(USER)
            code, said = mypy("--strict", program)
        errors = [line for line in said.splitlines() if ": error:" in line]
        self.assertEqual((code, len(errors)), (1, 1), said)
        self.assertIn("user.py:7: error: Incompatible types in assignment", errors[0])

    def test_the_stub_has_what_the_compiled_module_has(self):
        # pybind11's classes have a metaclass of its own.
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as allowed:
            for name in ("CalibratedScores", "Environments", "Level", "LevelsTest", "SequentialTest"):
                allowed.write(f"startle._startle.{name}\n")
            allowed.flush()
            code, said = mypy("startle._startle", "--allowlist", allowed.name, module="mypy.stubtest")
        self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
