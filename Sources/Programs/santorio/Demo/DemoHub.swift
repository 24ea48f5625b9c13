// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import Hub
import IngestServer
import SantorioBluetooth
import SantorioCore
import VirtualDevices

/// The gateway of the demonstration: a real one, whose radio is simulated.
struct DemoHub: Sendable {
  /// The gateway.
  let gateway: HubGateway
  /// Its control socket.
  let socket: String
  private let control: HubControlServer
  private let ward: DemoWard
  private let host: SimulatedHost

  /// Sets up a gateway for the patients of a ward.
  ///
  /// - Parameters:
  ///   - folder: Where it keeps its files.
  ///   - air: Where the devices are.
  ///   - ward: The patients and their devices.
  ///   - accounts: The users of the patients on the server, by their aliases.
  ///   - endpoint: The server's address.
  /// - Throws: ``CommandError`` and what the gateway throws when it cannot be set up.
  init(
    in folder: URL, _ air: SimulatedRadioEnvironment, _ ward: DemoWard,
    accounts: [String: SantorioUser], endpoint: URL
  ) throws {
    self.ward = ward
    host = air.makeHost(named: "Gateway")
    socket = folder.appendingPathComponent("hub.sock").path
    let file = folder.appendingPathComponent("hub.json")
    try DemoConfiguration(
      folder: folder, ward: ward, host: host, accounts: accounts, endpoint: endpoint,
      socket: socket
    ).write(to: file)
    let reading = HubConfiguration.check(file: file.path)
    guard let configuration = reading.configuration else {
      throw CommandError(reading.findings.map(\.description).joined(separator: "\n"))
    }
    gateway = try HubGateway(
      configuration, file: file.path,
      radio: HubRadio(
        central: BluetoothCentral(managerOptions: host.managerOptions), clock: air.clock,
        name: "simulated radio"))
    control = try HubControlServer(socket: socket, users: [:], handler: gateway)
  }

  /// Starts to read, and pairs the devices that must be paired.
  ///
  /// - Parameter report: Called for each device that is paired, and for each that is not.
  func start(report: @Sendable (String) -> Void) async {
    await gateway.start()
    for placed in ward.devices where placed.model.broadcast == nil {
      placed.device.switchOn()
    }
    for placed in ward.devices where placed.model.requiresPairing {
      guard let owner = placed.owners.first else { continue }
      placed.device.enterPairingMode()
      let answer = await gateway.enroll(
        host.identifier(of: placed.host), as: placed.model, for: owner.patient,
        slot: owner.slot, takingMemory: true)
      switch answer {
      case .enrolled:
        let patients = placed.owners.map(\.patient).joined(separator: " and ")
        report("paired  \(placed.model.name)  for \(patients)")
      case .failed(let fault): report("santorio: \(placed.model.name): \(fault)")
      default: break
      }
    }
    // Now that somebody listens.
    for placed in ward.devices where placed.model.broadcast != nil {
      placed.device.switchOn()
    }
  }

  func stop() async {
    await control.stop()
    await gateway.stop()
  }
}

/// The configuration file of the demonstration's gateway.
private struct DemoConfiguration {
  let folder: URL
  let ward: DemoWard
  let host: SimulatedHost
  let accounts: [String: SantorioUser]
  let endpoint: URL
  let socket: String

  /// Writes it, and the tokens that it names.
  func write(to file: URL) throws {
    var patients: [[String: Any]] = []
    for patient in ward.patients {
      guard let account = accounts[patient.alias] else { continue }
      let token = folder.appendingPathComponent("\(patient.alias).token")
      try write(Data(account.accessToken.utf8), to: token)
      patients.append([
        "alias": patient.alias, "user": account.userID, "organization": account.organizationID,
        "token": ["file": token.path], "devices": devices(of: patient.alias),
      ])
    }
    let content: [String: Any] = [
      "name": "demo", "folder": folder.appendingPathComponent("hub").path, "radio": "simulated",
      "server": endpoint.absoluteString, "patients": patients,
      "control": ["socket": socket, "uids": [Int]()],
    ]
    let data = try JSONSerialization.data(
      withJSONObject: content, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    try write(data, to: file)
  }

  private func devices(of alias: String) -> [[String: Any]] {
    ward.devices.flatMap { placed in
      placed.owners.filter { $0.patient == alias }.map { owner in
        var device: [String: Any] = [
          "device": host.identifier(of: placed.host).uuidString, "model": placed.model.id,
        ]
        device["slot"] = owner.slot
        device["with_memory"] = true
        return device
      }
    }
  }

  /// A file for its owner only.
  private func write(_ data: Data, to file: URL) throws {
    try data.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }
}
