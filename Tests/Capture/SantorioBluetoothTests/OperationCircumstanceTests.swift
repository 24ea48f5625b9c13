// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@testable import SantorioBluetooth

private typealias Event = PeripheralOperation.Event
private typealias Dialogue = OperationDialogue

private let device = OperationDialogue.device
private let measurement = GATTAttribute("1810", "2A35")
private let scaleMessage = GATTAttribute("7802", "8A82")

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
    let error = dialogue.say(.radioChanged(.unavailable(.denied)), at: 500).ended
    #expect(error?.unavailability == .denied)
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
  private static let causes: [(RequestFailure, BluetoothError.BondLoss)] = [
    (RequestFailure(.notPaired, "", code: 0x05), .system),
    (RequestFailure(.notEncrypted), .system),
    (RequestFailure(.encryptionTimedOut), .device),
  ]

  @Test(arguments: causes.map(\.0), [BondState.verified, .provisional, .none, .lost])
  func `is lost if it was verified`(refusal: RequestFailure, bond: BondState) {
    var dialogue = Dialogue(bond: bond)
    dialogue.prepare()
    #expect(dialogue.say(.subscriptionChanged(measurement, refusal)) == [.disconnect(device)])
    let error = dialogue.say(.disconnected(device, nil)).ended
    let isLost = bond == .verified
    #expect(error?.code == (isLost ? .bondLost : .pairingFailure))
    #expect(error?.bondLoss == (isLost ? Self.causes.first { $0.0 == refusal }?.1 : nil))
  }

  @Test func `is not lost by a refusal that concerns no key`() {
    var dialogue = Dialogue(bond: .verified)
    dialogue.prepare()
    let unauthorized = RequestFailure(.notPaired, "", code: 0x08)
    _ = dialogue.say(.subscriptionChanged(measurement, unauthorized))
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
  }

  @Test func `cannot be lost while it is being made`() {
    var dialogue = Dialogue(.pair, bond: .verified)
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, RequestFailure(.encryptionTimedOut)))
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
  }

  @Test func `ends the search when the connection shows it`() {
    var dialogue = Dialogue(bond: .verified)
    _ = dialogue.say(.radioChanged(.on))
    _ = dialogue.say(.retrievedKnown([.init(device, name: "A&D_UA-651BLE_1")]))
    let error = dialogue.say(.connectionFailed(device, RequestFailure(.encryptionTimedOut))).ended
    #expect(error?.code == .bondLost)
  }

  @Test(arguments: [
    (CBError.Code.peerRemovedPairingInformation, RequestFailure.Cause.bondLost),
    (.encryptionTimedOut, .encryptionTimedOut), (.tooManyLEPairedDevices, .noBondFree),
    (.connectionLimitReached, .noRoom), (.peripheralDisconnected, .disconnected),
    (.notConnected, .disconnected), (.connectionTimeout, .other),
  ])
  func `is judged by what the system reports`(code: CBError.Code, cause: RequestFailure.Cause) {
    #expect(RequestFailure(CBError(code)).cause == cause)
  }

  @Test func `cannot be made when there are too many, and the user is told so`() {
    let error = BluetoothError(
      RequestFailure(.noBondFree), code: .communicationFailure, while: .pair)
    #expect(error.message.hasPrefix("This phone or gateway is paired with as many devices"))
    let full = BluetoothError(RequestFailure(.noRoom), code: .connectionFailure, while: .read)
    #expect(full.message.contains("as many connections as it can have"))
  }
}

@Suite struct `Services that a device changes` {
  private static let characteristics = Event.characteristicsDiscovered(["2A35"], service: "1810")

