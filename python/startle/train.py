"""`python3 -m startle train`: trains the PredRNN of `startle surprise train` in PyTorch, for a machine whose
GPU LibTorch does not have. It reads the same data sets, and writes the same models, logs and checkpoints: the
program goes on with a run of this trainer, and this trainer with one of the program. Needs PyTorch 1.13 or
newer, h5py and NumPy, and neither the compiled module nor the program. docs/surprise-training.md has an
example."""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import contextlib
import math
import pathlib
import signal
import sys
import time
from typing import Any, Callable, Deque, Dict, Generator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .model_config import (CLIP_FORMAT, Config, Error, check, config_text, model_text, preset, read_config,
                           read_model, shortest)
from .random_streams import shuffled, stream_seed, uniform
from .files import Path, write_file
from .tensor_file import read_tensors, write_tensors

__all__ = ["ClipSet", "Error", "Result", "Trainer"]

LOG_HEAD = "step,learning_rate,loss,gradient_norm,validation_loss,seconds"
LOG_EVERY = 10  # steps a row
VALIDATION_CHUNK = 32  # clips at once
VISIBLE = 0.02  # change of a pixel from which on change_weight counts


def _module(name: str) -> Any:
    """PyTorch or h5py, or an Error that says how to install it."""
    import importlib

    debian = {"torch": "python3-torch (for processors)", "h5py": "python3-h5py"}[name]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Error(f"{sys.executable} has no {name} ({error}); pip install {name} in an environment of its "
                    f"own, or for /usr/bin/python3 Debian's {debian}; see docs/surprise-training.md"
                    ) from error


class ClipSet:
    """A data set of `startle surprise dataset`.

    format, count, split, seed   of its clips
    description                  what a run remembers it by

    Raises Error for a file that cannot be read or is none.
    """

    def __init__(self, path: Path):
        self.path = pathlib.Path(path)
        h5py = _module("h5py")
        try:
            self._file = h5py.File(self.path, "r")
        except OSError as error:
            raise Error(f"{self.path}: cannot be read: {error}") from None
        about = {name: value.decode() if isinstance(value, bytes) else value
                 for name, value in self._file.attrs.items()}
        if about.get("format") != "startle-clips" or "frames" not in self._file:
            raise Error(f"{self.path}: is no clip set of Startle; startle surprise dataset makes them")
        if about.get("version") != 1:
            raise Error(f"{self.path}: found version {about.get('version')} of the format, allowed is 1")
        try:
            self.format = {name: float(about[name]) if name == "view" else int(about[name])
                           for name in CLIP_FORMAT}
            self.split, self.seed = str(about["split"]), int(about["seed"])
            novelty, profile = about["novelty"], about["profile"]
        except (KeyError, ValueError) as error:
            raise Error(f"{self.path}: is no clip set of Startle: attribute {error}") from None
        self._frames = self._file["frames"]
        pixels = self.format["pixels"]
        self.count = self._frames.shape[0] if self._frames.shape else 0
        wanted = (self.count, self.format["frames"], pixels, pixels, 3)
        if self._frames.shape != wanted or self._frames.dtype != np.uint8 or not self.count:
            raise Error(f"{self.path}: /frames: found {self._frames.dtype} {list(self._frames.shape)}, "
                        f"allowed is uint8 [clips, {', '.join(map(str, wanted[1:]))}]")
        self.description = (f"{self.path.name} ({self.count} clips, {self.split}, seed {self.seed}" +
                            (f", novelty {novelty}" if novelty else "") + f", profile {profile})")

    def read(self, indices: Sequence[int]) -> np.ndarray:
        """Clips in that order, (clips, T, H, W, 3) uint8. Raises Error where the file is damaged."""
        clips = np.empty((len(indices), *self._frames.shape[1:]), np.uint8)
        for clip, index in zip(clips, indices):
            try:
                self._frames.read_direct(clip, np.s_[int(index)])
            except OSError as error:
                raise Error(f"{self.path}: clip {index} cannot be read: {error}") from None
        return clips


def learning_rate(training: Dict[str, Any], step: int) -> float:
    """Of step 0 to steps - 1: a rise, then half a cosine."""
    rise = math.floor(training["warm_up"] * training["steps"])
    if step < rise:
        return training["learning_rate"] * (step + 1) / rise
    share = (step - rise) / (training["steps"] - rise)
    return training["learning_rate"] * 0.5 * (1 + math.cos(math.pi * share))


