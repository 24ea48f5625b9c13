// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import Testing

@testable import SantorioBluetooth
import HealthRecords

private typealias Event = PeripheralOperation.Event
private typealias Action = PeripheralOperation.Action
private typealias Dialogue = OperationDialogue

private let device = OperationDialogue.device
private let measurement = GATTAttribute("1810", "2A35")
private let clock = GATTAttribute("1810", "2A08")
private let serial = GATTAttribute("180A", "2A25")
private let frame: [UInt8] = [0x14, 0x78, 0, 0x50, 0, 0x5d, 0, 0x40, 0, 0, 0]
/// What the phone's clock shows at second 1.
private let rightNow: [UInt8] = [0xE8, 0x07, 6, 15, 15, 40, 1]
private let taken = Action.report(
  .reading(
    DeviceReading(
      [
        .init(.systolic, 120), .init(.diastolic, 80),
        .init(.meanArterialPressure, 93), .init(.pulse, 64),
      ], payload: frame)))

@Suite struct `Reading operation` {
  @Test func `reads a monitor from the search to the end of the connection`() {
    var dialogue = Dialogue()
    #expect(dialogue.say(.radioChanged(.unknown)) == [])
    #expect(
      dialogue.say(.radioChanged(.on)) == [
        .report(.readyToRead), .retrieveConnected(services: ["1810"]),
      ])
    #expect(
      dialogue.say(.retrievedConnected([])) == [.scan(services: ["1810"], allowsDuplicates: false)])
    #expect(
      dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_123456", services: ["1810"])))
        == [
          .stopScan, .report(.found(.aAndDUA651BLE, device)), .connect(device),
        ])
    #expect(
      dialogue.say(.connected(device))
        == [.discoverServices(["1810", "1805", "180A", "180F"], of: device)])
    #expect(
      dialogue.say(.servicesDiscovered(["1800", "1810", "180A"])) == [
        .discoverCharacteristics(["2A35", "2A08"], service: "1810"),
        .discoverCharacteristics(["2A25", "2A29", "2A24", "2A23", "2A26"], service: "180A"),
      ])
    #expect(dialogue.say(.characteristicsDiscovered(["2A08", "2A35"], service: "1810")) == [])
    #expect(
      dialogue.say(.characteristicsDiscovered(["2A25"], service: "180A"))
        == [.retrieveDeviceState(device)])
    #expect(
      dialogue.say(.deviceState(device, DeviceState())) == [.request(.read(clock))])
    #expect(
      dialogue.say(.value(clock, [0xE8, 0x07, 6, 15, 15, 38, 31])) == [
        .report(.fact(.clockDrift(seconds: -90))), .request(.write(clock, rightNow)),
      ])
    #expect(
      dialogue.say(.written(clock, nil)) == [
        .report(.fact(.clockSet)), .request(.read(serial)),
      ])
    #expect(
      dialogue.say(.value(serial, Array("77".utf8))) == [
        .report(.fact(.serialNumber("77"))), .request(.subscribe(measurement)),
      ])
    #expect(dialogue.say(.subscriptionChanged(measurement, nil)) == [])
    #expect(
      dialogue.say(.value(measurement, frame), at: 2) == [taken])
    #expect(dialogue.operation.deadline == .seconds(6))
    #expect(dialogue.say(.timeReached, at: 5.9) == [])
    #expect(dialogue.say(.timeReached, at: 6) == [.report(.confirmStorage)])
    #expect(dialogue.say(.stored, at: 6) == [.request(.unsubscribe(measurement))])
    #expect(dialogue.say(.subscriptionChanged(measurement, nil), at: 6) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil), at: 6) == [.report(.ended(.finished))])
    #expect(dialogue.operation.deadline == nil)
  }

  @Test func `is finished when the device disconnects after its measurements`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    _ = dialogue.say(.value(measurement, frame))
    #expect(
      dialogue.say(.disconnected(device, .init(.disconnected))) == [.report(.ended(.finished))])
  }

  @Test func `takes a measurement that comes before the subscription is confirmed`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(dialogue.say(.value(measurement, frame)) == [taken])
    #expect(dialogue.say(.subscriptionChanged(measurement, nil)) == [])
    #expect(dialogue.say(.timeReached, at: 5) == [.report(.confirmStorage)])
    #expect(dialogue.say(.stored, at: 5) == [.request(.unsubscribe(measurement))])
  }

  @Test func `takes a measurement that comes while the connection is being ended`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    _ = dialogue.say(.value(measurement, frame))
    _ = dialogue.say(.timeReached, at: 5)
    #expect(
      dialogue.say(.value(measurement, frame), at: 5.1) == [taken])
    #expect(dialogue.say(.cancelRequested, at: 5.1) == [.disconnect(device)])
    #expect(
      dialogue.say(.value(measurement, frame), at: 5.2) == [taken])
    #expect(dialogue.say(.disconnected(device, nil), at: 5.3) == [.report(.ended(.cancelled))])
  }

  @Test func `is not woken by a quiet device while the connection is being made or ended`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.value(measurement, frame))
    #expect(dialogue.operation.deadline == .seconds(121))
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    #expect(dialogue.operation.deadline == .seconds(5))
    _ = dialogue.say(.cancelRequested, at: 2)
    _ = dialogue.say(.value(measurement, frame), at: 3)
    #expect(dialogue.operation.deadline == .seconds(12))
  }

  @Test func `works without facts that the device refuses`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    _ = dialogue.say(.connected(device))
    _ = dialogue.say(.servicesDiscovered(["1810"]))
    _ = dialogue.say(.characteristicsDiscovered(["2A08", "2A35"], service: "1810"))
    #expect(dialogue.say(.deviceState(device, DeviceState())) == [.request(.read(clock))])
    #expect(
      dialogue.say(.readFailed(clock, .init(.other))) == [.request(.write(clock, rightNow))])
    #expect(
      dialogue.say(.written(clock, .init(.other))) == [.request(.subscribe(measurement))])
  }

  @Test func `reports a device of another kind`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    _ = dialogue.say(.connected(device))
    #expect(dialogue.say(.servicesDiscovered(["180A"])) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .communicationFailure)
  }

  @Test func `reports missing characteristics`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    _ = dialogue.say(.connected(device))
    _ = dialogue.say(.servicesDiscovered(["1810"]))
    #expect(
      dialogue.say(.characteristicsDiscovered(["2A08"], service: "1810")) == [.disconnect(device)])
    let error = dialogue.say(.disconnected(device, nil)).ended
    #expect(error?.code == .communicationFailure)
    #expect(error?.message.contains("Blood Pressure Profile (2A35)") == true)
  }

  @Test func `ends at its time limit even if measurements still arrive`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    for second in stride(from: 2.0, to: 121, by: 3) {
      #expect(dialogue.say(.value(measurement, frame), at: second) == [taken])
    }
    #expect(dialogue.operation.deadline == .seconds(121))
    #expect(dialogue.say(.timeReached, at: 121) == [.request(.unsubscribe(measurement))])
    _ = dialogue.say(.subscriptionChanged(measurement, nil), at: 121)
    #expect(dialogue.say(.disconnected(device, nil), at: 122) == [.report(.ended(.finished))])
  }

  @Test func `leaves other users' readings on the device, and has read all the same`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    _ = dialogue.say(.value(measurement, frame))
    #expect(dialogue.say(.keptForOthers) == [.request(.unsubscribe(measurement))])
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    #expect(dialogue.say(.disconnected(device, nil)) == [.report(.ended(.finished))])
  }

  @Test func `bounds the wait for the end of a subscription`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    _ = dialogue.say(.value(measurement, frame))
    #expect(dialogue.say(.timeReached, at: 5) == [.report(.confirmStorage)])
    #expect(dialogue.say(.stored, at: 5) == [.request(.unsubscribe(measurement))])
    #expect(dialogue.operation.deadline == .seconds(15))
    #expect(dialogue.say(.timeReached, at: 15) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil), at: 16) == [.report(.ended(.finished))])
  }

  @Test func `ignores another device's checkpoint and duplicate events`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    _ = dialogue.say(.connected(device))
    _ = dialogue.say(.servicesDiscovered(["1810"]))
    _ = dialogue.say(.characteristicsDiscovered(["2A35"], service: "1810"))
    #expect(dialogue.say(.deviceState(UUID(), DeviceState())) == [])
    #expect(
      dialogue.say(.deviceState(device, DeviceState())) == [.request(.subscribe(measurement))])
    #expect(dialogue.say(.deviceState(device, DeviceState())) == [])
  }

  @Test func `connects the allowed device only`() {
    let other = UUID()
    var dialogue = Dialogue(allowed: [other])
    _ = dialogue.search()
    #expect(
      dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"]))) == [])
    #expect(
      dialogue.say(.discovered(.init(other, name: "A&D_UA-651BLE_2", services: ["1810"]))).last
        == .connect(other))
  }

  @Test func `prefers the entry that matches the name`() {
    var dialogue = Dialogue(.read, .genericBloodPressure, [.aAndDUA651BLE])
    #expect(dialogue.say(.radioChanged(.on)) == [.retrieveConnected(services: ["1810"])])
    #expect(
      dialogue.say(.retrievedConnected([])) == [.scan(services: ["1810"], allowsDuplicates: false)])
    #expect(
      dialogue.say(.discovered(.init(device, name: "a&d_ua-651ble_1", services: ["1810"])))
        .dropFirst()
        .first
        == .report(.found(.aAndDUA651BLE, device)))
  }

  @Test func `ignores a device that no entry recognises`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    #expect(dialogue.say(.discovered(.init(device, name: "BM54", services: ["1810"]))) == [])
    #expect(dialogue.say(.discovered(.init(device, name: nil, services: ["1810"]))) == [])
    #expect(
      dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1809"]))) == [])
  }
}

