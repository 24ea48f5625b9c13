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

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Users of a device on a screen` {
  /// A frame of the monitor for one of its users, who are M1 and M2 on the device.
  private static func frame(_ user: UInt8) -> [UInt8] {
    var frame = BloodPressureFrames.composedBM54[0]
    frame[frame.count - 3] = user
    // Its second.
    frame[13] = user
    return frame
  }

  /// A phone with a monitor that is paired and was read.
  private func stage(_ frames: [[UInt8]]) async throws -> Stage {
    let stage = try await Stage(.bm54(memory: []))
    let pairing = PairingModel(.beurerBM54, stage.context)
    stage.virtual.enterPairingMode()
    pairing.start(takingMemory: true)
    #expect(await stage.advance { !pairing.state.isBusy && stage.phone.connectedPeers.isEmpty })
    guard !frames.isEmpty else { return stage }
    stage.virtual.remember(frames)
    // Automatic reading asks nobody: what it cannot decide waits for the choice.
    let operation = stage.central.read([.beurerBM54], for: stage.receiver)
    var hasEnded = false
    let listening = Task {
      for await event in operation.events { if case .ended = event { hasEnded = true } }
    }
    #expect(await stage.advance { hasEnded })
    await listening.value
    return stage
  }

  @Test func `are offered as the device labels them, before it has shown any`() async throws {
    let stage = try await stage([])
    let model = DeviceUsersModel(stage.receiver)
    #expect(model.state.note == nil)
    await model.load()
    let device = try #require(model.state.devices.first)
    #expect(model.state.devices.count == 1 && device.name == DeviceModel.beurerBM54.name)
    #expect(device.own == nil && device.note == nil)
    #expect(device.users.map(\.id) == [0, 1, 2, 3])
    #expect(device.users.first?.name == Phrase(.userNumber, .count(1)))
  }

  @Test func `are chosen, which sends what waited for it`() async throws {
    let stage = try await stage([Self.frame(0), Self.frame(1)])
    #expect(try await stage.session.heldCount() == 2)
    let model = DeviceUsersModel(stage.receiver)
    await model.load()
    let device = try #require(model.state.devices.first)
    #expect(device.note == Phrase(.usersHeld, .count(2)))
    await model.choose(1, of: device.id)
    #expect(model.state.released == Phrase(.usersReleased, .count(1)))
    #expect(model.state.devices.first?.own == 1)
    let sent = try await stage.session.pendingRecords()
    #expect(sent.map { $0.source.device?.userSlot } == [1])
    // It is kept, and can be taken back.
    let again = DeviceUsersModel(stage.receiver)
    await again.load()
    #expect(again.state.devices.first?.own == 1)
    await again.choose(nil, of: device.id)
    #expect(again.state.devices.first?.own == nil && again.state.released == nil)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `are as they were chosen last, whatever was chosen just before`(
    _ choices: [Int]
  ) async throws {
    let stage = try await stage([Self.frame(0), Self.frame(1)])
    let model = DeviceUsersModel(stage.receiver)
    await model.load()
    let device = try #require(model.state.devices.first)
    let first = Task { await model.choose(choices[0], of: device.id) }
    let second = Task { await model.choose(choices[1], of: device.id) }
    await first.value
    await second.value
    #expect(model.state.devices.first?.own == choices[1])
    let sent = try await stage.session.pendingRecords()
    #expect(sent.map { $0.source.device?.userSlot } == [choices[1]])
  }

  @Test func `are not shown to another person who signs in`() async throws {
    let stage = try await stage([])
    let (model, chooser) = (
      DeviceUsersModel(stage.receiver), DeviceChooserModel(receiver: stage.receiver)
    )
    await model.load()
    await chooser.load()
    #expect(model.state.devices.count == 1)
    #expect(chooser.state.sections.first?.title == Phrase(.yourDevices))
    try await stage.session.start(Stage.another)
    #expect(
      await stage.advance {
        model.state.note == Phrase(.usersNone)
          && chooser.state.sections.first?.title != Phrase(.yourDevices)
      })
  }

  @Test func `are not asked for where no device tells them apart`() async throws {
    let stage = try await Stage()
    let model = DeviceUsersModel(stage.receiver)
    await model.load()
    #expect(model.state.devices.isEmpty)
    #expect(model.state.note == Phrase(.usersNone))
  }

  @Test func `cannot be chosen of a device that is not the person's`() async throws {
    let stage = try await Stage()
    let model = DeviceUsersModel(stage.receiver)
    await model.choose(0, of: UUID())
    #expect(model.state.problem == Problem(.errorNotEnrolled, .pair))
    #expect(model.state.released == nil)
  }
}
