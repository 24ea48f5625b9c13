// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography

/// A name as a level of a topic and as a part of an identifier of Home Assistant.
///
/// Home Assistant takes letters, digits, `-` and `_` only. Letters and digits stay, and so do `-` before
/// one of them and `_` between two of them. A space becomes `__`, each other byte of the name's UTF-8
/// `-_` and two hexadecimal digits. A long name is cut and ends with `-_x` and a digest, which no other
/// has. `--` is never in it, and no `-` at its end, so that `--` may stand between names.
enum TopicSegment {
  private static let maximumLength = 96

  static func isPlain(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || byte == 0x5f }

  private static func isLetterOrDigit(_ byte: UInt8?) -> Bool {
    switch byte {
    case (0x30...0x39)?, (0x41...0x5a)?, (0x61...0x7a)?: true
    default: false
    }
  }

  /// Whether a level of a topic may be one of these.
  static func isOne(_ level: Substring) -> Bool {
    !level.isEmpty && level.utf8.count <= maximumLength
      && level.utf8.allSatisfy { isPlain($0) || $0 == 0x2d }
  }

  /// The level for a name; different names have different ones.
  static func text(_ name: String) -> String {
    let name = Array(name.utf8)
    let bytes = name.indices.flatMap { index in
      text(
        name[index], after: index > 0 ? name[index - 1] : nil,
        before: index + 1 < name.count ? name[index + 1] : nil)
    }
    guard bytes.isEmpty || bytes.count > maximumLength else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let digest = SHA256Digest.hex(name).prefix(32)
    var beginning = bytes.prefix(maximumLength - 35)
    while beginning.last == 0x2d { beginning.removeLast() }
    return String(decoding: beginning, as: UTF8.self) + "-_x" + digest
  }

  private static func text(_ byte: UInt8, after last: UInt8?, before next: UInt8?) -> [UInt8] {
    let isBetween = (last == nil || isLetterOrDigit(last)) && (next == nil || isLetterOrDigit(next))
    switch byte {
    case _ where isLetterOrDigit(byte): return [byte]
    case 0x2d where isLetterOrDigit(next): return [byte]
    case 0x5f where isBetween: return [byte]
    case 0x20: return [0x5f, 0x5f]
    default:
      let digits = Array("0123456789abcdef".utf8)
      return [0x2d, 0x5f, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
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

  /// Where hubs of this name say which installation each is.
  var installations: String { "\(prefix)/installation" }

  /// Where Home Assistant says that it has started.
  var birth: String { "\(discoveryPrefix)/status" }

  /// The filter of all states of this hub.
  var ownStates: String { "\(prefix)/+/+/+/state" }

  /// The filter of what this hub says of whether devices are there.
  var ownAvailabilities: String { "\(prefix)/+/+/availability" }

  /// What a topic of this hub is about; nil for another's, and for the hub's own availability.
  func subject(of topic: String) -> Subject? {
    guard topic.hasPrefix(prefix + "/") else { return nil }
    let levels = topic.dropFirst(prefix.count + 1).split(
      separator: "/", omittingEmptySubsequences: false)
    guard levels.allSatisfy(TopicSegment.isOne), levels.count >= 3 else { return nil }
    let place = DevicePlace(patient: String(levels[0]), device: String(levels[1]))
    switch (levels.count, levels.last) {
    case (4, "state"): return .state(place, object: String(levels[2]))
    case (3, "availability"): return .availability(place)
    default: return nil
    }
  }

  /// What the topics of a device begin with, without the last `/`.
  static func folder(ofState topic: String) -> Substring {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    return levels.count > 2 ? topic[..<levels[levels.count - 3].endIndex] : ""
  }

  /// The same of a device.
  func folder(_ place: DevicePlace) -> Substring { "\(prefix)/\(place.patient)/\(place.device)" }

  /// Where it is said whether a device is there.
  func availability(_ place: DevicePlace) -> String { "\(folder(place))/availability" }

  /// Where Home Assistant learns of a value, by its name in topics.
  func discovery(_ object: String, _ place: DevicePlace) -> String {
    "\(discoveryPrefix)/sensor/santorio--\(hub)--\(place.patient)--\(place.device)/\(object)/config"
  }

  /// Where it is said whether a device is there.
  func availability(_ device: String, patient: String) -> String {
    availability(DevicePlace(device, patient: patient))
  }

  /// Where a value of a device stands.
  func state(_ object: SensorObject, _ device: String, patient: String) -> String {
    "\(folder(DevicePlace(device, patient: patient)))/\(object.id)/state"
  }

  /// Where Home Assistant learns of a value.
  func discovery(_ object: SensorObject, _ device: String, patient: String) -> String {
    discovery(object.id, DevicePlace(device, patient: patient))
  }

  /// The identifier of a device of a patient.
  func node(_ device: String, _ patient: String) -> String {
    "santorio--\(hub)--\(TopicSegment.text(patient))--\(TopicSegment.text(device))"
  }
}

extension HomeAssistantTopics {
  /// What a topic is about.
  enum Subject: Hashable {
    /// A value of a device, by its name in topics.
    case state(DevicePlace, object: String)
    /// Whether a device is there.
    case availability(DevicePlace)
  }
}

/// A device of a patient, as topics write both.
struct DevicePlace: Hashable {
  let patient: String
  let device: String
}

extension DevicePlace {
  init(_ device: String, patient: String) {
    self.init(patient: TopicSegment.text(patient), device: TopicSegment.text(device))
  }
}