def own_input_share(training: Dict[str, Any], step: int) -> float:
    """Probability that an input after the first is the network's own prediction."""
    if training["sampling"] == "teacher":
        return 0
    steps = training["steps"]
    begin, end, decay = steps * 5 / 16, steps * 10 / 16, steps / 32
    if step < begin:
        return 0.5
    return 0.5 * math.exp(-(step - begin) / decay) if step < end else 0


def _batches(clips: ClipSet, training: Dict[str, Any], first_step: int) -> Generator[np.ndarray, None, None]:
    """Batches of steps from `first_step` on: every clip once an epoch, each epoch in another order. The next
    two are read by a thread while the network learns from the last."""
    epoch, order = -1, np.empty(0, np.int64)

    def read(step: int) -> np.ndarray:
        nonlocal epoch, order
        indices = []
        for place in range(step * training["batch"], (step + 1) * training["batch"]):
            if place // clips.count != epoch:
                epoch = place // clips.count
                order = shuffled(stream_seed(training["seed"], "training/order", epoch), clips.count)
            indices.append(order[place % clips.count])
        return clips.read(indices)

    with concurrent.futures.ThreadPoolExecutor(1) as reader:
        ahead: Deque = collections.deque()
        for step in range(first_step, training["steps"]):
            while len(ahead) < 3 and step + len(ahead) < training["steps"]:
                ahead.append(reader.submit(read, step + len(ahead)))
            yield ahead.popleft().result()


class Result(NamedTuple):
    """How a session of training ended."""

    step: int  # steps done
    end: str  # "finished", "no improvement" or "stopped"
    best_validation: float  # validation loss of model.safetensors
    best_step: int
    copy_last: float  # the same of the prediction that nothing changes
    seconds: float  # of training, over all sessions


