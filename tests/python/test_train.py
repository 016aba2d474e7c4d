"""python3 -m startle train: a step is LibTorch's, the program takes what it writes, a run that was killed
goes on, errors say what is allowed."""
import contextlib
import copy
import csv
import importlib.util
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

from common import PROGRAM, SOURCE, program, some_levels
from startle import train
from startle.model_config import config_text, preset, read_config, shortest
from startle.random_streams import shuffled, stream_seed, uniform
from startle.tensor_file import Error, read_tensors, write_tensors

torch, h5py = (importlib.import_module(name) if importlib.util.find_spec(name) else None
               for name in ("torch", "h5py"))
needs_torch = unittest.skipUnless(torch and h5py, "needs PyTorch and h5py (python3-torch, python3-h5py)")
needs_program = unittest.skipUnless(pathlib.Path(PROGRAM + "-surprise").exists(),
                                    "built without learned models")
FORMAT = {"frames": 4, "pixels": 8, "stride": 6, "lead": 1, "view": 4.6}
FIXTURES = SOURCE / "tests/surprise/networks/fixtures"


def tiny(steps, **training):
    """A configuration of a small network."""
    config = preset("small", FORMAT)
    config["model"].update(layers=2, channels=4, patch=2)
    config["training"].update(batch=4, steps=steps, **training)
    return config


def write_clips(path, count, split, **attributes):
    """Squares that move, in the layout of a data set."""
    about = {"format": "startle-clips", "version": 1, "program": "", "command": "", "profile": "startle",
             "seed": 1, "split": split, "novelty": "", **FORMAT, **attributes}
    random = np.random.default_rng(len(split))
    pixels = about["pixels"]
    frames = np.full((count, about["frames"], pixels, pixels, 3), 200, np.uint8)
    for clip in frames:
        x, y, colour = random.integers(pixels - 4), random.integers(pixels - 2), random.integers(256, size=3)
        for t, frame in enumerate(clip):
            frame[y:y + 2, x + t:x + t + 2] = colour
    with h5py.File(path, "w") as file:
        for name, value in about.items():
            file.attrs[name] = np.bytes_(value) if isinstance(value, str) else value
        file.create_dataset("frames", data=frames, chunks=(1, *frames.shape[1:]), compression=1)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        if torch:
            threads = torch.get_num_threads()
            torch.set_num_threads(1)
            self.addCleanup(torch.set_num_threads, threads)

    def sets(self):
        write_clips(self.folder / "train.h5", 10, "train")
        write_clips(self.folder / "validation.h5", 6, "validation")

    def trainer(self, config, out, **options):
        return train.Trainer(config, train.ClipSet(self.folder / "train.h5"),
                             train.ClipSet(self.folder / "validation.h5"), self.folder / out,
                             **{"device": "cpu", **options})

    def weights(self, out, name="checkpoint"):
        return read_tensors(self.folder / out / f"{name}.safetensors")[0]

    def main(self, *arguments):
        """Exit code and standard error."""
        said, code = io.StringIO(), 0
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()), \
                mock.patch("signal.signal"):
            try:
                train.main(["--data", str(self.folder / "train.h5"),
                            "--validation", str(self.folder / "validation.h5"),
                            "--out", str(self.folder / "run"), *arguments])
            except SystemExit as error:
                code = error.code
        return code, said.getvalue()


