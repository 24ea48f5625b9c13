# SPDX-License-Identifier: Apache-2.0
"""Trains one of the two networks of DigitReader on rendered scenes.

usage: train.py finder|lines MINUTES OUT.pt [FROM.pt]      in a folder with scenes/train-* and scenes/check (see train-digit-reader/train)

The learning rate falls over the given time. FROM.pt are weights to go on with. Every few hundred steps the weights are kept, and it
is printed how well they do on scenes that they were not trained on."""
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

from networks import Finder, LineReader
from scenes import CLASSES, Scenes, finder_sample, line_sample

RATE = 2e-3
# Rows that are read: dates and times have digits, too.
KINDS = {'value', 'date', 'time', 'memory'}


class FinderTraining:
    def __init__(self, train, check):
        self.train, self.check, self.network = train, check, Finder()

    def batch(self, scenes, random, count=16):
        samples = []
        for _ in range(count):
            index = int(random.integers(len(scenes)))
            samples.append(finder_sample(scenes.images[index], scenes.labels[index], random))
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
        self.train, self.check = self.rows(train), [row for row in self.rows(check) if row[1]['kind'] == 'value'][:800]

    @staticmethod
    def rows(scenes):
        return [(image, row) for image, label in zip(scenes.images, scenes.labels) for row in label['rows']
                if row['legible'] and row['kind'] in KINDS and any(c.isalnum() or c == '-' for c in row['text'])]

    def batch(self, rows, random, count=48):
        return self.samples([rows[int(random.integers(len(rows)))] for _ in range(count)], random)

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
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    training = {'finder': FinderTraining, 'lines': LineTraining}[kind](Scenes('scenes/train-*'), Scenes('scenes/check'))
    network = training.network
    if len(sys.argv) > 4:
        network.load_state_dict(torch.load(sys.argv[4]))
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
