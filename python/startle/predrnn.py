"""The PredRNN of `startle surprise train` in plain PyTorch, 1.13 or newer. Equations:
surprise/networks/predrnn_network.hpp."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import torch
from torch import nn

__all__ = ["Cell", "PredRNN", "to_patches", "from_patches"]


def _convolve(convolution: nn.Conv2d, x: torch.Tensor) -> torch.Tensor:
    """In bfloat16 under autocast; the result in the precision of the input."""
    return convolution(x).to(x.dtype)


class Cell(nn.Module):
    """An ST-LSTM cell without layer norm.

    inputs        channels that come in
    h             channels of its state
    kernel        width of the convolutions, odd
    forget_bias   added to the forget gates
    """

    def __init__(self, inputs: int, h: int, kernel: int, forget_bias: float = 1):
        super().__init__()
        self.h, self.forget_bias = h, forget_bias
        self.conv_x = nn.Conv2d(inputs, 7 * h, kernel, padding=kernel // 2, bias=False)
        self.conv_h = nn.Conv2d(h, 4 * h, kernel, padding=kernel // 2, bias=False)
        self.conv_m = nn.Conv2d(h, 3 * h, kernel, padding=kernel // 2, bias=False)
        self.conv_o = nn.Conv2d(2 * h, h, kernel, padding=kernel // 2, bias=False)
        self.conv_last = nn.Conv2d(2 * h, h, 1, bias=False)

    def forward(self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor,
                m: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Next h, c and m from the input (B, inputs, H, W) and the last h, c and m (B, h, H, W)."""
        bias = self.forget_bias
        xi, xf, xg, xi_m, xf_m, xg_m, xo = torch.split(_convolve(self.conv_x, x), self.h, dim=1)
        hi, hf, hg, ho = torch.split(_convolve(self.conv_h, h), self.h, dim=1)
        mi, mf, mg = torch.split(_convolve(self.conv_m, m), self.h, dim=1)
        c = torch.sigmoid(xf + hf + bias) * c + torch.sigmoid(xi + hi) * torch.tanh(xg + hg)
        m = torch.sigmoid(xf_m + mf + bias) * m + torch.sigmoid(xi_m + mi) * torch.tanh(xg_m + mg)
        both = torch.cat((c, m), 1)
        h = torch.sigmoid(xo + ho + _convolve(self.conv_o, both)) * torch.tanh(
            _convolve(self.conv_last, both))
        return h, c, m


class PredRNN(nn.Module):
    """Predicts each frame of a clip from all before it.

    layers, h     cells, and channels of each
    kernel        width of their convolutions, odd
    patched       channels of a frame that is cut into patches
    forget_bias   added to the forget gates
    residual      the output is added to the last frame, so that the network predicts the change
    """

    def __init__(self, layers: int = 4, h: int = 32, kernel: int = 3, patched: int = 48,
                 forget_bias: float = 1, residual: bool = False):
        super().__init__()
        self.h, self.residual = h, residual
        self.cells = nn.ModuleList(Cell(patched if layer == 0 else h, h, kernel, forget_bias)
                                   for layer in range(layers))
        self.conv_out = nn.Conv2d(h, patched, 1, bias=False)

    @classmethod
    def of_model(cls, model: Dict[str, Any]) -> PredRNN:
        """The network that `model` of a configuration says (docs/files.md), with PyTorch's own weights."""
        return cls(model["layers"], model["channels"], model["kernel"], model["patch"] ** 2 * 3,
                   model["forget_bias"], model["residual"])

    def named_tensors(self) -> Dict[str, nn.Parameter]:
        """Weights by their names in files of models, "layers.0.conv_x" and so on."""
        return {name.replace("cells.", "layers.").replace(".weight", ""): weight
                for name, weight in self.named_parameters()}

    def forward(self, x: torch.Tensor,
                own: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, torch.Tensor]:
        """Predictions of all frames but the first, (B, T - 1, C, H, W), not clipped, and the top layer's
        last h, (B, h, H, W).

        x     frames in patches, (B, T, C, H, W)
        own   (T - 1, B, 1, 1, 1): true where the input is to be the network's own prediction of that frame in
              place of the true one; never for the first frame
        """
        batch, steps, _, rows, columns = x.shape
        zeros = x.new_zeros(batch, self.h, rows, columns)
        h, c, m = [zeros] * len(self.cells), [zeros] * len(self.cells), zeros
        predictions: list = []
        for t in range(steps - 1):
            read = x[:, t]
            if own is not None and t > 0:
                read = torch.where(own[t], predictions[-1], read)
            below = read
            for layer, cell in enumerate(self.cells):
                h[layer], c[layer], m = cell(below, h[layer], c[layer], m)
                below = h[layer]
            out = _convolve(self.conv_out, below)
            predictions.append(read + out if self.residual else out)
        return torch.stack(predictions, 1), h[-1]


def to_patches(frames: torch.Tensor, patch: int) -> torch.Tensor:
    """(B, T, H, W, 3) -> (B, T, patch * patch * 3, H / patch, W / patch)"""
    b, t, h, w, c = frames.shape
    cut = frames.reshape(b, t, h // patch, patch, w // patch, patch, c)
    return cut.permute(0, 1, 3, 5, 6, 2, 4).reshape(b, t, patch * patch * c, h // patch, w // patch)


def from_patches(patches: torch.Tensor, patch: int) -> torch.Tensor:
    """(B, T, patch * patch * 3, H / patch, W / patch) -> (B, T, H, W, 3)"""
    b, t, _, rows, columns = patches.shape
    cut = patches.reshape(b, t, patch, patch, 3, rows, columns)
    return cut.permute(0, 1, 5, 2, 6, 3, 4).reshape(b, t, rows * patch, columns * patch, 3)
