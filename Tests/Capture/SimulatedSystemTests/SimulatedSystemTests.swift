// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import IngestServer
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import SessionTesting
import TestSupport
import Testing
import VirtualDevices

/// The real server, with a user for each phone.
final class HospitalServer: Sendable {
  private let folder: TemporaryFolder
  private let server: IngestServer

  init() throws {
    folder = try TemporaryFolder()
    server = try IngestServer(configuration: .init(storagePath: folder.path("store.sqlite")))
  }

  deinit { server.stop() }

  var url: URL {
    URL(string: "http://127.0.0.1:\(server.port)") ?? URL(fileURLWithPath: "/")
  }

  func makeUser(_ name: String) throws -> SantorioUser {
    let user = try server.createUser(organization: "acme", uid: name)
    return SantorioUser(
      userID: user.id, organizationID: user.organization, accessToken: user.token)
  }

  /// What a user has: how many records, in how many forms.
  func count(of user: SantorioUser) throws -> (records: Int, forms: Int) {
    let counts = try SQLiteDatabase(path: folder.path("store.sqlite")).prepare(
      """
      SELECT count(DISTINCT record.number), count(*) FROM revision
      JOIN record ON revision.record = record.number JOIN user ON record.user = user.number
      WHERE user.id = ?
      """
    ).all(.text(user.userID)) { (records: Int($0.integer(0)), forms: Int($0.integer(1))) }
    return counts[0]
  }
}

/// A way in which devices part with readings.
enum Parting: String, CaseIterable {
  /// It keeps them, and the app notes how far it has come.
  case keeps
  /// It erases what it was told is stored.
  case erasesWhenTold
  /// It erases what has arrived: the system confirms that by itself, even if the app then ends.
  case erasesWhenSent

  /// How many of what it sends are no readings; they arrive, too.
  var rejected: Int { self == .keeps ? 2 : 0 }

  var model: VirtualDeviceModel {
    switch self {
    case .keeps: .glucoseMeter
    case .erasesWhenTold: .rpmBP100
    case .erasesWhenSent: .ua651BLE(memory: [])
    }
  }

  var device: DeviceModel {
    switch self {
    case .keeps: .genericGlucose
    case .erasesWhenTold: .welchAllynRPMBP100
    case .erasesWhenSent: .aAndDUA651BLE
    }
  }
}

/// What happens, told while one schedule is repeated.
enum Story {
  static let seed = ProcessInfo.processInfo.environment["SANTORIO_SEED"].flatMap { UInt64($0) }

  static func tell(_ line: @autoclosure () throws -> String) rethrows {
    if seed != nil { print(try line()) }
  }
}

/// One life of an app on a phone, drawn at random.
struct Schedule {
  private enum Happening: String, CaseIterable {
    case measure, open, leave, upload, pass
    case kill, killWhileStoring, close, restart, unlock
    case goOffline, goOnline, goAway, comeBack
    case holdDisk, releaseDisk

    /// How often it happens.
    var weight: Int {
      switch self {
      case .measure, .open, .leave: 6
      case .upload, .kill, .killWhileStoring, .holdDisk: 4
      case .comeBack, .goOnline, .releaseDisk: 3
      case .pass, .goAway, .goOffline, .unlock: 2
      case .close, .restart: 1
      }
    }

    static let weighted = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  private let phone: PhoneSystem
  private let server: HospitalServer
  private let user: SantorioUser
  private let parting: Parting
  private var random: SeededGenerator
  private(set) var story: [String] = []

  private let isPassive: Bool

