// SPDX-License-Identifier: Apache-2.0

/// The indications of one characteristic: each waits for the confirmation of the one before.
struct IndicationQueue {
  private struct Entry {
    let value: Data
    let number: RequestNumber
  }

  private var entries: [Entry] = []

  /// Adds a value; returns the value to send now.
  mutating func append(_ value: Data, number: RequestNumber) -> Data? {
    entries.append(Entry(value: value, number: number))
    return entries.count == 1 ? value : nil
  }

  /// A central has confirmed; returns the completed update and the value to send now.
  ///
  /// bluetoothd does not report which central has confirmed, so the first of several counts.
  mutating func confirm() -> (sent: RequestNumber?, next: Data?) {
    guard !entries.isEmpty else { return (nil, nil) }
    let sent = entries.removeFirst()
    return (sent.number, entries.first?.value)
  }

  /// No central is left to confirm; returns the updates that are completed by this.
  mutating func removeAll() -> [RequestNumber] {
    defer { entries = [] }
    return entries.map(\.number)
  }
}