@needs_torch
@needs_program
class Program(Case):
    """Beside the program, which has LibTorch."""

    def sets(self):
        common = ["--frames", 4, "--frame-size", 8, "--lead", 1, "--threads", 1, "--quiet"]
        for split, count in (("train", 10), ("validation", 6)):
            program("surprise", "dataset", "--count", count, "--split", split, "--out",
                    self.folder / f"{split}.h5", *common)

    def train(self, config, out):
        (self.folder / "config.json").write_text(config_text(config))
        program("surprise", "train", "--data", self.folder / "train.h5", "--validation",
                self.folder / "validation.h5", "--config", self.folder / "config.json", "--out",
                self.folder / out, "--threads", 1, "--device", "cpu", "--quiet")

    def same(self, out, other, name="checkpoint"):
        mine, theirs = self.weights(out, name), self.weights(other, name)
        self.assertEqual(mine.keys(), theirs.keys())
        for key, values in mine.items():
            np.testing.assert_allclose(values, theirs[key], rtol=0, atol=1e-5, err_msg=key)

    def test_a_step_equals_libtorchs(self):
        self.sets()
        other = tiny(1, sampling="reverse", change_weight=10.0, seed=3, learning_rate=3e-3, clip_norm=1e-3)
        other["model"].update(forget_bias=3.0, residual=False, layers=1)
        for name, config in (("plain", tiny(1)), ("other", other)):
            with self.subTest(name):
                self.train(config, f"{name}-program")
                self.trainer(config, name).run()
                self.same(name, f"{name}-program")
                self.same(name, f"{name}-program", "model")
                rows, theirs = (np.genfromtxt(self.folder / out / "log.csv", delimiter=",", skip_header=1)
                                for out in (name, f"{name}-program"))
                np.testing.assert_allclose(rows[:, :5], theirs[:, :5], rtol=1e-5, atol=1e-7)
                for file in ("config.json", "log.csv"):
                    mine, whole = (self.folder.joinpath(out, file).read_text().split("\n")
                                   for out in (name, f"{name}-program"))
                    self.assertEqual(mine[0] if file == "log.csv" else mine,
                                     whole[0] if file == "log.csv" else whole)

    def test_each_goes_on_with_a_run_of_the_other(self):
        self.sets()
        config = tiny(4, validate_every=2)
        self.train(config, "program")
        trainer = self.trainer(config, "run")
        self.assertEqual(trainer.run(lambda: trainer.step < 2).end, "stopped")
        self.train(config, "run")
        self.same("run", "program")
        self.assertEqual(self.trainer(config, "run").run().step, 4)

    def test_the_program_scores_the_model_and_predicts_the_same(self):
        self.sets()
        trainer = self.trainer(tiny(3), "run")
        trainer.run()
        levels = self.folder / "levels"
        levels.mkdir()
        shutil.copy(some_levels("T2/easy", 1)[0], levels)
        model = self.folder / "run/model.safetensors"
        common = ["surprise", "evaluate", "--levels", levels, "--model", model, "--threads", 1, "--quiet"]
        program(*common, "--write-clips", self.folder / "clips.h5")
        network = train_network(model)
        with h5py.File(self.folder / "clips.h5") as clips, h5py.File(self.folder / "torch.h5", "w") as mine:
            mine["clip"] = clips["metadata"]["level"]
            mine["frames"] = predicted(network, clips["frames"][()], 2)
        program(*common, "--predictions", self.folder / "torch.h5", "--out", self.folder / "out")
        with open(self.folder / "out/twins.csv", newline="") as file:
            twins = list(csv.DictReader(file))
        ours, theirs = ([[float(row[f"{score}_{world}"]) for score in ("sum", "maximum", "log", "relative")
                          for world in ("normal", "novel")] for row in twins if row["predictor"] == name]
                        for name in ("torch", "PredRNN"))
        self.assertGreater(len(ours), 0)
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def train_network(path):
    """The network of a model's file."""
    from startle.predrnn import PredRNN

    tensors, about = read_tensors(path)
    config = read_config(f'{{"model": {about["startle.model"]}}}', str(path), preset("reference"))
    network = PredRNN.of_model(config["model"])
    for name, weight in network.named_tensors().items():
        weight.data = torch.from_numpy(tensors.pop(name))
    assert not tensors
    return network


def predicted(network, frames, patch):
    """(clips, T - 1, H, W, 3) float32."""
    from startle.predrnn import from_patches, to_patches

    with torch.no_grad():
        return from_patches(network(to_patches(torch.from_numpy(frames) / 255, patch))[0],
                            patch).clamp(0, 1).numpy()