  init(
    _ seed: UInt64, _ parting: Parting, on server: HospitalServer, isPassive: Bool = false
  ) throws {
    self.isPassive = isPassive
    random = SeededGenerator(seed: seed)
    for _ in 0..<parting.rawValue.count { _ = random.next() }
    self.parting = parting
    self.server = server
    user = try server.makeUser("\(parting)-\(seed)-\(isPassive)")
    let line = CurlTransport()
    phone = try PhoneSystem(
      AppInstallation(
        device: parting.device, server: server.url, user: user,
        isShared: Bool.random(using: &random), isPassive: isPassive),
      // Some readings take seconds.
      connectionInterval: .seconds(exp(Double.random(in: -4...0, using: &random))),
      parting.model, modes: isPassive || Bool.random(using: &random) ? [.central] : []
    ) { request in
      do throws(TransportError) {
        return .success(try await line.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Lets happen what happens, then lets the app get to the end.
  mutating func run() async throws {
    try await phone.open()
    try await phone.launch?.session.start(user)
    if isPassive { try await phone.beginPassiveReading() }
    for _ in 0..<Int.random(in: 10...50, using: &random) {
      let happening = Happening.weighted.randomElement(using: &random) ?? .pass
      story.append(happening.rawValue)
      Story.tell("\(parting): \(happening)")
      try await happen(happening)
      try await phone.pass(.seconds(exp(Double.random(in: -3...2, using: &random))))
    }
    try await finish()
  }

  private mutating func happen(_ happening: Happening) async throws {
    switch happening {
    case .measure: phone.measure()
    case .open: try await phone.open()
    case .leave: phone.leave()
    case .upload: try await phone.performUpload()
    case .pass: try await phone.pass(.seconds(20))
    case .kill where mayEnd: try await phone.kill()
    case .close where mayEnd: try await phone.close()
    case .restart where mayEnd: try await phone.restart()
    case .killWhileStoring:
      try await phone.open()
      phone.measure()
      try await phone.pass(.milliseconds(50 * Int.random(in: 1...20, using: &random)))
      await phone.holdDisk()
      try await phone.pass(.milliseconds(50 * Int.random(in: 1...180, using: &random)))
      if mayEnd { try await phone.kill() }
    case .kill, .close, .restart: break
    case .unlock: phone.unlock()
    case .goOffline: phone.daemon.isOnline = false
    case .goOnline: phone.daemon.isOnline = true
    case .goAway: phone.isInRange = false
    case .comeBack: phone.isInRange = true
    case .holdDisk: await phone.holdDisk()
    case .releaseDisk: phone.releaseDisk()
    }
  }

  /// What a device erases by itself is lost if the app ends before it is on disk: that is what
  /// background time is for.
  private var mayEnd: Bool { parting != .erasesWhenSent || !phone.wouldLose }

  private mutating func finish() async throws {
    story.append("finish")
    phone.releaseDisk()
    phone.daemon.isOnline = true
    phone.isInRange = true
    for round in 0..<300 {
      if round.isMultiple(of: 20) { try await phone.open() }
      // A meter that has sent all it has is silent, also when that did not reach the disk.
      if round % 60 == 59 { phone.measure() }
      try await phone.performUpload()
      try await phone.pass(.seconds(1))
      try Story.tell("\(parting): \(server.count(of: user).records) of \(expected) readings")
      if try await isComplete { break }
    }
    // A device may send all of it again, which is sent again and must not be stored twice.
    try await phone.pass(.seconds(30))
    for _ in 0..<10 {
      try await phone.performUpload()
      try await phone.pass(.seconds(1))
    }
  }

  private var expected: Int { phone.measured + parting.rejected }

  private var isComplete: Bool {
    get async throws {
      guard try server.count(of: user).records >= expected else { return false }
      return try await phone.launch?.session.pendingCount() == 0
    }
  }

  /// What came of it; empty when every reading is on the server, once.
  func faults() async throws -> [String] {
    let (records, forms) = try server.count(of: user)
    let pending = try await phone.launch?.session.pendingCount() ?? -1
    var faults: [String] = []
    if records != expected { faults.append("\(records) of \(expected) readings") }
    if forms != records { faults.append("\(forms) forms of \(records) readings") }
    if pending != 0 { faults.append("\(pending) wait") }
    try await phone.shutDown()
    return faults
  }
}

@Suite(.timeLimit(.minutes(60))) struct `An app among suspensions, ends and locks` {
  /// `SANTORIO_SEED=17` repeats one; `SANTORIO_FAULTS=long` runs through a thousand.
  private static let seeds: [UInt64] = {
    if let seed = Story.seed { return [seed] }
    let isLong = ProcessInfo.processInfo.environment["SANTORIO_FAULTS"] == "long"
    return Array(0..<UInt64(isLong ? 340 : cases(few: 4, many: 12))) + found
  }()

  // 135: the app leaves the foreground while a device sends, without a background mode. 276: a
  // device sends again when all is on the server.
  private static let found: [UInt64] = [135, 276]

  @Test(arguments: Parting.allCases)
  func `brings every reading to the server, once`(parting: Parting) async throws {
    try await run(parting, isPassive: false, Self.seeds)
  }

  @Test(arguments: Parting.allCases)
  func `does so when it reads passively, and is launched for the device`(
    parting: Parting
  ) async throws {
    // Its pauses are longer, and a life takes more of the test's time.
    let isLong = Self.seeds.count > 100 || Story.seed != nil
    let seeds = isLong ? Self.seeds : Array(Self.seeds.prefix(cases(few: 2, many: 5)))
    try await run(parting, isPassive: true, seeds)
  }

  private func run(_ parting: Parting, isPassive: Bool, _ seeds: [UInt64]) async throws {
    let server = try HospitalServer()
    for seed in seeds {
      var schedule = try Schedule(seed, parting, on: server, isPassive: isPassive)
      do {
        try await schedule.run()
        let faults = try await schedule.faults()
        #expect(faults == [], "seed \(seed): \(schedule.story.joined(separator: ", "))")
      } catch {
        Issue.record("seed \(seed): \(error): \(schedule.story.joined(separator: ", "))")
      }
    }
  }
}
