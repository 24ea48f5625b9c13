// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import HealthKit

/// The numbers that the store has for the strings of an export, each found once.
struct ImportNames {
  /// What the store refers to for a record's source and device.
  struct Origin {
    let revision: Int64
    let device: Int64?
    /// The number of the first revision with the same origin, see ``ImportCopies``.
    let key: Int64
  }

  /// What a record's type is.
  struct TypeName {
    let number: Int64
    let type: HKObjectType
  }

  private enum Unit {
    case notMet, none
    case number(Int64)
  }

  private struct MetadataKey: Hashable {
    let key: Int32
    let value: String
  }

  private struct OriginKey: Hashable {
    let source: Int32
    let version: Int32
    let device: Int32
  }

  // By the numbers of the strings.
  private var types: [TypeName?] = []
  private var units: [Unit] = []
  /// The last type and unit that fit.
  private var lastFit: (Int64, Int64)?
  private var origins: [OriginKey: Origin] = [:]
  private var lastOrigin: (OriginKey, Origin)?
  private var values: [Int64: Double?] = [:]
  private var metadata: [String: Int64] = [:]
  private var single: [MetadataKey: Int64] = [:]

  private static let mostMetadata = 10_000

  /// The type of a record; a unit says what a type is that nobody knows.
  mutating func type(
    _ name: InternedString, _ unit: InternedString?, _ strings: InternedStrings,
    _ database: HealthDatabase
  ) throws -> TypeName {
    let index = Int(name.index)
    if index < types.count, let known = types[index] { return known }
    let unit = unit.flatMap { try? HKUnit(parsing: strings[$0]) }
    let type = HKObjectType.named(Self.identifiers[strings[name]] ?? strings[name], unit: unit)
    let found = TypeName(number: try database.number(of: type), type: type)
    while types.count <= index { types.append(nil) }
    types[index] = found
    return found
  }

  /// Identifiers that an export may spell in another way than the framework.
  private static let identifiers = [
    "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent":
      HKCategoryTypeIdentifier.environmentalAudioExposureEvent.rawValue
  ]

  /// The unit of a record; nil if it is none, or of something else than the type.
  mutating func unit(
    _ name: InternedString, of type: TypeName, _ strings: InternedStrings,
    _ database: HealthDatabase
  ) throws -> Int64? {
    guard let number = try unit(name, strings, database) else { return nil }
    if let (lastType, lastUnit) = lastFit, lastType == type.number, lastUnit == number {
      return number
    }
    guard let quantity = type.type as? HKQuantityType,
      let unit = try? HKUnit(parsing: strings[name]), quantity.is(compatibleWith: unit)
    else { return nil }
    lastFit = (type.number, number)
    return number
  }

  private mutating func unit(
    _ name: InternedString, _ strings: InternedStrings, _ database: HealthDatabase
  ) throws -> Int64? {
    let index = Int(name.index)
    if index < units.count {
      switch units[index] {
      case .number(let number): return number
      case .none: return nil
      case .notMet: break
      }
    }
    while units.count <= index { units.append(.notMet) }
    let unit = try? HKUnit(parsing: strings[name])
    let number = try unit.map { try database.number(of: $0) }
    units[index] = number.map(Unit.number) ?? .none
    return number
  }

  /// The source and the device of a sample.
  mutating func origin(
    _ sample: ExportedSample, _ strings: InternedStrings, _ database: HealthDatabase
  ) throws -> Origin {
    let key = OriginKey(
      source: sample.source.index, version: sample.sourceVersion?.index ?? -1,
      device: sample.device?.index ?? -1)
    if let (lastKey, origin) = lastOrigin, lastKey == key { return origin }
    if let known = origins[key] {
      lastOrigin = (key, known)
      return known
    }
    let name = strings[sample.source]
    let device = sample.device.map { ExportedDevice(strings[$0]) }
    let revision = HKSourceRevision(
      source: HKSource(name: name, bundleIdentifier: Self.bundleIdentifier(name)),
      version: sample.sourceVersion.map { strings[$0] }, productType: device?.hardware,
      operatingSystemVersion: OperatingSystemVersion())
    let number = try database.number(of: revision)
    let origin = Origin(
      revision: number,
      device: try device.map { try database.number(of: HKDevice($0)) },
      key: database.originNumber(number))
    origins[key] = origin
    lastOrigin = (key, origin)
    return origin
  }

  /// An export has no bundle identifiers: the same name gets the same one in each store.
  private static func bundleIdentifier(_ name: String) -> String {
    let uuid = SampleIdentity.uuid(
      type: "source", start: 0, end: 0, value: 0, unit: "", source: name, copy: 0)
    return "apple-health-export.\(uuid.uuidString.lowercased())"
  }

  /// The value of a category by its name; nil if no one knows it.
  mutating func value(
    _ name: InternedString, of type: TypeName, _ strings: InternedStrings
  ) -> Double? {
    let key = type.number << 32 | Int64(name.index)
    if let known = values[key] { return known }
    let value = CategoryTypes.value(named: strings[name], for: type.type.identifier)
      .map(Double.init)
    values[key] = .some(value)
    return value
  }

  /// The metadata of a sample; nil without any.
  mutating func metadata(
    _ entries: [ExportedMetadata], _ strings: InternedStrings, _ database: HealthDatabase
  ) throws -> Int64? {
    guard let first = entries.first else { return nil }
    if entries.count == 1 {
      let key = MetadataKey(key: first.key.index, value: first.value)
      if let known = single[key] { return known }
      let number = try database.number(of: Self.dictionary(entries, strings))
      if single.count >= Self.mostMetadata { single = [:] }
      single[key] = number
      return number
    }
    var key = "\(first.key.index)=\(first.value)"
    for entry in entries.dropFirst() { key += "\u{1f}\(entry.key.index)=\(entry.value)" }
    if let known = metadata[key] { return known }
    let number = try database.number(of: Self.dictionary(entries, strings))
    if metadata.count >= Self.mostMetadata { metadata = [:] }
    metadata[key] = number
    return number
  }

  static func dictionary(
    _ entries: [ExportedMetadata], _ strings: InternedStrings
  ) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for entry in entries {
      let key = strings[entry.key]
      dictionary[key] = ExportMetadata.value(entry.value, of: key)
    }
    return dictionary
  }
}

extension HKDevice {
  convenience init(_ device: ExportedDevice) {
    self.init(
      name: device.name, manufacturer: device.manufacturer, model: device.model,
      hardwareVersion: device.hardware, firmwareVersion: device.firmware,
      softwareVersion: device.software, localIdentifier: device.localIdentifier,
      udiDeviceIdentifier: device.udi)
  }
}
