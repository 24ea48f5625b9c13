// SPDX-License-Identifier: Apache-2.0

/// What a session has in hand, in a file for the next process.
final class RestorationFile<Value: Codable & Equatable> {
  private let files: BlueZFiles
  private let name: String

  /// What is in the file.
  var value: Value {
    didSet { if value != oldValue { files.save(value, name) } }
  }

  init(_ files: BlueZFiles, _ identifier: String, empty: Value) {
    self.files = files
    name = "restore/\(identifier).json"
    value = empty
  }

  /// What an earlier process has left; nil when it has left nothing.
  func take() -> Value? { files.load(name) }

  /// Nothing is to be restored any more.
  func remove() {
    files.save(Value?.none, name)
  }
}
