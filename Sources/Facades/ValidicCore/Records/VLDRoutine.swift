// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// What a person does in a day.
#if canImport(ObjectiveC)
  @objc(VLDRoutine) @objcMembers
#endif
public final class VLDRoutine: VLDRecord {
  override class var kind: RecordKind { .summary }

  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/routine``.
  public override func recordType() -> VLDRecordType { .routine }

  /// Steps.
  public var steps: NSNumber? {
    get { number(.steps) }
    set { setNumber(newValue, of: .steps) }
  }
  /// Distance in metres.
  public var distance: NSNumber? {
    get { number(.distance) }
    set { setNumber(newValue, of: .distance) }
  }
  /// Floors climbed.
  public var floors: NSNumber? {
    get { number(.floors) }
    set { setNumber(newValue, of: .floors) }
  }
  /// Elevation gained in metres.
  public var elevation: NSNumber? {
    get { number(.elevation) }
    set { setNumber(newValue, of: .elevation) }
  }
  /// Energy burned in kilocalories.
  public var caloriesBurned: NSNumber? {
    get { number(.energyBurned) }
    set { setNumber(newValue, of: .energyBurned) }
  }
  /// Active time in seconds.
  public var activeDuration: NSNumber? {
    get { number(.activeDuration) }
    set { setNumber(newValue, of: .activeDuration) }
  }
}
