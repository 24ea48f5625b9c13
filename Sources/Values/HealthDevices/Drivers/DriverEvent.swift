// SPDX-License-Identifier: Apache-2.0

/// What happened to a device that a driver reads.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum DriverEvent: Hashable, Sendable {
  /// The device is connected and its attributes are known. The first event.
  case begun
  /// A value was read, notified or indicated.
  case value(GATTAttribute, [UInt8])
  /// A value could not be read.
  case readFailed(GATTAttribute, RequestFailure)
  /// A write was accepted; for one without response, given to the radio.
  case written(GATTAttribute)
  /// A write was refused.
  case writeFailed(GATTAttribute, RequestFailure)
  /// The device notifies or indicates values from now on. Some may have come before.
  case subscribed(GATTAttribute)
  /// A subscription was refused.
  case subscriptionFailed(GATTAttribute, RequestFailure)
  /// All readings that were delivered so far are on disk; the answer to
  /// ``DriverAction/confirmStorage``.
  case stored
  /// The driver's deadline may have been reached.
  case timeReached
  /// The connection has ended. What was held back may be delivered; nothing else can be done any
  /// more.
  case ended
}

extension DriverEvent: CustomStringConvertible, CustomReflectable {
  /// The event and its attribute, without the bytes.
  public var description: String {
    switch self {
    case .begun: "begun"
    case .value(let attribute, _): "value of \(attribute)"
    case .readFailed(let attribute, let failure): "\(attribute) not read: \(failure)"
    case .written(let attribute): "\(attribute) written"
    case .writeFailed(let attribute, let failure): "\(attribute) not written: \(failure)"
    case .subscribed(let attribute): "subscribed to \(attribute)"
    case .subscriptionFailed(let attribute, let failure):
      "not subscribed to \(attribute): \(failure)"
    case .stored: "stored"
    case .timeReached: "timeReached"
    case .ended: "ended"
    }
  }

  /// Shows nothing: the bytes of a device hold health values.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a request to a device, or the connection to it, failed.
public struct RequestFailure: Hashable, Sendable {
  /// What it means for the connection and the bond.
  package enum Cause: Hashable, Sendable {
    /// The device wants a bond that could not be made.
    case notPaired
    /// The device wants encryption, for which there is no key or one that does not fit.
    case notEncrypted
    /// Encryption was begun and did not come about: the keys do not fit, or nobody has answered the
    /// system's question for a code.
    case encryptionTimedOut
    /// The device has forgotten the bond.
    case bondLost
    /// The system keeps as many bonds as it can.
    case noBondFree
    /// The device ended the connection.
    case disconnected
    /// The radio has as many connections as it can have.
    case noRoom
    /// Anything else.
    case other
  }

  /// The ATT error code; nil when the request failed in another way.
  public let code: UInt8?
  /// The system's message.
  public let message: String
  package let cause: Cause

  /// Describes a refused request.
  ///
  /// - Parameters:
  ///   - code: The ATT error code, see the Bluetooth Core Specification, Vol 3, Part F, 3.4.1.1.
  ///   - message: The system's message.
  public init(code: UInt8?, message: String = "") {
    self.init(.other, message, code: code)
  }

  package init(_ cause: Cause, _ message: String = "", code: UInt8? = nil) {
    self.cause = cause
    self.code = code
    self.message = message
  }

  /// Whether the device says that it has no such value to read: an answer, not a fault.
  ///
  /// Invalid Handle, Read Not Permitted, Request Not Supported, and Attribute Not Found.
  package var meansAbsence: Bool { code.map { [0x01, 0x02, 0x06, 0x0A].contains($0) } ?? false }
}
