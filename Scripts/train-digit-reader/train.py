# SPDX-License-Identifier: Apache-2.0
"""Trains one of the networks of DigitReader on rendered scenes.

usage: train.py finder|lines|units MINUTES OUT.pt [FROM.pt]      in a folder with scenes/train-* and scenes/check (see train-digit-reader/train)

The learning rate falls over the given time. FROM.pt are weights to go on with; SEED makes another network of the same kind. Every few
hundred steps the weights are kept, and it is printed how well they do on scenes that they were not trained on. The folders photos,
backgrounds and fonts are used if they are there (see real.py)."""
import glob
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

from networks import Finder, LineReader, UnitReader, warm
from real import Backgrounds, Photos, aligned, font_line, font_scene, photo_line
from scenes import CLASSES, UNITS, Scenes, finder_sample, line_sample, unit_rows, unit_sample

RATE = float(os.environ.get('RATE', 2e-3))
FONTS = sorted(glob.glob('fonts/**/*.ttf', recursive=True))
# Rows that are read: dates and times have digits, too.
KINDS = {'value', 'date', 'time', 'memory'}


class FinderTraining:
    def __init__(self, train, check):
        self.train, self.check, self.network = train, check, Finder()
        self.photos = Photos('photos').photos
        self.backgrounds = Backgrounds('backgrounds', FONTS, np.random.default_rng(3))

    def sample(self, scenes, random):
        if scenes is self.train and self.photos and random.random() < .15:
            image, label, elsewhere = self.photos[random.integers(len(self.photos))]
            return finder_sample(image, label, random, elsewhere=elsewhere)
        if scenes is self.train and FONTS and random.random() < .15:
            return finder_sample(*font_scene(FONTS, self.backgrounds.patches, random), random)
        index = int(random.integers(len(scenes)))
        image, label = scenes.images[index], scenes.labels[index]
        if scenes is self.train and 'device' in label:
            image = self.backgrounds.around(np.asarray(image), label, random)
        return finder_sample(image, label, random)

    def batch(self, scenes, random, count=16):
        samples = [self.sample(scenes, random) for _ in range(count)]
        images, targets, weights = (torch.from_numpy(np.stack(part)) for part in zip(*samples))
        return images[:, None].float(), targets, weights

    def loss(self, images, targets, weights):
        out = self.network(images)
        wanted = targets[:, :2]
        entropy = F.binary_cross_entropy_with_logits(out[:, :2], wanted, reduction='none')
        probability = torch.where(wanted > .5, torch.sigmoid(out[:, :2]), 1 - torch.sigmoid(out[:, :2]))
        # What is known already counts less (focal loss).
        focal = entropy * (1 - probability) ** 1.5 * torch.where(wanted > .5, 2.0, 1.0)
        core = targets[:, :1]
        geometry = (torch.abs(out[:, 2:] - targets[:, 2:]) * core).sum() / (core.sum() + 1)
        return (focal * weights[:, None]).sum() / (core.sum() + 50) + geometry

    def report(self):
        random, right, false, missed, errors = np.random.default_rng(7), 0, 0, 0, []
        for _ in range(8):
            images, targets, weights = self.batch(self.check, random)
            out = self.network(images)
            found = (out[:, 0] > 0) & (weights > .5)
            core = (targets[:, 0] > .5) & (weights > .5)
            right += (found & core).sum().item()
            false += (found & ~core).sum().item()
            missed += (~found & core).sum().item()
            errors.append((torch.abs(out[:, 2:] - targets[:, 2:]) * targets[:, :1]).sum().item() / (targets[:, 0].sum().item() + 1))
        return f'precision {right / (right + false + 1):.3f} recall {right / (right + missed + 1):.3f} geometry {np.mean(errors):.3f}'


