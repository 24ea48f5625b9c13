// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth
@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Automatic reading on a screen` {
  private func manager(on stage: Stage) -> BluetoothPassiveManager {
    BluetoothPassiveManager(for: stage.receiver, on: stage.central)
  }

  private func pair(on stage: Stage) async {
    let pairing = PairingModel(.aAndDUA651BLE, stage.context)
    stage.virtual.enterPairingMode()
    pairing.start(takingMemory: true)
    #expect(await stage.advance { !pairing.state.isBusy && stage.phone.connectedPeers.isEmpty })
  }

  @Test func `is off at first, is turned on, and off again`() async throws {
    let stage = try await Stage()
    await pair(on: stage)
    let model = PassiveModel(manager(on: stage))
    await model.load()
    #expect(!model.state.isOn && !model.state.isWanted)
    #expect(model.state.status == Problem(.passiveOff))
    #expect(model.state.limits.isEmpty)
    await model.turn(on: true)
    #expect(model.state.isWanted && model.state.problem == nil)
    #expect(await stage.advance { stage.phone.pendingPeers.count == 1 })
    await model.load()
    #expect(model.state.isOn)
    #expect(model.state.status == Problem(.passiveOn))
    #expect(model.state.devices.map(\.name) == [DeviceModel.aAndDUA651BLE.name])
    #expect(model.state.devices.map(\.state) == [Phrase(.deviceWaiting)])
    await model.turn(on: false)
    #expect(!model.state.isWanted && !model.state.isOn)
    #expect(model.state.status == Problem(.passiveOff))
  }

  @Test func `reads devices, too, that are paired after it was turned on`() async throws {
    let stage = try await Stage()
    let passive = manager(on: stage)
    let model = PassiveModel(passive)
    try await stage.receiver.devices.note(
      UUID(), as: DeviceModel.accuChekGuide.id, .paired,
      by: .init((Stage.user.userID, Stage.user.organizationID)))
    await model.turn(on: true)
    #expect(passive.peripheralIDs == [DeviceModel.accuChekGuide.id])
    await pair(on: stage)
    await model.load()
    #expect(
      Set(passive.peripheralIDs) == [DeviceModel.accuChekGuide.id, DeviceModel.aAndDUA651BLE.id])
    await model.turn(on: false)
    await model.load()
    #expect(passive.peripheralIDs.isEmpty)
  }

  @Test(arguments: [true, false])
  func `is as the switch was turned last`(_ isOn: Bool) async throws {
    let stage = try await Stage()
    await pair(on: stage)
    let passive = manager(on: stage)
    let model = PassiveModel(passive)
    let first = Task { await model.turn(on: !isOn) }
    let second = Task { await model.turn(on: isOn) }
    await first.value
    await second.value
    #expect(passive.peripheralIDs.isEmpty == !isOn)
    #expect(model.state.isWanted == isOn && model.state.problem == nil)
    await model.turn(on: false)
  }

  @Test func `shows what was read, and the battery`() async throws {
    let stage = try await Stage()
    await pair(on: stage)
    let model = PassiveModel(manager(on: stage))
    let following = Task { await model.follow() }
    await model.turn(on: true)
    stage.virtual.remember([Frames.first])
    #expect(
      await stage.advance {
        model.state.devices.first?.details.contains(Phrase(.battery, .count(90))) ?? false
      })
    let details = try #require(model.state.devices.first).details
    #expect(details.contains(Phrase(.lastRead, .date(Stage.now))))
    #expect(!details.contains(Phrase(.neverRead)))
    #expect(try await stage.session.pendingCount() == 1)
    following.cancel()
    await following.value
  }

  @Test func `cannot be turned on when nobody is signed in`() async throws {
    let stage = try await Stage(withUser: false)
    let model = PassiveModel(manager(on: stage), models: [.aAndDUA651BLE])
    await model.turn(on: true)
    #expect(model.state.problem == Problem(.noSession, .signIn))
    #expect(!model.state.isOn && !model.state.isWanted)
  }

  @Test func `is off for the next person`() async throws {
    let stage = try await Stage()
    let passive = manager(on: stage)
    let model = PassiveModel(passive, models: [.aAndDUA651BLE])
    let following = Task { await model.follow() }
    await model.turn(on: true)
    #expect(await stage.advance { model.state.isWanted })
    try await stage.session.start(
      SantorioUser(userID: "another", organizationID: "o", accessToken: "token"))
    #expect(await stage.advance { passive.peripheralIDs.isEmpty })
    #expect(await stage.advance { !model.state.isWanted && !model.state.isOn })
    #expect(model.state.status == Problem(.passiveNoSession, .signIn))
    await model.turn(on: true)
    // The radio may still be starting.
    #expect(
      await stage.advance {
        model.state.isWanted && model.state.status == Problem(.passiveOn)
      })
    following.cancel()
    await following.value
  }

  @Test func `cannot be turned on before a device is paired`() async throws {
    let stage = try await Stage()
    let model = PassiveModel(manager(on: stage))
    await model.turn(on: true)
    #expect(model.state.problem == Problem(.errorNotEnrolled, .pair))
    #expect(!model.state.isOn && !model.state.isWanted)
    await model.turn(on: false)
    #expect(model.state.problem == nil)
  }

  @Test func `says that Bluetooth is off`() async throws {
    let stage = try await Stage()
    let model = PassiveModel(manager(on: stage), models: [.aAndDUA651BLE])
    stage.phone.state = .poweredOff
    await model.turn(on: true)
    var status = model.state.status
    for _ in 0..<1000 where status != Problem(.errorOff, .tryAgain) {
      _ = await stage.advance(1) { true }
      await stage.air.advance(by: .milliseconds(250))
      await model.load()
      status = model.state.status
    }
    #expect(status == Problem(.errorOff, .tryAgain))
    #expect(model.state.isWanted && !model.state.isOn)
    #expect(
      model.state.limits.contains(
        Phrase(.limitNotPaired, .verbatim(DeviceModel.aAndDUA651BLE.name))))
  }

  @Test func `says why nothing is read`() {
    let texts: [(PassiveStatus.Obstacle, Problem)] = [
      (.notSet, Problem(.passiveOff)), (.noSession, Problem(.passiveNoSession, .signIn)),
      (.defaultUser, Problem(.passiveNoSession, .signIn)),
      (.bluetooth(.denied), Problem(.errorDenied, .openSettings)),
      (.awaitingPermission, Problem(.passiveAwaitingPermission)),
      (.interactiveOperation, Problem(.passiveInteractive)),
      (.storage("locked"), Problem(.passiveStorage)),
    ]
    for (obstacle, problem) in texts { #expect(Problem(obstacle) == problem) }
  }

  @Test func `says what makes it read less, and what happens to a device`() {
    let device = DeviceModel.aAndDUA651BLE
    let name = Phrase.Argument.verbatim(device.name)
    #expect(Phrase(PassiveStatus.Limit.noBackgroundMode) == Phrase(.limitBackground))
    #expect(
      Phrase(PassiveStatus.Limit.hardlyHeardInBackground(device, .hardlyHeard))
        == Phrase(.limitHardlyHeard, name))
    let states: [(PassiveStatus.State, TextKey)] = [
      (.waiting, .deviceWaiting), (.reading, .deviceReading), (.quiet, .deviceQuiet),
      (.backingOff, .deviceBackingOff), (.bondLost, .deviceBondLost),
      (.queueFull, .deviceQueueFull), (.stopped, .deviceStopped),
    ]
    for (state, key) in states { #expect(Phrase(state) == Phrase(key)) }
  }
}
