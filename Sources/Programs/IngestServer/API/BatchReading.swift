// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// Reads the lines of a batch in slices, so that a long batch does not delay other requests.
final class BatchReading: Sendable {
  /// How many bytes are read at a time.
  private static let slice = 32 << 10

  private struct State {
    var lines: ArraySlice<ArraySlice<UInt8>>
    var items: [BatchItem] = []
  }

  private let state: Locked<State>

  init(_ lines: [ArraySlice<UInt8>]) { state = Locked(State(lines: lines[...])) }

  /// Reads some lines; returns the items once all are read, and nil before.
  func read() -> [BatchItem]? {
    state.withLock { state in
      var bytes = 0
      while bytes < Self.slice, let line = state.lines.popFirst() {
        bytes += line.count
        state.items.append(BatchItem(Array(line), line: state.items.count + 1))
      }
      return state.lines.isEmpty ? state.items : nil
    }
  }
}
