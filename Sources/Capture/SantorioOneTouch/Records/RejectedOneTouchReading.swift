// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

/// A result of a meter that is no reading of a patient.
///
/// Nothing is dropped silently: ``record`` is stored in place of a reading. It has the time and the
/// meter, the kind `RecordKind.rejected`, and no value.
public struct RejectedOneTouchReading: Error, Hashable, Sendable, CustomStringConvertible,
  CustomReflectable
{
  /// Why it is no reading.
  ///
  /// Reasons are added over time.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    /// The name of the reason, for instance `control`.
    public let rawValue: String

    /// Makes a reason.
    ///
    /// - Parameter rawValue: Its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The control solution was tested.
    public static let control = Reason(rawValue: "control")
    /// The meter has no value for the test.
    public static let failedMeasurement = Reason(rawValue: "failedMeasurement")
    /// The number cannot be a concentration.
    public static let outOfRange = Reason(rawValue: "outOfRange")
  }

  /// Why it is no reading.
  public let reason: Reason
  /// What happened and what to do, in English.
  public let message: String
  /// What is stored in place of a reading.
  public let record: HealthRecord

  /// The reason and the message.
  public var description: String { "\(reason.rawValue): \(message)" }

  /// Empty, so that a dump does not show when it was.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
