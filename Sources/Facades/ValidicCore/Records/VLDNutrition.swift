// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// What a person ate and drank.
#if canImport(ObjectiveC)
  @objc(VLDNutrition) @objcMembers
#endif
public final class VLDNutrition: VLDRecord {
  override class var kind: RecordKind { .nutrition }

  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/nutrition``.
  public override func recordType() -> VLDRecordType { .nutrition }

  /// Energy in kilocalories.
  public var calories: NSNumber? {
    get { number(.energyConsumed) }
    set { setNumber(newValue, of: .energyConsumed) }
  }
  /// Carbohydrate in grams.
  public var carbohydrates: NSNumber? {
    get { number(.carbohydrate) }
    set { setNumber(newValue, of: .carbohydrate) }
  }
  /// Fat in grams.
  public var fat: NSNumber? {
    get { number(.fat) }
    set { setNumber(newValue, of: .fat) }
  }
  /// Fibre in grams.
  public var fiber: NSNumber? {
    get { number(.dietaryFiber) }
    set { setNumber(newValue, of: .dietaryFiber) }
  }
  /// Protein in grams.
  public var protein: NSNumber? {
    get { number(.protein) }
    set { setNumber(newValue, of: .protein) }
  }
  /// Sodium in milligrams.
  public var sodium: NSNumber? {
    get { number(.sodium) }
    set { setNumber(newValue, of: .sodium) }
  }
  /// Water in millilitres, which are grams.
  public var water: NSNumber? {
    get { number(.water) }
    set { setNumber(newValue, of: .water) }
  }

  /// The meal, for instance `lunch`.
  public var meal: String? {
    get { content.category ?? content.name }
    set { content.category = newValue }
  }
}
