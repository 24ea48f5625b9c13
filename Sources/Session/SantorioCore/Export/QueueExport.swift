// SPDX-License-Identifier: Apache-2.0

/// What an export of the queue holds, or what was taken from one.
///
/// See ``SantorioSession/exportQueue(to:passphrase:)`` and
/// ``SantorioSession/importQueue(from:passphrase:allowingIncomplete:)``.
public struct QueueExport: Hashable, Sendable, CustomStringConvertible {
  /// How many records and deletions wait for the server.
  public internal(set) var waiting = 0
  /// How many records are held back until the user approves them.
  public internal(set) var held = 0
  /// How many records the server has refused.
  public internal(set) var refused = 0
  /// How many images there are.
  public internal(set) var images = 0
  /// How many records and images were left out.
  ///
  /// In an export: because they are damaged. At an import: because they are here already.
  public internal(set) var leftOut = 0
  /// How many parts of the file could not be read at an import that allowed that.
  public internal(set) var unreadable = 0
  /// Whether the file was whole; always true for an export.
  public internal(set) var isComplete = true

  /// The number of records.
  var records: Int { waiting + held + refused }

  /// The numbers.
  public var description: String {
    "\(waiting) waiting, \(held) held and \(refused) refused records, \(images) images; "
      + "\(leftOut) left out" + (isComplete ? "" : "; the file was not complete")
  }
}
