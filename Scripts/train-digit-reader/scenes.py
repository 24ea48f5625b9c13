# SPDX-License-Identifier: Apache-2.0
"""Rendered scenes as training samples."""
import glob
import json
import os

import cv2
import numpy as np

WIDTH, HEIGHT = 480, 360


class Scenes:
    def __init__(self, pattern):
        self.images, self.labels = [], []
        for folder in sorted(glob.glob(pattern)):
            with open(os.path.join(folder, 'labels.jsonl')) as lines:
                labels = [json.loads(line) for line in lines if line.endswith('\n')]
            size = os.path.getsize(os.path.join(folder, 'images.bin')) // (WIDTH * HEIGHT)
            count = min(len(labels), size)
            images = np.memmap(os.path.join(folder, 'images.bin'), dtype=np.uint8, mode='r', shape=(size, HEIGHT, WIDTH))
            self.images += [images[index] for index in range(count)]
            self.labels += labels[:count]

    def __len__(self):
        return len(self.images)


CELL = 4


def finder_sample(image, label, rng, size=(256, 192), elsewhere=1.0):
    """An image, and per cell: core of a value, core of another text, log height, offset of the middle, and what counts.

    elsewhere is how much cells count that belong to no row: little where not all rows are known."""
    width, height = size
    image = np.asarray(image)
    h0, w0 = image.shape
    scale = float(np.exp(rng.uniform(np.log(0.4), np.log(1.15)))) * WIDTH / w0
    small = cv2.resize(image, (round(w0 * scale), round(h0 * scale)), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    sx, sy = small.shape[1] / w0, small.shape[0] / h0
    left = rng.integers(min(0, small.shape[1] - width), max(0, small.shape[1] - width) + 1)
    top = rng.integers(min(0, small.shape[0] - height), max(0, small.shape[0] - height) + 1)
    edge = int(rng.integers(0, 256)) if rng.random() < 0.5 else None
    x = np.full((height, width), edge if edge is not None else int(small.mean()), np.uint8)
    y0, x0 = max(0, top), max(0, left)
    part = small[y0:top + height, x0:left + width]
    x[y0 - top:y0 - top + part.shape[0], x0 - left:x0 - left + part.shape[1]] = part
    if rng.random() < 0.08:
        x = 255 - x
    rows, cols = height // CELL, width // CELL
    target = np.zeros((4, rows, cols), np.float32)
    weight = np.full((rows, cols), elsewhere, np.float32)
    ys, xs = np.mgrid[0:rows, 0:cols]
    px, py = xs * CELL + CELL / 2, ys * CELL + CELL / 2
    for row in label['rows']:
        quad = np.array(row['quad'], np.float32) * (sx, sy) - (left, top)
        h = (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
        is_value = row['kind'] == 'value'
        inside = (quad[:, 0] > 1).all() and (quad[:, 0] < width - 1).all() and (quad[:, 1] > 1).all() and (quad[:, 1] < height - 1).all()
        tl, tr, br, bl = quad
        if tr[0] - tl[0] < 1:
            continue
        t = (px - tl[0]) / (tr[0] - tl[0])
        ty = tl[1] + (tr[1] - tl[1]) * t
        s = (px - bl[0]) / max(br[0] - bl[0], 1e-3)
        by = bl[1] + (br[1] - bl[1]) * s
        rh = np.maximum(by - ty, 1)
        v = (py - ty) / rh
        margin = 0.15 * h
        xl = np.minimum(tl[0], bl[0]); xr = np.maximum(tr[0], br[0])
        across = (px >= xl) & (px <= xr)
        core = across & (np.abs(v - 0.5) <= 0.25)
        near = (px >= xl - margin) & (px <= xr + margin) & (np.abs(v - 0.5) <= 0.6)
        if is_value and row['legible'] and inside and 6 <= h <= 96:
            if not core.any():
                continue
            weight[near & ~core & (np.abs(v - 0.5) <= 0.35)] = 0
            target[0][core] = 1
            target[2][core] = np.log(rh[core] / 16)
            target[3][core] = ((ty + by) / 2 - py)[core] / rh[core]
            weight[core] = 1
        elif is_value:
            weight[near] = 0
        elif row['legible'] and h >= 6 and inside:
            target[1][core] = 1
        else:
            weight[near] *= 0.3
    return x, target, weight


# What a row consists of; index 0 is the space between characters.
CLASSES = ' 0123456789-ErHILo:#'
STEP = 4
# Marks the steps between two characters while labels are made.
SPACE = 254
LINE = (160, 32)


def class_of(character):
    character = {'i': 'I', 'O': '0'}.get(character, character)
    return CLASSES.find(character) if character in CLASSES and character not in ' #' else CLASSES.index('#')


def warped(image, mapping, scale, size):
    """The picture of this size that a mapping makes of an image; scale is about how much smaller it becomes."""
    source = np.asarray(image)
    if scale < 0.6:
        factor = max(scale * 1.3, 0.05)
        small = cv2.resize(source, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        mapping = mapping @ np.diag([source.shape[1] / small.shape[1], source.shape[0] / small.shape[0], 1])
        source = small
    return cv2.warpPerspective(source, mapping, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def line_sample(image, row, rng, jitter=1.0):
    """A row as it is read, and per step: its class (255: not counted), and whether there is a point."""
    width, height = LINE
    quad = np.array(row['quad'], np.float32)
    tl, tr, br, bl = quad
    h = (np.linalg.norm(bl - tl) + np.linalg.norm(br - tr)) / 2
    w = (np.linalg.norm(tr - tl) + np.linalg.norm(br - bl)) / 2
    fill = rng.uniform(0.62, 0.9) if jitter else 0.78
    stretch = np.exp(rng.normal(0, 0.13 * jitter))
    scale = height * fill / max(h, 1)
    needed = w * scale * stretch
    room = width - 6
    if needed > room:
        stretch *= room / needed
        needed = room
    dy = rng.normal(0, 0.05 * jitter) * height
    # Rows are found as rectangles; the digits of a display that is seen from the side lean.
    lean = rng.normal(0, 0.1 * jitter) * fill * height
    free = width - needed
    start = free * (rng.uniform(0.1, 0.9) if jitter else 0.5)
    top = (height - fill * height) / 2 + dy
    skew = rng.normal(0, 1.2 * jitter, (4, 2))
    goal = np.array([[start + lean, top], [start + needed + lean, top], [start + needed, top + fill * height], [start, top + fill * height]], np.float32) + skew.astype(np.float32)
    mapping = cv2.getPerspectiveTransform(quad, goal.astype(np.float32))
    x = warped(image, mapping, scale, LINE)
    steps = width // STEP
    classes = np.zeros(steps, np.uint8)
    points = np.zeros(steps, np.uint8)
    centres = np.arange(steps) * STEP + STEP / 2
    before = None
    for character, box in row['glyphs']:
        corners = cv2.perspectiveTransform(np.array(box, np.float32)[None], mapping)[0]
        x0, x1 = corners[:, 0].min(), corners[:, 0].max()
        middle = (x0 + x1) / 2
        if character == '.':
            near = np.abs(centres - middle)
            points[near < STEP * 1.6] = np.where(points[near < STEP * 1.6] == 1, 1, 255)
            points[near.argmin()] = 1
            continue
        if character == ' ':
            continue
        half = max(0.28 * (x1 - x0), STEP * 0.55)
        # There is a space between two characters, however near they are: two alike would become one.
        if before is not None:
            between = np.abs(centres - (before + x0) / 2).argmin()
            if classes[between] in (0, 255):
                classes[between] = SPACE
        before = x1
        inside = (centres > x0 - 1) & (centres < x1 + 1)
        core = np.abs(centres - middle) <= half
        classes[inside & (classes == 0)] = 255
        classes[core & (classes != SPACE)] = class_of(character)
    classes[classes == SPACE] = 0
    if rng.random() < 0.15 and jitter:
        add_bar(x, start, start + needed, top, fill * height, rng)
    if rng.random() < 0.1 and jitter:
        x = 255 - x
    return x, classes, points


def add_bar(x, left, right, top, size, rng):
    """Draws a bar of segments beside a row, as many a display has one: it is no character, though it may be as high as one."""
    gap, width = size * rng.uniform(0.12, 0.6), size * rng.uniform(0.08, 0.28)
    at = left - gap - width if rng.random() < 0.5 else right + gap
    if at < 0 or at + width > x.shape[1]:
        return
    ground = np.median(x)
    ink = max(np.percentile(x, (2, 98)), key=lambda level: abs(level - ground))
    color = float(ground + (ink - ground) * rng.uniform(0.6, 1))
    count = int(rng.integers(4, 11))
    first, last = top + size * rng.uniform(-0.3, 0.2), top + size * rng.uniform(0.8, 1.3)
    step, share = (last - first) / count, rng.uniform(0.5, 0.8)
    # Drawn at eight times the size, so that edges are soft.
    large = np.zeros((x.shape[0] * 8, x.shape[1] * 8), np.uint8)
    for segment in range(count):
        y = first + segment * step
        cv2.rectangle(large, (int(at * 8), int(y * 8)), (int((at + width) * 8), int((y + step * share) * 8)), 255, -1)
    cover = cv2.resize(cv2.GaussianBlur(large, (0, 0), 8 * rng.uniform(0.2, 0.6)), (x.shape[1], x.shape[0]), interpolation=cv2.INTER_AREA) / 255
    x[:] = np.clip(x * (1 - cover) + color * cover, 0, 255).astype(x.dtype)


# The units that are told apart, as UnitNetwork has them.
UNITS = ['mg/dL', 'mmol/L', '°C', '°F', 'kg', 'lb']
# The picture of what is around a value, where the value's right end and top are, and how high it is.
UNIT_PICTURE, UNIT_ANCHOR, UNIT_HEIGHT = (224, 144), (150, 40), 40


def unit_sample(image, row, rng, jitter=1.0):
    """What is around a value."""
    quad = np.array(row['quad'], np.float32)
    tl, tr, br, bl = quad
    h = (np.linalg.norm(bl - tl) + np.linalg.norm(br - tr)) / 2
    w = (np.linalg.norm(tr - tl) + np.linalg.norm(br - bl)) / 2
    height = UNIT_HEIGHT * np.exp(rng.normal(0, 0.1 * jitter))
    width = min(height * w / max(h, 1), 4 * UNIT_PICTURE[0])
    right = UNIT_ANCHOR[0] + rng.normal(0, 6 * jitter)
    top = UNIT_ANCHOR[1] + rng.normal(0, 4 * jitter)
    goal = np.array([[right - width, top], [right, top], [right, top + height], [right - width, top + height]], np.float32)
    goal += rng.normal(0, 1.2 * jitter, (4, 2)).astype(np.float32)
    mapping = cv2.getPerspectiveTransform(quad, goal)
    x = warped(image, mapping, height / max(h, 1), UNIT_PICTURE)
    return 255 - x if jitter and rng.random() < 0.1 else x


def unit_rows(scenes):
    """Values, and which unit is beside each: none where none is shown. What cannot be read is left out."""
    rows = []
    for image, label in zip(scenes.images, scenes.labels):
        values = [row for row in label['rows'] if row['kind'] == 'value' and row['legible']]
        units = [row for row in label['rows'] if row['kind'] == 'unit']
        if len(values) != 1 or any(not row['legible'] for row in units):
            continue
        wanted = np.array([any(row['text'] == unit for row in units) for unit in UNITS], np.float32)
        rows.append((image, values[0], wanted))
    return rows