class Trainer:
    """A run of training in the folder `out`, which goes on where it is there.

    start    model of the same configuration whose weights it begins with; None: drawn from the seed
    device   "auto", "cpu" or "cuda"

    network   the PredRNN, in PyTorch
    step      steps done

    Raises Error for a folder that holds another run, and sets that do not fit the configuration.
    """

    def __init__(self, config: Config, training: ClipSet, validation: ClipSet, out: Path, *,
                 start: Optional[Path] = None, device: str = "auto"):
        torch = _module("torch")
        from .predrnn import PredRNN

        check(config, "configuration")
        for clips, least in ((training, 1), (validation, 2)):
            if clips.format != config["model"]["clips"]:
                raise Error(f"{clips.path}: its clips have another format than the model's configuration: "
                            f"found {clips.format}, allowed is {config['model']['clips']}")
            if clips.count < least:
                raise Error(f"{clips.path}: found {clips.count} clips, at least {least} are needed")
        if device not in ("auto", "cpu", "cuda"):
            raise Error(f"--device: found {device!r}, allowed are auto, cpu and cuda")
        if device == "cuda" and not torch.cuda.is_available():
            raise Error("--device: found cuda, but PyTorch sees no such device here; allowed are auto and "
                        "cpu")
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self._torch, self.config, self.out, self._training = torch, config, pathlib.Path(out), training
        self.device = torch.device(device)
        self._data = (f"training: {training.description}; validation: {validation.description}" +
                      (f"; start: {pathlib.Path(start).name}" if start else ""))
        self._validation = validation.read(
            range(min(validation.count, config["training"]["validation_clips"])))
        self.network = PredRNN.of_model(config["model"])
        self._weights = self.network.named_tensors()
        if start:
            self._start_from(start)
        else:
            self._draw_weights()
        self.network.to(self.device)
        self._weights = self.network.named_tensors()
        rates = config["training"]
        self._adam = torch.optim.Adam(self.network.parameters(), rates["learning_rate"],
                                      (rates["beta1"], rates["beta2"]))
        self.step, self._stale, self._loss_count = 0, 0, 0
        self._best, self._best_step, self._copy_last = math.inf, 0, 0.0
        self._loss_sum, self._seconds = 0.0, 0.0
        self._last: Tuple[float, Optional[float]] = 0.0, None
        self._open()

    # weights ------------------------------------------------------------------------------------------------

    def _draw_weights(self) -> None:
        """Uniform in +-1/sqrt(fan in), those that the program draws."""
        for name, weight in self._weights.items():
            bound = 1 / math.sqrt(weight[0].numel())
            stream = stream_seed(self.config["training"]["seed"], "weights/" + name)
            drawn = -bound + 2 * bound * uniform(stream, weight.numel())
            weight.data = self._torch.from_numpy(drawn.astype(np.float32)).view(weight.shape)

    def _copy(self, tensors: Dict[str, np.ndarray], name: str, source: Path) -> Any:
        """A tensor of a file as that of the weight of this name."""
        found, wanted = tensors.get(name), list(self._weights[name.rpartition("/")[2]].shape)
        if found is None or list(found.shape) != wanted:
            raise Error(f"{source}: tensor {name!r}: found " +
                        ("none" if found is None else f"shape {list(found.shape)}") +
                        f", the configuration needs shape {wanted}")
        return self._torch.from_numpy(found)

    def _start_from(self, path: Path) -> None:
        tensors, model = read_model(path)
        if model != self.config["model"]:
            raise Error(f"{path}: a model to begin with: found the configuration\n"
                        f"{model_text(model)}needed is that of the network to be trained:\n"
                        f"{model_text(self.config['model'])}")
        for name, weight in self._weights.items():
            weight.data = self._copy(tensors, name, path)

    def _arrays(self) -> Dict[str, np.ndarray]:
        return {name: weight.detach().cpu().numpy() for name, weight in self._weights.items()}

    # files --------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Goes on from the checkpoint, or starts anew."""
        self.out.mkdir(parents=True, exist_ok=True)
        config_file, text = self.out / "config.json", config_text(self.config)
        if config_file.exists():
            before = read_config(config_file.read_text("utf-8"), str(config_file))
            if before != self.config:
                raise Error(f"{config_file}: the run in this folder has another configuration; choose "
                            "another folder, or the same configuration")
        else:
            for name in ("checkpoint.safetensors", "model.safetensors", "log.csv", "loss.svg"):
                if (self.out / name).exists():
                    raise Error(f"{self.out / name}: is there, and no config.json of the run that made it; "
                                "choose another folder")
            write_file(config_file, text.encode())
        if (self.out / "checkpoint.safetensors").exists():
            self._read_checkpoint(self.out / "checkpoint.safetensors")
            return
        self._copy_last = self._mean_error(copy_last=True)
        write_file(self.out / "log.csv", (LOG_HEAD + "\n").encode())
        self._add_row(0, self._validate())
        self._write_checkpoint()

    def _write_checkpoint(self) -> None:
        tensors = {"weights/" + name: values for name, values in self._arrays().items()}
        for kind, key in (("first", "exp_avg"), ("second", "exp_avg_sq")):
            for name, weight in self._weights.items():
                moment = self._adam.state.get(weight, {}).get(key, self._torch.zeros_like(weight))
                tensors[f"adam/{kind}/{name}"] = moment.detach().cpu().numpy()
        write_tensors(self.out / "checkpoint.safetensors", tensors, {
            "startle.checkpoint": config_text(self.config), "data": self._data, "step": str(self.step),
            "best_validation": shortest(self._best), "best_step": str(self._best_step),
            "stale": str(self._stale), "copy_last": shortest(self._copy_last),
            "loss_sum": shortest(self._loss_sum), "loss_count": str(self._loss_count),
            "seconds": shortest(self._seconds)})

    def _read_checkpoint(self, path: pathlib.Path) -> None:
        tensors, about = read_tensors(path)
        if about.get("startle.checkpoint") != config_text(self.config):
            raise Error(f"{path}: this checkpoint is of another configuration, or no checkpoint of Startle")
        if about.get("data") != self._data:
            raise Error(f"{path}: this run was started with other clips or models ({about.get('data')}); "
                        f"now: {self._data}")
        try:
            self.step, self._best_step, self._stale, self._loss_count = (
                int(about[key]) for key in ("step", "best_step", "stale", "loss_count"))
            self._best, self._copy_last, self._loss_sum, self._seconds = (
                float(about[key]) for key in ("best_validation", "copy_last", "loss_sum", "seconds"))
        except (KeyError, ValueError) as error:
            raise Error(f"{path}: is no checkpoint of Startle: {error}") from None
        state = {}
        for i, (name, weight) in enumerate(self._weights.items()):
            weight.data.copy_(self._copy(tensors, "weights/" + name, path))
            state[i] = {"step": self._torch.tensor(float(self.step)),
                        "exp_avg": self._copy(tensors, "adam/first/" + name, path),
                        "exp_avg_sq": self._copy(tensors, "adam/second/" + name, path)}
        if self.step > 0:
            self._adam.load_state_dict({"state": state,
                                        "param_groups": self._adam.state_dict()["param_groups"]})
        # Rows after the checkpoint were lost with their steps; a line without an end is half a line.
        log = self.out / "log.csv"
        lines = [line for line in log.read_text("utf-8").splitlines(True) if line.endswith("\n")]
        if not lines or lines[0] != LOG_HEAD + "\n":
            raise Error(f"{log}: line 1: found another head than '{LOG_HEAD}'")
        try:
            kept = [line for line in lines[1:] if int(line.partition(",")[0]) <= self.step]
        except ValueError:
            raise Error(f"{log}: is no training log") from None
        write_file(log, "".join([lines[0], *kept]).encode())

    def _add_row(self, norm: float, validation: Optional[float]) -> None:
        rate = learning_rate(self.config["training"], self.step - 1) if self.step else 0
        cells = [str(self.step), shortest(rate),
                 shortest(self._loss_sum / self._loss_count) if self._loss_count else "", shortest(norm),
                 "" if validation is None else shortest(validation), shortest(self._seconds)]
        self._loss_sum, self._loss_count = 0.0, 0
        with open(self.out / "log.csv", "a", encoding="utf-8") as file:
            file.write(",".join(cells) + "\n")

    # training -----------------------------------------------------------------------------------------------

    def _patches(self, clips: np.ndarray) -> Any:
        """(B, T, C, H, W) in [0, 1], on the device."""
        from .predrnn import to_patches

        frames = self._torch.from_numpy(clips).to(self.device).float() / 255
        return to_patches(frames, self.config["model"]["patch"])

    def _weighted(self, predicted: Any, patches: Any) -> Tuple[Any, Any]:
        """Squared errors of the frames after the first, and how much each value counts, or None."""
        squares = (predicted - patches[:, 1:]).square()
        extra = self.config["training"]["change_weight"]
        if extra == 0:
            return squares, None
        changes = (patches[:, 1:] - patches[:, :-1]).abs().unflatten(2, (-1, 3))
        changed = (changes.amax(3, keepdim=True) > VISIBLE).expand_as(changes).flatten(2, 3)
        return squares, 1 + extra * changed.float()

    def _own_inputs(self) -> Any:
        """Which inputs of this step are to be the network's own predictions, or None."""
        training = self.config["training"]
        share = own_input_share(training, self.step)
        if share == 0:
            return None
        steps, batch = self.config["model"]["clips"]["frames"] - 1, training["batch"]
        own = np.zeros(steps * batch, bool)
        stream = stream_seed(training["seed"], "training/sampling", self.step)
        own[batch:] = uniform(stream, len(own) - batch) < share
        return self._torch.from_numpy(own.reshape(steps, batch, 1, 1, 1)).to(self.device)

    def _update(self, clips: np.ndarray) -> float:
        """One step; returns the norm of the gradient before clipping."""
        torch, training = self._torch, self.config["training"]
        patches = self._patches(clips)
        low = training["precision"] == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16) if low else contextlib.nullcontext():
            predictions, _ = self.network(patches, self._own_inputs())
        squares, counts = self._weighted(predictions, patches)
        loss = squares.mean() if counts is None else (squares * counts).sum() / counts.sum()
        for weight in self._weights.values():
            weight.grad = None
        loss.backward()
        gradients = [weight.grad for weight in self._weights.values() if weight.grad is not None]
        length = torch.stack([gradient.norm() for gradient in gradients]).norm()
        now, norm = torch.stack([loss.detach(), length]).tolist()
        if not math.isfinite(now) or not math.isfinite(norm):
            raise Error(f"training: step {self.step + 1}: loss {shortest(now)}, norm of the gradient "
                        f"{shortest(norm)}; the last checkpoint stands in "
                        f"{self.out / 'checkpoint.safetensors'}. A lower learning_rate may help")
        if norm > training["clip_norm"]:
            for gradient in gradients:
                gradient.mul_(training["clip_norm"] / norm)
        for group in self._adam.param_groups:
            group["lr"] = learning_rate(training, self.step)
        self._adam.step()
        self.step += 1
        self._loss_sum += now
        self._loss_count += 1
        self._last = now, self._last[1]
        return norm

    def _mean_error(self, copy_last: bool = False) -> float:
        """Mean squared error a value over the validation clips, in float32 with predictions cut to [0, 1]; or
        of the prediction that nothing changes."""
        total, count = 0.0, 0.0
        with self._torch.no_grad():
            for begin in range(0, len(self._validation), VALIDATION_CHUNK):
                patches = self._patches(self._validation[begin:begin + VALIDATION_CHUNK])
                predicted = patches[:, :-1] if copy_last else self.network(patches)[0].clamp(0, 1)
                squares, counts = self._weighted(predicted, patches)
                if counts is not None:
                    squares = squares * counts
                total += squares.sum(dtype=self._torch.float64).item()
                count += squares.numel() if counts is None else counts.sum(dtype=self._torch.float64).item()
        return total / count

    def _validate(self) -> float:
        """Validation loss of the weights as they are, which are written when they are the best so far."""
        loss = self._mean_error()
        self._last = self._last[0], loss
        if loss < self._best:
            self._best, self._best_step, self._stale = loss, self.step, 0
            write_tensors(self.out / "model.safetensors", self._arrays(), {
                "startle.model": model_text(self.config["model"]),
                "startle.training": config_text(self.config), "startle.data": self._data,
                "startle.step": str(self.step), "startle.validation_loss": shortest(loss),
                "startle.copy_last": shortest(self._copy_last)})
        else:
            self._stale += 1
        return loss

    def run(self, keep_going: Callable[[], bool] = lambda: True,
            on_step: Callable[[float, Optional[float]], None] = lambda loss, validation: None) -> Result:
        """Trains until all steps are done, validation has stopped improving, or `keep_going`, which is asked
        before each step, says no. `on_step` gets the loss after each step, and the last validation loss.
        Raises Error when a loss or gradient is not finite: the last checkpoint then stands."""
        training, end = self.config["training"], "finished"
        before, begin = self._seconds, time.monotonic()
        with contextlib.closing(_batches(self._training, training, self.step)) as batches:
            while self.step < training["steps"]:
                if training["patience"] and self._stale >= training["patience"]:
                    end = "no improvement"
                elif not keep_going():
                    end = "stopped"
                if end != "finished":
                    self._write_checkpoint()
                    break
                norm = self._update(next(batches))
                self._seconds = before + time.monotonic() - begin
                validate = self.step % training["validate_every"] == 0 or self.step == training["steps"]
                if validate or self.step % LOG_EVERY == 0:
                    self._add_row(norm, self._validate() if validate else None)
                if validate or self.step % training["checkpoint_every"] == 0:
                    self._write_checkpoint()
                on_step(*self._last)
        return Result(self.step, end, self._best, self._best_step, self._copy_last, self._seconds)


