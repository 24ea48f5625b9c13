// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement of a Beurer BF700 or one of its kin, put together from its parts.
///
/// All words have their most significant byte first. A person whom the scale does not know gets
/// a weight only: the rest is 0.
///
/// ```
/// // 6A21F4C6  0687 01B5 00DF 0209 018D 00E9 0717 0AA2 0108
/// // TIME      WGHT OHMS FAT  WATR MUSC BONE BMR  AMR  BMI
/// ```
///
/// Source: openScale, BeurerSanitasHandler; KristianP26/ble-scale-sync (a captured result).
package struct BeurerScaleResult: CharacteristicValue {
  /// Seconds since 1970 on the scale's clock.
  package var seconds: UInt32
  /// In steps of 50 g.
  package var weight: UInt16
  /// In ohms.
  package var impedance: UInt16
  /// In tenths of a per cent of the weight.
  package var bodyFat: UInt16
  /// In tenths of a per cent of the weight.
  package var bodyWater: UInt16
  /// In tenths of a per cent of the weight.
  package var muscle: UInt16
  /// As sent: its unit is not sure.
  package var boneMass: UInt16
  /// Basal metabolic rate in kilocalories a day.
  package var basalMetabolicRate: UInt16
  /// Active metabolic rate in kilocalories a day.
  package var activeMetabolicRate: UInt16
  /// In tenths of kg/m².
  package var bodyMassIndex: UInt16

  /// Makes a result that is a weight alone.
  package init(seconds: UInt32, weight: UInt16) {
    self.seconds = seconds
    self.weight = weight
    (impedance, bodyFat, bodyWater, muscle, boneMass) = (0, 0, 0, 0, 0)
    (basalMetabolicRate, activeMetabolicRate, bodyMassIndex) = (0, 0, 0)
  }

  /// Reads the parts' content, without frame, command, number of parts and part.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    seconds = try reader.bigEndianUInt32(field: "Time")
    weight = try reader.bigEndianUInt16(field: "Weight")
    impedance = try reader.bigEndianUInt16(field: "Impedance")
    bodyFat = try reader.bigEndianUInt16(field: "Body Fat")
    bodyWater = try reader.bigEndianUInt16(field: "Body Water")
    muscle = try reader.bigEndianUInt16(field: "Muscle")
    boneMass = try reader.bigEndianUInt16(field: "Bone Mass")
    basalMetabolicRate = try reader.bigEndianUInt16(field: "Basal Metabolic Rate")
    activeMetabolicRate = try reader.bigEndianUInt16(field: "Active Metabolic Rate")
    bodyMassIndex = try reader.bigEndianUInt16(field: "Body Mass Index")
  }

  /// Writes the parts' content.
  package func encode(to writer: inout PayloadWriter) {
    writer.bigEndianUInt32(seconds)
    let words = [
      weight, impedance, bodyFat, bodyWater, muscle, boneMass, basalMetabolicRate,
      activeMetabolicRate, bodyMassIndex,
    ]
    for word in words { writer.bigEndianUInt16(word) }
  }

  /// The weight in kilograms; nil when there is none.
  package var kilograms: Double? { weight == 0 ? nil : Double(weight) / 20 }
  /// The body fat in per cent of the weight; nil when it was not measured.
  package var bodyFatPercentage: Double? { Self.tenths(bodyFat) }
  /// The body water in per cent of the weight; nil when it was not measured.
  package var bodyWaterPercentage: Double? { Self.tenths(bodyWater) }
  /// The muscle in per cent of the weight; nil when it was not measured.
  package var musclePercentage: Double? { Self.tenths(muscle) }
  /// The impedance in ohms; nil when it was not measured.
  package var ohms: UInt16? { impedance == 0 ? nil : impedance }

  private static func tenths(_ word: UInt16) -> Double? {
    word == 0 ? nil : Double(word) / 10
  }
}

/// Puts measurements of a Beurer BF700 or one of its kin together from their parts.
///
/// A live result has three parts, and the first holds the user only; a stored measurement has two,
/// and several of them are counted through.
package struct BeurerResultAssembly: Hashable, Sendable {
  private var content: [UInt8] = []
  private var lastPart: UInt8 = 0
  /// The user of the result, once the first part is there: eight bytes as the scale has them.
  package private(set) var user: [UInt8]?

  /// Starts without parts.
  package init() {}

  /// Takes the next frame.
  ///
  /// - Parameter frame: Any frame; what is no part is ignored. A part that does not follow the one
  ///   before drops what came before.
  /// - Returns: The measurement, with its last part.
  /// - Throws: `truncated` for parts that are too short together.
  package mutating func received(
    _ frame: BeurerScaleFrame
  ) throws(PayloadError) -> BeurerScaleResult? {
    guard frame.content.count >= 3,
      frame.command == .resultPart || frame.command == .storedPart
    else { return nil }
    let part = frame.content[2]
    let isStored = frame.command == .storedPart
    if !isStored, part == 1 {
      user = frame.content.count >= 12 ? Array(frame.content[4..<12]) : nil
    }
    let position = isStored ? (part &- 1) % 2 + 2 : part
    defer { lastPart = position }
    switch position {
    case 2:
      content = Array(frame.content.dropFirst(3))
      return nil
    case 3 where lastPart == 2:
      content += frame.content.dropFirst(3)
      defer { content = [] }
      return try BeurerScaleResult(payload: content)
    default:
      content = []
      return nil
    }
  }
}