@needs_torch
class Runs(Case):
    def test_predictions_are_those_that_libtorch_is_tested_by(self):
        case = read_tensors(FIXTURES / "predrnn_case.safetensors")[0]
        frames = predicted(train_network(FIXTURES / "predrnn_model.safetensors"), case["clip"][None], 2)[0]
        np.testing.assert_allclose(frames, case["predictions"], rtol=0, atol=1e-5)

    def test_killed_it_goes_on_and_ends_with_the_same_weights(self):
        self.sets()
        config = tiny(23, checkpoint_every=4, validate_every=7, sampling="reverse")
        whole = self.trainer(config, "whole").run()
        trainer = self.trainer(config, "run")

        def kills(loss, validation):
            if trainer.step == 11:  # after a row of the log, before the next checkpoint
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            trainer.run(on_step=kills)
        with open(self.folder / "run/log.csv", "a") as log:
            log.write("12,0.0")  # cut off
        trainer = self.trainer(config, "run")
        self.assertEqual(trainer.step, 8)
        self.assertEqual(trainer.run()[:5], whole[:5])
        for name in ("checkpoint", "model"):
            for key, values in self.weights("whole", name).items():
                np.testing.assert_array_equal(self.weights("run", name)[key], values, key)
        logs = [[line.rpartition(",")[0] for line in (self.folder / out / "log.csv").read_text().split("\n")]
                for out in ("run", "whole")]
        self.assertEqual(logs[0], logs[1])
        self.assertEqual([line.partition(",")[0] for line in logs[0]],
                         ["step", "0", "7", "10", "14", "20", "21", "23", ""])

    def test_it_learns_and_stops_when_it_no_longer_does(self):
        self.sets()
        result = self.trainer(tiny(120, learning_rate=1e-2, validate_every=20), "run").run()
        self.assertLess(result.best_validation, result.copy_last)
        trainer = self.trainer(tiny(100, learning_rate=1e-9, validate_every=1, patience=2), "still")
        for weight in trainer.network.parameters():
            weight.data.zero_()  # a dead network has no gradient
        self.assertEqual(trainer.run()[1], "no improvement")

    def test_bfloat16_is_near_float32(self):
        self.sets()
        losses = [self.trainer(tiny(20, precision=precision), precision).run().best_validation
                  for precision in ("float32", "bfloat16")]
        self.assertNotEqual(*losses)
        self.assertLess(abs(losses[0] / losses[1] - 1), 0.05)

    def test_it_begins_with_the_weights_of_a_model(self):
        self.sets()
        self.trainer(tiny(3), "run").run()
        model = self.folder / "run/model.safetensors"
        begun = self.trainer(tiny(5, seed=2), "other", start=model)
        for name, values in read_tensors(model)[0].items():
            np.testing.assert_array_equal(begun.network.named_tensors()[name].detach().numpy(), values)
        config = tiny(5)
        config["model"]["channels"] = 6
        with self.assertRaisesRegex(Error, "(?s)model to begin with: .*\"channels\": 4.*\"channels\": 6"):
            self.trainer(config, "wrong", start=model)


@needs_torch
class Errors(Case):
    def test_sets_that_are_none_or_do_not_fit(self):
        self.sets()
        for name, attributes, message in (
                ("text", None, "cannot be read"),
                ("foreign", {"format": "mine"}, "is no clip set of Startle"),
                ("later", {"version": 2}, "found version 2 of the format, allowed is 1"),
                ("longer", {"frames": 5}, "another format than the model's"),
                ("same", {"split": "train"}, "same split and seed as --data .train, 1.")):
            with self.subTest(name):
                path = self.folder / "validation.h5"
                write_clips(path, 6, **{"split": "validation", **(attributes or {})})
                if attributes is None:
                    path.write_text("no HDF5")
                code, said = self.main("--quiet")
                self.assertEqual(code, 2, said)
                self.assertRegex(said, f"^startle train: .*{message}")
        self.assertFalse((self.folder / "run/log.csv").exists())

    def test_folders_of_others(self):
        self.sets()
        self.trainer(tiny(1), "run").run()
        for change in ({"steps": 2}, {"seed": 5}):
            with self.assertRaisesRegex(Error, "another configuration; choose another folder"):
                self.trainer(tiny(**{"steps": 1, **change}), "run")
        self.assertEqual(self.main("--quiet")[0], 0)  # the same command, done
        write_clips(self.folder / "train.h5", 11, "train")
        with self.assertRaisesRegex(Error, "other clips or models .*10 clips.*now: .*11 clips"):
            self.trainer(tiny(1), "run")
        (self.folder / "run/config.json").unlink()
        with self.assertRaisesRegex(Error, "checkpoint.safetensors: is there, and no config.json"):
            self.trainer(tiny(1), "run")

    def test_a_loss_that_is_not_finite_ends_it_and_the_checkpoint_stands(self):
        self.sets()
        trainer = self.trainer(tiny(9), "run")
        before = (self.folder / "run/checkpoint.safetensors").read_bytes()
        trainer.network.conv_out.weight.data.fill_(float("nan"))
        with self.assertRaisesRegex(Error, "step 1: loss nan, .*last checkpoint stands in .*learning_rate"):
            trainer.run()
        self.assertEqual((self.folder / "run/checkpoint.safetensors").read_bytes(), before)

    def test_options_and_keys(self):
        self.sets()
        file = self.folder / "config.json"
        for config, options, message in (
                ({}, ("--steps", "0"), "training/steps: found 0, allowed are whole numbers from 1 on"),
                ({}, ("--batch", "1"), "training/batch: found 1, allowed are whole numbers from 2 to 65536"),
                ({}, ("--threads", "-1"), "--threads: found -1"),
                ({"model": {"patch": 3}}, (), "patch: found 3, allowed are divisors of clips/pixels, 8"),
                ({"model": {"network": "gan"}}, (), "model/network: found \"gan\"; .*has all networks"),
                ({"training": {"epochs": 3}}, (), "training/epochs: is unknown, allowed are batch, steps"),
                ({"training": {"beta1": 1}}, (), "training/beta1: found 1, allowed are numbers in .0, 1.")):
            with self.subTest(message):
                file.write_text(json.dumps(config))
                code, said = self.main("--config", str(file), *options)
                self.assertEqual(code, 2)
                self.assertRegex(said, message)
        if not torch.cuda.is_available():
            self.assertRegex(self.main("--device", "cuda")[1], "found cuda, but PyTorch sees no such device")


