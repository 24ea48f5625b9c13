// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth
@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Pairing a device on a screen` {
  private func model(on stage: Stage) -> PairingModel {
    PairingModel(.aAndDUA651BLE, stage.context)
  }

  @Test func `goes from the search to the paired device`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    let log = Stage.watch(model)
    #expect(model.state.message == nil)
    #expect(
      model.state.instructions
        == Phrase(english: DeviceModel.aAndDUA651BLE.pairingInstructions ?? ""))
    stage.virtual.enterPairingMode()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    let identifier = stage.phone.identifier(of: stage.device)
    #expect(model.state.step == .paired(identifier, isProven: false))
    #expect(model.state.message == Phrase(.pairedProvisionally))
    #expect(await stage.advance { stage.phone.connectedPeers.isEmpty })
    #expect(try await stage.receiver.enrolledDevices() == [identifier])
    #expect(
      await log.all(upTo: model.state).map(\.step) == [
        .idle, .searching, .found, .paired(identifier, isProven: false),
      ])
  }

  @Test(arguments: [false, true])
  func `takes what the device has measured before only if that is asked for`(takesMemory: Bool)
    async throws
  {
    let stage = try await Stage()
    stage.virtual.remember([Frames.first])
    let model = model(on: stage)
    stage.virtual.enterPairingMode()
    model.start(takingMemory: takesMemory)
    #expect(await stage.advance { !model.state.isBusy && stage.phone.connectedPeers.isEmpty })
    let older = takesMemory ? 0 : 1
    #expect(model.state.olderCount == older)
    #expect(
      model.state.olderMessage == (takesMemory ? nil : Phrase(.olderReadings, .count(1))))
    #expect(try await stage.session.pendingCount() == 1 - older)
    // Where all that waits is shown, it can still be sent.
    let review = ReviewModel(stage.context)
    await review.load()
    #expect(review.state.older.count == older && review.state.waiting.isEmpty)
    #expect(review.state.declined.isEmpty && review.state.isEmpty == takesMemory)
    await review.sendOlder()
    #expect(review.state.older.isEmpty && review.state.problem == nil)
    #expect(try await stage.session.pendingCount() == 1)
  }

  @Test func `needs no instructions where there is nothing to pair`() async throws {
    let stage = try await Stage()
    let device = try #require(DeviceModel.supported.first { $0.pairingInstructions == nil })
    #expect(PairingModel(device, stage.context).state.instructions == Phrase(.noPairingNeeded))
  }

  @Test func `says what to do when the device refuses`() async throws {
    let stage = try await Stage()
    stage.device.pairing = .reject
    let model = model(on: stage)
    stage.virtual.enterPairingMode()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.errorPairing, .pair)))
    #expect(model.state.message == Phrase(.errorPairing))
    stage.device.pairing = .accept
    stage.virtual.enterPairingMode()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    guard case .paired = model.state.step else {
      Issue.record("\(model.state.step)")
      return
    }
  }

  @Test func `says that no device was found`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.errorNotFound, .tryAgain)))
  }

  @Test func `says that Bluetooth may not be used`() async throws {
    let stage = try await Stage()
    stage.phone.state = .unauthorized
    let model = model(on: stage)
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .failed(Problem(.errorDenied, .openSettings)))
  }

  @Test func `is cancelled, also by leaving the screen`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    model.start()
    model.cancel()
    #expect(await stage.advance { model.state.step == .cancelled })
    #expect(model.state.message == Phrase(.pairingCancelled))
    model.start()
    #expect(model.state.step == .searching)
    model.leave()
    #expect(await stage.advance { model.state.step == .cancelled })
  }

  @Test func `stays paired when it is cancelled after that`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    stage.virtual.enterPairingMode()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    let step = model.state.step
    model.cancel()
    #expect(await stage.advance { stage.phone.connectedPeers.isEmpty })
    #expect(await !stage.advance(1) { model.state.step != step })
    #expect(try await stage.receiver.enrolledDevices().count == 1)
  }

  @Test func `is not said to be done for another person who signs in`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    model.start()
    #expect(await !stage.advance(1) { !model.state.isBusy })
    try await stage.session.start(Stage.another)
    stage.virtual.enterPairingMode()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.step == .cancelled)
    #expect(try await stage.receiver.enrolledDevices().isEmpty)
    // For that person it is paired anew.
    stage.virtual.enterPairingMode()
    model.start()
    #expect(await stage.advance { !model.state.isBusy && stage.phone.connectedPeers.isEmpty })
    #expect(model.state.step.isPaired)
    #expect(try await stage.receiver.enrolledDevices().count == 1)
    try await stage.session.start(Stage.user)
    #expect(await stage.advance { model.state.step == .idle })
  }

  @Test func `stays paired when the connection breaks after that`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    stage.virtual.enterPairingMode()
    model.start()
    #expect(await stage.advance { !model.state.isBusy })
    let step = model.state.step
    #expect(step.isPaired && !stage.phone.connectedPeers.isEmpty)
    stage.phone.state = .poweredOff
    #expect(await !stage.advance(2) { model.state.step != step })
    #expect(try await stage.receiver.enrolledDevices().count == 1)
    // It can be paired again all the same.
    stage.phone.state = .poweredOn
    model.start()
    #expect(model.state.isBusy)
    model.cancel()
    #expect(await stage.advance { !model.state.isBusy })
  }

  @Test func `does not go on when the screen is gone`() async throws {
    let stage = try await Stage()
    var model: PairingModel? = model(on: stage)
    model?.start()
    #expect(await !stage.advance(1) { !(model?.state.isBusy ?? false) })
    model = nil
    stage.virtual.enterPairingMode()
    #expect(await !stage.advance(5) { !stage.phone.connectedPeers.isEmpty })
    #expect(!stage.phone.isBonded(with: stage.device))
  }

  @Test func `does not start twice`() async throws {
    let stage = try await Stage()
    let model = model(on: stage)
    let log = Stage.watch(model)
    model.start()
    model.start()
    model.cancel()
    #expect(await stage.advance { model.state.step == .cancelled })
    #expect(await log.all(upTo: model.state).map(\.step) == [.idle, .searching, .cancelled])
  }
}

extension PairingModel.Step {
  fileprivate var isPaired: Bool {
    if case .paired = self { true } else { false }
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Choosing a device` {
  private func names(_ model: DeviceChooserModel) -> [String] {
    model.state.sections.flatMap(\.devices).map(\.name)
  }

  @Test func `shows all that can be read, by what they measure`() {
    let model = DeviceChooserModel()
    #expect(Set(names(model)) == Set(DeviceModel.supported.map(\.name)))
    #expect(
      model.state.sections.map(\.id).prefix(3) == ["thermometer", "bloodPressure", "heartRate"])
    #expect(model.state.sections.first?.title == Phrase(.thermometers))
    for section in model.state.sections {
      let names = section.devices.map { $0.name.lowercased() }
      #expect(names == names.sorted())
      #expect(section.devices.allSatisfy { $0.model.type.rawValue == section.id })
    }
  }

  @Test func `hides what cannot be read`() {
    let disabled = DeviceCatalogue.standard.entries.filter(\.isDisabled)
    #expect(!disabled.isEmpty)
    let model = DeviceChooserModel(models: DeviceCatalogue.standard.entries)
    #expect(Set(names(model)).isDisjoint(with: disabled.map(\.name)))
  }

  @Test func `finds a device whatever the case and the accents`() {
    var device = DeviceModel.aAndDUA651BLE
    device.manufacturer = "Médical"
    let model = DeviceChooserModel(models: [device, .genericThermometer])
    model.search("ua-651 MEDICAL")
    #expect(names(model) == [device.name])
    #expect(model.state.note == nil)
    model.search("nothing")
    #expect(model.state.sections.isEmpty)
    #expect(model.state.note == Phrase(.noDeviceFound, .verbatim("nothing")))
    model.search(" ")
    #expect(names(model).count == 2)
  }

  @Test func `says what has to be paired`() throws {
    let model = DeviceChooserModel(models: [.aAndDUA651BLE, .genericHeartRate])
    let rows = model.state.sections.flatMap(\.devices)
    #expect(rows.map(\.note) == [Phrase(.needsPairing), nil])
    #expect(rows.map(\.mustBePaired) == [true, false])
    #expect(rows.allSatisfy { $0.model.imageURL == $0.model.type.pictureURL })
  }

  @Test func `shows the person's own devices first`() async throws {
    let stage = try await Stage()
    let pairing = PairingModel(.aAndDUA651BLE, stage.context)
    stage.virtual.enterPairingMode()
    pairing.start(takingMemory: true)
    #expect(await stage.advance { !pairing.state.isBusy })
    let model = DeviceChooserModel(receiver: stage.receiver)
    await model.load()
    let first = try #require(model.state.sections.first)
    #expect(first.title == Phrase(.yourDevices))
    #expect(first.devices.map(\.id) == [DeviceModel.aAndDUA651BLE.id])
    #expect(first.devices.map(\.note) == [Phrase(.paired)])
    #expect(first.devices.map(\.mustBePaired) == [false])
    #expect(names(model).filter { $0 == DeviceModel.aAndDUA651BLE.name }.count == 1)
  }
}
