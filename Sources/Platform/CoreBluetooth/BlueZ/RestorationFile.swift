// SPDX-License-Identifier: Apache-2.0

/// What a session has in hand, in a file for the next process.
final class RestorationFile<Value: Codable & Equatable> {
  private let files: BlueZFiles
  private let name: String

  /// What is in the file.
  var value: Value {
    didSet { if value != oldValue { files.write(encoded, name) } }
  }

  init(_ files: BlueZFiles, _ identifier: String, empty: Value) {
    self.files = files
    name = "restore/\(identifier).json"
    value = empty
  }

  private var encoded: [UInt8]? { (try? JSONEncoder().encode(value)).map(Array.init) }

  /// What an earlier process has left; nil when it has left nothing.
  func take() -> Value? {
    files.read(name).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
  }

  /// Nothing is to be restored any more.
  func remove() {
    files.write(nil, name)
  }
}
