// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// Body weight and what scales measure with it.
#if canImport(ObjectiveC)
  @objc(VLDWeight) @objcMembers
#endif
public final class VLDWeight: VLDRecord {
  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/weight``.
  public override func recordType() -> VLDRecordType { .weight }

  /// Body weight in kg.
  public var weight: NSNumber? {
    get { number(.bodyWeight) }
    set { setNumber(newValue, of: .bodyWeight) }
  }
  /// Body height in cm.
  public var height: NSNumber? {
    get { number(.bodyHeight) }
    set { setNumber(newValue, of: .bodyHeight) }
  }
  /// Fat-free mass in kg.
  public var freeMass: NSNumber? {
    get { number(.bodyLeanMass) }
    set { setNumber(newValue, of: .bodyLeanMass) }
  }
  /// Body fat in percent.
  public var fatPercent: NSNumber? {
    get { number(.bodyFat) }
    set { setNumber(newValue, of: .bodyFat) }
  }
  /// Mass weight in kg.
  public var massWeight: NSNumber? {
    get { number(.massWeight) }
    set { setNumber(newValue, of: .massWeight) }
  }
  /// Body mass index in kg/m².
  public var bmi: NSNumber? {
    get { number(.bmi) }
    set { setNumber(newValue, of: .bmi) }
  }

  /// The body weight in a unit.
  ///
  /// - Parameter unit: The unit.
  /// - Returns: The weight; nil when there is none.
  #if canImport(ObjectiveC)
    @objc(weightWithUnit:)
  #endif
  public func weight(with unit: VLDWeightUnit) -> NSNumber? {
    weight.map { VLDRecord.convertWeightValue($0, from: .kilograms, to: unit) }
  }

  /// Sets the body weight from a value in a unit.
  ///
  /// - Parameters:
  ///   - weight: The value.
  ///   - unit: Its unit.
  #if canImport(ObjectiveC)
    @objc(setWeight:withUnit:)
  #endif
  public func setWeight(_ weight: NSNumber, with unit: VLDWeightUnit) {
    self.weight = VLDRecord.convertWeightValue(weight, from: unit, to: .kilograms)
  }
}
