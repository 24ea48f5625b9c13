// SPDX-License-Identifier: Apache-2.0

/// What a driver wants done.
public enum DriverAction: Hashable, Sendable {
  /// Read a value.
  case read(GATTAttribute)
  /// Write in the way the characteristic allows; with a response where both are possible.
  case write(GATTAttribute, [UInt8])
  /// Write without a response where the characteristic allows it.
  case writeWithoutResponse(GATTAttribute, [UInt8])
  /// Ask for notifications or indications.
  case subscribe(GATTAttribute)
  /// End a subscription.
  case unsubscribe(GATTAttribute)
  /// Note something about the device. Facts come before the readings that they belong to.
  case fact(DeviceInformation)
  /// A fact by which the device is recognised could not be read, however often it was asked for.
  case unread(GATTAttribute)
  /// The device waits for a measurement: show the user what to do.
  case ready
  /// The device has accepted this receiver: a pairing has succeeded.
  case paired
  /// Take a measurement.
  case deliver(DeviceReading)
  /// Put all readings that were delivered on disk and answer with ``DriverEvent/stored``; asked for
  /// before the device is ordered to forget them. If they cannot be stored, the driver gets no
  /// further event.
  case confirmStorage
  /// When all readings that were delivered so far are on disk, remember how far a transfer has
  /// come.
  case advance(SyncCheckpoint)
  /// Keep secret bytes for this device: a password, a key.
  case keep(DeviceSecret, [UInt8])
  /// All is done; the connection may end. The last action.
  case finish
  /// It cannot continue. The last action.
  case fail(DriverFailure)
}

extension DriverAction: CustomStringConvertible, CustomReflectable {
  /// The action and its attribute, without bytes, facts and values.
  public var description: String {
    switch self {
    case .read(let attribute): "read \(attribute)"
    case .write(let attribute, _): "write \(attribute)"
    case .writeWithoutResponse(let attribute, _): "write without response \(attribute)"
    case .subscribe(let attribute): "subscribe to \(attribute)"
    case .unsubscribe(let attribute): "unsubscribe from \(attribute)"
    case .fact: "fact"
    case .unread(let attribute): "unread \(attribute)"
    case .ready: "ready"
    case .paired: "paired"
    case .deliver: "deliver"
    case .confirmStorage: "confirmStorage"
    case .advance: "advance"
    case .keep(let secret, _): "keep \(secret.rawValue)"
    case .finish: "finish"
    case .fail(let failure): "fail, \(failure.kind): \(failure.message)"
    }
  }

  /// Shows nothing: readings and secrets are private.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a driver cannot continue.
public struct DriverFailure: Hashable, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The device answered with an error, or not as its kind must.
    case communication
    /// The device refuses this receiver: it must be paired (anew).
    case notPaired
    /// A key or code is missing, or the device does not accept it.
    case notAuthorized
    /// The device did not answer in time.
    case timeout
    /// The device is busy with something else.
    case busy
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened and what to do, in English; without bytes of the device.
  public let message: String

  /// Describes a failure.
  ///
  /// - Parameters:
  ///   - kind: The kind of failure.
  ///   - message: What happened and what to do; without bytes of the device, keys or values.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// Secret bytes that are kept for one device.
public struct DeviceSecret: RawRepresentable, Hashable, Sendable {
  /// The name under which they are kept.
  public let rawValue: String

  /// Makes a kind of secret; a driver may have its own.
  ///
  /// - Parameter rawValue: The name under which they are kept, for instance `password`; not empty.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The application's own key, from the manufacturer: the same for all devices of a model, and
  /// never kept.
  public static let applicationKey = DeviceSecret(rawValue: "applicationKey")
  /// The bytes of the manufacturer's licence file; never kept.
  public static let license = DeviceSecret(rawValue: "license")
  /// The key of one device, as its user has entered it.
  public static let encryptionKey = DeviceSecret(rawValue: "encryptionKey")
  /// The bind key of one device and its address, in 16 bytes and 6, as its user has entered them.
  public static let bindKey = DeviceSecret(rawValue: "bindKey")
  /// A password that the device gave out when it was paired.
  public static let password = DeviceSecret(rawValue: "password")
  /// User index and consent code of the User Data Service, in three bytes.
  ///
  /// The code's least significant byte comes first. Several users follow one another; the last one
  /// is who uses the application.
  public static let consent = DeviceSecret(rawValue: "consent")
}
