// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import Testing

@testable import SantorioBluetooth
@testable import santorio

@Suite struct `Slot option` {
  private let cuff = UUID()
  private let scale = UUID()
  private let thermometer = UUID()

  private func option(_ words: String...) throws -> SlotOption {
    try SlotOption(
      Arguments(parsing: words.flatMap { ["--slot", $0] }, for: .devices), allowsNone: true)
  }

  private func device(
    _ identifier: UUID, _ model: DeviceModel, shown: Set<Int> = [], wasRead: Bool = true
  ) -> EnrolledDevice {
    EnrolledDevice(
      identifier: identifier, model: model,
      users: DeviceUserSlots(own: nil, shown: shown, heldCount: 0), wasRead: wasRead)
  }

  /// A cuff that counts from 0, a scale, and a thermometer.
  private func folder(scaleShows: Set<Int> = [1, 2], wasRead: Bool = true) -> [EnrolledDevice] {
    [
      device(cuff, .beurerBM54, shown: [0, 1]),
      device(scale, .genericWeightScale, shown: scaleShows, wasRead: wasRead),
      device(thermometer, .genericThermometer),
    ]
  }

  private func choices(
    _ option: SlotOption, of devices: [DeviceChoice] = [.enrolled], isOnce: Bool = false,
    in folder: [EnrolledDevice]
  ) throws -> UserChoices {
    try option.choices(of: devices, isOnce: isOnce, enrolled: folder)
  }

  @Test func `gives each device its own user, by what that device shows`() throws {
    let option = try option("bm54=1", "weight scale=2")
    #expect(
      try choices(option, in: folder())
        == UserChoices(devices: [cuff: .slot(0), scale: .slot(2)]))
  }

  @Test func `is of the one device that tells its users apart`() throws {
    let found = try choices(try option("2"), in: folder(scaleShows: []))
    #expect(found == UserChoices(devices: [cuff: .slot(1)]))
    let single = [device(thermometer, .genericThermometer)]
    #expect(
      try choices(try option("2"), in: single) == UserChoices(devices: [thermometer: .slot(2)]))
    #expect(try choices(try option("2"), in: []) == UserChoices())
  }

  @Test(arguments: [(Set([1, 2]), true), (Set<Int>(), false)])
  func `is refused where it could be of several`(shown: Set<Int>, wasRead: Bool) throws {
    let folder = folder(scaleShows: shown, wasRead: wasRead)
    let error = try #require(
      #expect(throws: CommandError.self) { try choices(try option("1"), in: folder) })
    #expect(error.description.contains("2 devices tell their users apart"))
    #expect(error.description.contains("--slot \(cuff)=N   Beurer BM54 family"))
    #expect(error.description.contains("--slot \(scale)=N   Weight scale"))
    #expect(!error.description.contains("\(thermometer)"))
    // Of those that are named, only these count.
    #expect(
      try choices(try option("1"), of: [.identifier(scale)], in: folder).devices[scale] == .slot(1))
  }

  @Test func `is of the one device of a model, if only one is read`() throws {
    let one = [DeviceChoice.entry(.beurerBM54)]
    #expect(try choices(try option("1"), of: one, isOnce: true, in: []).any == .label(1))
    for (devices, isOnce) in [(one, false), (one + [.entry(.genericWeightScale)], true)] {
      let error = #expect(throws: CommandError.self) {
        try choices(try option("1"), of: devices, isOnce: isOnce, in: [])
      }
      #expect(error?.description.contains("does not say which device is meant") == true)
    }
  }

  @Test func `takes a device that is not enrolled by its own word`() throws {
    let stranger = UUID()
    #expect(
      try choices(try option("\(stranger)=3"), of: [.identifier(stranger)], in: folder()).devices
        == [stranger: .label(3)])
  }

  @Test func `refuses a user whom the device does not have`() throws {
    let error = #expect(throws: CommandError.self) {
      try choices(try option("\(cuff)=0"), in: folder())
    }
    #expect(error?.description.contains("labels its users from 1") == true)
  }

  @Test func `refuses a model of which not one device is enrolled`() throws {
    let twins = [device(cuff, .beurerBM54), device(scale, .beurerBM54)]
    for (folder, fault) in [([], "no device of the model \"bm54\""), (twins, "2 devices of")] {
      let error = #expect(throws: CommandError.self) {
        try choices(try option("bm54=1"), in: folder)
      }
      #expect(error?.description.contains(fault) == true)
    }
  }

  @Test(arguments: [
    (["1", "2"], "--slot N can be given once"), (["1", "2=1"], "not both"),
    (["x"], "takes a user's number"), (["-1"], "takes a user's number"),
    (["4294967296"], "takes a user's number"), (["=1"], "does not name a device"),
    (["3000="], "takes a user's number"), (["none"], "takes a user's number"),
  ])
  func `refuses what names no user`(words: [String], fault: String) {
    let error = #expect(throws: UsageError.self) {
      try SlotOption(
        Arguments(parsing: words.flatMap { ["--slot", $0] }, for: .devices), allowsNone: true)
    }
    #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
  }

  @Test func `forgets a user by "none" where that can be kept`() throws {
    #expect(try option("\(cuff)=none").assignments.map(\.label) == [nil])
    #expect(throws: UsageError.self) {
      try SlotOption(Arguments(parsing: ["--slot", "3000=none"], for: .devices))
    }
  }
}

