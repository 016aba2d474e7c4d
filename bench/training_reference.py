#!/usr/bin/env python3
"""The PredRNN of `python3 -m startle train`, in plain PyTorch, to hold bench_training against (python3-torch;
the same LibTorch underneath).

    bench/training_reference.py build-bench/bench/bench_training [--channels 32] [--threads 1] \\
      [--rounds 5] [--bfloat16]

runs steps of training in both by turns (with --bfloat16 Startle's convolutions are in bfloat16, as in the
models that are shipped, the plain ones in float32), each in a process of its own, and prints the least
processor time, of all threads, of a step of each and their ratio. Processor time, since other programs on the
machine then change the ratio little.
"""
import argparse
import pathlib
import subprocess
import sys
import time

import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
from startle.predrnn import PredRNN, to_patches  # noqa: E402

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
