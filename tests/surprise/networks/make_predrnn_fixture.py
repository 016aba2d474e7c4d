#!/usr/bin/python3
"""Writes fixtures/predrnn_model.safetensors, a small PredRNN with PyTorch's own weights, and
fixtures/predrnn_case.safetensors, a clip (values 0 to 255), what plain PyTorch predicts for it, and the top
layer's largest h per channel. Needs python3-torch."""
import json
import os
import sys

import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "..", "python"))
from startle.predrnn import PredRNN, from_patches, to_patches  # noqa: E402
from startle.tensor_file import write_tensors  # noqa: E402

LAYERS, CHANNELS, PATCH, PIXELS, FRAMES = 2, 4, 2, 8, 4


torch.manual_seed(7)
model = PredRNN(LAYERS, CHANNELS, 3, PATCH * PATCH * 3)
with torch.no_grad():
    for weight in model.parameters():
        weight *= 3  # larger than PyTorch's own, so that the gates are far from linear
clip = torch.randint(0, 256, (1, FRAMES, PIXELS, PIXELS, 3))
predictions, hidden = model(to_patches(clip.float() / 255, PATCH))
frames = from_patches(predictions, PATCH)[0]
weights = model.named_tensors()
config = {"layers": LAYERS, "channels": CHANNELS, "kernel": 3, "patch": PATCH,
          "clips": {"frames": FRAMES, "pixels": PIXELS, "stride": 4, "lead": 1, "view": 4.6}}


def write(name, tensors, metadata):
    write_tensors(os.path.join(here, "fixtures", name),
                  {key: tensor.detach().numpy() for key, tensor in tensors.items()}, metadata)


write("predrnn_model.safetensors", weights, {"startle.model": json.dumps(config)})
write("predrnn_case.safetensors",
      {"clip": clip[0], "predictions": frames.clamp(0, 1), "feature": hidden[0].amax((1, 2))}, {})
