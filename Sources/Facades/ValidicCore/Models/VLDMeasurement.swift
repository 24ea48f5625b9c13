// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The key of the value in the dictionaries of ``VLDMeasurement``.
public let kVLDRawDataValueKey = "value"
/// The key of the unit in the dictionaries of ``VLDMeasurement``.
public let kVLDRawDataUnitKey = "unit"

/// A value with its unit, as text.
#if canImport(ObjectiveC)
  @objc(VLDMeasurement) @objcMembers
#endif
public final class VLDMeasurement: VLDModel {
  /// The value, with a point before decimals.
  public let value: String
  /// The unit.
  public let unit: String
  /// The value as a number; not a number where the text is none.
  public var decimalValue: NSDecimalNumber { NSDecimalNumber(string: value) }

  /// Makes a measurement.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - unit: The unit.
  public init(value: String, unit: String) {
    self.value = value
    self.unit = unit
    super.init()
  }

  /// Makes a measurement from a dictionary; what is missing is empty.
  ///
  /// - Parameter dictionary: With the keys `value` and `unit`.
  public convenience init(dictionary: [AnyHashable: Any]) {
    self.init(
      value: dictionary[kVLDRawDataValueKey].map { "\($0)" } ?? "",
      unit: dictionary[kVLDRawDataUnitKey] as? String ?? "")
  }

  /// The measurement as a dictionary with the keys `value` and `unit`.
  ///
  /// - Returns: The dictionary.
  public func dictionaryRepresentation() -> [AnyHashable: Any] {
    [kVLDRawDataValueKey: value, kVLDRawDataUnitKey: unit]
  }

  // MARK: - Archives

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads a measurement from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let value = coder.text(forKey: kVLDRawDataValueKey),
      let unit = coder.text(forKey: kVLDRawDataUnitKey)
    else { return nil }
    self.value = value
    self.unit = unit
    super.init(coder: coder)
  }

  /// Writes the measurement to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    coder.encode(value as NSString, forKey: kVLDRawDataValueKey)
    coder.encode(unit as NSString, forKey: kVLDRawDataUnitKey)
  }

  /// Whether another object is the same measurement.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether it is equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? VLDMeasurement else { return false }
    return (value, unit) == (other.value, other.unit)
  }

  /// A hash of the measurement.
  public override var hash: Int { value.hashValue ^ unit.hashValue }
}
