// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Testing

@testable import SantorioBluetooth
@testable import SantorioCore
@testable import SantorioHealthKit
@testable import SantorioUI

@Suite struct `What went wrong` {
  @Test(arguments: [
    (BluetoothError.Code.communicationFailure, TextKey.errorBroken, Problem.Remedy.tryAgain),
    (.connectionFailure, .errorConnection, .tryAgain), (.pairingFailure, .errorPairing, .pair),
    (.bondLost, .errorBondDevice, .pair), (.notAuthorized, .errorKeyMissing, .none),
    (.bluetoothUnavailable, .errorUnknownState, .tryAgain),
    (.noReading, .errorNoReading, .tryAgain), (.noUser, .noSession, .signIn),
    (.connectionTimeout, .errorNotFound, .tryAgain), (.readingTimeout, .errorSlow, .tryAgain),
    (.operationInProgress, .errorBusy, .tryAgain),
    (.submissionFailure, .errorNotStored, .tryAgain),
    (.identityUnknown, .errorIdentity, .tryAgain),
    (.enrolledForAnother, .errorOthersDevice, .none), (.notEnrolled, .errorNotEnrolled, .pair),
    (.unsupportedDevice, .errorNotSupported, .none), (.interrupted, .errorInterrupted, .tryAgain),
    (.misconfigured, .errorMisconfigured, .none), (.cancelled, .somethingFailed, .tryAgain),
  ])
  func `with a device is said, and what to do`(
    code: BluetoothError.Code, key: TextKey, remedy: Problem.Remedy
  ) {
    #expect(Problem(BluetoothError(code)) == Problem(key, remedy))
  }

  @Test func `with a device can be done again where the module says so`() {
    for code in [
      BluetoothError.Code.communicationFailure, .connectionFailure, .connectionTimeout,
      .readingTimeout, .noReading, .operationInProgress, .submissionFailure, .identityUnknown,
      .interrupted,
    ] {
      let error = BluetoothError(code)
      #expect(error.isRetryable)
      #expect(Problem(error).remedy == .tryAgain)
    }
  }

  @Test(arguments: [
    (BluetoothError.Unavailability.unsupported, TextKey.errorUnsupported, Problem.Remedy.none),
    (.poweredOff, .errorOff, .tryAgain), (.denied, .errorDenied, .openSettings),
    (.restricted, .errorRestricted, .none), (.unknown, .errorUnknownState, .tryAgain),
  ])
  func `with Bluetooth is said`(
    reason: BluetoothError.Unavailability, key: TextKey, remedy: Problem.Remedy
  ) {
    #expect(Problem(BluetoothError(unavailable: reason)) == Problem(key, remedy))
  }

  @Test func `with a bond is said by who has lost it`() {
    #expect(
      Problem(BluetoothError(.bondLost, bondLoss: .system)) == Problem(.errorBondSystem, .pair))
    #expect(
      Problem(BluetoothError(.bondLost, bondLoss: .device)) == Problem(.errorBondDevice, .pair))
  }

  @Test(arguments: [
    (SessionError.Code.noSession, TextKey.noSession, Problem.Remedy.signIn),
    (.sessionEnded, .noSession, .signIn), (.defaultUser, .noSession, .signIn),
    (.invalidUser, .noSession, .signIn), (.credentialsMissing, .noSession, .signIn),
    (.credentialsRefused, .signInAgain, .signIn), (.otherUser, .notYours, .signIn),
    (.storageLocked, .storageLocked, .tryAgain),
    (.credentialsUnavailable, .storageLocked, .tryAgain), (.outboxFull, .storageFull, .tryAgain),
    (.diskFull, .storageFull, .tryAgain), (.serverUnreachable, .noServer, .tryAgain),
    (.serverBusy, .serverBusy, .tryAgain), (.endpointRefused, .serverRefuses, .none),
    (.foreignAnswer, .serverRefuses, .none), (.insecureEndpoint, .serverRefuses, .none),
    (.invalidEndpoint, .serverRefuses, .none), (.notFound, .notFound, .none),
    (.storageFailed, .storageFailed, .none), (.storageDamaged, .storageFailed, .none),
    (.storageIsNewer, .storageFailed, .none), (.keyMismatch, .storageFailed, .none),
    (.keyUsedUp, .storageFailed, .none), (.folderInUse, .storageFailed, .none),
    (.credentialsExposed, .storageFailed, .none), (.invalidRecord, .somethingFailed, .tryAgain),
  ])
  func `with the queue is said`(code: SessionError.Code, key: TextKey, remedy: Problem.Remedy) {
    #expect(Problem(SessionError(code, "for a developer")) == Problem(key, remedy))
  }

  @Test(arguments: [
    (HealthKitError.Code.unavailable, TextKey.healthUnavailable, Problem.Remedy.none),
    (.noUser, .noSession, .signIn), (.unsupportedType, .healthUnsupported, .none),
    (.notAuthorized, .healthNotAuthorized, .openSettings), (.locked, .healthLocked, .tryAgain),
    (.submissionFailure, .healthNotStored, .tryAgain), (.invalidRange, .somethingFailed, .tryAgain),
    (.failed, .somethingFailed, .tryAgain),
  ])
  func `with health data is said`(
    code: HealthKitError.Code, key: TextKey, remedy: Problem.Remedy
  ) {
    #expect(Problem(HealthKitError(code, "for a developer")) == Problem(key, remedy))
  }

  @Test func `with a measurement is said`() {
    let texts: [(RejectedReading.Reason, TextKey)] = [
      (.failedMeasurement, .rejectedMeasurement), (.malformed, .rejectedMalformed),
      (.implausible, .rejectedImplausible), (.outOfRange, .rejectedImplausible),
      (.control, .rejectedControl), (.noSignal, .rejectedSignal), (.otherUser, .rejectedUser),
      (RejectedReading.Reason(rawValue: "other"), .rejectedMalformed),
    ]
    for (reason, key) in texts { #expect(Phrase(reason) == Phrase(key)) }
  }

  @Test func `with a connection is said`() {
    #expect(Phrase(ConnectionObstacle.otherOperation) == Phrase(.waitingForOther))
    #expect(Phrase(ConnectionObstacle.linkSlot) == Phrase(.tooManyConnections))
  }
}
