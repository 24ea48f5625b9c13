// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import IngestServer
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import TestSupport
import Testing
import VirtualDevices

@testable import Hub

/// A gateway among virtual devices, and the server that it sends to.
final class HubRoom: Sendable {
  let air = SimulatedRadioEnvironment(seed: 3)
  let folder: TemporaryFolder
  let server: IngestServer
  let host: SimulatedHost
  private let accounts: [String: (id: String, token: String)]
  private let texts = Locked<[String: [String]]>([:])
  private let skipped = Locked<TimeInterval>(0)
  private let wrong = Locked<TimeInterval>(0)
  private let start = Date()

  /// The aliases of the patients; the first one's devices are named in the file.
  static let patients = ["bed-1", "bed-2"]

  init() throws {
    folder = try TemporaryFolder()
    server = try IngestServer(
      configuration: .init(storagePath: folder.path("records.sqlite"), port: 0))
    host = air.makeHost(named: "Gateway")
    var accounts: [String: (id: String, token: String)] = [:]
    // Others may come.
    for alias in Self.patients + ["bed-3"] {
      let account = try server.createUser(organization: "ward", uid: alias)
      accounts[alias] = (account.id, account.token)
      try Self.write(account.token, to: folder.path("\(alias).token"))
    }
    self.accounts = accounts
  }

  deinit { server.stop() }

  /// What the server calls the user of a patient.
  func id(of alias: String) -> String { accounts[alias]?.id ?? "" }

  static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  // MARK: - The configuration

  var file: String { folder.path("hub.json") }

  /// A configuration of some patients with their devices; `people` says for a bed whose account it
  /// has, where that is not its own.
  func text(
    _ patients: [(alias: String, devices: String)] = HubRoom.patients.map { ($0, "") },
    people: [String: String] = [:], codes: [String: String] = [:], exports: [String: String] = [:],
    sends: Bool = true, more: String = ""
  ) -> String {
    let all = patients.map { alias, devices in
      let person = people[alias] ?? alias
      let account = """
        "user": "\(accounts[person]?.id ?? "")", "organization": "ward",
        "token": {"file": "\(folder.path("\(person).token"))"},
        """
      return """
        {"alias": "\(alias)", \(codes[alias].map { "\"code\": \"\($0)\"," } ?? "") \(sends ? account : "") "devices": [\(devices)]\
        \(exports[alias].map { ", \"health_exports\": \($0)" } ?? "")}
        """
    }
    return """
      {"name": "test", "folder": "\(folder.path("hub"))", "radio": "simulated",
       \(sends ? "\"server\": \"http://127.0.0.1:\(server.port)\"," : "")
       "patients": [\(all.joined(separator: ","))],
       "control": {"socket": "\(folder.path("hub.sock"))", "uids": []}\(more)}
      """
  }

  func write(_ text: String) throws { try Self.write(text, to: file) }

  func configuration(_ text: String? = nil) throws -> HubConfiguration {
    let reading = HubConfiguration.read((text ?? self.text()).utf8)
    return try #require(reading.configuration, "\(reading.findings)")
  }

  // MARK: - The gateway

  /// A gateway of its own process: with a central of its own.
  func gateway(_ text: String? = nil, environment: [String: String] = [:]) throws -> HubGateway {
    try write(text ?? self.text())
    return try HubGateway(
      configuration(text), file: file, radio: radio(), environment: environment)
  }

  func radio() -> HubRadio {
    HubRadio(
      central: BluetoothCentral(managerOptions: host.managerOptions), clock: air.clock,
      now: now, uptime: uptime, name: "simulated radio")
  }

  /// The time of day, of the gateway and of all devices.
  var now: @Sendable () -> Date {
    { [skipped, wrong] in
      Date().addingTimeInterval(skipped.withLock { $0 } + wrong.withLock { $0 })
    }
  }

  private var uptime: @Sendable () -> Uptime? {
    { [start, skipped] in
      Uptime(boot: "1", seconds: Date().timeIntervalSince(start) + skipped.withLock { $0 })
    }
  }

  /// Sets the clock of the gateway and of all devices.
  func setClock(by seconds: TimeInterval) { wrong.withLock { $0 += seconds } }

  /// The time of day moves on, as for a machine that sleeps.
  func skip(_ seconds: TimeInterval) { skipped.withLock { $0 += seconds } }

  /// Lets seconds pass in the air, and in the time of day: the air's time is much faster than that.
  func pass(_ seconds: Double) async throws {
    skip(seconds)
    try await air.clock.sleep(for: .seconds(seconds))
  }

  /// A device in the room, which can be paired.
  func device(_ model: VirtualDeviceModel, battery: UInt8? = nil) -> RoomDevice {
    let place = air.makeHost(named: model.advertisedName)
    var settings = VirtualDevice.Settings()
    (settings.clock, settings.now) = (air.clock, now)
    settings.isConnected = { place.connectedPeers.contains($0) }
    settings.batteryPercent = battery
    let device = VirtualDevice(model, settings: settings, managerOptions: place.managerOptions)
    device.switchOn()
    return RoomDevice(device: device, identifier: host.identifier(of: place))
  }

  /// Lets time pass in the air, not faster than the gateway works, until something is the case.
  ///
  /// - Returns: Whether it was within half an hour of the air's time.
  func advance(_ gateway: HubGateway, until isTrue: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<(4 * 1800) {
      if try await isTrue() { return true }
      await step(gateway)
    }
    return false
  }

  func advance(_ gateway: HubGateway, by seconds: Int) async {
    for _ in 0..<(4 * seconds) { await step(gateway) }
  }

