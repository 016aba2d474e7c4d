"""The environments under their name in Gymnasium."""

NAME = "startle/Levels-v0"


def register() -> None:
    """Registers `NAME` with Gymnasium, once. Called by `import startle`, and by Gymnasium before 1.0 itself,
    which finds it in the package's metadata (entry point gymnasium.envs). Raises ImportError without
    Gymnasium."""
    # Gymnasium may itself only be half imported: its top module is not asked for anything
    from gymnasium.envs import registration

    if NAME not in registration.registry:
        registration.register(id=NAME, entry_point="startle.environment:Env",
                              vector_entry_point="startle.environment:VectorEnv")
