// SPDX-License-Identifier: Apache-2.0

/// What a session has in hand, in a file for the next process.
///
/// The file is one process's at a time: two would restore the same, and each overwrite what the
/// other has.
final class RestorationFile<Value: Codable & Equatable> {
  private let files: BlueZFiles
  private let name: String
  private let isOurs: Bool

  /// What is in the file.
  var value: Value {
    didSet { if isOurs, value != oldValue { files.write(encoded, name) } }
  }

  init(_ files: BlueZFiles, _ identifier: String, empty: Value) {
    self.files = files
    name = "restore/\(identifier).json"
    isOurs = files.claim(name)
    value = empty
  }

  private var encoded: [UInt8]? { (try? JSONEncoder().encode(value)).map(Array.init) }

  /// What an earlier process has left; nil when it has left nothing.
  func take() -> Value? {
    guard isOurs else { return nil }
    return files.read(name).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
  }

  /// Nothing is to be restored any more.
  func remove() {
    if isOurs { files.write(nil, name) }
  }
}
