"""The package where it was installed: found from any folder, known by its metadata, typed."""
import ast
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import startle
from common import PROGRAM, SOURCE

BUILD = pathlib.Path(PROGRAM).parent


def python(*arguments, cwd, **environment):
    """Output of this Python, which knows no path but its own and those of its user."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=known | environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = pathlib.Path(cls.folder.name).resolve() / "home"
        subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", cls.home],
                       check=True, capture_output=True)
        # A clone, as seen by who stands beside it: a folder of the package's name, which is no package.
        cls.beside = pathlib.Path(cls.folder.name) / "beside"
        (cls.beside / "startle" / "python").mkdir(parents=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_is_found_from_any_folder(self):
        for cwd in ("/", self.beside, self.beside / "startle", SOURCE, SOURCE.parent):
            with self.subTest(cwd=cwd):
                said = python("-B", "-c", "import startle; print(startle.__file__, "
                                          "startle.make(startle.LEVELS / 'benchmark/T1/easy').level_count > "
                                          "0)", cwd=cwd,
                              PYTHONUSERBASE=str(self.home))
                self.assertTrue(said.startswith(str(self.home)) and said.endswith(" True"), said)

    def test_below_each_prefix_it_goes_where_this_python_looks(self):
        def folder(prefix):
            return os.path.join(prefix, python(SOURCE / "python/package_folder.py", prefix, cwd="/",
                                               PYTHONUSERBASE="/opt/someone"))

        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        for prefix in ("/opt/someone", "/opt/startle"):
            self.assertEqual(folder(prefix), f"{prefix}/lib/{version}/site-packages")
        if sys.prefix == "/usr":  # Debian's, which has two folders for itself
            self.assertEqual(folder("/usr/local"), f"/usr/local/lib/{version}/dist-packages")
            self.assertEqual(folder("/usr"), "/usr/lib/python3/dist-packages")

    def test_it_says_its_version(self):
        said = python("-B", "-m", "startle", "--version", cwd=self.beside, PYTHONUSERBASE=str(self.home))
        self.assertTrue(said.startswith(f"startle {startle.__version__} ({self.home}"), said)
        self.assertEqual(python("-B", "-c", "import importlib.metadata as m; print(m.version('startle'))",
                                cwd="/", PYTHONUSERBASE=str(self.home)), startle.__version__)

    def test_its_record_names_every_file(self):
        packages = next(self.home.glob("lib/python*/site-packages"))
        recorded = {line.rpartition(",,")[0]
                    for line in next(packages.glob("startle-*.dist-info/RECORD")).read_text().split()}
        self.assertEqual(recorded,
                         {str(path.relative_to(packages)) for path in packages.rglob("*") if path.is_file()})
        self.assertLessEqual({"startle/py.typed", "startle/_startle.pyi"}, recorded)

    def test_gymnasium_before_version_1_finds_its_name_in_the_metadata(self):
        said = python("-B", "-c", "import gymnasium; from gymnasium.envs import registration as r; "
                                  "r.load_plugin_envs(); print(list(r.registry))", cwd="/",
                      PYTHONUSERBASE=str(self.home), PYTHONPATH=str(SOURCE / "tests/python/stand_in"))
        self.assertEqual(said, "['startle/Levels-v0']")

    def test_without_numpy_and_in_the_source_folder_it_says_what_to_do(self):
        for path, cwd, message in ((next(self.home.glob("lib/python*/site-packages")), "/", "has no NumPy"),
                                   (SOURCE / "python", "/", "no compiled module")):
            blocked = "import sys; sys.modules['numpy'] = None\n" if "NumPy" in message else ""
            said = python("-B", "-c", blocked + "import startle\ntry: startle.make\nexcept ImportError as "
                                                "error: print(error)", cwd=cwd, PYTHONPATH=str(path))
            self.assertIn(message, said)

    def test_without_the_program_commands_say_what_is_missing(self):
        said = python("-B", "-c", "import startle\nimport startle.places as p\np._engine.PROGRAM = "
                                  "'/nowhere/startle'\n"
                      "try: p.program('--version')\nexcept startle.Error as error: print(error)", cwd="/",
                      PYTHONUSERBASE=str(self.home), PATH="/nowhere")
        self.assertIn("no program", said)
        self.assertIn("/nowhere/startle", said)


class Typed(unittest.TestCase):
    def test_the_stubs_name_what_the_module_has(self):
        from startle import _startle

        tree = ast.parse((SOURCE / "python/startle/_startle.pyi").read_text())

        def names(nodes):
            return {node.target.id if isinstance(node, ast.AnnAssign) else node.name
                    for node in nodes if isinstance(node, (ast.AnnAssign, ast.ClassDef, ast.FunctionDef))}

        def public(thing):
            return {name for name in dir(thing) if not name.startswith("_")}

        self.assertEqual(names(tree.body), public(_startle) | {"__version__"})
        for node in tree.body:
            # "difficulty(level: startle...Level, novelty: str, ...) -> dict"
            if isinstance(node, ast.FunctionDef):
                said = getattr(_startle, node.name).__doc__
                for argument in node.args.args:
                    self.assertIn(f"{argument.arg}: ", said)
                self.assertEqual(said.count(": "), len(node.args.args) + said.count("Dict[str: "), said)
            if isinstance(node, ast.ClassDef) and node.name != "Error":
                self.assertEqual({name for name in names(node.body) if not name.startswith("_")},
                                 public(getattr(_startle, node.name)))

    def test_every_name_of_the_package_is_documented_and_typed(self):
        import inspect

        for name in startle.__all__:
            thing = getattr(startle, name)
            if inspect.isfunction(thing) or inspect.isclass(thing):
                self.assertTrue(thing.__doc__, name)
            if inspect.isfunction(thing):
                signature = inspect.signature(thing)
                for parameter in signature.parameters.values():
                    self.assertIsNot(parameter.annotation, inspect.Parameter.empty, f"{name}: {parameter}")
                self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)


if __name__ == "__main__":
    unittest.main()
