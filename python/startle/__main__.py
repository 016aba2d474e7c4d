"""python3 -m startle --version"""
import importlib
import importlib.metadata
import pathlib
import shlex
import sys

#: Commands of the package, each a module with a function main(arguments). chat, mcp, ratings and train need
#: no compiled module.
COMMANDS = {"chat": "a language model behind an OpenAI-compatible API, as an agent of startle agents run",
            "export": "levels as a data set that Hugging Face's datasets loads",
            "mcp": "a client of the Model Context Protocol, as an agent of startle agents run",
            "openenv": "a server of the OpenEnv environment",
            "ratings": "people rate films of startle surprise intphys, to stand beside models",
            "train": "trains the PredRNN of startle surprise train in PyTorch, on a GPU where there is one"}

#: Extras of the wheel: the packages of PyPI's that each brings in, as in pyproject.toml. They are named, not
#: startle[NAME]: PyPI has another project called startle.
EXTRAS = {"export": ["av>=14", "h5py", "pyarrow"], "gym": ["gymnasium>=1"],
          "inspect": ["inspect_ai>=0.3.200"], "mcp": ["mcp>=2"], "openenv": ["openenv-core>=0.3"],
          "train": ["h5py", "torch>=1.13"]}


def extras():
    """A line for each."""
    for name, packages in EXTRAS.items():
        try:
            state = ", ".join(f"{package} {importlib.metadata.version(package)}"
                              for package in (text.partition(">")[0] for text in packages))
        except importlib.metadata.PackageNotFoundError:
            state = f"not installed: pip install {shlex.join(packages)}"
        yield f"  {name:10}{state}\n"


def main(arguments):
    if arguments and arguments[0] in COMMANDS:
        importlib.import_module(f".{arguments[0]}", __package__).main(arguments[1:])
        return
    if arguments == ["--version"]:
        from .engine import engine

        print(f"startle {engine.__version__} ({pathlib.Path(__file__).parent})")
        return
    told = ("usage: python3 -m startle [--help] [--version] COMMAND ...\n\n"
            "The Python package of Startle: import startle; help(startle). Commands but these are those of "
            "the program startle.\n\n" +
            "".join(f"  {name:10}{what}\n" for name, what in COMMANDS.items()) +
            "  --version the version, and the folder of the package\n\n"
            "Packages that it works with:\n\n" + "".join(extras()))
    if arguments and arguments != ["--help"] and arguments != ["-h"]:
        sys.exit(f"{told}\nfound {arguments[0]!r}, allowed are {', '.join(COMMANDS)}, --help and --version")
    print(told, end="")


main(sys.argv[1:])
