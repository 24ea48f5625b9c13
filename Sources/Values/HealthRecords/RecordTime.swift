// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import CivilCalendar

/// When something was measured, and how that is known.
///
/// Device clocks drift, keep local time without a zone, and often were never set. So a record keeps
/// what the device said beside what the receiver knew.
public struct RecordTime: Hashable, Sendable {
  /// When the measurement began.
  public var start: Date
  /// When it ended; equal to ``start`` for a single measurement.
  public var end: Date
  /// Local time minus UTC at the place of measurement, -86,340...86,340 seconds; nil when unknown.
  public var utcOffsetSeconds: Int?
  /// Where ``utcOffsetSeconds`` came from.
  public var offsetOrigin: OffsetOrigin?
  /// Which clock ``start`` came from.
  public var origin: Origin
  /// What the device's clock showed, local time without zone; nil when the device sent none.
  ///
  /// Of a device that says how long ago a measurement was, it is the time that an impossible age
  /// stands for, and else nil.
  public var deviceTime: LocalDateTime?
  /// When the reading was received; ``start`` in a record of another system that does not say
  /// it.
  public var received: Date
  /// The device's clock minus the receiver's in seconds, where the device's clock could be read.
  public var clockDriftSeconds: Double?

  /// Makes a time.
  ///
  /// - Parameters:
  ///   - start: When the measurement began.
  ///   - end: When it ended; the start when nil.
  ///   - utcOffsetSeconds: Local time minus UTC, in seconds.
  ///   - offsetOrigin: Where the offset came from.
  ///   - origin: Which clock the start came from.
  ///   - deviceTime: What the device's clock showed.
  ///   - received: When the reading was received.
  ///   - clockDriftSeconds: The device's clock minus the receiver's, in seconds.
  public init(
    start: Date, end: Date? = nil, utcOffsetSeconds: Int? = nil,
    offsetOrigin: OffsetOrigin? = nil, origin: Origin, deviceTime: LocalDateTime? = nil,
    received: Date, clockDriftSeconds: Double? = nil
  ) {
    self.start = start
    self.end = end ?? start
    self.utcOffsetSeconds = utcOffsetSeconds
    self.offsetOrigin = offsetOrigin
    self.origin = origin
    self.deviceTime = deviceTime
    self.received = received
    self.clockDriftSeconds = clockDriftSeconds
  }

  /// Whether nobody knows when it was measured: the device's clock showed a time that cannot be true.
  ///
  /// Then ``start`` is the time of receipt, and no form gives it as that of the measurement.
  public var isDeviceTimeDisbelieved: Bool { origin == .received && deviceTime != nil }

  /// When the reading was received; nil when unknown.
  var knownReceipt: Date? { origin == .unknown && received == start ? nil : received }

  /// Which clock a record's time came from.
  public enum Origin: String, Hashable, Sendable {
    /// The device's own clock, read in the receiver's time zone.
    case device
    /// The device's clock, corrected by how wrong it was found to be when the reading was received.
    case deviceCorrected = "device_corrected"
    /// The receiver's clock, since the device sent no time or one that cannot be true; see
    /// ``RecordTime/isDeviceTimeDisbelieved``.
    case received
    /// Entered by a person.
    case user
    /// Unknown, in a record that another system made.
    case unknown
  }

  /// Where a record's UTC offset came from; the names are those of the Inform API.
  public enum OffsetOrigin: String, Hashable, Sendable {
    /// Given by the source itself, or by the receiver beside it.
    case source
    /// From the user's profile.
    case profile
    /// Chosen by the user.
    case userDefined = "user_defined"
  }
}