  @Test func `are looked for again, and the driver begins anew`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    #expect(
      dialogue.say(.servicesChanged)
        == [.discoverServices(["1810", "1805", "180A", "180F"], of: device)])
    // What the old ones answer concerns nobody.
    #expect(dialogue.say(.subscriptionChanged(measurement, nil)) == [])
    #expect(
      dialogue.say(.servicesDiscovered(["1810"]))
        == [.discoverCharacteristics(["2A35", "2A08"], service: "1810")])
    #expect(dialogue.say(Self.characteristics) == [.retrieveDeviceState(device)])
    #expect(
      dialogue.say(.deviceState(device, DeviceState())) == [.request(.subscribe(measurement))])
  }

  @Test func `are looked for again while they are being looked for`() {
    var dialogue = Dialogue()
    _ = dialogue.search()
    _ = dialogue.say(.discovered(.init(device, name: "A&D_UA-651BLE_1", services: ["1810"])))
    let discovery = PeripheralOperation.Action.discoverServices(
      ["1810", "1805", "180A", "180F"], of: device)
    #expect(dialogue.say(.connected(device)).last == discovery)
    #expect(dialogue.say(.servicesChanged) == [discovery])
    _ = dialogue.say(.servicesDiscovered(["1810"]))
    _ = dialogue.say(Self.characteristics)
    #expect(dialogue.say(.servicesChanged) == [discovery])
    // The state that was asked for before is not that of the new attributes.
    #expect(dialogue.say(.deviceState(device, DeviceState())) == [])
  }

  @Test func `end a reading that has begun, with what it has`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    _ = dialogue.say(.value(measurement, BloodPressureFrames.capturedUA651BLE[2]))
    #expect(dialogue.say(.servicesChanged).contains(.disconnect(device)))
    guard case .report(.ended(.finished))? = dialogue.say(.disconnected(device, nil)).last else {
      Issue.record("not finished")
      return
    }
  }

  @Test func `do not make a pairing report the bond twice`() {
    var dialogue = Dialogue(.pair)
    dialogue.prepare()
    #expect(dialogue.say(.subscriptionChanged(measurement, nil)).contains(.report(.paired)))
    _ = dialogue.say(.servicesChanged)
    _ = dialogue.say(.servicesDiscovered(["1810"]))
    _ = dialogue.say(Self.characteristics)
    _ = dialogue.say(.deviceState(device, DeviceState()))
    #expect(!dialogue.say(.subscriptionChanged(measurement, nil)).contains(.report(.paired)))
  }

  @Test(arguments: [
    PeripheralOperation.Event.discoveryFailed(RequestFailure(.other, "refused")),
    .discoveryFailed(RequestFailure(.disconnected, "gone")), .timeReached,
    .servicesDiscovered(["180A"]), .disconnected(OperationDialogue.device, nil),
  ])
  func `do not undo a pairing when they cannot be looked for again`(
    event: PeripheralOperation.Event
  ) {
    for isDiscovered in [false, true] {
      var dialogue = Dialogue(.pair)
      dialogue.prepare()
      _ = dialogue.say(.subscriptionChanged(measurement, nil))
      _ = dialogue.say(.servicesChanged)
      if isDiscovered { _ = dialogue.say(.servicesDiscovered(["1810"])) }
      var actions = dialogue.say(event, at: 9999)
      actions += dialogue.say(.disconnected(device, nil), at: 9999)
      #expect(actions.contains(.report(.ended(.finished))), "\(event)")
    }
  }

  @Test func `end a pairing when the bond turns out to be lost`() {
    var dialogue = Dialogue(.pair)
    dialogue.prepare()
    _ = dialogue.say(.subscriptionChanged(measurement, nil))
    _ = dialogue.say(.servicesChanged)
    let actions =
      dialogue.say(.discoveryFailed(RequestFailure(.bondLost, "lost")))
      + dialogue.say(.disconnected(device, nil))
    #expect(actions.ended?.code == .pairingFailure || actions.ended?.code == .bondLost)
  }

  @Test func `are nothing to an operation that is ending`() {
    var dialogue = Dialogue()
    dialogue.prepare()
    _ = dialogue.say(.cancelRequested)
    #expect(dialogue.say(.servicesChanged) == [])
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
