// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import SantorioFiles
import TestSupport
import Testing

@testable import Hub

/// A patient's iPhone, whose exports are put into a folder.
private struct Phone {
  let folder: TemporaryFolder
  let now: Date

  /// What the file says of the folder.
  var entry: String {
    "{\"folder\": \"\(folder.url.path)\", \"time_zone\": \"Europe/Rome\", \"days_back\": 10}"
  }

  private func text(_ date: Date) -> String {
    let parts = date.formatted(.iso8601).dropLast().split(separator: "T")
    return "\(parts[0]) \(parts[1]) +0000"
  }

  func record(
    _ type: String, _ unit: String, _ value: Int, _ daysBefore: Double, _ minutes: Double
  ) -> String {
    record(type, unit, value, from: now - daysBefore * 86_400, minutes)
  }

  private func record(
    _ type: String, _ unit: String, _ value: Int, from start: Date, _ minutes: Double
  ) -> String {
    """
    <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Watch" unit="\(unit)" \
    startDate="\(text(start))" endDate="\(text(start + minutes * 60))" value="\(value)"/>
    """
  }

  func weight(_ kilograms: Int, _ daysBefore: Double) -> String {
    record("BodyMass", "kg", kilograms, daysBefore, 0)
  }

  /// Steps in the ten minutes from an hour of a day in the time zone of the file: they are added up by day,
  /// whatever the time is at which the tests run.
  func steps(_ count: Int, _ daysBefore: Double, at hour: Int) throws -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Rome"))
    let day = calendar.startOfDay(for: now - daysBefore * 86_400)
    let start = try #require(calendar.date(byAdding: .hour, value: hour, to: day))
    return record("StepCount", "count", count, from: start, 10)
  }

  /// Puts an export into the folder.
  func export(
    _ records: [String], as name: String = "export.xml", born: String = "1970-01-01",
    isCut: Bool = false
  ) throws {
    let text = """
      <HealthData locale="en_US"><ExportDate value="\(text(now))"/>
      <Me HKCharacteristicTypeIdentifierDateOfBirth="\(born)"/>
      \(records.joined(separator: "\n"))\(isCut ? "" : "</HealthData>")
      """
    let file = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    try touch(name, at: now)
  }

  func touch(_ name: String, at date: Date) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: folder.url.appendingPathComponent(name).path)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Exports of a patient's iPhone` {
  private let room: HubRoom
  private let phone: Phone

  init() throws {
    room = try HubRoom()
    phone = Phone(folder: try TemporaryFolder(), now: room.radio().now())
  }

  private func gateway() async throws -> HubGateway {
    let gateway = try room.gateway(room.text(exports: ["bed-1": phone.entry]))
    await gateway.start()
    return gateway
  }

  private func exports(_ gateway: HubGateway) async -> HubStatus.HealthExports? {
    await gateway.status().patients.first { $0.alias == "bed-1" }?.healthExports
  }

  private func values(_ type: MetricType, of alias: String = "bed-1") async throws -> [Double] {
    try await room.stored(of: alias).compactMap { $0.value(type) }.sorted()
  }

  @Test func `become the patient's records, once`() async throws {
    try phone.export([
      phone.weight(70, 2), phone.steps(100, 3, at: 15), phone.steps(50, 3, at: 12),
    ])
    let gateway = try await gateway()
    #expect(
      try await room.advance(gateway) { try await values(.bodyWeight) == [70] })
    #expect(try await room.advance(gateway) { try await values(.steps) == [150] })
    #expect(await exports(gateway)?.taken == 1)
    #expect(await exports(gateway)?.records == 2)
    #expect(await exports(gateway)?.part.works == true)

    // A later one has the same and more; what is older than the first days is not read.
    try phone.export(
      [
        phone.weight(70, 2), phone.weight(71, 1), phone.weight(60, 20), phone.steps(100, 3, at: 15),
      ],
      as: "later.xml")
    #expect(try await room.advance(gateway) { try await values(.bodyWeight) == [70, 71] })
    await room.advance(gateway, by: 120)
    #expect(try await values(.bodyWeight) == [70, 71])
    #expect(try await room.stored(of: "bed-2").isEmpty)
    await room.stop(gateway)

    // Another start knows both.
    let again = try await self.gateway()
    await room.advance(again, by: 120)
    #expect(await exports(again)?.taken == 2)
    #expect(try await values(.bodyWeight) == [70, 71])
    await room.stop(again)
  }

  @Test func `are not read before they are complete`() async throws {
    let gateway = try await gateway()
    await room.advance(gateway, by: 1)
    for count in 1...4 {
      try phone.export((0..<count).map { phone.weight(70 + $0, 1) }, isCut: true)
      await room.advance(gateway, by: 30)
      #expect(await exports(gateway)?.taken == 0)
    }
    await room.advance(gateway, by: 70)
    #expect(await exports(gateway)?.taken == 1)
    #expect(await exports(gateway)?.part.text.contains("cut") == true)
    try phone.export((0..<5).map { phone.weight(70 + $0, 1) })
    #expect(
      try await room.advance(gateway) { try await values(.bodyWeight) == [70, 71, 72, 73, 74] })
    #expect(await exports(gateway)?.part.works == true)
    await room.stop(gateway)
  }

  @Test func `that cannot be taken are shown, and keep no other from being taken`() async throws {
    try phone.export([], as: "broken.zip")
    try phone.export([phone.weight(70, 1)], as: "unpacked/apple_health_export/export.xml")
    try phone.export([phone.weight(99, 1)], as: "other.xml", born: "1980-01-01")
    try phone.touch("other.xml", at: phone.now + 60)
    try phone.export([phone.weight(98, 1)], as: ".hidden.xml")
    try phone.export([phone.weight(97, 1)], as: "export.zip.part")
    try FileManager.default.createSymbolicLink(
      atPath: phone.folder.path("link.xml"), withDestinationPath: "/etc/passwd")
    let gateway = try await gateway()
    #expect(try await room.advance(gateway) { try await values(.bodyWeight) == [70] })
    await room.advance(gateway, by: 120)
    #expect(try await values(.bodyWeight) == [70])
    let shown = try #require(await exports(gateway))
    #expect(!shown.part.works && shown.part.text.contains("date of birth"))
    #expect(!shown.part.text.contains("other.xml"), "A file's name may be a person's.")
    await room.stop(gateway)
  }

  @Test func `are tried again when what was in the way has gone`() async throws {
    let gateway = try await gateway()
    // Another program imports into the store.
    let parent = room.folder.url.appendingPathComponent("hub/bed-1/health")
    #expect(
      try await room.advance(gateway) { FileManager.default.fileExists(atPath: parent.path) })
    let owner = try #require(
      try FileManager.default.contentsOfDirectory(atPath: parent.path).first)
    let path = parent.appendingPathComponent("\(owner)/health.sqlite.import").path
    let lock = try FileLock(path)
    try phone.export([phone.weight(70, 1)])
    await room.advance(gateway, by: 120)
    #expect(await exports(gateway)?.part.text.contains("under way") == true)
    lock.release()
    #expect(try await room.advance(gateway) { try await values(.bodyWeight) == [70] })
    #expect(await exports(gateway)?.part.works == true)
    await room.stop(gateway)
  }

  @Test func `of the patient before are never the next one's`() async throws {
    try phone.export([phone.weight(70, 2)])
    var gateway = try await gateway()
    #expect(try await room.advance(gateway) { try await values(.bodyWeight) == [70] })
    try room.write(room.text(people: ["bed-1": "bed-3"], exports: ["bed-1": phone.entry]))
    #expect(await gateway.reload().isInUse)
    await room.advance(gateway, by: 120)
    #expect(try await room.stored(of: "bed-3").isEmpty)
    #expect(await exports(gateway)?.part.text.contains("older") == true)
    await room.stop(gateway)

    // Also after a restart. What is put there now is the new patient's.
    gateway = try room.gateway(
      room.text(people: ["bed-1": "bed-3"], exports: ["bed-1": phone.entry]))
    await gateway.start()
    try phone.export([phone.weight(55, 1)], as: "new.xml", born: "1980-01-01")
    try phone.touch("new.xml", at: gateway.radio.now() + 1)
    #expect(
      try await room.advance(gateway) { try await values(.bodyWeight, of: "bed-3") == [55] })
    #expect(try await values(.bodyWeight) == [70])
    await room.stop(gateway)
  }

  @Test func `have a measurement of every kind that is known`() async throws {
    try phone.export([
      phone.record("HeartRateVariabilitySDNN", "ms", 40, 1, 1),
      phone.record("RespiratoryRate", "count/min", 14, 1, 1),
      phone.record("WaistCircumference", "cm", 80, 1, 0),
    ])
    let gateway = try await gateway()
    #expect(try await room.advance(gateway) { try await room.stored(of: "bed-1").count == 3 })
    #expect(try await values(.heartRateVariability) == [40])
    #expect(try await values(.respiratoryRate) == [14])
    #expect(try await values(.bodyWaist).count == 1)
    await room.stop(gateway)
  }

  @Test func `are read from the first day on, also when the hub gets a server later`() async throws
  {
    let entry = phone.entry.replacing("\"days_back\": 10", with: "\"days_back\": 1")
    try phone.export([phone.weight(70, 0.5)])
    var gateway = try room.gateway(room.text(exports: ["bed-1": entry], sends: false))
    await gateway.start()
    #expect(try await room.advance(gateway) { await exports(gateway)?.records == 1 })
    await room.stop(gateway)

    await room.air.advance(by: .seconds(5 * 86_400))
    try phone.export([phone.weight(70, 0.5), phone.weight(71, -1)], as: "later.xml")
    gateway = try room.gateway(room.text(exports: ["bed-1": entry]))
    await gateway.start()
    #expect(try await room.advance(gateway) { await exports(gateway)?.taken == 2 })
    #expect(try await room.advance(gateway) { try await values(.bodyWeight) == [70, 71] })
    #expect(await exports(gateway)?.part.works == true)
    await room.stop(gateway)
  }

  @Test func `wait while the hub is paused`() async throws {
    let gateway = try await gateway()
    _ = await gateway.ask(.pause(seconds: nil))
    try phone.export([phone.weight(70, 1)])
    await room.advance(gateway, by: 120)
    #expect(await exports(gateway)?.taken == 0)
    _ = await gateway.ask(.resume)
    #expect(try await room.advance(gateway) { try await values(.bodyWeight) == [70] })
    await room.stop(gateway)
  }

  @Test func `in a folder that is not there are a problem with a name`() async throws {
    try FileManager.default.removeItem(at: phone.folder.url)
    let gateway = try await gateway()
    await room.advance(gateway, by: 1)
    #expect(await exports(gateway)?.part.text.contains(phone.folder.url.path) == true)
    await room.stop(gateway)
  }

  @Test func `are looked for by a check of the file`() throws {
    try room.write(room.text(exports: ["bed-1": "{\"folder\": \"/srv/not/there\"}"]))
    let reading = HubConfiguration.check(file: room.file, environment: [:])
    #expect(!reading.hasErrors)
    #expect(reading.findings.map(\.path) == ["patients[0].health_exports.folder"])
  }

  @Test(arguments: ["/srv/exports", "/srv/exports/bed-1", "/srv/exports/bed-1/old"])
  func `are in a folder that no other patient's is inside or around`(_ other: String) throws {
    func findings(_ folder: String) -> [String] {
      let text = room.text(exports: [
        "bed-1": "{\"folder\": \"/srv/exports/bed-1\"}",
        "bed-2": "{\"folder\": \"\(folder)\"}",
      ])
      return HubConfiguration.read(text.utf8).findings.map(\.path)
    }
    #expect(findings(other) == ["patients[1].health_exports.folder"])
    #expect(findings("/srv/exports/bed-10").isEmpty)
  }

  @Test func `are not in another patient's folder by a symbolic link`() throws {
    let link = room.folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: phone.folder.url)
    try room.write(
      room.text(exports: ["bed-1": phone.entry, "bed-2": "{\"folder\": \"\(link.path)\"}"]))
    let reading = HubConfiguration.check(file: room.file, environment: [:])
    #expect(reading.hasErrors)
    #expect(reading.findings.map(\.path) == ["patients[1].health_exports.folder"])
  }

  @Test func `are described in the file`() throws {
    let text = room.text(exports: ["bed-1": "{\"folder\": \"/srv/a/\"}"])
    let read = try room.configuration(text).patients[0].healthExports
    #expect(read == .init(folder: "/srv/a", timeZone: nil, daysBack: 30))
    for (entry, place) in [
      ("{}", "patients[0].health_exports.folder"),
      ("{\"folder\": \"a\"}", "patients[0].health_exports.folder"),
      (
        "{\"folder\": \"/a\", \"time_zone\": \"Europa/Rom\"}",
        "patients[0].health_exports.time_zone"
      ),
      ("{\"folder\": \"/a\", \"days_back\": 200}", "patients[0].health_exports.days_back"),
      ("{\"folder\": \"/a\", \"zone\": 1}", "patients[0].health_exports"),
    ] {
      let reading = HubConfiguration.read(room.text(exports: ["bed-1": entry]).utf8)
      #expect(reading.findings.map(\.path) == [place], "\(entry)")
    }
    let both = HubConfiguration.read(
      room.text(exports: ["bed-1": phone.entry, "bed-2": phone.entry]).utf8)
    #expect(both.findings.map(\.path) == ["patients[1].health_exports.folder"])
  }
}
