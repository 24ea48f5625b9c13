# SPDX-License-Identifier: Apache-2.0
"""Writes trained weights as DigitReader has them: a Swift file.

usage: export.py FINDER.pt LINES.pt LINES.pt UNITS.pt OUT.swift      with two readers of rows

The format is that of WeightsFile.swift."""
import base64
import struct
import sys

import torch

FINDER = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'u0', 'd0', 'u1', 'd1', 'u2', 'd2', 'head']
LINES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'head']
UNITS = ['c1', 'c2', 'c3', 'c4', 'c5', 'head']
SWIFT = '''// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The weights of the networks, which Scripts/train-digit-reader has trained and written; weights.md beside this file says on what, and
/// how well they read.
enum BuiltInWeights {
  /// The file that `WeightsFile` reads.
  static var bytes: [UInt8] { Data(base64Encoded: text).map([UInt8].init) ?? [] }

  private static let text = "%s"
}
'''


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    layers = []
    for path, names in zip(sys.argv[1:5], (FINDER, LINES, LINES, UNITS)):
        state = torch.load(path)
        layers += [[state[f'{name}.{part}'].numpy().astype('<f2') for part in ('weight', 'bias')] for name in names]
    out = b'DGR1' + struct.pack('<H', len(layers))
    for weights, biases in layers:
        out += struct.pack('<4H', *weights.shape) + weights.tobytes() + biases.tobytes()
    with open(sys.argv[5], 'w') as file:
        file.write(SWIFT % base64.b64encode(out).decode())
    print(f'{sum(w.size + b.size for w, b in layers):,} weights, {len(out):,} bytes')


if __name__ == '__main__':
    main()
