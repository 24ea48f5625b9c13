# SPDX-License-Identifier: Apache-2.0
"""Draws a display of seven segments, for `Scripts/check-commands`: a PNG, whatever the file is named."""
import struct
import zlib

# The segments of each digit: top, upper left, upper right, middle, lower left, lower right, bottom.
SEGMENTS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"]


def rectangles(digit, x, y, width, height, thick):
    middle, half = y + (height - thick) // 2, height // 2
    places = [(x, y, width, thick), (x, y, thick, half), (x + width - thick, y, thick, half), (x, middle, width, thick),
              (x, y + half, thick, half), (x + width - thick, y + half, thick, half), (x, y + height - thick, width, thick)]
    return [place for place, lit in zip(places, SEGMENTS[digit]) if lit == "1"]


def draw(path, rows):
    width, height, row = 640, 720, 720 // (len(rows) + 1)
    lines = [bytearray([214] * width) for _ in range(height)]
    for number, digits in enumerate(rows):
        tall = int(row * 0.86)
        wide = tall // 2
        x = width - 80 - len(digits) * (wide + 26)
        for digit in digits:
            for left, top, across, down in rectangles(int(digit), x, row // 2 + number * row + 10, wide, tall, tall // 8):
                for line in lines[top + 2:top + down - 2]:
                    line[left + 2:left + across - 2] = bytes([38]) * (across - 4)
            x += wide + 26
    data = zlib.compress(b"".join(b"\0" + line for line in lines))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", data), (b"IEND", b"")):
            file.write(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content)))
