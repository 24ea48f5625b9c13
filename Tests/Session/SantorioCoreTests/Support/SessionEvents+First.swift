// SPDX-License-Identifier: Apache-2.0

import SantorioCore

extension SessionEvents {
  /// The next events, so many of them.
  func first(_ count: Int) async -> [SessionEvent] {
    var delivered: [SessionEvent] = []
    guard count > 0 else { return delivered }
    for await event in self {
      delivered.append(event)
      if delivered.count == count { break }
    }
    return delivered
  }
}

extension SantorioSession {
  /// Runs until so many events were delivered.
  func runUntilDelivered(_ count: Int) async -> [SessionEvent] {
    let events = events
    resume()
    let delivered = await events.first(count)
    await suspend()
    return delivered
  }
}
