"""The OpenEnv server of the image: what `python3 -m startle openenv` serves, set by variables of the
environment.

STARTLE_LEVELS       folder of levels (the benchmark)
STARTLE_OUT          results file (/data/openenv.sqlite)
STARTLE_PROTOCOL     single or shift (single)
STARTLE_TRIALS       of each novelty and tier, or of each level and world (1)
STARTLE_LIMIT        levels of each novelty and tier; 0: all (0)
STARTLE_SESSIONS     at once (16)
"""
import os

from startle import LEVELS
from startle.harness import Run
from startle.openenv import make_app

sessions = int(os.environ.get("STARTLE_SESSIONS", "16"))
app = make_app(Run(os.environ.get("STARTLE_LEVELS", str(LEVELS / "benchmark")),
                   os.environ.get("STARTLE_OUT", "/data/openenv.sqlite"), "openenv",
                   protocol=os.environ.get("STARTLE_PROTOCOL", "single"),
                   trials=int(os.environ.get("STARTLE_TRIALS", "1")),
                   limit=int(os.environ.get("STARTLE_LIMIT", "0")), plays="openenv", parallel=sessions),
               sessions)
