# SPDX-License-Identifier: Apache-2.0
"""What makes training richer than rendered scenes: photos with known values, photographic backgrounds, and fonts.

All three are optional folders beside scenes: photos (with manifest.jsonl: file, split, truth, value_quads), backgrounds, fonts."""
import glob
import json
import os
import string

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

from scenes import CLASSES, STEP, WIDTH, HEIGHT, line_sample

# Photos on which rows can be read that the list does not name: what lies elsewhere counts for nothing.
PARTLY_LABELLED = {'room_thermometer'}


class Photos:
    """The photos of the training part, as (image, rows, how much the rest counts)."""
    def __init__(self, folder, split='train', longest=720):
        self.photos, self.rows = [], []
        path = os.path.join(folder, 'manifest.jsonl')
        if not os.path.exists(path):
            return
        with open(path) as lines:
            entries = [json.loads(line) for line in lines]
        for entry in entries:
            if entry['split'] != split or not entry.get('value_quads'):
                continue
            image = ImageOps.exif_transpose(Image.open(os.path.join(folder, entry['file']))).convert('L')
            scale = min(1, longest / max(image.size))
            image = np.array(image.resize([max(1, round(n * scale)) for n in image.size], Image.Resampling.BOX))
            rows = [{'kind': 'value', 'legible': True, 'text': text, 'quad': (np.array(quad) * scale).tolist()}
                    for text, quad in zip(entry['truth'], entry['value_quads'])]
            is_line = entry['category'].endswith('_line')
            if not is_line:
                elsewhere = 0.0 if entry['category'] in PARTLY_LABELLED else 0.4
                self.photos.append((image, {'rows': rows}, elsewhere))
            self.rows += [(image, row) for row in rows if all(c in CLASSES or c == '.' for c in row['text'])]


