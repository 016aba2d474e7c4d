import importlib
import importlib.metadata
import types

registry = {}
namespace = None


def register(id, entry_point=None, vector_entry_point=None):
    """Within a plugin all names are in its namespace."""
    if namespace is not None:
        id = namespace + "/" + id.rpartition("/")[2]
    assert id not in registry
    registry[id] = types.SimpleNamespace(id=id, entry_point=entry_point,
                                         vector_entry_point=vector_entry_point)


def _made(id, entry_point, kwargs):
    module, name = entry_point.split(":")
    env = getattr(importlib.import_module(module), name)(**kwargs)
    env.unwrapped.spec = types.SimpleNamespace(id=id, kwargs=kwargs)
    return env


def _spec(id):
    """ "module:name" imports the module first."""
    module, _, name = id.rpartition(":")
    if module:
        importlib.import_module(module)
    return registry[name]


def make(id, **kwargs):
    return _made(id, _spec(id).entry_point, kwargs)


def make_vec(id, num_envs=1, **kwargs):
    return _made(id, _spec(id).vector_entry_point, {"num_envs": num_envs, **kwargs})


def load_plugin_envs():
    """As `import gymnasium` did before version 1: calls the entry points of what is installed, each in the
    namespace of its name."""
    global namespace
    for plugin in importlib.metadata.entry_points(group="gymnasium.envs"):
        namespace = plugin.name
        try:
            plugin.load()()
        finally:
            namespace = None
