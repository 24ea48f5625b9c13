// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Santorio

/// Reads the user's blood pressure monitor, and keeps each reading until the server has it.
public struct PressureDiary: Sendable {
  /// What is on the disk, and its way to the server.
  public let session: SantorioSession
  let controller: BluetoothPeripheralController

  /// Touches neither a file nor Bluetooth.
  ///
  /// The defaults are an app's; a test passes its own.
  public init(
    folder: URL, server: URL, settings: BluetoothSettings = BluetoothSettings(),
    central: BluetoothCentral = .shared
  ) {
    session = SantorioSession(.init(directory: folder, endpoint: server))
    controller = BluetoothPeripheralController(session: session, settings: settings, on: central)
  }

  /// Sends what waits and what comes, from now on: at each launch, for the user who is logged in.
  public func open(for user: SantorioUser) async throws {
    try await session.start(user)
    session.resume()
  }

  /// Pairs a monitor, once.
  ///
  /// Show `model.pairingInstructions` before.
  public func pair(_ model: DeviceModel) async throws {
    _ = try await controller.pair(model)
  }

  /// Reads what the user has measured: each reading is on disk before its line is made.
  public func read(_ model: DeviceModel) async throws -> [String] {
    var lines: [String] = []
    for try await reading in controller.readings(from: model) {
      let systolic = reading.value(.systolic) ?? 0, diastolic = reading.value(.diastolic) ?? 0
      lines.append("\(Int(systolic))/\(Int(diastolic)) mmHg")
    }
    return lines
  }
}
