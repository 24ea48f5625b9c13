// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import Testing

@testable import SantorioBluetooth
import HealthRecords

private typealias Event = PeripheralOperation.Event
private typealias Action = PeripheralOperation.Action

private let device = UUID()
private let measurement = Attribute("1810", "2A35")
private let clock = Attribute("1810", "2A08")
private let serial = Attribute("180A", "2A25")
private let frame: [UInt8] = [0x14, 0x78, 0, 0x50, 0, 0x5d, 0, 0x40, 0, 0, 0]
/// What the phone's clock shows at second 1.
private let rightNow: [UInt8] = [0xE8, 0x07, 6, 15, 15, 40, 1]
private let scaleMessage = Attribute("7802", "8A82")
private let taken = Action.report(
  .reading(
    DeviceReading(
      [
        .init(.systolic, 120), .init(.diastolic, 80),
        .init(.meanArterialPressure, 93), .init(.pulse, 64),
      ], payload: frame)))

/// Speaks with an operation: an input goes in, the actions come out.
private struct Dialogue: ~Copyable {
  var operation: PeripheralOperation

  init(
    _ purpose: PeripheralOperation.Purpose = .read,
    _ first: DeviceModel = .aAndDUA651BLE, _ others: [DeviceModel] = [],
    allowed: Set<UUID>? = nil, bond: BondState? = nil, minimumRSSI: Int? = nil,
    within time: Duration? = nil
  ) {
    let known = bond.map { KnownPeripheral(identifier: device, peripheral: first.id, bond: $0) }
    operation = PeripheralOperation(
      purpose, first, others, allowed: allowed, known: [known].compactMap(\.self),
      minimumRSSI: minimumRSSI, within: time, at: .zero)
  }

  mutating func say(_ event: Event, at seconds: Double = 1) -> [Action] {
    operation.handle(event, at: .after(seconds))
  }

  /// Switches the radio on, with nothing to be connected without a scan.
  mutating func search() -> [Action] {
    _ = say(.radioChanged(.on))
    _ = say(.retrievedKnown([]))
    return say(.retrievedConnected([]))
  }

  /// Connects a Welch Allyn scale up to its first request, at second 1.
  mutating func connectScale() {
    _ = search()
    _ = say(.discovered(.init(device, name: "SC100 1", services: ["7802"])))
    _ = say(.connected(device))
    _ = say(.servicesDiscovered(["7802"]))
    _ = say(
      .characteristicsDiscovered(["8A21", "8A22", "8A81", "8A82"], service: "7802"))
    _ = say(.deviceState(device, DeviceState()))
  }

  /// Connects and takes all steps up to the subscription, at second 1.
  mutating func prepare() {
    _ = search()
    _ = say(.discovered(.init(device, name: "A&D_UA-651BLE_123456", services: ["1810"])))
    _ = say(.connected(device))
    _ = say(.servicesDiscovered(["1810"]))
    _ = say(.characteristicsDiscovered(["2A35"], service: "1810"))
    _ = say(.deviceState(device, DeviceState()))
  }
}

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
    #expect(dialogue.say(.written(clock, nil)) == [.request(.read(serial))])
    #expect(
      dialogue.say(.value(serial, Array("77".utf8))) == [
        .report(.fact(.serialNumber("77"))), .request(.subscribe(measurement)),
      ])
    #expect(dialogue.say(.subscriptionChanged(measurement, nil)) == [])
    #expect(
      dialogue.say(.value(measurement, frame), at: 2) == [taken])
    #expect(dialogue.operation.deadline == .seconds(6))
    #expect(dialogue.say(.timeReached, at: 5.9) == [])
    #expect(dialogue.say(.timeReached, at: 6) == [.request(.unsubscribe(measurement))])
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
    #expect(dialogue.say(.timeReached, at: 5) == [.request(.unsubscribe(measurement))])
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
    #expect(dialogue.say(.timeReached, at: 5) == [.request(.unsubscribe(measurement))])
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
    (.read, .notEncrypted, .bondLost),
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
    BluetoothError.Unavailability.poweredOff, .unauthorized, .unsupported,
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

@Suite struct `Time of an operation` {
  @Test func `waits without a limit while the user is asked for permission`() {
    var dialogue = Dialogue()
    #expect(dialogue.operation.deadline == .seconds(180))
    #expect(dialogue.say(.radioChanged(.awaitingPermission)) == [])
    #expect(dialogue.operation.deadline == nil)
    #expect(dialogue.say(.timeReached, at: 5000) == [])
    #expect(dialogue.say(.radioChanged(.unknown), at: 6000) == [])
    #expect(dialogue.operation.deadline == .seconds(6180))
    _ = dialogue.say(.radioChanged(.on), at: 6100)
    #expect(dialogue.operation.deadline == .seconds(6280))
  }