def _config_of(options: argparse.Namespace, clips: ClipSet) -> Config:
    """The file given; else, without --preset, what the run in the folder was started with; else the preset
    for these clips. Other options come last."""
    before = pathlib.Path(options.out) / "config.json"
    config = preset(options.preset or "small", clips.format)
    if options.config:
        config = read_config(pathlib.Path(options.config).read_text("utf-8"), options.config, config)
    elif not options.preset and before.exists():
        config = read_config(before.read_text("utf-8"), str(before))
    if options.channels is not None:
        config["model"]["channels"] = options.channels
    for key in ("steps", "batch", "learning_rate", "precision", "seed"):
        value = getattr(options, key)
        if value is not None:
            config["training"][key] = value
    check(config, options.config or "command line")
    return config


class _Progress:
    """A line on standard error, written anew at most once a second."""

    def __init__(self, trainer: Trainer):
        self._trainer, self._first, self._begin = trainer, trainer.step, time.monotonic()
        self._smooth, self._shown = 0.0, 0.0

    def __call__(self, loss: float, validation: Optional[float]) -> None:
        self._smooth = 0.98 * self._smooth + 0.02 * loss if self._smooth else loss
        now, step = time.monotonic(), self._trainer.step
        steps, batch = (self._trainer.config["training"][key] for key in ("steps", "batch"))
        if now - self._shown < 1 and step < steps:
            return
        self._shown = now
        frames = batch * self._trainer.config["model"]["clips"]["frames"]
        speed = (step - self._first) * frames / (now - self._begin)
        print(f"\rstartle train: {step} of {steps} steps, loss {self._smooth:.3g}" +
              ("" if validation is None else f", validation {validation:.3g}") + f", {speed:.0f} frames/s ",
              end="" if step < steps else "\n", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python3 -m startle train",
        description="Trains a PredRNN to predict what clips of the normal world show next, in PyTorch: what "
                    "startle surprise train does by LibTorch.",
        epilog="Ctrl-C stops after a checkpoint; the same command goes on from it. Other networks: startle "
               "surprise train.")
    parser.add_argument("--data", required=True, metavar="FILE",
                        help="clips to train on, made by startle surprise dataset")
    parser.add_argument("--validation", required=True, metavar="FILE",
                        help="clips of other levels that the best model is chosen by")
    parser.add_argument("--out", required=True, metavar="PATH",
                        help="a folder of the run; a run that is there goes on")
    parser.add_argument("--config", metavar="FILE", help="configuration as JSON, as config.json of a run; "
                        "missing keys keep their defaults; default: none")
    parser.add_argument("--preset", choices=("small", "reference"),
                        help="size: small (4 x 32 channels, the default) or reference (4 x 128)")
    parser.add_argument("--start", metavar="FILE", help="model whose weights training begins with, in place "
                        "of drawn ones: of the same configuration; default: none (drawn weights)")
    parser.add_argument("--channels", type=int, metavar="N",
                        help="width of the network; default: by --preset")
    parser.add_argument("--steps", type=int, metavar="N", help="default: by --preset")
    parser.add_argument("--batch", type=int, metavar="N", help="clips a step; default: by --preset")
    parser.add_argument("--learning-rate", type=float, metavar="X",
                        help="highest learning rate; default: by --preset")
    parser.add_argument("--precision", choices=("float32", "bfloat16"),
                        help="of the convolutions; default: float32")
    parser.add_argument("--seed", type=int, metavar="S",
                        help="of weights, order of clips and sampling; default: by --preset (1)")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto",
                        help="default: auto, cuda where PyTorch has it")
    parser.add_argument("--threads", type=int, default=0, metavar="N",
                        help="threads to use; 0, the default: as many as PyTorch takes; losses depend on it "
                        "by rounding")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser


