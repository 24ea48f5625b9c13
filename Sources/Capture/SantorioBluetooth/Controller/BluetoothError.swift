// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// Why a pairing or a reading failed.
public struct BluetoothError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let code: Code
  /// Why Bluetooth cannot be used; set with ``Code/bluetoothUnavailable``.
  public let unavailability: Unavailability?
  /// Who has lost the bond; set with ``Code/bondLost``.
  public let bondLoss: BondLoss?
  /// What happened and what to do; for a developer, in English.
  public let message: String

  init(
    _ code: Code, unavailability: Unavailability? = nil, bondLoss: BondLoss? = nil,
    _ message: String? = nil
  ) {
    self.code = code
    self.unavailability = unavailability
    self.bondLoss = bondLoss
    self.message = message ?? bondLoss?.message ?? code.message
  }

  init(unavailable reason: Unavailability) {
    self.init(.bluetoothUnavailable, unavailability: reason, reason.message)
  }

  init(
    _ failure: RequestFailure, code: Code, while purpose: DriverContext.Purpose,
    bond: BondState = .none
  ) {
    let said = failure.message.isEmpty ? "" : " The system says: \(failure.message)"
    // Nothing is lost of a bond that no connection has proved: a dialog may have been dismissed.
    let hadBond = purpose == .read && bond == .verified
    switch failure.cause {
    case .bondLost,
      .encryptionTimedOut where hadBond:
      self.init(.bondLost, bondLoss: .device, BondLoss.device.message + said)
    // Insufficient Authentication: the link has no key, although a connection has shown one before.
    case .notPaired where hadBond && failure.code == 0x05, .notEncrypted where hadBond:
      self.init(.bondLost, bondLoss: .system, BondLoss.system.message + said)
    case .notPaired, .notEncrypted, .encryptionTimedOut:
      self.init(.pairingFailure, Code.pairingFailure.message + said)
    case .noBondFree:
      self.init(
        .pairingFailure,
        "This phone or gateway is paired with as many devices as it can be. Remove one in the "
          + "system's Bluetooth settings and pair this one again." + said)
    case .noRoom:
      self.init(
        code,
        "This phone or gateway has as many connections as it can have. Disconnect a device and try "
          + "again." + said)
    case .disconnected, .other: self.init(code, code.message + said)
    }
  }

  init(_ failure: DriverFailure, while purpose: DriverContext.Purpose) {
    let code: Code =
      switch failure.kind {
      case .communication, .busy: .communicationFailure
      case .notPaired: .pairingFailure
      case .notAuthorized: .notAuthorized
      case .timeout: .readingTimeout
      }
    self.init(code, failure.message)
  }

  /// The device has not said what is needed to recognise its measurements.
  init(unread attribute: GATTAttribute) {
    let fact =
      switch attribute.characteristic {
      case "2A25": "serial number"
      case "2A29": "manufacturer's name"
      case "2A24": "model"
      default: "System ID"
      }
    self.init(
      .identityUnknown,
      "The device did not say its \(fact), asked \(DriverSteps.tries) times. Its measurements were "
        + "left on it, since they could not be recognised later; read it again.")
  }

  /// Whether the same call may succeed when it is made again without anything else being done.
  public var isRetryable: Bool {
    switch code {
    case .communicationFailure, .connectionFailure, .connectionTimeout, .readingTimeout,
      .noReading, .operationInProgress, .submissionFailure, .identityUnknown, .interrupted:
      true
    default: false
    }
  }

  /// Whether a device that was paired has to be paired anew after it.
  package var undoesPairing: Bool {
    [.pairingFailure, .bondLost, .submissionFailure, .noUser, .enrolledForAnother].contains(code)
  }

  /// The code's name and the message.
  public var description: String { "\(code.name): \(message)" }

  /// What can go wrong; an open set.
  public struct Code: Hashable, Sendable {
    /// The name, for logs.
    public let name: String
    let message: String

    /// The connection broke, or the device answered with an error or not as its kind must.
    public static let communicationFailure = Code(
      name: "communicationFailure",
      message: "The connection to the device broke. Keep it near and try again.")
    /// The device was found and could not be connected.
    public static let connectionFailure = Code(
      name: "connectionFailure",
      message: "The device was found and could not be connected. Try again.")
    /// The device wants a bond, and it was refused or failed.
    public static let pairingFailure = Code(
      name: "pairingFailure",
      message: "The device could not be paired. Put it into its pairing mode and pair it.")
    /// One side has forgotten the bond; see ``BluetoothError/bondLoss``.
    public static let bondLost = Code(
      name: "bondLost",
      message: "The device and this phone or gateway no longer share a key. Pair the device anew.")
    /// A key or code that the device wants is missing, malformed, or not accepted.
    public static let notAuthorized = Code(
      name: "notAuthorized", message: "The device wants a key or code that it was not given.")
    /// Bluetooth cannot be used; see ``BluetoothError/unavailability``.
    public static let bluetoothUnavailable = Code(
      name: "bluetoothUnavailable", message: "Bluetooth cannot be used.")
    /// The device was connected and had no measurement to send.
    public static let noReading = Code(
      name: "noReading", message: "The device sent no measurement. Take one and read again.")
    /// There is no session to submit readings to.
    public static let noUser = Code(
      name: "noUser",
      message: "No user's session has been started. Start one before readings are submitted.")
    /// The device was not found, or not connected, in time.
    public static let connectionTimeout = Code(
      name: "connectionTimeout",
      message: "The device was not found in time. Is it on and near, and has it been measured with?"
    )
    /// The device did not send its measurements in time.
    public static let readingTimeout = Code(
      name: "readingTimeout", message: "The device did not send a measurement in time.")
    /// Another operation of the same controller is under way.
    public static let operationInProgress = Code(
      name: "operationInProgress",
      message: "Another pairing or reading is under way. Wait for its end or cancel it.")
    /// The readings could not be stored; the device may still have them.
    public static let submissionFailure = Code(
      name: "submissionFailure", message: "The readings could not be stored.")
    /// The device did not say who it is; its measurements were left on it.
    public static let identityUnknown = Code(
      name: "identityUnknown", message: "The device did not say who it is. Read it again.")
    /// The device is paired for another user of the same folder, and may have that user's readings.
    public static let enrolledForAnother = Code(
      name: "enrolledForAnother",
      message: "The device is another user's, and may still have that user's readings. Delete them "
        + "on it, then take it over.")
    /// The device is not paired for the session's user, so that nothing is kept of it for that user.
    public static let notEnrolled = Code(
      name: "notEnrolled",
      message: "The device is not paired for this user. Pair it for the session first.")
    /// The device cannot be read: its entry is disabled, or not registered.
    public static let unsupportedDevice = Code(
      name: "unsupportedDevice", message: "Devices of this kind cannot be read.")
    /// The system was about to suspend the app, and the device was left before it had sent all.
    public static let interrupted = Code(
      name: "interrupted",
      message: "The app was in the background for too long before the device had sent everything. "
        + "Bring the app to the front and read again; with the background mode bluetooth-central a "
        + "reading goes on.")
    /// The app's settings cannot work; the message says which.
    public static let misconfigured = Code(
      name: "misconfigured", message: "The app's settings cannot work.")
    /// The operation was cancelled.
    public static let cancelled = Code(name: "cancelled", message: "The operation was cancelled.")
  }

  /// Who has lost a bond.
  public enum BondLoss: String, Hashable, Sendable {
    /// The device: it was reset, or paired with another receiver.
    case device
    /// The system: it was asked to forget the device.
    case system

    var message: String {
      switch self {
      case .device:
        "The device no longer knows this phone or gateway. Remove the device in the system's "
          + "Bluetooth settings and pair it anew."
      case .system:
        "This phone or gateway no longer has the device's key. Put the device into its pairing mode "
          + "and pair it anew."
      }
    }
  }

  /// Why Bluetooth cannot be used.
  public enum Unavailability: String, Hashable, Sendable {
    /// The machine has no Bluetooth Low Energy adapter.
    case unsupported
    /// Bluetooth is switched off.
    case poweredOff
    /// The user has not allowed this app to use Bluetooth.
    case denied
    /// The user may not allow it: parental controls or a management profile forbid Bluetooth.
    case restricted
    /// The system does not say.
    case unknown

    var message: String {
      switch self {
      case .unsupported: "This machine has no Bluetooth Low Energy adapter."
      case .poweredOff: "Bluetooth is off. Switch it on."
      case .denied: "This app may not use Bluetooth. Allow it in the system's settings."
      case .restricted:
        "This app may not use Bluetooth: a restriction of this phone or gateway forbids it."
      case .unknown: "The system does not say whether Bluetooth is on."
      }
    }
  }
}
