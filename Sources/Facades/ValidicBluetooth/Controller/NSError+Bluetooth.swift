// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth

/// The domain of errors of pairing and reading; the codes are those of ``VLDBluetoothErrorCode``.
public let kVLDBluetoothErrorDomain = "VLDBluetoothErrorDomain"

/// Why a pairing or a reading failed; the numbers are Validic's.
#if canImport(ObjectiveC)
  @objc(VLDBluetoothErrorCode)
#endif
public enum VLDBluetoothErrorCode: Int, CaseIterable, Sendable {
  /// The device did not answer as it should, or cannot be used as it is set up.
  case communicationFailure = 0
  /// The device could not be connected.
  case connectionFailure = 1
  /// The device could not be paired, or its pairing is lost: remove it and pair it again.
  case pairingFailure = 2
  /// Bluetooth cannot be used: it is off, not allowed for the app, or not there.
  case bluetoothTurnedOff = 3
  /// The device has no reading, or none that was not read before.
  case noReading = 4
  /// There is no session of a user.
  case noUser = 5
  /// No device appeared in time.
  case connectionTimeout = 6
  /// The device did not send a reading in time.
  case readingTimeout = 7
}

extension VLDBluetoothErrorCode {
  /// Validic's code for one of Santorio's; those that Validic does not have are failures of the
  /// communication.
  init(_ code: BluetoothError.Code) {
    switch code {
    case .connectionFailure: self = .connectionFailure
    case .pairingFailure, .bondLost, .cancelled: self = .pairingFailure
    case .bluetoothUnavailable: self = .bluetoothTurnedOff
    case .noReading: self = .noReading
    case .noUser: self = .noUser
    case .connectionTimeout: self = .connectionTimeout
    case .readingTimeout: self = .readingTimeout
    default: self = .communicationFailure
    }
  }
}

extension NSError {
  /// An error of Santorio's in Validic's domain; `code` of `userInfo` is Santorio's own.
  convenience init(_ error: BluetoothError) {
    self.init(
      VLDBluetoothErrorCode(error.code), error.message,
      ["code": error.code.name, NSUnderlyingErrorKey: error])
  }

  convenience init(
    _ code: VLDBluetoothErrorCode, _ message: String, _ information: [String: Any] = [:]
  ) {
    var information = information
    information[NSLocalizedDescriptionKey] = message
    self.init(domain: kVLDBluetoothErrorDomain, code: code.rawValue, userInfo: information)
  }
}
