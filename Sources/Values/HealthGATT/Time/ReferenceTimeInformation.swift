// SPDX-License-Identifier: Apache-2.0

/// Reference Time Information (2A14): by what, how well and how long ago a device's clock was set.
///
/// ```
/// // 02  08  01  0C
/// // TS  AC  DD  HH
/// ```
///
/// Source: GATT Specification Supplement, Reference Time Information.
public struct ReferenceTimeInformation: CharacteristicValue {
  /// Time Source; values without a name are reserved and kept.
  public struct TimeSource: RawRepresentable, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Unknown.
    public static let unknown = TimeSource(rawValue: 0)
    /// Network Time Protocol.
    public static let networkTimeProtocol = TimeSource(rawValue: 1)
    /// GPS.
    public static let gps = TimeSource(rawValue: 2)
    /// Radio time signal.
    public static let radioTimeSignal = TimeSource(rawValue: 3)
    /// Set by hand.
    public static let manual = TimeSource(rawValue: 4)
    /// Atomic clock.
    public static let atomicClock = TimeSource(rawValue: 5)
    /// Cellular network.
    public static let cellularNetwork = TimeSource(rawValue: 6)
    /// Not synchronized.
    public static let notSynchronized = TimeSource(rawValue: 7)
  }

  /// What the clock was set by.
  public let source: TimeSource
  /// Time Accuracy as sent: eighths of a second, 254 for more than 31.6 s, 255 for unknown.
  public let timeAccuracy: UInt8
  /// Days Since Update as sent: 255 for 255 or more.
  public let daysSinceUpdate: UInt8
  /// Hours Since Update as sent: 0...23, or 255 together with 255 days.
  public let hoursSinceUpdate: UInt8

  /// Creates the information from its wire values.
  ///
  /// - Parameters:
  ///   - source: What the clock was set by.
  ///   - timeAccuracy: Eighths of a second, 254 for more than 31.6 s, 255 for unknown.
  ///   - daysSinceUpdate: 0...254, or 255 together with 255 hours.
  ///   - hoursSinceUpdate: 0...23, or 255 together with 255 days.
  /// - Throws: `reservedValue` when hours are 24...254, or only one of days and hours is 255.
  public init(
    source: TimeSource, timeAccuracy: UInt8, daysSinceUpdate: UInt8, hoursSinceUpdate: UInt8
  ) throws(PayloadError) {
    self.source = source
    self.timeAccuracy = timeAccuracy
    self.daysSinceUpdate = daysSinceUpdate
    self.hoursSinceUpdate = hoursSinceUpdate
    try checkHours(at: nil)
  }

  /// Reads the four bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    source = TimeSource(rawValue: try reader.uint8(field: "Time Source"))
    timeAccuracy = try reader.uint8(field: "Time Accuracy")
    daysSinceUpdate = try reader.uint8(field: "Days Since Update")
    let offset = reader.offset
    hoursSinceUpdate = try reader.uint8(field: "Hours Since Update")
    try checkHours(at: offset)
  }

  /// Writes the four bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(source.rawValue)
    writer.uint8(timeAccuracy)
    writer.uint8(daysSinceUpdate)
    writer.uint8(hoursSinceUpdate)
  }

  /// How far the clock may be off; nil when that is unknown or more than 31.6 s.
  public var accuracy: Duration? {
    timeAccuracy <= 253 ? .milliseconds(125 * Int(timeAccuracy)) : nil
  }

  /// How long ago the clock was set; nil for 255 days or more.
  public var timeSinceUpdate: Duration? {
    guard daysSinceUpdate < 255 else { return nil }
    return .seconds((24 * Int(daysSinceUpdate) + Int(hoursSinceUpdate)) * 3600)
  }

  private func checkHours(at offset: Int?) throws(PayloadError) {
    let isLongAgo = daysSinceUpdate == 255
    guard isLongAgo ? hoursSinceUpdate != 255 : hoursSinceUpdate > 23 else { return }
    throw PayloadError(
      .reservedValue, field: "Hours Since Update", offset: offset,
      message: "It is 0...23, or 255 together with 255 days. Refuse the value.")
  }
}
