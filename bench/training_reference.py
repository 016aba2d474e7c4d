#!/usr/bin/env python3
"""The same PredRNN written plainly in PyTorch, to hold bench_training against (python3-torch; the same
LibTorch underneath).

    bench/training_reference.py build-bench/bench/bench_training [--channels 32] [--threads 1] \\
      [--rounds 5] [--bfloat16]

runs steps of training in both by turns (with --bfloat16 Startle's convolutions are in bfloat16, as in the
models that are shipped, the plain ones in float32), each in a process of its own, and prints the least
processor time, of all threads, of a step of each and their ratio. Processor time, since other programs on the
machine then change the ratio little.
"""
import argparse
import subprocess
import sys
import time

import torch
from torch import nn


class Cell(nn.Module):
    """ST-LSTM; equations in surprise/networks/predrnn_network.hpp."""

    def __init__(self, inputs, h, kernel):
        super().__init__()
        self.h = h
        self.conv_x = nn.Conv2d(inputs, 7 * h, kernel, padding=kernel // 2, bias=False)
        self.conv_h = nn.Conv2d(h, 4 * h, kernel, padding=kernel // 2, bias=False)
        self.conv_m = nn.Conv2d(h, 3 * h, kernel, padding=kernel // 2, bias=False)
        self.conv_o = nn.Conv2d(2 * h, h, kernel, padding=kernel // 2, bias=False)
        self.conv_last = nn.Conv2d(2 * h, h, 1, bias=False)

    def forward(self, x, h, c, m):
        xi, xf, xg, xi_m, xf_m, xg_m, xo = torch.split(self.conv_x(x), self.h, dim=1)
        hi, hf, hg, ho = torch.split(self.conv_h(h), self.h, dim=1)
        mi, mf, mg = torch.split(self.conv_m(m), self.h, dim=1)
        c = torch.sigmoid(xf + hf + 1) * c + torch.sigmoid(xi + hi) * torch.tanh(xg + hg)
        m = torch.sigmoid(xf_m + mf + 1) * m + torch.sigmoid(xi_m + mi) * torch.tanh(xg_m + mg)
        both = torch.cat((c, m), 1)
        h = torch.sigmoid(xo + ho + self.conv_o(both)) * torch.tanh(self.conv_last(both))
        return h, c, m


class PredRNN(nn.Module):
    def __init__(self, layers=4, h=32, kernel=3, patched=48):
        super().__init__()
        self.h = h
        self.cells = nn.ModuleList(Cell(patched if l == 0 else h, h, kernel) for l in range(layers))
        self.conv_out = nn.Conv2d(h, patched, 1, bias=False)

    def forward(self, x):
        """x: [B, T, C, H, W] -> predictions [B, T - 1, C, H, W] and the top layer's last h."""
        batch, steps, _, rows, columns = x.shape
        zeros = torch.zeros(batch, self.h, rows, columns)
        h, c, m = [zeros] * len(self.cells), [zeros] * len(self.cells), zeros
        predictions = []
        for t in range(steps - 1):
            below = x[:, t]
            for l, cell in enumerate(self.cells):
                h[l], c[l], m = cell(below, h[l], c[l], m)
                below = h[l]
            predictions.append(self.conv_out(below))
        return torch.stack(predictions, 1), h[-1]


def to_patches(frames, patch):
    """[B, T, H, W, 3] -> [B, T, patch * patch * 3, H / patch, W / patch]"""
    b, t, h, w, c = frames.shape
    cut = frames.reshape(b, t, h // patch, patch, w // patch, patch, c)
    return cut.permute(0, 1, 3, 5, 6, 2, 4).reshape(b, t, patch * patch * c, h // patch, w // patch)


def time_steps(channels, threads, batch, count):
    torch.set_num_threads(threads)
    model = PredRNN(h=channels)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.95))
    clips = torch.randint(0, 256, (batch, 15, 64, 64, 3), dtype=torch.uint8)
    best = float("inf")
    for _ in range(count):
        begin = time.process_time()
        x = to_patches(clips.float() / 255, 4)
        optimiser.zero_grad()
        predictions, _ = model(x)
        nn.functional.mse_loss(predictions, x[:, 1:]).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        best = min(best, time.process_time() - begin)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", help="bench_training")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=6, help="a round")
    parser.add_argument("--bfloat16", action="store_true")
    args = parser.parse_args()
    sizes = [f"--channels={args.channels}", f"--threads={args.threads}", f"--batch={args.batch}",
             f"--steps={args.steps}"]
    if args.program is None:
        print(time_steps(args.channels, args.threads, args.batch, args.steps))
        return
    best = {"python": float("inf"), "startle": float("inf")}
    for _ in range(args.rounds):
        for name, command in (("python", [sys.executable, __file__] + sizes),
                              ("startle", [args.program, "--step"] + ["--bfloat16"] * args.bfloat16 + sizes)):
            best[name] = min(best[name],
                             float(subprocess.run(command, check=True, capture_output=True,
                                                  text=True).stdout))
    print(f"processor time of a step of training, least of {args.rounds * args.steps}: python "
          f"{best['python']:.3f} s, startle {best['startle']:.3f} s, "
          f"startle/python {best['startle'] / best['python']:.2f}")


if __name__ == "__main__":
    main()