class LineTraining:
    def __init__(self, train, check):
        self.network = LineReader(len(CLASSES))
        self.photos = Photos('photos').rows
        self.train, self.check = self.rows(train), [row for row in self.rows(check) if row[1]['kind'] == 'value'][:800]

    @staticmethod
    def rows(scenes):
        return [(image, row) for image, label in zip(scenes.images, scenes.labels) for row in label['rows']
                if row['legible'] and row['kind'] in KINDS and any(c.isalnum() or c == '-' for c in row['text'])]

    def batch(self, rows, random, count=48):
        rendered = self.samples([self.row(rows, random) for _ in range(count)], random)
        photos = self.photo_rows(random, count // 6) if self.photos else None
        return rendered if photos is None else [torch.cat(parts) for parts in zip(rendered, photos)]

    @staticmethod
    def row(rows, random):
        return font_line(FONTS, random) if FONTS and random.random() < .12 else rows[int(random.integers(len(rows)))]

    def photo_rows(self, random, count):
        """Rows of photos, with their characters where the network thinks that they are."""
        chosen = [self.photos[int(random.integers(len(self.photos)))] for _ in range(count)]
        images = torch.from_numpy(np.stack([photo_line(image, row, random) for image, row in chosen]))[:, None]
        self.network.eval()
        with torch.no_grad():
            logits = self.network(images).numpy()
        self.network.train()
        places = [aligned(logits[index], row['text']) for index, (_, row) in enumerate(chosen)]
        kept = [index for index, place in enumerate(places) if place is not None]
        if not kept:
            return None
        classes, points = (torch.from_numpy(np.stack([places[index][part] for index in kept])).long() for part in (0, 1))
        return images[kept], classes, points

    @staticmethod
    def samples(rows, random, jitter=1.0):
        samples = [line_sample(image, row, random, jitter) for image, row in rows]
        images, classes, points = (torch.from_numpy(np.stack(part)) for part in zip(*samples))
        return images[:, None], classes.long(), points.long()

    def loss(self, images, classes, points):
        out = self.network(images)
        characters, point = out[:, :-1], out[:, -1]
        weights = (classes != 255).float() * torch.where(classes == 0, .5, 1.0)
        entropy = F.cross_entropy(characters, torch.where(classes == 255, 0, classes), reduction='none', label_smoothing=0.02)
        point_weights = (points != 255).float() * torch.where(points == 1, 4.0, 1.0)
        point_entropy = F.binary_cross_entropy_with_logits(point, (points == 1).float(), reduction='none')
        return (entropy * weights).sum() / weights.sum() + (point_entropy * point_weights).sum() / point_weights.sum()

    def report(self):
        random, right = np.random.default_rng(7), 0
        for first in range(0, len(self.check), 50):
            rows = self.check[first:first + 50]
            images, _, _ = self.samples(rows, random, 0.0)
            for text, (_, row) in zip(decode(self.network(images)), rows):
                right += text == row['text'].replace(' ', '').replace('i', 'I').replace('O', '0').rstrip('.')
        return f'exact {right / max(len(self.check), 1):.3f}'


class UnitTraining:
    def __init__(self, train, check):
        self.network = UnitReader(len(UNITS))
        self.train, self.check = unit_rows(train), unit_rows(check)

    def batch(self, rows, random, count=32):
        return self.samples([rows[int(random.integers(len(rows)))] for _ in range(count)], random)

    @staticmethod
    def samples(rows, random, jitter=1.0):
        images = np.stack([unit_sample(image, row, random, jitter) for image, row, _ in rows])
        return torch.from_numpy(images)[:, None], torch.from_numpy(np.stack([wanted for _, _, wanted in rows]))

    def loss(self, images, wanted):
        return F.binary_cross_entropy_with_logits(self.network(images), wanted) * 4

    def report(self):
        random, right, missed, wrong = np.random.default_rng(7), 0, 0, 0
        for first in range(0, len(self.check), 50):
            images, wanted = self.samples(self.check[first:first + 50], random, 0.0)
            said = (self.network(images) > 0).numpy()
            wanted = wanted.numpy() > .5
            right += (said == wanted).all(1).sum()
            missed += (wanted & ~said).any(1).sum()
            wrong += (said & ~wanted).any(1).sum()
        return f'exact {right / max(len(self.check), 1):.3f} missed {missed} wrong {wrong} of {len(self.check)}'


def decode(out):
    """The texts, as LineReading decodes them."""
    characters, point = out[:, :-1].argmax(1).numpy(), torch.sigmoid(out[:, -1]).numpy()
    texts = []
    for steps, points in zip(characters, point):
        runs, previous = [], 0
        for step, index in enumerate(steps):
            if index and index != previous:
                runs.append([index, step, step])
            elif index:
                runs[-1][2] = step
            previous = index
        text = ''
        for run, following in zip(runs, runs[1:] + [None]):
            text += CLASSES[run[0]]
            if following and points[(run[1] + run[2]) // 2:(following[1] + following[2] + 1) // 2 + 1].max() > .5:
                text += '.'
        texts.append(text)
    return texts


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    kind, minutes, out = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    seed = int(os.environ.get('SEED', 0))
    torch.manual_seed(seed)
    torch.set_num_threads(int(os.environ.get('THREADS', torch.get_num_threads())))
    random = np.random.default_rng(seed)
    training = {'finder': FinderTraining, 'lines': LineTraining, 'units': UnitTraining}[kind](Scenes('scenes/train-*'), Scenes('scenes/check'))
    network = training.network
    if len(sys.argv) > 4:
        warm(network, torch.load(sys.argv[4]))
    network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    start, step, mean = time.time(), 0, None
    while (done := (time.time() - start) / 60 / minutes) < 1:
        rate = RATE * min(1, (step + 1) / 300) * (0.5 * (1 + np.cos(np.pi * done)) + 0.01)
        for group in optimizer.param_groups:
            group['lr'] = rate
        loss = training.loss(*training.batch(training.train, random))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        mean = loss.item() if mean is None else .98 * mean + .02 * loss.item()
        step += 1
        if step % 500 == 0:
            report(training, step, mean, start, out)
    report(training, step, mean or 0, start, out)


def report(training, step, mean, start, out):
    training.network.eval()
    with torch.no_grad():
        print(f'step {step} loss {mean:.3f} {training.report()} after {time.time() - start:.0f} s', flush=True)
    training.network.train()
    torch.save(training.network.state_dict(), out)


if __name__ == '__main__':
    main()
