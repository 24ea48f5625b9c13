# SPDX-License-Identifier: Apache-2.0
import torch
from torch import nn
import torch.nn.functional as F


def conv(i, o, k=3, stride=1):
    pad = (k // 2) if isinstance(k, int) else tuple(n // 2 for n in k)
    return nn.Conv2d(i, o, k, stride, pad)


class Finder(nn.Module):
    """Where rows of digits are: core, other text, log height, offset."""
    def __init__(self):
        super().__init__()
        self.c1, self.c2, self.c3 = conv(1, 8, stride=2), conv(8, 16, stride=2), conv(16, 24)
        self.c4, self.c5 = conv(24, 32, stride=2), conv(32, 32)
        self.c6, self.c7 = conv(32, 48, stride=2), conv(48, 48)
        self.c8 = conv(48, 48)
        self.c9, self.c10, self.c11 = conv(48, 64, stride=2), conv(64, 64), conv(64, 64)
        self.u0, self.d0 = conv(64, 48, 1), conv(48, 48)
        self.u1, self.d1 = conv(48, 32, 1), conv(32, 32)
        self.u2, self.d2 = conv(32, 24, 1), conv(24, 24)
        self.head = conv(24, 4, 1)

    def forward(self, x):
        x = (x - 128) / 64
        a = F.relu(self.c3(F.relu(self.c2(F.relu(self.c1(x))))))
        b = F.relu(self.c5(F.relu(self.c4(a))))
        c = F.relu(self.c8(F.relu(self.c7(F.relu(self.c6(b))))))
        d = F.relu(self.c11(F.relu(self.c10(F.relu(self.c9(c))))))
        c = F.relu(self.d0(F.relu(self.u0(F.interpolate(d, scale_factor=2)) + c)))
        b = F.relu(self.d1(F.relu(self.u1(F.interpolate(c, scale_factor=2)) + b)))
        a = F.relu(self.d2(F.relu(self.u2(F.interpolate(b, scale_factor=2)) + a)))
        return self.head(a)


class LineReader(nn.Module):
    """What stands in a row: per step the class, and whether there is a point."""
    def __init__(self, classes, drop=0.1):
        super().__init__()
        self.c1, self.c2, self.c3, self.c4 = conv(1, 16), conv(16, 32), conv(32, 48), conv(48, 64)
        self.c5 = nn.Conv2d(64, 80, (2, 3), 1, (0, 1))
        self.c6 = nn.Conv2d(80, 64, (1, 5), 1, (0, 2))
        self.head = nn.Conv2d(64, classes + 1, 1)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        x = x.float()
        mean = x.mean((1, 2, 3), keepdim=True)
        deviation = x.std((1, 2, 3), keepdim=True, unbiased=False)
        x = (x - mean) / (deviation + 8)
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        x = F.max_pool2d(F.relu(self.c3(x)), (2, 1))
        x = F.max_pool2d(F.relu(self.c4(x)), (2, 1))
        x = self.drop(F.relu(self.c5(x)))
        return self.head(F.relu(self.c6(x)))[:, :, 0]


class UnitReader(nn.Module):
    """Which unit is shown beside a value: of each what all places say together, most of all the surest."""
    def __init__(self, units):
        super().__init__()
        self.c1, self.c2, self.c3 = conv(1, 8, stride=2), conv(8, 16, stride=2), conv(16, 24)
        self.c4, self.c5 = conv(24, 32, stride=2), conv(32, 32)
        self.head = conv(32, units, 1)
        # At first no place says anything, of which there are five hundred.
        nn.init.constant_(self.head.bias, -8.5)

    def forward(self, x):
        x = x.float()
        mean = x.mean((1, 2, 3), keepdim=True)
        deviation = x.std((1, 2, 3), keepdim=True, unbiased=False)
        x = (x - mean) / (deviation + 8)
        for layer in (self.c1, self.c2, self.c3, self.c4, self.c5):
            x = F.relu(layer(x))
        return self.head(x).flatten(2).logsumexp(2)


def warm(network, state):
    """Takes over what another network of the same kind knows; what is new begins near zero."""
    own = network.state_dict()
    for name, values in own.items():
        if name not in state:
            if name.startswith('d0') and values.ndim == 4:
                # What is seen from afar changes nothing at first.
                values.zero_()
                for index in range(values.shape[0]):
                    values[index, index, 1, 1] = 1
            elif name.startswith(('u0', 'd0')):
                values.zero_()
            continue
        known = state[name]
        if known.shape != values.shape:
            values.mul_(0.5)
            part = tuple(slice(0, n) for n in known.shape)
            if values.ndim == 4:
                values[:known.shape[0]] = 0
            values[part] = known
        else:
            values.copy_(known)
    network.load_state_dict(own)