class Backgrounds:
    """Patches of photographs, with words on some, that take the place of what is around a device."""
    def __init__(self, folder, fonts, random, count=500):
        self.patches = []
        files = sorted(glob.glob(os.path.join(folder, '**', '*.jpg'), recursive=True) + glob.glob(os.path.join(folder, '**', '*.png'), recursive=True))
        images = [np.array(Image.open(file).convert('L').resize((1600, 1000))) for file in files[:150]]
        for _ in range(count if images else 0):
            image = images[random.integers(len(images))]
            scale = float(random.uniform(0.4, 1.6))
            w, h = int(WIDTH / scale), int(HEIGHT / scale)
            w, h = min(w, 1600), min(h, 1000)
            x, y = random.integers(0, 1601 - w), random.integers(0, 1001 - h)
            patch = cv2.resize(image[y:y + h, x:x + w], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            if random.random() < .25:
                patch = np.full_like(patch, random.integers(120, 256))
            if fonts and random.random() < .65:
                patch = with_words(patch, fonts, random)
            self.patches.append(patch)

    def around(self, image, label, random):
        """The image with another background."""
        if not self.patches or random.random() < .35:
            return image
        patch = self.patches[random.integers(len(self.patches))]
        if random.random() < .5:
            patch = patch[:, ::-1]
        outside = np.full((HEIGHT, WIDTH), 255, np.uint8)
        cv2.fillConvexPoly(outside, np.array(label['device'], np.float32).round().astype(np.int32), 0)
        share = cv2.GaussianBlur(outside, (3, 3), 0).astype(np.float32) / 255
        return (image * (1 - share) + patch * share).astype(np.uint8)


def with_words(patch, fonts, random):
    picture = Image.fromarray(patch)
    draw = ImageDraw.Draw(picture)
    for _ in range(random.integers(1, 14)):
        font = ImageFont.truetype(fonts[random.integers(len(fonts))], int(np.exp(random.uniform(np.log(7), np.log(48)))))
        letters = random.choice([string.ascii_uppercase, string.ascii_letters, string.ascii_lowercase, string.digits + '.:/-'], p=[.35, .25, .2, .2])
        words = ' '.join(''.join(random.choice(list(letters), random.integers(2, 9))) for _ in range(random.integers(1, 4)))
        draw.text((int(random.integers(-20, WIDTH)), int(random.integers(-5, HEIGHT))), words, fill=int(random.integers(0, 256)), font=font)
    if random.random() < .5:
        x, y, n, h = random.integers(0, WIDTH), random.integers(0, HEIGHT), random.integers(8, 40), random.integers(10, 60)
        for bar in range(n):
            x += random.integers(2, 6)
            draw.rectangle((int(x), int(y), int(x + random.integers(0, 3)), int(y + h)), fill=int(random.integers(0, 60)))
    return np.array(picture)


def font_line(fonts, random):
    """A row of digits in an ordinary font, as displays with many pixels show them."""
    size = int(random.integers(24, 64))
    font = ImageFont.truetype(fonts[random.integers(len(fonts))], size)
    text = ''.join(random.choice(list('0123456789'), random.integers(1, 5)))
    if len(text) > 1 and random.random() < .35:
        place = random.integers(1, len(text))
        text = text[:place] + ('.' if random.random() < .8 else ':') + text[place:]
    elif random.random() < .08:
        text = random.choice(['HI', 'LO', 'Hi', 'Lo', 'Err', '--', '---', 'E-3'])
    ink, ground = (random.integers(140, 256), random.integers(0, 90)) if random.random() < .7 else (random.integers(0, 100), random.integers(140, 256))
    picture = Image.new('L', (size * (len(text) + 4), size * 3), int(ground))
    draw = ImageDraw.Draw(picture)
    x, y, glyphs, gap = size * 2, size, [], random.uniform(0, .12) * size
    boxes = []
    for character in text:
        left, top, right, bottom = draw.textbbox((x, y), character, font=font)
        draw.text((x, y), character, fill=int(ink), font=font)
        glyphs.append((character, [[left, top], [right, top], [right, bottom], [left, bottom]]))
        boxes.append((left, top, right, bottom))
        x += font.getlength(character) + gap
    left, top, right, bottom = (f(b[i] for b in boxes) for i, f in enumerate((min, min, max, max)))
    image = np.array(picture)
    if random.random() < .6:
        image = cv2.GaussianBlur(image, (0, 0), random.uniform(.3, .07 * size))
    if random.random() < .5:
        image = np.clip(image + random.normal(0, random.uniform(1, 14), image.shape), 0, 255).astype(np.uint8)
    return image, {'text': text, 'kind': 'value', 'quad': [[left, top], [right, top], [right, bottom], [left, bottom]], 'glyphs': glyphs}


def font_scene(fonts, patches, random):
    """A display with many pixels, such as of an oximeter: values in an ordinary font, labels, a curve, bars."""
    W, H = 480, 360
    upright = random.random() < .45
    w, h = (int(random.integers(150, 260)), int(random.integers(200, 330))) if upright else (int(random.integers(240, 440)), int(random.integers(130, 250)))
    dark = random.random() < .8
    ground, ink = (int(random.integers(0, 60)), lambda: int(random.integers(110, 256))) if dark else (int(random.integers(150, 240)), lambda: int(random.integers(0, 90)))
    picture = Image.new('L', (w, h), ground)
    draw = ImageDraw.Draw(picture)
    font, small = (fonts[random.integers(len(fonts))] for _ in range(2))
    rows = []
    count = int(random.integers(1, 4)) if upright else int(random.choice([1, 2, 2, 2]))
    cell = (w, h // count) if upright else (w // count, h)
    size = int(min(cell[1] * random.uniform(.45, .75), cell[0] * random.uniform(.3, .55)))
    labels = random.choice(['%SpO2', 'PRbpm', 'SpO2%', 'PR bpm', 'SYS mmHg', 'DIA', 'PULSE', 'PI%', 'bpm', ''], count)
    for index in range(count):
        left, top = (0, index * cell[1]) if upright else (index * cell[0], 0)
        text = str(random.choice([random.integers(80, 100), random.integers(40, 180), random.integers(0, 10), random.integers(30, 400)]))
        if random.random() < .12:
            text = f'{random.integers(0, 40)}.{random.integers(0, 10)}'
        face = ImageFont.truetype(font, size if random.random() < .8 else int(size * .75))
        x = left + (cell[0] - face.getlength(text)) * random.uniform(.2, .8)
        y = top + (cell[1] - size) * random.uniform(.4, .7) - .1 * size
        box = draw.textbbox((x, y), text, font=face)
        draw.text((x, y), text, fill=ink(), font=face)
        rows.append({'kind': 'value', 'legible': True, 'text': text, 'box': box})
        if labels[index]:
            name = ImageFont.truetype(small, max(9, int(size * random.uniform(.2, .38))))
            place = (left + random.uniform(.05, .4) * cell[0], max(0, box[1] - 1.25 * name.size))
            draw.text(place, labels[index], fill=ink(), font=name)
            rows.append({'kind': 'label', 'legible': True, 'text': labels[index], 'box': draw.textbbox(place, labels[index], font=name)})
    if random.random() < .5:
        xs = np.arange(0, w, 3)
        phase, y0, high = random.uniform(3, 9), h - random.uniform(8, 25), random.uniform(4, 16)
        ys = y0 - high * np.abs(np.sin(xs / phase)) ** random.uniform(1, 4)
        draw.line(list(zip(xs.tolist(), ys.tolist())), fill=ink(), width=int(random.integers(1, 4)))
    if random.random() < .4:
        x, y = random.uniform(.02, .95) * w, random.uniform(.2, .6) * h
        for bar in range(random.integers(3, 9)):
            draw.rectangle((x, y + 6 * bar, x + 12, y + 6 * bar + 3), fill=ink())
    screen = np.array(picture)
    scale = float(np.exp(random.uniform(np.log(.3), np.log(min(W / w, H / h) * 1.05))))
    angle = random.normal(0, .12) if random.random() < .75 else random.uniform(-.5, .5)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.array([[1, random.normal(0, .1)], [random.normal(0, .06), 1]])
    corners = np.array([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]]) @ turn.T
    room = np.maximum(0, np.array([W, H]) / 2 - np.abs(corners).max(0))
    corners += np.array([W, H]) / 2 + random.uniform(-1, 1, 2) * room + random.normal(0, .03 * scale * h, (4, 2))
    mapping = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), corners.astype(np.float32))
    image = patches[random.integers(len(patches))].copy() if patches and random.random() < .8 else np.full((H, W), random.integers(0, 256), np.uint8)
    edge = corners.mean(0) + (corners - corners.mean(0)) * random.uniform(1, 1.5)
    cv2.fillConvexPoly(image, edge.round().astype(np.int32), int(random.integers(0, 256)))
    warped = cv2.warpPerspective(screen, mapping, (W, H), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full_like(screen, 255), mapping, (W, H)) > 127
    image[mask] = warped[mask]
    if random.random() < .6:
        image = cv2.GaussianBlur(image, (0, 0), random.uniform(.4, 1.6))
    noise = random.normal(0, random.uniform(0, 10), image.shape)
    image = np.clip((image.astype(np.float32) - 128) * random.uniform(.5, 1.2) + 128 + random.uniform(-40, 40) + noise, 0, 255).astype(np.uint8)
    for row in rows:
        left, top, right, bottom = row.pop('box')
        row['quad'] = cv2.perspectiveTransform(np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)[None], mapping)[0].tolist()
    return image, {'rows': rows}