  @Test func `ends at once when the user refuses`() {
    var dialogue = Dialogue()
    _ = dialogue.say(.radioChanged(.awaitingPermission))
    let error = dialogue.say(.radioChanged(.unavailable(.unauthorized)), at: 500).ended
    #expect(error?.unavailability == .unauthorized)
  }

  @Test func `does not take the time of a reset from the search, nor give it more`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.radioChanged(.unknown), at: 100)
    #expect(dialogue.operation.deadline == .seconds(280))
    _ = dialogue.say(.radioChanged(.on), at: 200)
    #expect(dialogue.operation.deadline == .seconds(281))
    #expect(dialogue.say(.timeReached, at: 281).ended?.code == .connectionTimeout)
  }

  @Test func `is enough to connect a device that was heard at the end of a short search`() {
    var dialogue = Dialogue(within: .seconds(10))
    _ = dialogue.search()
    #expect(dialogue.operation.deadline == .seconds(11))
    let heard = Event.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"]))
    #expect(dialogue.say(heard, at: 10.5).last == .connect(device))
    #expect(dialogue.say(.timeReached, at: 11) == [])
    #expect(dialogue.operation.deadline == .seconds(190.5))
    #expect(
      dialogue.say(.connected(device), at: 12)
        == [.discoverServices(["1810", "1805", "180A", "180F"], of: device)])
  }

  @Test func `is over at the end of a short search in which nothing was heard`() {
    var dialogue = Dialogue(within: .seconds(10))
    _ = dialogue.search()
    #expect(dialogue.say(.timeReached, at: 11).ended?.code == .connectionTimeout)
  }

  @Test func `lets the user answer the pairing dialog that a reading opens`() {
    var dialogue = Dialogue(.read, .welchAllynRPMScale100)
    dialogue.connectScale()
    // The subscription is under way, and the dialog on the screen.
    #expect(dialogue.operation.deadline == .seconds(121))
    let actions = dialogue.say(.subscriptionChanged(scaleMessage, nil), at: 100)
    #expect(actions.isEmpty)
    #expect(dialogue.operation.deadline.map { $0 <= .seconds(130) } == true)
  }

  @Test func `gives a device with a proven bond no time for a dialog`() {
    var dialogue = Dialogue(.read, .welchAllynRPMScale100, bond: .verified)
    dialogue.connectScale()
    #expect(dialogue.operation.deadline == .seconds(31))
  }
}

@Suite struct `Ready to be used` {
  @Test func `is a device that is found after its use, before it is looked for, once`() {
    var dialogue = Dialogue()
    #expect(dialogue.say(.radioChanged(.on)).first == .report(.readyToRead))
    #expect(dialogue.say(.radioChanged(.unknown)) == [])
    #expect(dialogue.say(.radioChanged(.on)) == [.retrieveConnected(services: ["1810"])])
  }

  @Test func `is a meter that sends its memory, before it is looked for`() {
    var dialogue = Dialogue(.read, .genericGlucose)
    #expect(dialogue.say(.radioChanged(.on)).first == .report(.readyToRead))
  }

  @Test func `is nothing before a device is found that one of several models may be`() {
    var dialogue = Dialogue(.read, .aAndDUA651BLE, [.genericGlucose])
    #expect(!dialogue.say(.radioChanged(.on)).contains(.report(.readyToRead)))
  }

  @Test func `is nothing in a pairing`() {
    var dialogue = Dialogue(.pair)
    #expect(!dialogue.say(.radioChanged(.on)).contains(.report(.readyToRead)))
  }
}

@Suite struct `Bond of a device that refuses a request` {
  private let refusal = RequestFailure(.notPaired, "", code: 0x05)

  @Test(arguments: [
    (BondState.verified, BluetoothError.Code.bondLost), (.provisional, .pairingFailure),
    (.none, .pairingFailure),
  ])
  func `is lost if it was verified`(bond: BondState, code: BluetoothError.Code) {
    var dialogue = Dialogue(bond: bond)
    dialogue.prepare()
    #expect(dialogue.say(.subscriptionChanged(measurement, refusal)) == [.disconnect(device)])
    let error = dialogue.say(.disconnected(device, nil)).ended
    #expect(error?.code == code)
    #expect(error?.bondLoss == (code == .bondLost ? .system : nil))
  }

