"""The PredRNN of `startle surprise train` in NumPy, to predict with. Equations:
surprise/networks/predrnn_network.hpp. `startle.surprise.PredRNN` is this one; predrnn.py, in PyTorch, is for
training."""
from __future__ import annotations

from typing import Any, Dict, Mapping, Tuple

import numpy as np

from . import tensor_file
from .model_config import read_model
from .places import MODEL, Error

__all__ = ["PredRNN"]

Array = Any  # of NumPy; its types differ between versions


def _sigmoid(x: Array) -> Array:
    return 0.5 + 0.5 * np.tanh(0.5 * x)  # in this form nothing overflows


class _Convolution:
    """Kernel x kernel with zero padding, no bias, of (channels, rows, columns)."""

    def __init__(self, weights: Array):
        self.outputs, _, self.kernel, _ = weights.shape
        self._matrix = np.ascontiguousarray(weights.transpose(0, 2, 3, 1)).reshape(self.outputs, -1)

    def __call__(self, x: Array) -> Array:
        channels, rows, columns = x.shape
        margin = self.kernel // 2
        padded = np.zeros((channels, rows + 2 * margin, columns + 2 * margin), np.float32)
        padded[:, margin:margin + rows, margin:margin + columns] = x
        near = np.concatenate([padded[:, i:i + rows, j:j + columns]
                               for i in range(self.kernel) for j in range(self.kernel)])
        return (self._matrix @ near.reshape(len(near), -1)).reshape(self.outputs, rows, columns)


def _read_model(path: tensor_file.Path) -> Tuple[Mapping[str, Array], Dict[str, Any]]:
    """Weights and configuration."""
    try:
        return read_model(path)
    except FileNotFoundError:
        raise Error(f"{path}: no such file" +
                    ("; the package startle-surprise has it" if path == MODEL else "")) from None
    except tensor_file.Error as error:
        raise Error(str(error)) from None


class PredRNN:
    """Predicts each frame of a clip from all before it [Wang et al. 2017].

    path    file of a model that `startle surprise train` or `python3 -m startle train` made; MODEL comes with
            Startle

    `config` is the configuration of the model, with the format of its clips. Predictions are those of the
    program but for rounding. Raises Error for a file that is no PredRNN on frames.
    """

    def __init__(self, path: tensor_file.Path = MODEL):
        tensors, self.config = _read_model(path)
        h, kernel, patched = (self.config["channels"], self.config["kernel"], self.config["patch"] ** 2 * 3)

        def convolution(name: str, *shape: int) -> _Convolution:
            found = tensors.get(name)
            if found is None or found.shape != shape:
                raise Error(f"{path}: tensor {name!r}: found " +
                            ("none" if found is None else f"shape {list(found.shape)}") +
                            f", the configuration needs shape {list(shape)}")
            if not np.isfinite(found).all():
                raise Error(f"{path}: tensor {name!r}: found a value that is not finite")
            return _Convolution(found)

        self._cells = [{"x": convolution(f"layers.{i}.conv_x", 7 * h, h if i else patched, kernel, kernel),
                        "h": convolution(f"layers.{i}.conv_h", 4 * h, h, kernel, kernel),
                        "m": convolution(f"layers.{i}.conv_m", 3 * h, h, kernel, kernel),
                        "o": convolution(f"layers.{i}.conv_o", h, 2 * h, kernel, kernel),
                        "last": convolution(f"layers.{i}.conv_last", h, 2 * h, 1, 1)}
                       for i in range(self.config["layers"])]
        self._out = convolution("conv_out", patched, h, 1, 1)

    def _step(self, cell: Dict[str, _Convolution], x: Array, h: Array, c: Array,
              m: Array) -> Tuple[Array, Array, Array]:
        bias = np.float32(self.config["forget_bias"])
        xi, xf, xg, xi_m, xf_m, xg_m, xo = np.split(cell["x"](x), 7)
        hi, hf, hg, ho = np.split(cell["h"](h), 4)
        mi, mf, mg = np.split(cell["m"](m), 3)
        c = _sigmoid(xf + hf + bias) * c + _sigmoid(xi + hi) * np.tanh(xg + hg)
        m = _sigmoid(xf_m + mf + bias) * m + _sigmoid(xi_m + mi) * np.tanh(xg_m + mg)
        both = np.concatenate((c, m))
        return _sigmoid(xo + ho + cell["o"](both)) * np.tanh(cell["last"](both)), c, m

    def __call__(self, clip: Array) -> Array:
        """Predictions of frame 1 to frame T - 1, (T - 1, H, W, 3) float32 in [0, 1], of a clip (T, H, W, 3)
        uint8 of two frames or more in the format of the model. Raises Error for another shape or type."""
        clip = np.asarray(clip)
        pixels, patch = self.config["clips"]["pixels"], self.config["patch"]
        if clip.dtype != np.uint8 or clip.ndim != 4 or clip.shape[1:] != (pixels, pixels, 3) or len(clip) < 2:
            raise Error(f"clip: found {clip.dtype} of shape {clip.shape}, allowed is uint8 of (2 or more, "
                        f"{pixels}, {pixels}, 3)")
        side = pixels // patch
        cut = clip.reshape(-1, side, patch, side, patch, 3).transpose(0, 2, 4, 5, 1, 3)
        frames = cut.reshape(len(clip), -1, side, side).astype(np.float32) / np.float32(255)
        zeros = np.zeros((self.config["channels"], side, side), np.float32)
        h, c, m = [zeros] * len(self._cells), [zeros] * len(self._cells), zeros
        predictions = []
        for frame in frames[:-1]:
            below = frame
            for layer, cell in enumerate(self._cells):
                below, c[layer], m = self._step(cell, below, h[layer], c[layer], m)
                h[layer] = below
            out = self._out(below)
            predictions.append(frame + out if self.config["residual"] else out)
        patches = np.clip(np.stack(predictions), 0, 1).reshape(-1, patch, patch, 3, side, side)
        return patches.transpose(0, 4, 1, 5, 2, 3).reshape(-1, pixels, pixels, 3)