def photo_line(image, row, random):
    """A row of a photo as it is read; where its characters are is not known."""
    x, _, _ = line_sample(image, dict(row, glyphs=[]), random)
    if random.random() < .5:
        x = np.clip(x.astype(np.float32) * random.uniform(.6, 1.3) + random.uniform(-40, 40), 0, 255).astype(np.uint8)
    return x


def aligned(logits, text):
    """Where the characters of a text most likely are, given what the network says: per step a class and a point, 255 is not counted.

    The best path through blank, character, blank, character and so on, as of connectionist temporal classification. None if the
    text does not fit, or the network is far from it."""
    characters = [CLASSES.index(c) for c in text if c != '.']
    steps = logits.shape[1]
    scores = logits[:-1] - np.log(np.exp(logits[:-1] - logits[:-1].max(0)).sum(0)) - logits[:-1].max(0)
    states = [0]
    for index in characters:
        states += [index, 0]
    best = np.full((steps, len(states)), -np.inf)
    origin = np.zeros((steps, len(states)), int)
    best[0, 0], best[0, 1] = scores[0, 0], scores[states[1], 0]
    for step in range(1, steps):
        for state, index in enumerate(states):
            options = [state] + ([state - 1] if state else [])
            if state > 1 and index and index != states[state - 2]:
                options.append(state - 2)
            last = max(options, key=lambda option: best[step - 1, option])
            best[step, state], origin[step, state] = best[step - 1, last] + scores[index, step], last
    state = max(len(states) - 1, len(states) - 2, key=lambda option: best[-1, option])
    if best[-1, state] < -2.0 * steps / 4:
        return None
    path = [state]
    for step in range(steps - 1, 0, -1):
        path.append(origin[step, path[-1]])
    path = path[::-1]
    classes = np.array([states[state] for state in path], np.uint8)
    points = np.zeros(steps, np.uint8)
    spans = [[step for step in range(steps) if path[step] == 2 * n + 1] for n in range(len(characters))]
    for step in range(1, steps):
        # Where a character ends is not known, but that there is a space between two.
        following = [states[state] for state in path[step:step + 3]]
        if classes[step] == 0 and classes[step - 1] not in (0, 255) and not any(following):
            classes[step] = 255
    place = -1
    for character in text:
        if character == '.':
            if not 0 <= place < len(spans) - 1:
                return None
            first, last = spans[place][len(spans[place]) // 2], spans[place + 1][len(spans[place + 1]) // 2]
            at = first + int(logits[-1, first:last + 1].argmax())
            points[max(0, at - 1):at + 2] = 255
            points[at] = 1
        else:
            place += 1
    return classes, points