class WithoutPyTorch(Case):
    def test_it_says_what_is_missing_and_does_not_name_the_other_project(self):
        for name, options in (("torch", ()), ("h5py", ())):
            with mock.patch.dict(sys.modules, {"torch": mock.MagicMock(), "h5py": mock.MagicMock(),
                                               name: None}):
                code, said = self.main(*options)
            self.assertEqual(code, 2)
            self.assertRegex(said, f"has no {name} .*pip install {name} in .*python3-{name}")
            self.assertNotIn("pip install startle", said)

    def test_it_needs_no_compiled_module(self):
        done = subprocess.run([sys.executable, "-B", "-m", "startle", "train", "--help"], cwd=self.folder,
                              env={"PYTHONPATH": str(SOURCE / "python")}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--validation FILE", done.stdout)

    def test_random_numbers_are_the_engines(self):
        numbers = uniform(stream_seed(1, "weights/conv_out"), 1000)
        self.assertTrue(0 <= numbers.min() and numbers.max() < 1 and abs(numbers.mean() - 0.5) < 0.05)
        np.testing.assert_array_equal(uniform(5, 10), uniform(5, 1000)[:10])
        self.assertEqual(sorted(shuffled(4, 500)), list(range(500)))
        self.assertEqual([shortest(value) for value in (0.001, 1e-4, 1, 1e5, 4.6, 0, 1e22, float("inf"))],
                         ["0.001", "1e-04", "1", "1e+05", "4.6", "0", "1e+22", "inf"])

    def test_configurations_are_read_as_they_were_written(self):
        for name in ("small", "reference"):
            config = preset(name, FORMAT)
            config["training"].update(sampling="reverse", change_weight=10.0, seed=2**64 - 1)
            self.assertEqual(read_config(config_text(config), "config"), config)
            self.assertNotEqual(config_text(copy.deepcopy(preset(name))), config_text(config))

    def test_files_that_are_no_tensors(self):
        path = self.folder / "model.safetensors"
        write_tensors(path, {"a": np.ones((2, 3)), "b": np.zeros(())}, {"key": "text"})
        tensors, about = read_tensors(path)
        self.assertEqual(({key: values.shape for key, values in tensors.items()}, about),
                         ({"a": (2, 3), "b": ()}, {"key": "text"}))
        for data in (b"", b"12345678", path.read_bytes()[:-1], b"\2\0\0\0\0\0\0\0[]"):
            path.write_bytes(data)
            with self.assertRaisesRegex(Error, "is no safetensors file"):
                read_tensors(path)
        with self.assertRaisesRegex(Error, "not finite"):
            write_tensors(path, {"a": np.array([np.nan])}, {})


if __name__ == "__main__":
    unittest.main()
