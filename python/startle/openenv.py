"""The trials of `startle agents run` as an OpenEnv environment: `python3 -m startle openenv` serves them over
WebSocket, an episode each. It needs PyPI's `openenv-core`. docs/language-models.md has an example."""
from __future__ import annotations

import argparse
import base64
import sys
from typing import Any, Dict, Literal, Optional

try:
    import fastapi
    import uvicorn
    from openenv.core.env_server.http_server import HTTPEnvServer
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import (Action, ConcurrencyConfig, EnvironmentMetadata, Observation,
                                               ServerMode, State)
    from pydantic import Field
except ImportError as error:
    sys.exit(f"startle openenv: {sys.executable} has no OpenEnv ({error}); pip install 'openenv-core>=0.3'")

from .harness import PlayedTrial, Run
from .levels import Error
from .places import LEVELS


class StartleAction(Action):
    """A call of a tool: look, shoot or report."""

    tool: Literal["look", "shoot", "report"] = Field(description="what is called")
    arguments: Dict[str, Any] = Field(default_factory=dict, description="as the tool's JSON Schema says, "
                                      'for example {"angle": 30}')


class StartleObservation(Observation):
    """What a call gave. The reward is 0 until the trial is over; then it is 1 where the trial was right: an
    alarm in a novel world and, where it changes, none before the change; none in a normal world."""

    text: str = Field(description="for a language model")
    structured: Optional[Dict[str, Any]] = Field(None, description="the same as data")
    picture: Optional[str] = Field(None, description="a PNG, base64; only where look was asked for one")
    is_error: bool = Field(False, description="the call was wrong, as the text says, and changed nothing")
    due: str = Field(description="shoot, report or nothing")
    rules: Optional[str] = Field(None, description="after reset: the system prompt")
    tools: Optional[Dict[str, Any]] = Field(None, description="after reset: by name a description and the "
                                            "JSON Schema of its arguments")


class StartleEnvironment(Environment[StartleAction, StartleObservation, State]):
    """A session: each reset takes the next trial of the run. A trial that is left before its end, by a reset
    or because the client has gone, is a crash in the results; what was reported counts."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run, self._state = run, State()
        self._trial: Optional[PlayedTrial] = None

    def reset(self, seed: Optional[int] = None, episode_id: Optional[str] = None,
              **kwargs: Any) -> StartleObservation:
        """The next trial. The seed has no effect: the order of trials is the run's secret. Raises Error where
        none is left."""
        self._leave("the client began another trial")
        trial = self._run.next_trial()
        if trial is None:
            raise Error(f"all trials are finished; startle agents report {self._run.out} shows them")
        self._trial, self._state = trial, State(episode_id=episode_id or str(trial.seed), step_count=0)
        return StartleObservation(text="The trial begins. Call look, then shoot.", due=trial.due, reward=0.0,
                                  rules=trial.rules, tools=trial.tools)

    def step(self, action: StartleAction, timeout_s: Optional[float] = None,
             **kwargs: Any) -> StartleObservation:
        """Calls the tool. Raises Error before the first reset."""
        trial = self._trial
        if trial is None:
            raise Error("step: found before the first reset")
        ended = trial.due == "nothing"
        result = trial.call(action.tool, action.arguments)
        self._state.step_count += 1
        over = trial.due == "nothing"
        reward = float(trial.result()["right"]) if over and not ended else 0.0
        return StartleObservation(text=result.text, structured=result.structured, is_error=result.is_error,
                                  picture=result.picture and base64.b64encode(result.picture).decode(),
                                  due=trial.due, done=over, reward=reward)

    @property
    def state(self) -> State:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(name="startle", version="1", description="Play a physics game, and notice "
                                   "whether the world has changed.")

    def close(self) -> None:
        self._leave("the client has gone")

    def _leave(self, why):
        if self._trial is not None:
            self._trial.give_up(f"{why} before the trial was over; a {self._trial.due} was due")
            self._trial = None


class _IgnoresDisconnects:
    """OpenEnv closes connections that the client has closed already, which raises an error. It is none of the
    server's."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self._app(scope, receive, send)
        except fastapi.WebSocketDisconnect:
            pass


def make_app(run: Run, sessions: int = 16) -> fastapi.FastAPI:
    """The server's application. Sessions are over WebSocket (/ws): a POST of /reset would begin a trial that
    nobody could go on with."""
    app = fastapi.FastAPI(title="Startle")
    app.add_middleware(_IgnoresDisconnects)
    HTTPEnvServer(lambda: StartleEnvironment(run), StartleAction, StartleObservation,
                  concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions)).register_routes(
                      app, ServerMode.PRODUCTION)
    return app


def main(arguments):
    parser = argparse.ArgumentParser(
        "python3 -m startle openenv", formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        description="Serves the trials of a run as an OpenEnv environment: an episode is a trial.")
    parser.add_argument("--levels", nargs="+", default=str(LEVELS / "benchmark"),
                        help="level files or folders")
    parser.add_argument("--out", required=True, help="results file; one of the same run is gone on with")
    parser.add_argument("--name", default="openenv", help="of the agent in it")
    parser.add_argument("--protocol", choices=["single", "shift"], default="single", help="what a trial is")
    parser.add_argument("--trials", type=int, default=1, metavar="N",
                        help="of each novelty and tier (shift), or of each level and world (single)")
    parser.add_argument("--limit", type=int, default=0, metavar="N",
                        help="levels of each novelty and tier; 0: all")
    parser.add_argument("--novelty", help="of all levels, in place of the one stored with each")
    parser.add_argument("--before", type=int, default=10, metavar="N", help="shift: most normal levels")
    parser.add_argument("--after", type=int, default=10, metavar="N", help="shift: novel levels at least")
    parser.add_argument("--practice", type=int, metavar="N",
                        help="shots in the normal world before each trial; 10 for single, 0 for shift where "
                             "it is left out")
    parser.add_argument("--no-pictures", dest="pictures", action="store_false", help="look gives none")
    parser.add_argument("--transcripts", metavar="DIR", help="writes each trial to DIR/SEED.jsonl")
    parser.add_argument("--sessions", dest="parallel", type=int, default=16, metavar="N",
                        help="at once, 1 to 1000")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="TCP port")
    options = vars(parser.parse_args(arguments))
    host, port = options.pop("host"), options.pop("port")
    try:
        with Run(options.pop("levels"), options.pop("out"), options.pop("name"), plays="openenv",
                 **options) as run:
            count, finished = run.counts()  # before anything listens: what is wrong is said here
            print(f"startle openenv: {count} trials, {finished} finished", file=sys.stderr)
            uvicorn.run(make_app(run, options["parallel"]), host=host, port=port, log_level="warning")
    except Error as error:
        sys.exit(f"startle openenv: {error}")