def _train(options: argparse.Namespace) -> Tuple[Result, Config]:
    torch = _module("torch")
    training, validation = ClipSet(options.data), ClipSet(options.validation)
    if (training.split, training.seed) == (validation.split, validation.seed):
        raise Error(f"--validation: found the same split and seed as --data ({training.split}, "
                    f"{training.seed}); allowed are clips of other levels")
    if options.threads < 0:
        raise Error(f"--threads: found {options.threads}, allowed are whole numbers from 0")
    if options.threads:
        torch.set_num_threads(options.threads)
    stop: List[bool] = []
    signal.signal(signal.SIGINT, lambda *_: stop.append(True))
    signal.signal(signal.SIGTERM, lambda *_: stop.append(True))
    trainer = Trainer(_config_of(options, training), training, validation, options.out, start=options.start,
                      device=options.device)
    if not options.quiet:
        print(f"startle train: on {trainer.device.type}" +
              (f"; goes on after step {trainer.step}" if trainer.step else ""), file=sys.stderr)
    progress = (lambda loss, validation: None) if options.quiet else _Progress(trainer)
    return trainer.run(lambda: not stop, progress), trainer.config


def main(arguments: Sequence[str]) -> None:
    options = _parser().parse_args(arguments)
    try:
        result, config = _train(options)
    except Error as error:
        print(f"startle train: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"startle train: {error.filename or options.out}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    why = {"finished": "", "no improvement": "; ended, since validation stopped improving",
           "stopped": "; stopped, run the command again to go on"}[result.end]
    ratio = f" (ratio {result.best_validation / result.copy_last:.3f})" if result.copy_last else ""
    print(f"steps {result.step} of {config['training']['steps']}{why}\n"
          f"validation loss {result.best_validation:.3g} at step {result.best_step}; copy-last "
          f"{result.copy_last:.3g}{ratio}\nmodel {pathlib.Path(options.out) / 'model.safetensors'}")
    if result.end == "stopped":
        sys.exit(130)
