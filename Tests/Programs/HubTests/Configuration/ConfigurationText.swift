// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioJSON

@testable import Hub

/// The text of a configuration, of which a test changes single members.
struct ConfigurationText {
  static let monitor = "B6A6E7B4-30C5-4A5C-9C2C-0D6A3C6F2A11"
  static let thermometer = "0F7D2C5E-86C4-4F0E-8B0A-5D1C1A9E7B22"
  /// A monitor that labels people from 1.
  static let beurer = 10100
  /// A thermometer that does not know people.
  static let aoj = 10402

  var value: JSONValue

  /// A configuration without any finding.
  init() throws {
    value = try JSONParser.parse(
      Array(
        """
        {"name": "ward-7", "folder": "/var/lib/santorio/hub", "server": "https://example.org",
         "patients": [\(Self.patient("bed-1")), \(Self.patient("bed-2"))]}
        """.utf8))
  }

  static func patient(_ alias: String, devices: String = "[]") -> String {
    """
    {"alias": "\(alias)", "user": "u-\(alias)", "organization": "clinic",
     "token": {"credential": "\(alias).token"}, "devices": \(devices)}
    """
  }

  /// The same with another value at a place such as `patients[0].user`; nil removes it.
  func with(_ place: String, _ text: String?) throws -> ConfigurationText {
    let parts = place.replacingOccurrences(of: "[", with: ".").replacingOccurrences(
      of: "]", with: ""
    ).split(separator: ".").map(String.init)
    var copy = self
    copy.value =
      Self.setting(value, parts[...], try text.map { try JSONParser.parse($0.utf8) }) ?? .null
    return copy
  }

  private static func setting(
    _ value: JSONValue, _ parts: ArraySlice<String>, _ new: JSONValue?
  ) -> JSONValue? {
    guard let first = parts.first else { return new }
    let rest = parts.dropFirst()
    if case .array(var elements) = value, let index = Int(first) {
      elements[index] = setting(elements[index], rest, new) ?? .null
      return .array(elements)
    }
    guard case .object(var members) = value else { return new }
    let old = members.firstIndex { $0.name == first }
    let changed = setting(old.map { members[$0].value } ?? .object([]), rest, new)
    if let old { members.remove(at: old) }
    if let changed { members.insert(.init(first, changed), at: old ?? members.count) }
    return .object(members)
  }

  var bytes: [UInt8] {
    var json = JSONWriter()
    json.value(value)
    return json.bytes
  }

  var reading: HubConfigurationReading { HubConfiguration.read(bytes) }

  /// The findings, each as one line.
  var lines: [String] { reading.findings.map(\.description) }
}
