// SPDX-License-Identifier: Apache-2.0

/// The indications of one characteristic: each waits for the confirmation of the one before.
struct IndicationQueue {
  private struct Entry {
    let value: Data
    let number: RequestNumber
  }

  private var entries: [Entry] = []

  /// Adds a value; returns what is to be sent now.
  mutating func append(_ value: Data, number: RequestNumber) -> Data? {
    entries.append(Entry(value: value, number: number))
    return entries.count == 1 ? value : nil
  }

  /// A central has confirmed; returns the update that is through, and what is to be sent now.
  ///
  /// bluetoothd does not tell who has confirmed, so the first of several centrals counts.
  mutating func confirm() -> (sent: RequestNumber?, next: Data?) {
    guard !entries.isEmpty else { return (nil, nil) }
    let sent = entries.removeFirst()
    return (sent.number, entries.first?.value)
  }

  /// Nobody is left to confirm; returns the updates that are through with.
  mutating func removeAll() -> [RequestNumber] {
    defer { entries = [] }
    return entries.map(\.number)
  }
}
