// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import CoreBluetoothSimulation
import Foundation
import HealthGATT
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import TestSupport
import Testing
import VirtualDevices

@testable import SantorioBluetooth

private let values = Invention.values
private let commands = Invention.commands

extension Invention {
  /// A device that sends two measurements to whoever subscribes, and an end once it has been told
  /// twice that they are safe; its driver notes how far the transfer came.
  fileprivate static var careful: Invention {
    let acknowledgements = Locked(0)
    return Invention(
      driver: { event in
        switch event {
        case .begun: [.subscribe(values)]
        case .value(_, [0xFF]): [.finish]
        case .value(_, let bytes):
          [.deliver(reading(bytes)), .advance(checkpoint(bytes)), .confirmStorage]
        case .stored: [.write(commands, [0xAC])]
        default: []
        }
      },
      device: { input in
        switch input {
        case .subscribed: return [.send(values, [36, 1]), .send(values, [37, 2])]
        case .written:
          let count = acknowledgements.withLock { count in
            count += 1
            return count
          }
          return count.isMultiple(of: 2) ? [.send(values, [0xFF])] : []
        default: return []
        }
      })
  }

  fileprivate static func checkpoint(_ bytes: [UInt8]) -> SyncCheckpoint {
    SyncCheckpoint(sequenceNumber: Int(bytes.last ?? 0), payload: bytes, key: CheckpointKey())
  }
}

/// A disk on which some records cannot be written.
private struct Disk {
  let database: SQLiteDatabase
  private let seal: RowSeal

