import enum

from . import utils


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class VectorEnv:
    metadata = {}
    spec = None
    num_envs = 0

    @property
    def unwrapped(self):
        return self

    def close(self, **kwargs):
        pass