@Suite struct `Failing operation` {
  @Test(arguments: [
    (
      PeripheralOperation.Purpose.pair, RequestFailure.Cause.notPaired,
      BluetoothError.Code.pairingFailure
    ),
    (.pair, .notEncrypted, .pairingFailure),
    (.read, .notPaired, .pairingFailure),
    (.read, .notEncrypted, .pairingFailure),
    (.read, .encryptionTimedOut, .pairingFailure),
    (.read, .noBondFree, .pairingFailure),
    (.read, .bondLost, .bondLost),
    (.read, .other, .communicationFailure),
  ])
  func `reports why a subscription was refused`(
    purpose: PeripheralOperation.Purpose, kind: RequestFailure.Cause,
    code: BluetoothError.Code
  ) {
    var dialogue = Dialogue(purpose)
    dialogue.prepare()
    #expect(dialogue.say(.subscriptionChanged(measurement, .init(kind))) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == code)
  }

  @Test func `reports that the device has lost its bond`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    #expect(dialogue.say(.connectionFailed(device, .init(.bondLost))).ended?.code == .bondLost)
  }

  @Test func `times out while searching`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    #expect(dialogue.operation.deadline == .seconds(181))
    #expect(dialogue.say(.timeReached, at: 180) == [])
    let actions = dialogue.say(.timeReached, at: 181)
    #expect(actions.first == .stopScan)
    #expect(actions.ended?.code == .connectionTimeout)
  }

  @Test(arguments: [
    (
      ConnectionObstacle.otherOperation,
      "The device was not connected in time: another pairing or reading had it. Try again after that."
    ),
    (
      .linkSlot,
      "The device was not connected in time: the radio had too many connections. Try again later."
    ),
  ])
  func `says what kept a device from being connected`(
    obstacle: ConnectionObstacle, message: String
  ) {
    var dialogue = Dialogue(allowed: [device])
    _ = dialogue.say(.radioChanged(.on))
    _ = dialogue.say(.retrievedKnown([.init(device, name: nil)]))
    #expect(
      dialogue.say(.waiting(device, obstacle))
        == [.report(.waiting(.aAndDUA651BLE, device, obstacle))])
    #expect(dialogue.say(.timeReached, at: 181) == [.disconnect(device)])
    let error = dialogue.say(.disconnected(device, nil), at: 181).ended
    #expect(error?.code == .connectionTimeout)
    #expect(error?.message == message)
  }

  @Test func `times out while connecting and waits for the end`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    #expect(dialogue.say(.timeReached, at: 181) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil), at: 182).ended?.code == .connectionTimeout)
  }

  @Test func `times out when the device does not answer`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    #expect(dialogue.operation.deadline == .seconds(121))
    #expect(dialogue.say(.timeReached, at: 121) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil), at: 121).ended?.code == .readingTimeout)
  }

  @Test func `reports a device that disconnected without a measurement`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    #expect(dialogue.say(.disconnected(device, .init(.disconnected))).ended?.code == .noReading)
  }

  @Test func `distinguishes a lost connection from a disconnect by the device`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(dialogue.say(.disconnected(device, .init(.other))).ended?.code == .communicationFailure)
  }

  @Test(arguments: [
    BluetoothError.Unavailability.poweredOff, .denied, .restricted, .unsupported,
  ])
  func `ends at once when Bluetooth cannot be used`(reason: BluetoothError.Unavailability) {
    var dialogue = Dialogue()
    let error = dialogue.say(.radioChanged(.unavailable(reason))).ended
    #expect(error?.code == .bluetoothUnavailable)
    #expect(error?.unavailability == reason)
  }

  @Test func `ends when the radio goes off without a disconnect event`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(
      dialogue.say(.radioChanged(.unavailable(.poweredOff))).ended?.code == .bluetoothUnavailable)
    #expect(dialogue.say(.value(measurement, frame)) == [])
  }

  @Test func `keeps its outcome when the radio goes off while closing`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(dialogue.say(.cancelRequested) == [.disconnect(device)])
    #expect(
      dialogue.say(.radioChanged(.unavailable(.poweredOff))) == [.report(.ended(.cancelled))])
  }

  @Test func `searches again after a reset of the radio`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    #expect(dialogue.say(.radioChanged(.unknown)) == [])
    #expect(dialogue.search() == [.scan(services: ["1810"], allowsDuplicates: false)])
  }

  @Test func `treats a reset of the radio as the end of the connection`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(dialogue.say(.radioChanged(.unknown)) == [])
    #expect(dialogue.say(.radioChanged(.on)).ended?.code == .communicationFailure)
    var cancelled = Dialogue()
    cancelled.prepare()
    _ = cancelled.say(.cancelRequested)
    #expect(cancelled.say(.radioChanged(.on)) == [.report(.ended(.cancelled))])
  }

  @Test func `bounds the wait for the end of a connection`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(dialogue.say(.cancelRequested, at: 2) == [.disconnect(device)])
    #expect(dialogue.say(.timeReached, at: 11.9) == [])
    #expect(dialogue.say(.timeReached, at: 12) == [.report(.ended(.cancelled))])
  }

  @Test func `is cancelled at once before there is a connection`() {
    var waiting = Dialogue()
    #expect(waiting.say(.cancelRequested) == [.report(.ended(.cancelled))])
    var searching = Dialogue()
    _ = searching.search()
    #expect(searching.say(.cancelRequested) == [.stopScan, .report(.ended(.cancelled))])
    #expect(searching.say(.cancelRequested) == [])
  }
}

@Suite struct `Pairing operation` {
  @Test func `ends when subscribed and the device stays quiet`() {
    var dialogue = Dialogue(.pair)
    dialogue.prepare()
    #expect(dialogue.say(.subscriptionChanged(measurement, nil)) == [.report(.paired)])
    #expect(dialogue.operation.deadline == .seconds(5))
    #expect(dialogue.say(.timeReached, at: 5) == [.request(.unsubscribe(measurement))])
    _ = dialogue.say(.subscriptionChanged(measurement, nil), at: 5)
    #expect(dialogue.say(.disconnected(device, nil), at: 5) == [.report(.ended(.finished))])
  }

  @Test func `keeps measurements sent right after pairing`() {
    var dialogue = Dialogue(.pair)
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    #expect(
      dialogue.say(.value(measurement, frame), at: 3) == [taken])
    #expect(dialogue.say(.timeReached, at: 5) == [])
    #expect(dialogue.say(.timeReached, at: 7) == [.report(.confirmStorage)])
    #expect(dialogue.say(.stored, at: 7) == [.request(.unsubscribe(measurement))])
  }
}
