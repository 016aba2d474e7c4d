"""The trials of `startle agents run` as a task of Inspect: `inspect eval startle/trials --model ...`. It
needs PyPI's `inspect_ai`. docs/language-models.md has its options, and what a run costs."""
from __future__ import annotations

import base64
import collections
import functools
import os
import pathlib
import re
from typing import Any, Dict, List, Optional, Tuple, Union

import anyio
import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.hooks import Hooks, TaskEnd, hooks
from inspect_ai.model import (ChatMessageSystem, ChatMessageTool, ChatMessageUser, ContentImage, ContentText,
                              execute_tools, get_model)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolError, ToolParams

from .harness import PlayedTrial, Run
from .places import LEVELS

#: Runs by results file and name, and trials under way by the sample that plays them.
_RUNS: Dict[Tuple[str, str], Run] = {}
_PLAYED: Dict[str, PlayedTrial] = {}


@hooks(name="startle", description="Ends the run of a task of Startle's with the task.")
class _Ends(Hooks):
    async def on_task_end(self, data: TaskEnd) -> None:
        about = data.log.eval.metadata or {}
        run = _RUNS.pop((about.get("results", ""), about.get("agent", "")), None)
        if run is not None:
            run.close()


@task
def trials(levels: Union[str, List[str], None] = None, out: str = "inspect.sqlite",
           name: Optional[str] = None, protocol: str = "single", trials: int = 1, limit: int = 0,
           novelty: Optional[str] = None, before: int = 10, after: int = 10, practice: Optional[int] = None,
           pictures: bool = True, history: int = 60, attempts: int = 3, parallel: int = 16) -> Task:
    """Trials in which a model plays and reports novelty: the plan, the results and the scores by tier of
    `startle agents run`.

    levels    a level file or a folder of them, or a list of those; None: the benchmark
    out       results file, for `startle agents report`; one of the same run is gone on with, and other models
              and agents may join it, one after the other
    name      of the model in it; None: as Inspect names it, with - for /
    protocol, trials, limit, novelty, before, after, practice, pictures, parallel: as of `startle.harness.Run`
    history   messages that are sent besides the rules: the last ones; the log holds all. 0: all are sent
    attempts  answers in a row without a call after which the trial is given up
    """
    model = name or re.sub(r"[^A-Za-z0-9._+-]+", "-", str(get_model()))
    run = Run(levels or str(LEVELS / "benchmark"), out, model, protocol=protocol, trials=trials, limit=limit,
              novelty=novelty, before=before, after=after, practice=practice, pictures=pictures,
              parallel=parallel,
              plays=f"inspect model={get_model()} history={history} attempts={attempts}")
    count, _ = run.counts()
    results = str(pathlib.Path(out).resolve())
    _RUNS[results, model] = run
    return Task(MemoryDataset([Sample("Play the trial.", id=i + 1) for i in range(count)]),
                solver=play(run, history, attempts), scorer=right(), name="trials",
                metadata={"results": results, "agent": model})


@solver
def play(run: Run, history: int, attempts: int) -> Solver:
    """Plays the next trial of the run, if one is left, by the tools look, shoot and report."""
    one_waits = anyio.CapacityLimiter(1)  # the others want no thread, which calls need

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        trial = await anyio.to_thread.run_sync(run.next_trial, limiter=one_waits, abandon_on_cancel=True)
        if trial is None:
            return state
        _PLAYED[state.uuid] = trial
        state.metadata["seed"] = trial.seed
        state.messages.insert(0, ChatMessageSystem(content=trial.rules))
        state.tools = [tool.as_tool() for tool in _tools(trial)]
        try:
            await _converse(trial, state, history, attempts)
        except Exception as error:  # Inspect cancels otherwise: then nothing is recorded, or right() ends it
            if not _is_limit(error):
                trial.give_up(f"{type(error).__name__}: {error}")
            raise
        return state

    return solve


async def _converse(trial, state, history, attempts):
    silent = 0
    while trial.due != "nothing":
        state.output = await get_model().generate(_kept(state.messages, history), state.tools)
        state.messages.append(state.output.message)
        if state.output.message.tool_calls:
            silent = 0
            answers, _ = await execute_tools(state.messages, state.tools)
            state.messages.extend(answers)
            continue
        silent += 1
        if silent == attempts:
            trial.give_up(f"no call in {attempts} answers; a {trial.due} is due")
            return
        state.messages.append(ChatMessageUser(content="That was no call of a tool. Call look or "
                                                      f"{trial.due}."))


def _kept(messages, history):
    """The rules, and the last messages; none that answers a call which is left out."""
    rules, others = messages[:1], messages[1:]
    if history and len(others) > history:
        others = others[-history:]
        while others and isinstance(others[0], ChatMessageTool):
            others = others[1:]
    return rules + others


def _is_limit(error):
    from inspect_ai.util import LimitExceededError

    return isinstance(error, LimitExceededError)


def _tools(trial: PlayedTrial) -> List[ToolDef]:
    async def call(tool: str, **arguments: Any) -> Any:
        result = await anyio.to_thread.run_sync(functools.partial(trial.call, tool, arguments))
        if result.is_error:
            raise ToolError(result.text)
        if result.picture is None:
            return result.text
        data = base64.b64encode(result.picture).decode()
        return [ContentText(text=result.text), ContentImage(image=f"data:image/png;base64,{data}")]

    return [ToolDef(functools.partial(call, name), name=name, description=tool["description"],
                    parameters=ToolParams.model_validate(tool["parameters"]), max_output=0)
            for name, tool in trial.tools.items()]


@metric
def by_tier() -> Metric:
    """Scores of `startle agents report`, for all trials and for each tier: detected, the share of novel
    trials with an alarm in the novel world; false_alarms, that of normal ones with any (shift: of all, before
    the change)."""

    def computed(scores: List[SampleScore]) -> Dict[str, float]:
        groups = collections.defaultdict(list)
        for sample in scores:
            row = sample.score.metadata or {}
            groups["all"].append(row)
            groups[row["tier"]].append(row)
        found = {}
        for tier, rows in groups.items():
            novel = [row for row in rows if row["world"] != "normal"]
            others = [row for row in rows if row["world"] != "novel"]  # a shift trial is both
            if novel:
                found[f"{tier} detected"] = sum(row["detected"] for row in novel) / len(novel)
            if others:
                found[f"{tier} false_alarms"] = sum(row["false_alarm"] for row in others) / len(others)
            found[f"{tier} trials"] = len(rows)
        return found

    return computed


@scorer(metrics=[by_tier()])
def right() -> Scorer:
    """1 where the trial was right: an alarm in a novel world and, where it changes, none before the change;
    none in a normal world. From the results file. A trial that a limit has ended is given up first, and
    counts with what was reported; none is scored that was not begun."""

    async def score(state: TaskState, target: Target) -> Optional[Score]:
        trial = _PLAYED.pop(state.uuid, None)
        if trial is None:
            return None
        trial.give_up(f"the sample ended first; a {trial.due} was due")
        row = await anyio.to_thread.run_sync(trial.result)
        shown = {key: row[key] for key in ("unit", "world", "trial", "novelty", "tier", "shift", "status",
                                           "error", "false_alarm", "detected")}
        return Score(value=int(row["right"]), metadata=shown,
                     explanation=f"{row['world']} world: " + ("an alarm" if row["alarm"] else "no alarm") +
                     (", too early" if row["world"] == "shift" and row["false_alarm"] else ""))

    return score
