// SPDX-License-Identifier: Apache-2.0

/// The time of a reading whose requests may open the system's pairing dialog.
///
/// The system shows the dialog when a device without a proven bond wants encryption, and its user
/// has to find a code on the device and to enter it. A request that is under way meanwhile has
/// ``time``; after its answer the device has the time of a reading again.
struct PairingDialog: Sendable {
  /// How long the user may take.
  static let time = Duration.seconds(120)

  private let timeout: Duration
  /// The end, whatever the device asks and answers.
  private let latest: Duration
  private var isAsking = false
  /// When the device has had its time.
  private(set) var limit: Duration

  /// - Parameters:
  ///   - timeout: The time of a reading.
  ///   - now: When the device was connected.
  init(timeout: Duration, connected now: Duration) {
    self.timeout = timeout
    latest = now + Self.time + timeout
    limit = now + timeout
  }

  /// Notes whether a request is under way.
  mutating func note(isAsking: Bool, at now: Duration) {
    guard isAsking != self.isAsking else { return }
    self.isAsking = isAsking
    limit = min(latest, now + (isAsking ? max(timeout, Self.time) : timeout))
  }
}
