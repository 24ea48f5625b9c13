// SPDX-License-Identifier: Apache-2.0

import HealthDevices
public import SantorioBluetooth
public import SantorioCore
public import SantorioHealthKit

/// Something that went wrong, in words that a patient understands, and what to do next.
public struct Problem: Hashable, Sendable {
  /// What a person can do about it, beyond reading the text.
  public enum Remedy: Hashable, Sendable {
    /// Nothing here.
    case none
    /// The same again.
    case tryAgain
    /// Pair the device, perhaps anew.
    case pair
    /// Enter the key of the device.
    case enterKey
    /// Open the app's page of the system's settings.
    case openSettings
    /// Sign in to the app.
    case signIn
  }

  /// What happened and what to do.
  public let text: Phrase
  /// What the screen offers.
  public let remedy: Remedy

  init(_ key: TextKey, _ remedy: Remedy = .none) { self.init(Phrase(key), remedy) }

  init(_ text: Phrase, _ remedy: Remedy = .none) { (self.text, self.remedy) = (text, remedy) }
}

extension Problem {
  /// What a patient does about a pairing or a reading that has failed.
  ///
  /// - Parameter error: The error.
  public init(_ error: BluetoothError) {
    switch error.code {
    case .communicationFailure: self.init(.errorBroken, .tryAgain)
    case .connectionFailure: self.init(.errorConnection, .tryAgain)
    case .pairingFailure: self.init(.errorPairing, .pair)
    case .bondLost:
      self.init(error.bondLoss == .system ? .errorBondSystem : .errorBondDevice, .pair)
    case .notAuthorized: self.init(.errorKeyMissing)
    case .bluetoothUnavailable: self.init(error.unavailability ?? .unknown)
    case .noReading: self.init(.errorNoReading, .tryAgain)
    case .noUser: self.init(.noSession, .signIn)
    case .connectionTimeout: self.init(.errorNotFound, .tryAgain)
    case .readingTimeout: self.init(.errorSlow, .tryAgain)
    case .operationInProgress: self.init(.errorBusy, .tryAgain)
    case .submissionFailure: self.init(.errorNotStored, .tryAgain)
    case .identityUnknown: self.init(.errorIdentity, .tryAgain)
    case .enrolledForAnother: self.init(.errorOthersDevice)
    case .notEnrolled: self.init(.errorNotEnrolled, .pair)
    case .unsupportedDevice: self.init(.errorNotSupported)
    case .interrupted: self.init(.errorInterrupted, .tryAgain)
    case .misconfigured: self.init(.errorMisconfigured)
    default: self.init(.somethingFailed, .tryAgain)
    }
  }

  /// What a patient does about a pairing or a reading of a device that has failed.
  init(_ error: BluetoothError, of device: DeviceModel) {
    let isForKey = error.code == .notAuthorized && PeripheralDataKey(of: device) != nil
    self = isForKey ? Problem(.errorKeyNeeded, .enterKey) : Problem(error)
  }

  init(_ reason: BluetoothError.Unavailability) {
    switch reason {
    case .unsupported: self.init(.errorUnsupported)
    case .poweredOff: self.init(.errorOff, .tryAgain)
    case .denied: self.init(.errorDenied, .openSettings)
    case .restricted: self.init(.errorRestricted)
    case .unknown: self.init(.errorUnknownState, .tryAgain)
    }
  }

  /// What a patient does about a call of the session that has failed.
  ///
  /// - Parameter error: The error.
  public init(_ error: SessionError) {
    switch error.code {
    case .noSession, .sessionEnded, .defaultUser, .invalidUser, .credentialsMissing:
      self.init(.noSession, .signIn)
    case .credentialsRefused: self.init(.signInAgain, .signIn)
    case .otherUser: self.init(.notYours, .signIn)
    case .storageLocked, .credentialsUnavailable: self.init(.storageLocked, .tryAgain)
    case .outboxFull, .diskFull: self.init(.storageFull, .tryAgain)
    case .serverUnreachable: self.init(.noServer, .tryAgain)
    case .serverBusy: self.init(.serverBusy, .tryAgain)
    case .endpointRefused, .foreignAnswer, .insecureEndpoint, .invalidEndpoint:
      self.init(.serverRefuses)
    case .notFound: self.init(.notFound)
    case .storageFailed, .storageDamaged, .storageIsNewer, .keyMismatch, .keyUsedUp, .folderInUse,
      .credentialsExposed:
      self.init(.storageFailed)
    default: self.init(.somethingFailed, .tryAgain)
    }
  }

  /// What a patient does about a call of the health manager that has failed.
  ///
  /// - Parameter error: The error.
  public init(_ error: HealthKitError) {
    switch error.code {
    case .unavailable: self.init(.healthUnavailable)
    case .noUser: self.init(.noSession, .signIn)
    case .unsupportedType: self.init(.healthUnsupported)
    case .notAuthorized: self.init(.healthNotAuthorized, .openSettings)
    case .locked: self.init(.healthLocked, .tryAgain)
    case .submissionFailure: self.init(.healthNotStored, .tryAgain)
    case .invalidRange, .failed: self.init(.somethingFailed, .tryAgain)
    }
  }
}
