// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioJSON

/// The outcome of replacing a damaged file of a session.
///
/// The file was set aside, and what could be read from it was copied into a new one.
public struct StorageDamage: Hashable, Sendable, CustomStringConvertible {
  /// How many waiting records were copied into the new file.
  public let recoveredRecords: Int
  /// How many could not be; nil when the damaged file does not show how many it held.
  public let lostRecords: Int?
  /// The damaged file, still encrypted, kept for inspection until it is removed.
  public let damagedFile: URL

  /// The numbers.
  public var description: String {
    let lost = lostRecords.map { "\($0)" } ?? "an unknown number"
    return "storage damaged: \(recoveredRecords) records recovered, \(lost) lost"
  }
}

extension StorageDamage {
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.optional("recovered", recoveredRecords)
      json.optional("lost", lostRecords)
    }
    return json.bytes
  }

  init?(json: [UInt8], file: String, in folder: URL) {
    guard let reader = try? JSONReader(parsing: json),
      let recovered = try? reader.member("recovered").integer()
    else { return nil }
    self.init(
      recoveredRecords: recovered, lostRecords: try? reader.optional("lost")?.integer(),
      damagedFile: folder.appendingPathComponent(file))
  }
}