  private func step(_ gateway: HubGateway) async {
    await air.advance(by: .milliseconds(250))
    await gateway.untilIdle()
    while gateway.radio.central.awaitsAnswers { await Task.yield() }
  }

  /// Carries something out that needs time to pass in the air.
  func whilePassing<Value: Sendable>(
    _ gateway: HubGateway, _ body: @escaping @Sendable () async -> Value
  ) async throws -> Value {
    let result = Locked<Value?>(nil)
    let task = Task {
      let value = await body()
      result.withLock { $0 = value }
    }
    _ = try await advance(gateway) { result.withLock { $0 != nil } }
    await task.value
    return try #require(result.withLock { $0 })
  }

  // MARK: - The hub's file

  /// Lets the hub's file take no changes, as on a disk that fails; false lets it take them again.
  func setFileFails(_ fails: Bool) throws {
    let database = try SQLiteDatabase(path: folder.path("hub/.hub.copy/outbox.sqlite"))
    try database.execute(
      fails
        ? "CREATE TRIGGER failing BEFORE INSERT ON state BEGIN SELECT RAISE(ABORT, 'failing'); END"
        : "DROP TRIGGER failing")
  }

  // MARK: - The server

  /// What the server has of a patient, oldest first.
  func stored(of alias: String) async throws -> [HealthRecord] {
    let account = try #require(accounts[alias])
    let path = "/v1/organizations/ward/users/\(account.id)/records"
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    let answer = try await CurlTransport().send(
      TransportRequest(
        url: url, headers: [TransportHeader("Authorization", "Bearer \(account.token)")]))
    return try JSONReader(parsing: answer.body).member("records").elements().map {
      try HealthRecord($0)
    }
  }

  /// The readings among them.
  func readings(of alias: String) async throws -> [HealthRecord] {
    try await stored(of: alias).filter { $0.kind == .measurement }
  }

  func count(of alias: String) async throws -> Int { try await readings(of: alias).count }
}

/// The catalogue's numbers of a blood pressure monitor with one user, and of one that tells its users
/// apart.
let (singleCuff, sharedCuff) = (2, 10100)

func pressure(_ systolic: Int, user: UInt8? = nil) -> VirtualMeasurement {
  VirtualMeasurement(
    .bloodPressure(systolic: systolic, diastolic: 80, pulse: 70), user: user)
}

extension [HealthRecord] {
  var systolic: Set<Double> { Set(compactMap { $0.value(.systolic) }) }
}

/// A virtual device, and what the gateway's host calls it.
struct RoomDevice: Sendable {
  let device: VirtualDevice
  let identifier: UUID

  /// The entry for the file.
  func entry(_ model: Int, slot: Int? = nil) -> String {
    """
    {"device": "\(identifier.uuidString)", "model": \(model)\
    \(slot.map { ", \"slot\": \($0)" } ?? "")}
    """
  }
}

extension HubGateway {
  /// Passes through all that works in the gateway.
  func untilIdle() async {
    for session in sessions.values {
      _ = await session.passiveStatus()
      _ = try? await session.session?.heldCount()
      while await session.exports?.isLooking == true { await Task.yield() }
    }
    await Task.yield()
  }

  /// The answer to a request.
  func ask(_ request: HubRequest) async -> HubAnswer {
    do throws(HubFault) {
      return try await carryOut(request, by: "nurse") { _ in }
    } catch {
      return .failed(error)
    }
  }
}

extension HubRoom {
  /// Pairs a device for a patient.
  func enroll(
    _ device: RoomDevice, for alias: String, slot: Int? = nil, takingMemory: Bool = false,
    in gateway: HubGateway
  ) async throws {
    let answer = try await whilePassing(gateway) { [air] in
      // When it is asked for: it would be read instead by what waits for it.
      let isAsked = Task {
        guard (try? await air.clock.sleep(for: .seconds(1))) != nil else { return }
        device.device.enterPairingMode()
      }
      defer { isAsked.cancel() }
      return await gateway.ask(
        .enroll(
          .init(
            patient: .alias(alias), device: device.identifier, slot: slot, acceptsAll: true,
            takesMemory: takingMemory)))
    }
    guard case .enrolled(let enrolled) = answer else {
      Issue.record("not enrolled: \(answer)")
      return
    }
    #expect(enrolled.identifier == device.identifier)
    // It is left alone until it was not heard for a while.
    await advance(gateway, by: 20)
  }

  /// A gateway that reads a cuff for both patients, by their slots.
  func sharedCuff() async throws -> (RoomDevice, HubGateway) {
    let device = device(.bm54(memory: []))
    let model = device.device.model.peripheralID
    let gateway = try gateway(
      text([("bed-1", device.entry(model, slot: 1)), ("bed-2", device.entry(model, slot: 2))]))
    await gateway.start()
    try await enroll(device, for: "bed-1", slot: 1, in: gateway)
    return (device, gateway)
  }

  /// Why something cannot be enrolled.
  func fault(of enrolment: HubRequest.Enrolment, in gateway: HubGateway) async -> HubFault? {
    guard case .failed(let fault) = await gateway.ask(.enroll(enrolment)) else { return nil }
    return fault
  }

  /// Ends a gateway, which waits for what is being read.
  func stop(_ gateway: HubGateway) async {
    _ = try? await whilePassing(gateway) { await gateway.stop() }
  }
}

extension DeviceModel {
  /// The numbers in readings of the users that the device labels 1 and 2.
  var slots: [UInt8] { [1, 2].map { UInt8(slot(labeled: $0) ?? 0) } }
}
