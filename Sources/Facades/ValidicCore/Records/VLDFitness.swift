// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// One bout of exercise.
#if canImport(ObjectiveC)
  @objc(VLDFitness) @objcMembers
#endif
public final class VLDFitness: VLDRecord {
  override class var kind: RecordKind { .workout }

  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/fitness``.
  public override func recordType() -> VLDRecordType { .fitness }

  /// Distance in metres.
  public var distance: NSNumber? {
    get { number(.distance) }
    set { setNumber(newValue, of: .distance) }
  }
  /// Energy burned in kilocalories.
  public var calories: NSNumber? {
    get { number(.energyBurned) }
    set { setNumber(newValue, of: .energyBurned) }
  }

  /// The kind of exercise, for instance `Running`.
  public var type: String? {
    get { content.category ?? content.name }
    set { content.category = newValue }
  }

  /// How hard it was, for instance `low`.
  public var intensity: String? {
    get { content.intensity }
    set { content.intensity = newValue }
  }

  /// When it began.
  public var startTime: Date? {
    get { timestamp }
    set { timestamp = newValue }
  }

  /// How long it took, in seconds.
  public var duration: NSNumber? {
    get {
      let length = content.time.end.timeIntervalSince(content.time.start)
      return number(.activeDuration) ?? (length > 0 ? NSNumber(value: length) : nil)
    }
    set {
      setNumber(newValue, of: .activeDuration)
      content.time.end = content.time.start + max(newValue?.doubleValue ?? 0, 0)
    }
  }
}
