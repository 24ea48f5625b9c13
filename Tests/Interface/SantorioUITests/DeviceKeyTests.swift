// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth
@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Key of a device on a screen` {
  private nonisolated static let key = "58305740b64e4b425e518aa1f4e51339"
  private nonisolated static let address = "84:46:93:64:A5:E6"

  private func identifier(on stage: Stage) -> UUID { stage.phone.identifier(of: stage.device) }

  /// A person reads a scale that needs a key.
  private func read(on stage: Stage) async throws -> ReadingModel {
    let model = stage.reading(of: .xiaomiS400)
    model.start()
    stage.virtual.measure()
    #expect(await stage.advance { !model.state.isBusy })
    return model
  }

  @Test func `is asked for when a reading lacks it, and lets it be read then`() async throws {
    let stage = try await Stage(.xiaomiS400)
    let model = try await read(on: stage)
    #expect(model.state.step == .failed(Problem(.errorKeyNeeded, .enterKey), kept: 0))
    let request = try #require(model.state.keyRequest)
    #expect(request.device == .xiaomiS400 && request.id == identifier(on: stage))

    let entry = model.key(request)
    #expect(
      entry.state.fields.map(\.label) == [
        Phrase(.keyField, .count(32)), Phrase(.addressField, .count(12)),
      ])
    #expect(entry.state.explanation == Phrase(.keyOfScale))
    entry.save([Self.key, Self.address])
    #expect(entry.state.isSaved && entry.state.problem == nil)

    model.start()
    #expect(model.state.keyRequest == nil)
    stage.virtual.measure()
    #expect(await stage.advance { model.state.step == .review })
    #expect(!model.state.readings.isEmpty)
  }

  @Test func `that is wrong is asked for again`() async throws {
    let stage = try await Stage(.xiaomiS400)
    let device = identifier(on: stage)
    try stage.receiver.setSecret(
      String(Self.key.reversed()) + Self.address, .bindKey, for: device)
    let model = try await read(on: stage)
    #expect(model.state.step == .failed(Problem(.errorKeyNeeded, .enterKey), kept: 0))
    #expect(model.state.keyRequest?.id == device)
  }

  @Test(arguments: [
    (["", address], TextKey.keyField, 32), ([key], .addressField, 12),
    ([key + "0", address], .keyField, 32), ([key, "84:46:93:64:A5:EX"], .addressField, 12),
    ([String(key.dropLast()) + "ａ", address], .keyField, 32),
  ])
  func `that is not complete is not saved, and what is wrong is said`(
    _ texts: [String], _ field: TextKey, _ count: Int
  ) async throws {
    let stage = try await Stage()
    let request = try #require(DeviceKeyRequest(.xiaomiS400, UUID()))
    let model = DeviceKeyModel(request, stage.receiver)
    model.save(texts)
    let label = Phrase(field, .count(count))
    #expect(model.state.problem == Problem(Phrase(.keyIncomplete, .phrase(label))))
    #expect(!model.state.isSaved)
    #expect(try !stage.receiver.hasSecret(.bindKey, for: request.id))
    #expect(!"\(model.state)".contains(Self.key.dropLast()))
  }

  @Test(arguments: [
    "84-46-93-64-A5-E6", " 84:46:93:64:a5:e6\n", "84:46:93:64:A5:E6\u{200b}",
    "\u{feff}844693 64A5E6",
  ])
  func `is taken as it is copied`(_ address: String) async throws {
    let stage = try await Stage()
    let request = try #require(DeviceKeyRequest(.xiaomiS400, UUID()))
    let model = DeviceKeyModel(request, stage.receiver)
    model.save([Self.key, address])
    #expect(model.state.isSaved && model.state.problem == nil)
  }

  @Test func `is said not to be saved where it cannot be kept`() async throws {
    let stage = try await Stage()
    let request = try #require(DeviceKeyRequest(.xiaomiS400, UUID()))
    let model = DeviceKeyModel(
      request, BluetoothReceiver(session: try stage.sessionWithoutFolder()))
    model.save([Self.key, Self.address])
    #expect(model.state.problem == Problem(.keyNotSaved, .tryAgain))
    #expect(!model.state.isSaved)
  }

  @Test func `is asked for once a device is paired that has none yet`() async throws {
    let stage = try await Stage(.xiaomiS400)
    let model = PairingModel(.xiaomiS400, stage.context)
    model.start()
    stage.virtual.measure()
    #expect(await stage.advance { !model.state.isBusy })
    let request = try #require(model.state.keyRequest)
    #expect(request.id == identifier(on: stage))
    model.keyWasAsked()
    #expect(model.state.keyRequest == request)
    model.key(request).save([Self.key, Self.address])
    model.keyWasAsked()
    #expect(model.state.keyRequest == nil)
    // It is known the next time.
    model.start()
    stage.virtual.measure()
    #expect(await stage.advance { !model.state.isBusy })
    #expect(model.state.keyRequest == nil)
  }

  @Test func `is asked for where automatic reading lacks it`() async throws {
    let stage = try await Stage(.xiaomiS400)
    let passive = BluetoothPassiveManager(for: stage.receiver, on: stage.central)
    let model = PassiveModel(passive, models: [.xiaomiS400])
    await model.turn(on: true)
    let following = Task { await model.follow() }
    stage.virtual.measure()
    #expect(await stage.advance { model.state.devices.first?.keyRequest != nil })
    following.cancel()
    await following.value
    let request = model.state.devices.first?.keyRequest
    #expect(request?.id == identifier(on: stage))
    #expect(model.state.devices.first?.problem == Problem(.errorKeyNeeded, .enterKey))
    await model.turn(on: false)
  }

  @Test func `that is right at last has the device read automatically at once`() async throws {
    let stage = try await Stage(.xiaomiS400)
    let device = identifier(on: stage)
    try stage.receiver.setSecret(
      String(Self.key.reversed()) + Self.address, .bindKey, for: device)
    let passive = BluetoothPassiveManager(for: stage.receiver, on: stage.central)
    let model = PassiveModel(passive, models: [.xiaomiS400])
    await model.turn(on: true)
    let following = Task { await model.follow() }
    stage.virtual.measure()
    #expect(await stage.advance { model.state.devices.first?.keyRequest != nil })
    let request = try #require(model.state.devices.first?.keyRequest)
    model.key(request).save([Self.key, Self.address])
    await model.load()
    #expect(model.state.devices.first?.keyRequest == nil)
    #expect(model.state.devices.first?.problem == nil)
    _ = await stage.advance(1) { false }
    stage.virtual.measure()
    #expect(
      await stage.advance(2) {
        model.state.devices.first?.details.contains(Phrase(.neverRead)) == false
      })
    #expect(try await stage.session.pendingCount() > 0)
    following.cancel()
    await following.value
    await model.turn(on: false)
  }

  @Test func `of a coagulation meter is one text, and the meter says where it is`() async throws {
    let stage = try await Stage()
    let request = try #require(DeviceKeyRequest(.coaguChek, UUID()))
    let model = DeviceKeyModel(request, stage.receiver)
    #expect(model.state.fields.map(\.label) == [Phrase(.keyField, .count(32))])
    #expect(
      model.state.explanation == Phrase(english: DeviceModel.coaguChek.pairingInstructions ?? ""))
    #expect(DeviceKeyRequest(.aAndDUA651BLE, UUID()) == nil)
  }
}