@Suite struct `Summary of what is held` {
  private let identifier = UUID()

  private func lines(
    _ slots: [Int?], of model: DeviceModel = .beurerBM54, isEnrolled: Bool = true,
    own ownSlot: Int? = nil, isUnknownUser: Bool = true
  ) -> [String] {
    HeldSummary(
      device: .init(peripheral: model, identifier: identifier),
      records: slots.enumerated().map { index, slot in
        var record = HealthRecord(
          logID: "r\(index)", time: RecordTime(start: .now, origin: .device, received: .now),
          source: RecordSource(type: .bluetooth, device: SourceDevice(userSlot: slot)),
          metrics: [Metric(.pulse, 60)])
        if slot == nil, isUnknownUser {
          record.tags = [RecordTag(name: "user_unknown", value: "true")]
        }
        return record
      }, isEnrolled: isEnrolled, ownSlot: ownSlot
    ).lines
  }

  @Test func `counts by what the device shows, and says what to do`() {
    let lines = lines([1, 0, 1, nil])
    #expect(
      lines.first
        == "held: 4 readings of Beurer BM54 family, \(identifier): 1 of its user 1, 2 of its user 2, "
        + "1 of a person whom it does not know")
    #expect(lines[1].contains("\"santorio devices --data FOLDER --slot \(identifier)=N\""))
    #expect(!lines[1].contains("not public"))
    #expect(lines[3].contains("\"santorio queue release r3\""))
  }

  @Test func `says where it is not public how the device labels its users`() {
    let lines = lines([2], of: .genericWeightScale, isEnrolled: false)
    #expect(lines[0] == "held: 1 reading of Weight scale, \(identifier): 1 of its slot 2")
    #expect(lines[1].contains("\"santorio read \(identifier) --slot N\""))
    #expect(lines[1].contains("how it labels its users is not public"))
  }

  @Test func `asks for no user where only the time is in doubt`() {
    let lines = lines([nil, 1], own: 1, isUnknownUser: false)
    #expect(
      lines == [
        "held: 2 readings of Beurer BM54 family, \(identifier): 2 measured when another user may have had it",
        "  they are in \"santorio queue list held\": \"santorio queue release r0\" takes one for this user's, "
          + "\"santorio queue decline\" does not",
      ])
  }

  @Test func `is empty where nothing is`() {
    #expect(lines([]) == [])
    let device = DeviceRunner.FoundDevice(peripheral: .beurerBM54, identifier: identifier)
    #expect(OnceReading.line(about: device, held: 0) == "Beurer BM54 family has nothing new")
    #expect(!OnceReading.line(about: device, held: 2).contains("nothing new"))
  }
}
