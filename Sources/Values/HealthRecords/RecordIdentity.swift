// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography
public import CivilCalendar

/// The facts by which a measurement is recognised when it is read again.
///
/// Two readings with equal facts are the same measurement. The identifier is a digest, the same on
/// every platform. It does not reveal the values, but a guess of all the facts can be confirmed by it.
public struct RecordIdentity: Hashable, Sendable {
  /// The device's identity: its serial number where it is known.
  public var device: String
  /// The user's number on the device.
  public var userSlot: Int?
  /// The measurement's number on the device, which never changes.
  public var sequenceNumber: Int?
  /// What the device's clock showed.
  public var deviceTime: LocalDateTime?
  /// When it was received, in hours since 1970; nil unless the device's clock begins anew each time.
  public var receivedHour: Int?
  /// What was measured.
  public var metrics: [Metric]

  /// Makes an identity.
  ///
  /// - Parameters:
  ///   - device: The device's identity.
  ///   - userSlot: The user's number on the device.
  ///   - sequenceNumber: The measurement's number on the device.
  ///   - deviceTime: What the device's clock showed.
  ///   - receivedHour: When it was received, in hours since 1970; nil unless the device's clock
  ///     begins anew each time.
  ///   - metrics: What was measured.
  public init(
    device: String, userSlot: Int? = nil, sequenceNumber: Int? = nil,
    deviceTime: LocalDateTime? = nil, receivedHour: Int? = nil, metrics: [Metric]
  ) {
    self.device = device
    self.userSlot = userSlot
    self.sequenceNumber = sequenceNumber
    self.deviceTime = deviceTime
    self.receivedHour = receivedHour
    self.metrics = metrics
  }

  /// Whether the facts distinguish two measurements of equal values.
  ///
  /// Without a sequence number or a device time they do not; then two equal measurements in a row
  /// would be taken for one, and the caller adds the time of receipt instead.
  public var isDistinguishing: Bool { sequenceNumber != nil || deviceTime != nil }

  /// The identifier: 32 hexadecimal digits, the first half of the SHA-256 of the facts.
  public var logID: String {
    var text = "santorio-record-1\n\(device)\n"
    text += "\(userSlot.map(String.init) ?? "-")\n"
    text += "\(sequenceNumber.map(String.init) ?? "-")\n"
    text += "\(deviceTime.map(\.description) ?? "-")\n"
    if let receivedHour { text += "received \(receivedHour)\n" }
    for metric in metrics {
      let value = metric.value.map { "\($0)" } ?? metric.absence?.rawValue ?? "-"
      text += "\(metric.type.rawValue) \(value) \(metric.unit)\n"
    }
    return SHA256Digest.hex(Array(text.utf8)).prefix(32).description
  }
}
