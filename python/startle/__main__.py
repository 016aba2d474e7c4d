"""python3 -m startle --version"""
import argparse
import pathlib

from .engine import engine

parser = argparse.ArgumentParser("python3 -m startle",
                                 description="The Python package of Startle: import startle; help(startle). "
                                             "Commands are those of the program startle.")
parser.add_argument("--version", action="version", version=f"startle {engine.__version__} "
                                                           f"({pathlib.Path(__file__).parent})",
                    help="the version, and the folder of the package")
parser.parse_args()
parser.print_help()
