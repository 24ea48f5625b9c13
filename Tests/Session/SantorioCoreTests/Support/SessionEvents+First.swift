// SPDX-License-Identifier: Apache-2.0

import SantorioCore

extension SessionEvents {
  /// The next events, so many of them.
  func first(_ count: Int) async -> [SessionEvent] {
    var told: [SessionEvent] = []
    guard count > 0 else { return told }
    for await event in self {
      told.append(event)
      if told.count == count { break }
    }
    return told
  }
}

extension Session {
  /// Runs until so many events were told.
  func runUntilTold(_ count: Int) async -> [SessionEvent] {
    let events = events
    resume()
    let told = await events.first(count)
    await suspend()
    return told
  }
}
