// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT

/// A file that holds the key that a manufacturer gave to an app: `{"key": "0123…"}`.
struct KeyFile {
  /// Longer files are not read.
  private static let maximumSize = 4096

  private struct Content: Decodable {
    let key: String
  }

  private let url: URL

  init(_ name: String, in folder: URL) { url = folder.appendingPathComponent(name) }

  /// The bytes of the key; a leading zero digit is added to an odd number of digits.
  func key() throws(BluetoothError) -> [UInt8] {
    let bytes = try bytes()
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
      throw refusal("is not a JSON object with a text named \"key\", such as {\"key\": \"0123AB\"}")
    }
    guard !content.key.lowercased().hasPrefix("0x") else {
      throw refusal("has a key that begins with \"0x\"; leave that out")
    }
    let digits = content.key.count.isMultiple(of: 2) ? content.key : "0" + content.key
    guard !digits.isEmpty, let key = [UInt8](hexadecimal: digits) else {
      throw refusal("has a key that is not made of hexadecimal digits")
    }
    return key
  }

  /// All bytes of the file, of whatever form it is.
  func bytes() throws(BluetoothError) -> [UInt8] {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw BluetoothError(
        .notAuthorized,
        "The file \"\(url.lastPathComponent)\" is missing; put the one that the manufacturer gave you into "
          + "\(url.deletingLastPathComponent().path).")
    }
    guard let handle = try? FileHandle(forReadingFrom: url),
      // An empty file is read as nil.
      let data = try? handle.read(upToCount: Self.maximumSize + 1) ?? Data()
    else { throw refusal("cannot be read") }
    guard data.count <= Self.maximumSize else { throw refusal("is longer than 4096 bytes") }
    return Array(data)
  }

  private func refusal(_ what: String) -> BluetoothError {
    BluetoothError(.notAuthorized, "The file \"\(url.lastPathComponent)\" \(what).")
  }
}
