// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import Testing

@testable import SantorioBluetooth
@testable import santorio

@Suite struct `Device that was paired` {
  private let paired = PairingMetadata(
    peripheral: .aAndDUA651BLE, peripheralUUID: UUID(), bond: .none)

  private func standing(_ outcome: BluetoothOutcome) -> PairingMetadata? {
    var run = DeviceRunner.Run()
    (run.outcome, run.paired) = (outcome, paired)
    return run.standing
  }

  @Test(arguments: [
    BluetoothError.Code.communicationFailure, .connectionFailure, .readingTimeout, .notAuthorized,
  ])
  func `stays so when it cannot be read after that`(_ code: BluetoothError.Code) {
    #expect(standing(.failed(BluetoothError(code), [])) == paired)
    #expect(standing(.finished([])) == paired)
    #expect(standing(.nothingNew) == paired)
    #expect(standing(.cancelled([])) == paired)
  }

  @Test(arguments: [
    BluetoothError.Code.pairingFailure, .bondLost, .enrolledForAnother, .submissionFailure,
    .noUser,
  ])
  func `is none when it has to be paired anew`(_ code: BluetoothError.Code) {
    #expect(standing(.failed(BluetoothError(code), [])) == nil)
    #expect(DeviceRunner.Run().standing == nil)
  }
}