  init(_ offline: Offline) throws {
    let key = try CredentialFiles(folder: offline.folder).token(for: "outbox-key")
    seal = RowSeal(key: Array(try #require(Data(base64Encoded: key))))
    database = try SQLiteDatabase(path: offline.folder.appendingPathComponent("outbox.sqlite").path)
  }

  /// Lets all writes of records fail, or those of one.
  func fail(only logID: String? = nil) throws {
    let condition = try logID.map {
      "WHEN new.log_id = x'\(try seal.name(of: $0).hexadecimal)'"
    }
    try database.execute(
      "CREATE TRIGGER broken BEFORE INSERT ON q \(condition ?? "") "
        + "BEGIN SELECT RAISE(ABORT, 'no disk'); END;")
  }

  func mend() throws { try database.execute("DROP TRIGGER broken") }
}

extension Room {
  /// The identifier of the record that is made of the bytes of an invention.
  fileprivate func logID(_ bytes: [UInt8]) -> String {
    RecordIdentity(
      device: "peripheral:\(phone.identifier(of: device).uuidString)",
      sequenceNumber: bytes.last.map { Int($0) },
      metrics: [Metric(.bodyTemperature, Double(bytes.first ?? 0))]
    ).logID
  }

  /// Reads until all is over.
  fileprivate func read(
    _ invention: Invention, with controller: BluetoothPeripheralController
  ) async -> [BluetoothEvent] {
    controller.startReading(from: invention.peripheral)
    return await events(of: controller)
  }
}

/// The checkpoints of the devices in the file of a session; nil when there is none.
private func savedCheckpoints(in offline: Offline) async throws -> [SyncCheckpoint]? {
  let states = try await offline.session.states(of: "bluetooth")
  let checkpoints = try states.filter { $0.name.key.hasPrefix("checkpoint/") }
    .map { try JSONDecoder().decode(SyncCheckpoint.self, from: Data($0.value)) }
  return checkpoints.isEmpty ? nil : checkpoints
}

@Suite(.timeLimit(.minutes(15))) struct `Storage before the device erases` {
  @Test func `is confirmed once readings and checkpoints are on disk`()
    async throws
  {
    let invention = Invention.careful
    let room = Room(invention.model)
    let offline = try await Offline()
    let controller = room.controller(session: offline.session)
    let records = await room.read(invention, with: controller).compactMap(\.record)

    #expect(records.map { $0.value(.bodyTemperature) } == [36, 37])
    #expect(records.map(\.logID) == [room.logID([36, 1]), room.logID([37, 2])])
    #expect(try await offline.session.pendingRecords() == records)
    #expect(invention.written.withLock { $0 } == [[0xAC], [0xAC]])
    #expect(try await savedCheckpoints(in: offline) == [Invention.checkpoint([37, 2])])

    // Another controller, as after a relaunch, knows how far it came.
    let later = room.controller(session: offline.session)
    _ = await room.read(invention, with: later)
    #expect(
      invention.contexts.withLock { $0.map(\.checkpoints) } == [
        [], [Invention.checkpoint([37, 2])],
      ])
    #expect(try await offline.session.pendingCount() == 2)
  }

  // The meter still has what the queue lost.
  @Test func `is repeated when the queue is lost`() async throws {
    let invention = Invention.careful
    let room = Room(invention.model)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    func read() async throws -> Int {
      let session = SantorioSession(
        SantorioSession.Configuration(
          directory: folder, endpoint: try #require(URL(string: "http://127.0.0.1:9"))))
      if try await session.storedUser() == nil {
        try await session.start(
          SantorioUser(userID: "u", organizationID: "o", accessToken: "token"))
      }
      _ = await room.read(invention, with: room.controller(session: session))
      return try await session.pendingCount()
    }
    #expect(try await read() == 2)
    for name in ["outbox.sqlite", "outbox.sqlite-wal", "outbox.sqlite-shm"] {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }

    #expect(try await read() == 2)
    #expect(invention.contexts.withLock { $0.map(\.checkpoints) } == [[], []])
  }

  @Test func `is repeated when what is kept about the device is damaged`() async throws {
    let invention = Invention.careful
    let room = Room(invention.model)
    let offline = try await Offline()
    _ = await room.read(invention, with: room.controller(session: offline.session))
    let path = offline.folder.appendingPathComponent("outbox.sqlite").path
    try SQLiteDatabase(path: path).execute(
      "UPDATE state SET value = zeroblob(40) WHERE key LIKE 'checkpoint/%'")

    let controller = room.controller(session: offline.session)
    let records = await room.read(invention, with: controller).compactMap(\.record)

    #expect(records.map(\.logID) == [room.logID([36, 1]), room.logID([37, 2])])
    #expect(try await savedCheckpoints(in: offline) == [Invention.checkpoint([37, 2])])
  }

  @Test func `is not confirmed, and no checkpoint advances, when a reading cannot be stored`()
    async throws
  {
    let invention = Invention.careful
    let room = Room(invention.model)
    let offline = try await Offline()
    let disk = try Disk(offline)
    try disk.fail()
    let events = await room.read(invention, with: room.controller(session: offline.session))

    guard case .ended(.failed(let error, let records))? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(error.code == .submissionFailure)
    #expect(!records.isEmpty)
    #expect(invention.written.withLock { $0 } == [])
    #expect(try await savedCheckpoints(in: offline) == nil)
    #expect(try await offline.session.pendingCount() == 0)

    try disk.mend()
    let controller = room.controller(session: offline.session)
    _ = await room.read(invention, with: controller)
    #expect(try await offline.session.pendingCount() == 2)
    #expect(invention.contexts.withLock { $0.map(\.checkpoints) } == [[], []])
    #expect(try await savedCheckpoints(in: offline) == [Invention.checkpoint([37, 2])])
  }

  @Test func `is not confirmed without a user`() async throws {
    let invention = Invention.careful
    let room = Room(invention.model)
    let offline = try await Offline(withUser: false)
    let events = await room.read(invention, with: room.controller(session: offline.session))
    #expect(events.last?.error?.code == .noUser)
    #expect(invention.written.withLock { $0 } == [])
    #expect(try await savedCheckpoints(in: offline) == nil)
  }

  @Test func `keeps checkpoints before a reading that is not on disk`()
    async throws
  {
    let invention = Invention(
      driver: { event in
        switch event {
        case .begun: [.subscribe(values)]
        case .value(_, [38, 3]): [.deliver(Invention.reading([38, 3])), .finish]
        case .value(_, let bytes):
          [.deliver(Invention.reading(bytes)), .advance(Invention.checkpoint(bytes))]
        default: []
        }
      },
      device: { input in
        guard case .subscribed = input else { return [] }
        return [.send(values, [36, 1]), .send(values, [37, 2]), .send(values, [38, 3])]
      })
    let room = Room(invention.model)
    let offline = try await Offline()
    let disk = try Disk(offline)
    try disk.fail(only: room.logID([37, 2]))
    let events = await room.read(invention, with: room.controller(session: offline.session))

    #expect(events.compactMap(\.record).count == 3)
    #expect(events.last?.error?.code == .submissionFailure)
    #expect(
      try await offline.session.pendingRecords().map { $0.value(.bodyTemperature) } == [36, 38])
    #expect(try await savedCheckpoints(in: offline) == [Invention.checkpoint([36, 1])])
  }

  @Test func `is confirmed at once without a session`() async throws {
    let invention = Invention.careful
    let room = Room(invention.model)
    let controller = room.controller()
    #expect(await room.read(invention, with: controller).compactMap(\.record).count == 2)
    #expect(invention.written.withLock { $0 } == [[0xAC], [0xAC]])
    _ = await room.read(invention, with: controller)
    #expect(
      invention.contexts.withLock { $0.last?.checkpoints } == [Invention.checkpoint([37, 2])])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Device of another kind` {
  @Test func `gets requests in the driver's order and answers in order`() async {
    let invention = Invention(
      commands: [.writeWithoutResponse],
      driver: { event in
        switch event {
        case .begun: [.subscribe(values)]
        // The write is done at once; what the driver makes of that still comes after the reading.
        case .value(_, let bytes):
          [.writeWithoutResponse(commands, [1]), .deliver(Invention.reading(bytes))]
        case .written: [.deliver(Invention.reading([37, 2])), .finish]
        default: []
        }
      },
      device: { input in
        if case .subscribed = input { [.send(values, [36, 1])] } else { [] }
      })
    let room = Room(invention.model)
    let events = await room.read(invention, with: room.controller())
    #expect(events.compactMap(\.record).map { $0.value(.bodyTemperature) } == [36, 37])
    #expect(room.phone.misuseReports.isEmpty && room.device.misuseReports.isEmpty)
  }

  @Test(arguments: [
    VirtualCharacteristic.Properties.writeWithoutResponse, [.writeWithoutResponse, .write],
  ])
  func `gets every write without response`(
    properties: VirtualCharacteristic.Properties
  ) async {
    let invention = Invention(
      commands: properties,
      driver: { event in
        switch event {
        case .begun:
          (0..<100).map { .writeWithoutResponse(commands, [$0]) } + [.subscribe(values)]
        case .subscribed: [.deliver(Invention.reading([36, 1])), .finish]
        default: []
        }
      })
    let room = Room(invention.model)
    let events = await room.read(invention, with: room.controller())
    #expect(events.compactMap(\.record).count == 1)
    #expect(invention.written.withLock { $0 } == (0..<100).map { [$0] })
    #expect(room.phone.misuseReports.isEmpty)
  }

  @Test func `is written nothing more once the reading ends`() async {
    let invention = Invention(
      commands: .writeWithoutResponse,
      driver: { event in
        switch event {
        case .begun: [.subscribe(values)]
        case .value(_, let bytes):
          [.deliver(Invention.reading(bytes)), .writeWithoutResponse(commands, [1]), .finish]
        default: []
        }
      },
      device: { input in
        if case .subscribed = input { [.send(values, [36, 1])] } else { [] }
      })
    let room = Room(invention.model)
    room.phone.hidesRoomBeforeFirstWrite = true
    // The end of the subscription takes longer than the write waits for room.
    room.phone.link.connectionInterval = .seconds(2)
    let events = await room.read(invention, with: room.controller())
    #expect(events.compactMap(\.record).count == 1)
    #expect(events.last?.error == nil)
    #expect(invention.written.withLock { $0 } == [])
  }

  @Test(arguments: [
    VirtualCharacteristic.Properties.write, .writeWithoutResponse, [.writeWithoutResponse, .write],
  ])
  func `is written in the way it supports`(
    properties: VirtualCharacteristic.Properties
  ) async {
    let invention = Invention(
      commands: properties,
      driver: { event in
        switch event {
        case .begun: [.write(commands, [1]), .writeWithoutResponse(commands, [2]), .read(commands)]
        case .readFailed: [.deliver(Invention.reading([36, 1])), .finish]
        default: []
        }
      })
    let room = Room(invention.model)
    let events = await room.read(invention, with: room.controller())
    #expect(events.compactMap(\.record).count == 1)
    #expect(invention.written.withLock { $0 } == [[1], [2]])
  }

  @Test func `never gets a harmful command`() async {
    let invention = Invention(driver: { event in
      event == .begun
        ? [.write(Invention.recordAccess, [2, 1]), .write(commands, [1])] : [.finish]
    })
    let room = Room(invention.model)
    let error = await room.read(invention, with: room.controller()).last?.error
    #expect(error?.code == .communicationFailure)
    #expect(error?.message.contains("because it deletes stored records") == true)
    #expect(invention.written.withLock { $0 } == [])
    #expect(room.phone.connectedPeers.isEmpty)
  }

  @Test(arguments: [true, false])
  func `that disconnects may have more readings`(isComplete: Bool) async {
    let invention = Invention(
      isComplete: isComplete,
      driver: { event in
        switch event {
        case .begun: [.subscribe(values)]
        case .subscribed: [.ready]
        case .value(_, let bytes): [.deliver(Invention.reading(bytes))]
        default: []
        }
      },
      device: { input in
        if case .subscribed = input { [.send(values, [36, 1])] } else { [] }
      })
    let room = Room(invention.model)
    let controller = room.controller()
    controller.startReading(from: invention.peripheral)
    let (events, device) = (controller.events, room.device)
    let hangUp = Task {
      for await event in events {
        if case .reading = event { return device.disconnectAll() }
        if case .ended = event { return }
      }
    }
    let all = await room.events(of: controller)
    await hangUp.value
    switch all.last {
    case .ended(.finished(let records)):
      #expect(isComplete)
      #expect(records.map { $0.value(.bodyTemperature) } == [36])
    case .ended(.failed(let error, let records)):
      #expect(!isComplete)
      #expect(error.code == .communicationFailure)
      #expect(records.map { $0.value(.bodyTemperature) } == [36])
    default: Issue.record("\(all)")
    }
    #expect(all.contains(.readyToRead(invention.peripheral)))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Secret of a device` {
  private let secret: [UInt8] = [0x53, 0x03, 0xC0, 0xDE]

  /// A device that gives out a password when it is read.
  private var invention: Invention {
    Invention(driver: { [secret] event in
      switch event {
      case .begun: [.keep(.password, secret), .subscribe(values)]
      case .subscribed:
        [
          .deliver(Invention.reading([36, 1])), .advance(Invention.checkpoint([36, 1])), .finish,
        ]
      default: []
      }
    })
  }

  @Test func `is stored only in the credential store`() async throws {
    let (invention, offline, room) = (invention, try await Offline(), Room(invention.model))
    let folder = offline.folder.appendingPathComponent("credentials")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let credentials = CredentialFiles(folder: folder)
    for _ in 0..<2 {
      let controller = room.controller(session: offline.session, credentials: credentials)
      #expect(await room.read(invention, with: controller).compactMap(\.record).count == 1)
    }
    #expect(
      invention.contexts.withLock { $0.map(\.secrets) } == [[:], [.password: secret]])

    let device = room.phone.identifier(of: room.device)
    #expect(try credentials.token(for: "device-\(device.uuidString)") == "password=5303c0de")
    let token = folder.appendingPathComponent("device-\(device.uuidString).token").path
    let mode = try FileManager.default.attributesOfItem(atPath: token)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let files = try FileManager.default.contentsOfDirectory(
      at: offline.folder, includingPropertiesForKeys: [.isRegularFileKey]
    ).filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
    #expect(files.map(\.lastPathComponent).contains("outbox.sqlite"))
    for file in files {
      let bytes = try Data(contentsOf: file)
      #expect(bytes.range(of: Data(secret)) == nil, "\(file.lastPathComponent)")
      #expect(bytes.range(of: Data("5303c0de".utf8)) == nil, "\(file.lastPathComponent)")
      #expect(bytes.range(of: Data(secret).base64EncodedData()) == nil)
    }
  }

  @Test func `is stored in the session's store by default`() async throws {
    let (invention, offline, room) = (invention, try await Offline(), Room(invention.model))
    for _ in 0..<2 {
      _ = await room.read(invention, with: room.controller(session: offline.session))
    }
    #expect(invention.contexts.withLock { $0.last?.secrets } == [.password: secret])
  }

  @Test func `that cannot be stored is reported, though the reading is stored`() async throws {
    let (invention, offline, room) = (invention, try await Offline(), Room(invention.model))
    let nowhere = CredentialFiles(folder: URL(fileURLWithPath: "/nowhere/at/all"))
    let controller = room.controller(session: offline.session, credentials: nowhere)
    let events = await room.read(invention, with: controller)
    #expect(events.last?.error?.code == .submissionFailure)
    #expect(try await offline.session.pendingRecords() == events.compactMap(\.record))
    #expect(events.compactMap(\.record).count == 1)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Driver that goes wrong` {
  @Test(arguments: [DriverAction.read(Invention.values), .read(Invention.recordAccess)])
  func `is stopped by a cancellation, however fast it asks`(question: DriverAction) async {
    let invention = Invention(driver: { event in
      switch event {
      case .begun, .readFailed: [question]
      default: []
      }
    })
    let room = Room(invention.model)
    let controller = room.controller()
    controller.startReading(from: invention.peripheral)
    let found = await room.events(of: controller) { if case .found = $0 { true } else { false } }
    #expect(found.count == 1)
    controller.cancel()
    #expect(await room.events(of: controller).last == .ended(.cancelled([])))
  }

  @Test func `keeps a secret of any name`() throws {
    let folder = try TemporaryFolder()
    let secrets = DeviceSecrets(credentials: CredentialFiles(folder: folder.url))
    let device = UUID()
    for name in ["pin code", "a=b", "50 %", "schlüssel"] {
      try secrets.keep([7], as: DeviceSecret(rawValue: name), of: device)
      #expect(try secrets.secrets(of: device)[DeviceSecret(rawValue: name)] == [7])
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Reading that no record can hold` {
  @Test(arguments: [false, true])
  func `does not keep the others from the queue`(hasDelegate: Bool) async throws {
    let invention = Invention(driver: { event in
      guard case .begun = event else { return [] }
      let readings = (1...3).map { number in
        var reading = Invention.reading([36, UInt8(number)])
        if number == 2 {
          // It would end after the year 9999.
          reading.series = [.init(.bodyTemperature, secondsBetween: 1e12, values: [36, 37])]
        }
        return DriverAction.deliver(reading)
      }
      return readings + [.finish]
    })
    let (room, offline) = (Room(invention.model), try await Offline())
    let controller = room.controller(session: offline.session)
    let delegate = Agreeing()
    if hasDelegate { controller.delegate = delegate }
    controller.startReading(from: invention.peripheral)
    let events = await room.events(of: controller)
    #expect(events.last?.error == nil)
    #expect(events.compactMap(\.record).count == 2)
    #expect(events.compactMap(\.refusal?.reason) == [.malformed])
    let pending = try await offline.session.pendingRecords()
    #expect(pending.filter { $0.kind != .rejected } == events.compactMap(\.record))
    #expect(pending.count == 3)
  }

  private final class Agreeing: BluetoothPeripheralControllerDelegate {}
}

@Suite(.timeLimit(.minutes(15))) struct `Device with several users` {
  @Test func `keeps the readings of the others for them`() async throws {
    let room = Room(.taiDocBloodPressure)
    let offline = try await Offline()
    let entry = try #require(DeviceModel(id: VirtualDeviceModel.taiDocBloodPressure.peripheralID))
    var slots: [Int?] = []
    for slot in [1, 2] {
      let controller = room.controller(session: offline.session)
      controller.startReading(from: entry, userSlot: slot)
      slots += await room.events(of: controller).compactMap(\.record)
        .map(\.source.device?.userSlot)
    }
    #expect(slots == [1, 1, 2])
  }

  @Test func `is read for one of them, and other users' readings are reported as such`()
    async throws
  {
    let room = Room(.bm54())
    let offline = try await Offline()
    let controller = room.controller(session: offline.session)
    controller.startReading(from: .genericBloodPressure, userSlot: 1)
    let events = await room.events(of: controller)
    #expect(events.compactMap(\.record).map(\.source.device?.userSlot) == [1])
    #expect(events.compactMap(\.refusal?.reason) == [.otherUser, .otherUser])
    #expect(try await offline.session.pendingCount() == 1)
  }

  @Test func `is read for one of them in a loop, too`() async throws {
    let room = Room(.bm54())
    let controller = room.controller()
    let readings = controller.readings(from: .genericBloodPressure, userSlot: 1)
    async let moved = room.events(of: controller)
    var slots: [Int?] = []
    for try await record in readings { slots.append(record.source.device?.userSlot) }
    #expect(slots == [1])
    _ = await moved
  }

  @Test func `is read for all of them unless one is named`() async {
    let room = Room(.bm54())
    let controller = room.controller()
    controller.startReading(from: .genericBloodPressure)
    let records = await room.events(of: controller).compactMap(\.record)
    #expect(records.map(\.source.device?.userSlot) == [0, 0, 1])
  }
}
