// SPDX-License-Identifier: Apache-2.0

/// The state of the decision about a record; the numbers are those of the column `held`.
enum HeldState: Int, Hashable, Sendable, Codable {
  /// None is needed: the record waits for the server.
  case no = 0
  /// The record waits for a decision.
  case pending = 1
  /// The record is not to be sent.
  case declined = 2
  /// The record was measured before the device was the user's: it is kept, and not asked about.
  case older = 3

  /// Any other number counts as pending: a damaged one must not send a record without a decision.
  init(column: Int64) { self = HeldState(rawValue: Int(clamping: column)) ?? .pending }
}