  @Test func `is not lost by a refusal that concerns no key`() {
    var dialogue = Dialogue(bond: .verified)
    dialogue.prepare()
    let unauthorized = RequestFailure(.notPaired, "", code: 0x08)
    _ = dialogue.say(.subscriptionChanged(measurement, unauthorized))
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
  }
}

@Suite struct `Weak signal` {
  private func monitor(_ rssi: Int?) -> Event {
    .discovered(
      .init(device, Advertisement(name: "A&D_UA-651BLE_1", services: ["1810"]), rssi: rssi))
  }

  @Test func `is ignored below the limit, until the device is near`() {
    var dialogue = Dialogue(minimumRSSI: -70)
    #expect(dialogue.search() == [.scan(services: ["1810"], allowsDuplicates: true)])
    #expect(dialogue.say(monitor(-71)) == [])
    #expect(dialogue.say(monitor(-70)).last == .connect(device))
  }

  @Test func `is no reason to ignore a device whose signal is not known`() {
    var dialogue = Dialogue(minimumRSSI: -70)
    _ = dialogue.search()
    #expect(dialogue.say(monitor(nil)).last == .connect(device))
  }

  @Test func `is named when nothing nearer was found`() {
    var dialogue = Dialogue(minimumRSSI: -70)
    _ = dialogue.search()
    _ = dialogue.say(monitor(-90))
    let error = dialogue.say(.timeReached, at: 181).ended
    #expect(error?.code == .connectionTimeout)
    #expect(error?.message == "A device was heard, but its signal was too weak. Bring it nearer.")
  }

  @Test func `is not named when the device came near and did not connect`() {
    var dialogue = Dialogue(minimumRSSI: -70)
    _ = dialogue.search()
    _ = dialogue.say(monitor(-90))
    #expect(dialogue.say(monitor(-50)).last == .connect(device))
    _ = dialogue.say(.timeReached, at: 181)
    let error = dialogue.say(.disconnected(device, nil), at: 181).ended
    #expect(error == BluetoothError(.connectionTimeout))
  }
}

@Suite struct `Pairing mode` {
  /// An Omron monitor with the flags of its manufacturer data.
  private func omron(_ flags: UInt8?) -> Event {
    .discovered(
      .init(
        device,
        Advertisement(
          name: "BLESmart_000001540022581F3A10", services: ["1810"],
          manufacturerData: flags.map { [0x0E, 0x02, 0x01, $0, 0x2A, 0, 3] } ?? [])))
  }

  private func searching(_ purpose: PeripheralOperation.Purpose) -> Dialogue {
    var dialogue = Dialogue(purpose, .omronProfile)
    _ = dialogue.search()
    if purpose == .pair { _ = dialogue.say(.radioChanged(.on)) }
    return dialogue
  }

  @Test func `is waited for by a pairing where the device says that it is in it`() {
    var dialogue = Dialogue(.pair, .omronProfile)
    #expect(
      dialogue.say(.radioChanged(.on)) == [.scan(services: ["1810"], allowsDuplicates: true)])
    #expect(dialogue.say(omron(0x01)) == [])
    #expect(dialogue.say(omron(0x09)).last == .connect(device))
  }

  @Test func `is not asked of a device that does not say`() {
    var dialogue = searching(.pair)
    #expect(dialogue.say(omron(nil)).last == .connect(device))
  }

  @Test func `is no matter for a reading`() {
    var dialogue = searching(.read)
    #expect(dialogue.say(omron(0x01)).last == .connect(device))
  }

  @Test func `is named when the device never entered it`() {
    var dialogue = searching(.pair)
    _ = dialogue.say(omron(0x01))
    let error = dialogue.say(.timeReached, at: 181).ended
    #expect(error?.code == .pairingFailure)
    #expect(
      error?.message.hasPrefix(
        "Omron Blood pressure monitor was found, but it does not wait to be paired. Hold the ")
        == true)
  }

  @Test func `is not named when the device entered it and did not connect`() {
    var dialogue = searching(.pair)
    _ = dialogue.say(omron(0x01))
    #expect(dialogue.say(omron(0x09)).last == .connect(device))
    _ = dialogue.say(.timeReached, at: 181)
    let error = dialogue.say(.disconnected(device, nil), at: 181).ended
    #expect(error == BluetoothError(.connectionTimeout))
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
    #expect(dialogue.say(.timeReached, at: 7) == [.request(.unsubscribe(measurement))])
  }
}

extension [PeripheralOperation.Action] {
  /// The error with which the operation ended.
  fileprivate var ended: BluetoothError? {
    guard case .report(.ended(.failed(let error)))? = last else { return nil }
    return error
  }
}
