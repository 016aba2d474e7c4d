#!/usr/bin/python3
"""Writes fixtures/predrnn_model.safetensors, a small PredRNN with PyTorch's own weights, and
fixtures/predrnn_case.safetensors, a clip (values 0 to 255), what plain PyTorch predicts for it, and the top
layer's largest h per channel. Needs python3-torch."""
import json
import os
import struct
import sys

import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "bench"))
from training_reference import PredRNN, to_patches  # noqa: E402

LAYERS, CHANNELS, PATCH, PIXELS, FRAMES = 2, 4, 2, 8, 4


def write_safetensors(path, tensors, metadata):
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name in sorted(tensors):
        raw = tensors[name].detach().to(torch.float32).contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


torch.manual_seed(7)
model = PredRNN(LAYERS, CHANNELS, 3, PATCH * PATCH * 3)
with torch.no_grad():
    for weight in model.parameters():
        weight *= 3  # larger than PyTorch's own, so that the gates are far from linear
clip = torch.randint(0, 256, (1, FRAMES, PIXELS, PIXELS, 3))
predictions, hidden = model(to_patches(clip.float() / 255, PATCH))
g = PIXELS // PATCH
frames = predictions.reshape(1, FRAMES - 1, PATCH, PATCH, 3, g,
                             g).permute(0, 1, 5, 2, 6, 3, 4).reshape(FRAMES - 1, PIXELS, PIXELS, 3)

weights = {name.replace("cells.", "layers.").replace(".weight", ""): value
           for name, value in model.named_parameters()}
config = {"layers": LAYERS, "channels": CHANNELS, "kernel": 3, "patch": PATCH,
          "clips": {"frames": FRAMES, "pixels": PIXELS, "stride": 4, "lead": 1, "view": 4.6}}
write_safetensors(os.path.join(here, "fixtures", "predrnn_model.safetensors"), weights,
                  {"startle.model": json.dumps(config)})
write_safetensors(os.path.join(here, "fixtures", "predrnn_case.safetensors"),
                  {"clip": clip[0], "predictions": frames.clamp(0, 1), "feature": hidden[0].amax((1, 2))}, {})
