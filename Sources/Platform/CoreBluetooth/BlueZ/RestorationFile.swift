// SPDX-License-Identifier: Apache-2.0

/// The state of a session, kept in a file for the next process.
///
/// Only one process uses the file at a time: two would restore the same state and overwrite each
/// other's changes.
final class RestorationFile<Value: Codable & Equatable> {
  private let files: BlueZFiles
  private let name: String
  private let isClaimed: Bool

  /// The content of the file.
  var value: Value {
    didSet { if isClaimed, value != oldValue { files.write(encoded, name) } }
  }

  init(_ files: BlueZFiles, _ identifier: String, empty: Value) {
    self.files = files
    name = "restore/\(identifier).json"
    isClaimed = files.claim(name)
    value = empty
  }

  private var encoded: [UInt8]? { (try? JSONEncoder().encode(value)).map(Array.init) }

  /// The state left by an earlier process; nil when there is none.
  func take() -> Value? {
    guard isClaimed else { return nil }
    return files.read(name).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
  }

  /// Deletes the file: there is nothing to restore.
  func remove() {
    if isClaimed { files.write(nil, name) }
  }
}
