// SPDX-License-Identifier: Apache-2.0

/// The wait before the next attempt to connect: it doubles, and starts over after a connection that
/// has lasted.
struct ReconnectDelay {
  /// How long a connection lasts that counts as one: two clients of one name end each other's
  /// connections at once, and must not do that at full speed.
  static let lasting = Duration.seconds(10)

  private let first: Duration
  private let longest: Duration
  private var next: Duration

  init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = max(first, longest)
    next = first
  }

  /// The wait after an attempt: between half of the delay and the whole of it, so that not all
  /// clients of a broker return at once.
  ///
  /// - Parameters:
  ///   - connected: How long the connection lasted; nil when none came about.
  ///   - generator: Where the random numbers come from.
  /// - Returns: The wait.
  mutating func wait(
    afterConnectionOf connected: Duration?, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    if let connected, connected >= Self.lasting { next = first }
    let delay = next
    next = min(longest, next * 2)
    return delay * Double.random(in: 0.5...1, using: &generator)
  }
}
