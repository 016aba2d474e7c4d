"""Exports as others load them: real videos and tables, load_dataset of Hugging Face, mlcroissant."""
import contextlib
import io
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import startle
from common import slow, some_levels
from startle import export

if os.environ.get("STARTLE_SLOW"):  # only then the large packages are installed
    import h5py
    import pyarrow.parquet

SIZE = (256, 144)
LEVELS = some_levels("T2/easy", 2)


@slow
class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.out = cls.folder / "out"
        cls.command = [sys.executable, "-B", "-m", "startle", "export", *map(str, LEVELS), "--size",
                       "256x144", "--split", "50:0:50", "--shots", "2", "--hdf5", "--quiet"]
        subprocess.run([*cls.command, "--out", cls.out], check=True)
        cls.rows = [row for split in ("train", "test") if (cls.out / split).exists() for row in
                    pyarrow.parquet.read_table(cls.out / split / "metadata.parquet").to_pylist()]

    def video(self, row):
        return export.read_video(self.out / row["split"] / row["file_name"])

    def rendered(self, row):
        path = next(path for path in LEVELS if path.stem == row["level"])
        with startle.make(path, novelty=row["novelty"] if row["twin"] == "novel" else False,
                          size=SIZE) as env:
            env.reset(seed=1)
            env.step((row["angle"], row["stretch"], -1.0))
            return env.video()

    def test_columns_have_their_types(self):
        self.assertEqual(len(self.rows), 12)
        schema = pyarrow.parquet.read_schema(next(self.out.glob("*/metadata.parquet")))
        self.assertEqual([(field.name, str(field.type)) for field in schema],
                         [(name, kind) for name, kind, _ in export.COLUMNS])

    def test_videos_show_what_was_rendered(self):
        for row in self.rows[:4]:
            video, rendered = self.video(row), self.rendered(row)
            self.assertEqual(video.shape, rendered.shape)
            error = np.abs(video.astype(int) - rendered)
            self.assertLess(error.mean(), 3)
            self.assertLess((error.max(-1) > 20).mean(), 0.03)  # edges, as colour has half the resolution
            # Frame i of the video is frame i of the shot.
            moving = [i for i in range(1, len(rendered)) if (rendered[i] != rendered[i - 1]).sum() > 50]
            for i in moving[:10]:
                others = [np.abs(video[i].astype(int) - rendered[k]).sum() for k in (i - 1, i)]
                self.assertLess(others[1], others[0])

    def test_twins_are_alike_until_their_pictures_differ(self):
        for normal, novel in zip(self.rows[::2], self.rows[1::2]):
            a, b, first = self.video(normal), self.video(novel), normal["first_different_frame"]
            self.assertEqual((normal["pair"], first), (novel["pair"], novel["first_different_frame"]))
            count = min(len(a), len(b)) if first is None else first
            np.testing.assert_array_equal(a[:count], b[:count])
            if first is not None and first < min(len(a), len(b)):
                self.assertTrue((a[first] != b[first]).any())
        self.assertTrue(any(row["first_different_frame"] for row in self.rows))

    def test_pixels_are_not_lossy(self):
        for path in self.out.glob("*/steps.h5"):
            rows = [row for row in self.rows if row["split"] == path.parent.name]
            with h5py.File(path) as file:
                self.assertEqual(list(file["ep_len"]), [row["frames"] for row in rows])
                start = file["ep_offset"][1]
                np.testing.assert_array_equal(file["pixels"][start:start + rows[1]["frames"]],
                                              self.rendered(rows[1]))

    def test_the_same_command_gives_the_same_bytes(self):
        subprocess.run([*self.command, "--out", self.folder / "again"], check=True)
        for path in self.out.rglob("*.*"):
            if path.is_file() and path.name != "croissant.json":  # it has the day
                again = self.folder / "again" / path.relative_to(self.out)
                self.assertEqual(path.read_bytes(), again.read_bytes(), path)

    def test_load_dataset_gives_the_rows(self):
        with tempfile.TemporaryDirectory() as cache:
            os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": cache}
            import datasets

            loaded = datasets.load_dataset(str(self.out))
            self.assertEqual({split: len(part) for split, part in loaded.items()},
                             {split: sum(row["split"] == split for row in self.rows)
                              for split in {row["split"] for row in self.rows}})
            for split, part in loaded.items():
                part = part.cast_column("video", datasets.Video(decode=False))
                expected = [row for row in self.rows if row["split"] == split]
                for got, row in zip(part, expected):
                    self.assertEqual(pathlib.Path(got.pop("video")["path"]).name,
                                     pathlib.Path(row["file_name"]).name)
                    self.assertEqual(got, {key: row[key] for key in row if key != "file_name"})
            levels = [set(part["level_hash"]) for part in loaded.values()]
            self.assertEqual(len(set().union(*levels)), sum(map(len, levels)))

    def test_croissant_is_valid_and_gives_the_rows(self):
        import mlcroissant

        path = self.out / "croissant.json"
        with self.assertNoLogs(level=logging.WARNING), contextlib.redirect_stdout(io.StringIO()):
            dataset = mlcroissant.Dataset(str(path))
        for split in {row["split"] for row in self.rows}:
            first = next(iter(dataset.records(split)))
            self.assertEqual(first[f"{split}/clip"].decode(),
                             next(row for row in self.rows if row["split"] == split)["clip"])
        broken = json.loads(path.read_text())
        broken["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "nowhere"
        with self.assertRaisesRegex(mlcroissant.ValidationError, "nowhere"):
            mlcroissant.Dataset(broken)


if __name__ == "__main__":
    unittest.main()
