// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// A night.
#if canImport(ObjectiveC)
  @objc(VLDSleep) @objcMembers
#endif
public final class VLDSleep: VLDRecord {
  override class var kind: RecordKind { .sleep }

  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/sleep``.
  public override func recordType() -> VLDRecordType { .sleep }

  /// Sleep in seconds.
  public var totalSleep: NSNumber? {
    get { number(.sleepDuration) }
    set { setNumber(newValue, of: .sleepDuration) }
  }
  /// Time awake in seconds.
  public var awake: NSNumber? {
    get { number(.awakeDuration) }
    set { setNumber(newValue, of: .awakeDuration) }
  }
  /// Deep sleep in seconds.
  public var deep: NSNumber? {
    get { number(.deepSleep) }
    set { setNumber(newValue, of: .deepSleep) }
  }
  /// Light sleep in seconds.
  public var light: NSNumber? {
    get { number(.lightSleep) }
    set { setNumber(newValue, of: .lightSleep) }
  }
  /// REM sleep in seconds.
  public var rem: NSNumber? {
    get { number(.remSleep) }
    set { setNumber(newValue, of: .remSleep) }
  }
  /// How often the person woke.
  public var timesWoken: NSNumber? {
    get { number(.awakeCount) }
    set { setNumber(newValue, of: .awakeCount) }
  }
}
