#!/usr/bin/env python3
"""Writes fixtures/physical_concepts: probe tuples and freeform videos in the layout of the Physical Concepts
data set, by the standard library alone.

Independent of surprise/probes/tfrecord.cpp: an oracle for it. Frames of 64 x 64 pixels hold a square that
moves; what each byte is:
  clip k (0, 1 possible; 2, 3 impossible), frame t, tuple n:  background 10 + n, square of 8 x 8 pixels at
                                                              column 4 t, row 8 (k + 1), colour (200, 50 + k,
                                                              t), mask id 3 + k.
The freeform video of number n is clip 0 of tuple n.
"""
import gzip
import pathlib
import struct

FRAMES, PIXELS = 15, 64


def crc32c(data):
    crc = 0xFFFFFFFF
    table = crc32c.table
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def _table():
    rows = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        rows.append(i)
    return rows


crc32c.table = _table()


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    length = struct.pack('<Q', len(data))
    return length + struct.pack('<I', masked(length)) + data + struct.pack('<I', masked(data))


def varint(value):
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def bytes_feature(value):
    return field(1, field(1, value))


def float_feature(values):
    return field(2, field(1, struct.pack('<%df' % len(values), *values)))


def example(features):
    entries = b''.join(field(1, field(1, name.encode()) + field(2, value))
                       for name, value in features.items())
    return field(1, entries)


def clip(n, k):
    images, masks = bytearray(), bytearray()
    for t in range(FRAMES):
        for row in range(PIXELS):
            for column in range(PIXELS):
                inside = 4 * t <= column < 4 * t + 8 and 8 * (k + 1) <= row < 8 * (k + 2)
                images += bytes((200, 50 + k, t)) if inside else bytes((10 + n,)) * 3
                masks.append(3 + k if inside else 0)
    return bytes(images), bytes(masks)


def tuple_record(n):
    clips = [clip(n, k) for k in range(4)]
    pose = float_feature([0.5] * (2 * FRAMES * 6))
    return record(example({
        'possible_image': bytes_feature(clips[0][0] + clips[1][0]),
        'possible_mask': bytes_feature(clips[0][1] + clips[1][1]), 'possible_camera_pose': pose,
        'impossible_image': bytes_feature(clips[2][0] + clips[3][0]),
        'impossible_mask': bytes_feature(clips[2][1] + clips[3][1]), 'impossible_camera_pose': pose}))


def video_record(n):
    image, mask = clip(n, 0)
    return record(example({'image': bytes_feature(image), 'mask': bytes_feature(mask),
                           'camera_pose': float_feature([0.5] * (FRAMES * 6))}))


def main():
    root = pathlib.Path(__file__).parent / 'fixtures' / 'physical_concepts'
    for folder, record_of, files in [('probes/continuity', tuple_record, [[0, 1], [2]]),
                                     ('probes/solidity', tuple_record, [[3]]),
                                     ('freeform/train', video_record, [[0, 1], [2]])]:
        (root / folder).mkdir(parents=True, exist_ok=True)
        for i, numbers in enumerate(files):
            data = b''.join(record_of(n) for n in numbers)
            name = 'data.tfrecord-%05d-of-%05d' % (i, len(files))
            (root / folder / name).write_bytes(gzip.compress(data, 9, mtime=0))
    assert crc32c(b'123456789') == 0xE3069283  # the check value of CRC-32C


if __name__ == '__main__':
    main()
