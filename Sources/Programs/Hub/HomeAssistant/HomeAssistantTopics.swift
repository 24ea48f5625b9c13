// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography

/// A name as a level of a topic and as a part of an identifier of Home Assistant.
///
/// Home Assistant takes letters, digits, `-` and `_` only. Letters, digits and `_` stay; each other
/// byte of the name's UTF-8 becomes `-` and two hexadecimal digits. A long name is cut and ends with
/// `-x` and a digest, which no other has. `--` is never in it, so that it may stand between names.
enum TopicSegment {
  private static let maximumLength = 96

  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
    default: false
    }
  }

  /// The level for a name; different names have different ones.
  static func text(_ name: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [0x2d, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    guard bytes.isEmpty || bytes.count > maximumLength else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let digest = SHA256Digest.hex(Array(name.utf8)).prefix(32)
    return String(decoding: bytes.prefix(maximumLength - 34), as: UTF8.self) + "-x" + digest
  }
}

/// The topics of a hub.
struct HomeAssistantTopics: Sendable {
  private let prefix: String
  private let discoveryPrefix: String
  private let hub: String

  init(_ settings: HomeAssistantSettings) {
    hub = TopicSegment.text(settings.hub)
    prefix = "\(settings.prefix)/\(hub)"
    discoveryPrefix = settings.discoveryPrefix
  }

  /// Where the hub says whether it is connected.
  var hubAvailability: String { "\(prefix)/availability" }

  /// Where Home Assistant says that it has started.
  var birth: String { "\(discoveryPrefix)/status" }

  /// The filter of all states of this hub.
  var ownStates: String { "\(prefix)/+/+/+/state" }

  /// Whether a topic is one of a state of this hub.
  func isOwnState(_ topic: String) -> Bool {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    return topic.hasPrefix(prefix + "/") && topic.hasSuffix("/state")
      && levels.count == prefix.split(separator: "/").count + 4
  }

  /// The topics with the state that a topic has: of the state, of its discovery, and of whether its
  /// device is there; nil where the topic is none of a state of this hub.
  func related(toState topic: String) -> [String]? {
    guard isOwnState(topic) else { return nil }
    let (patient, device, object) = Self.levels(ofState: topic)
    return [
      topic,
      "\(discoveryPrefix)/sensor/santorio--\(hub)--\(patient)--\(device)/\(object)/config",
      "\(prefix)/\(patient)/\(device)/availability",
    ]
  }

  /// The patient of a state of this hub, as topics write the alias.
  func patient(ofState topic: String) -> String? {
    isOwnState(topic) ? String(Self.levels(ofState: topic).patient) : nil
  }

  private static func levels(
    ofState topic: String
  ) -> (patient: Substring, device: Substring, object: Substring) {
    let levels = topic.split(separator: "/").suffix(4)
    let first = levels.startIndex
    return (levels[first], levels[first + 1], levels[first + 2])
  }

  /// Where it is said whether a device is there.
  func availability(_ device: String, patient: String) -> String {
    "\(folder(device, patient))/availability"
  }

  /// Where a value of a device stands.
  func state(_ object: SensorObject, _ device: String, patient: String) -> String {
    "\(folder(device, patient))/\(object.id)/state"
  }

  /// Where Home Assistant learns of a value.
  func discovery(_ object: SensorObject, _ device: String, patient: String) -> String {
    "\(discoveryPrefix)/sensor/\(node(device, patient))/\(object.id)/config"
  }

  /// The identifier of a device of a patient.
  func node(_ device: String, _ patient: String) -> String {
    "santorio--\(hub)--\(TopicSegment.text(patient))--\(TopicSegment.text(device))"
  }

  private func folder(_ device: String, _ patient: String) -> String {
    "\(prefix)/\(TopicSegment.text(patient))/\(TopicSegment.text(device))"
  }
}
