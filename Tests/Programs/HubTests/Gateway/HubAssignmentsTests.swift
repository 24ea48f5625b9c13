// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioCore
import Testing

@testable import Hub

private let (cuff, scale) = (UUID(), UUID())
private let cuffModel = 10100
private let singleModel = DeviceModel.supported.first { $0.userNumbering == nil }?.id ?? 0

@Suite struct `Whose devices are` {
  private func configuration(_ patients: [(String, [(UUID, Int?, Int?)])]) throws
    -> HubConfiguration
  {
    let text = patients.map { alias, devices in
      let all = devices.map { device, model, slot in
        """
        {"device": "\(device)"\(model.map { ", \"model\": \($0)" } ?? "")\
        \(slot.map { ", \"slot\": \($0)" } ?? "")}
        """
      }
      return "{\"alias\": \"\(alias)\", \"devices\": [\(all.joined(separator: ","))]}"
    }
    let file = """
      {"name": "test", "folder": "/nowhere", "patients": [\(text.joined(separator: ","))]}
      """
    let reading = HubConfiguration.read(file.utf8)
    return try #require(reading.configuration, "\(reading.findings)")
  }

  private func enrolled(_ enrolments: [HubEnrolment]) -> HubFacts {
    var facts = HubFacts()
    facts.enrolments = enrolments
    return facts
  }

  /// The ownership of the first file's device, which was nobody's before.
  private static let first = OwnershipStart(Date(timeIntervalSince1970: 1), isChange: false)
  /// The ownership of a device that was another owner's until the second file.
  ///
  /// The file has whole
  /// seconds: the next one.
  private static let next = OwnershipStart(
    Date(timeIntervalSince1970: 61), isChange: true, after: first.date)

  /// The beginning of each ownership of a device, after some changes of the file.
  private func since(
    after files: [[(String, [(UUID, Int?, Int?)])]], owners: [[String: String]]
  ) throws -> [String: OwnershipStart] {
    var facts = HubFacts()
    for (index, file) in files.enumerated() {
      facts.settleOwners(
        of: HubAssignments(try configuration(file), facts), owners[index],
        at: Date(timeIntervalSince1970: Double(index) * 60 + 0.25))
    }
    let device = try #require(
      HubAssignments(try configuration(files[files.count - 1]), facts).device(cuff))
    return Dictionary(
      device.owners.compactMap { owner in owner.since.map { (owner.patient, $0) } },
      uniquingKeysWith: { $1 })
  }

  @Test func `is the first owner's from the enrolment on`() throws {
    let file = [("a", [(cuff, Optional(cuffModel), Optional<Int>.none)])]
    #expect(try since(after: [file, file], owners: [["a": "1"], ["a": "1"]]) == ["a": Self.first])
  }

  @Test func `is the owner's with all that it has where the file asks for its memory`() throws {
    var facts = HubFacts()
    var file = try configuration([("a", [(cuff, cuffModel, nil)])])
    file.patients[0].devices[0].takesMemory = true
    facts.settleOwners(of: HubAssignments(file, facts), ["a": "1"], at: Date())
    #expect(HubAssignments(file, facts).device(cuff)?.owners.map(\.since) == [nil])
    // Another patient has had it: what may be that one's waits.
    facts.settleOwners(of: HubAssignments(file, facts), ["a": "2"], at: Date())
    let since = try #require(HubAssignments(file, facts).device(cuff)?.owners.first?.since)
    #expect(since.isChange && since.takesMemory)
  }

  @Test func `is an owner's anew who gets a device back`() throws {
    let file = [("a", [(cuff, Optional(cuffModel), Optional<Int>.none)])]
    let none: [(String, [(UUID, Int?, Int?)])] = [("a", [])]
    var facts = HubFacts()
    for (index, file) in [file, none, file].enumerated() {
      facts.settleOwners(
        of: HubAssignments(try configuration(file), facts), ["a": "1"],
        at: Date(timeIntervalSince1970: Double(index) * 60))
    }
    #expect(
      HubAssignments(try configuration(file), facts).device(cuff)?.owners.map(\.since)
        == [OwnershipStart(Date(timeIntervalSince1970: 120), isChange: false)])
  }

  @Test func `is the next owner's from then on only`() throws {
    let (one, other) = (
      [("a", [(cuff, Optional(cuffModel), Optional<Int>.none)])],
      [("b", [(cuff, Optional(cuffModel), Optional<Int>.none)])]
    )
    #expect(
      try since(after: [one, other], owners: [["a": "1"], ["b": "2"]]) == ["b": Self.next])
    // The bed has another patient.
    #expect(try since(after: [one, one], owners: [["a": "1"], ["a": "2"]]) == ["a": Self.next])
    // The patient has another bed.
    #expect(try since(after: [one, other], owners: [["a": "1"], ["b": "1"]]) == ["b": Self.first])
  }

  @Test func `is the other's from then on where one person's device is shared`() throws {
    let alone = [("a", [(cuff, Optional(cuffModel), Optional<Int>.none)])]
    let shared = [
      ("a", [(cuff, Optional(cuffModel), Optional(1))]),
      ("b", [(cuff, Optional<Int>.none, Optional(2))]),
    ]
    #expect(
      try since(after: [alone, shared], owners: [["a": "1"], ["a": "1", "b": "2"]])
        == ["a": Self.first, "b": Self.next])
  }

  @Test func `says the file`() throws {
    let assignments = HubAssignments(
      try configuration([
        ("a", [(cuff, cuffModel, 1)]), ("b", [(cuff, nil, 2), (scale, nil, nil)]),
      ]),
      HubFacts())
    #expect(assignments.shared.map(\.identifier) == [cuff])
    #expect(assignments.shared.first?.model == cuffModel)
    #expect(assignments.devices(of: "a").isEmpty)
    #expect(assignments.devices(of: "b").map(\.identifier) == [scale])
  }

  @Test func `is what was enrolled, for devices that the file does not name`() throws {
    let assignments = HubAssignments(
      try configuration([("a", [(cuff, nil, nil)]), ("b", [])]),
      enrolled([
        HubEnrolment(device: cuff, model: singleModel, patient: "b", owner: "/b"),
        HubEnrolment(device: scale, model: 7, patient: "b", owner: "/b"),
        HubEnrolment(device: UUID(), model: 7, patient: "gone", owner: "/gone"),
        HubEnrolment(device: UUID(), model: 7, patient: "b", owner: "clinic/who-was-there-before"),
      ]))
    #expect(assignments.devices.count == 2)
    #expect(assignments.devices(of: "a").first?.model == singleModel)
    #expect(assignments.devices(of: "b").map(\.identifier) == [scale])
  }

  @Test func `follows from the slot of a reading, as the device labels it`() throws {
    let device = try #require(
      HubAssignments(
        try configuration([("a", [(cuff, cuffModel, 1)]), ("b", [(cuff, nil, 2)])]), HubFacts()
      ).shared.first)
    let slots = [1, 2, 3].map { device.entry?.slot(labeled: $0) }
    #expect(slots.map { device.owner(ofSlot: $0)?.patient } == ["a", "b", nil])
    #expect(device.owner(ofSlot: nil)?.patient == nil)
    #expect(device.owner(ofSlot: 99)?.patient == nil)
  }

  @Test func `is the one owner's whatever the slot`() throws {
    let device = try #require(
      HubAssignments(try configuration([("a", [(cuff, cuffModel, nil)])]), HubFacts()).devices
        .first)
    #expect(device.owner(ofSlot: nil)?.patient == "a")
    #expect(device.owner(ofSlot: 7)?.patient == "a")
  }

  @Test func `cannot be two people's unless the device tells them apart`() throws {
    let assignments = HubAssignments(
      try configuration([("a", [(scale, singleModel, nil)]), ("b", [(cuff, cuffModel, 1)])]),
      HubFacts())
    let single = try #require(DeviceModel(id: singleModel))
    let several = try #require(DeviceModel(id: cuffModel))
    func obstacle(_ device: UUID, _ model: DeviceModel, _ patient: String, _ label: Int?) -> String?
    {
      assignments.obstacle(to: device, model, for: .init(patient: patient, label: label))
    }
    #expect(obstacle(scale, single, "a", nil) == nil)
    #expect(obstacle(scale, single, "b", 1)?.contains("does not tell people apart") == true)
    #expect(obstacle(cuff, several, "a", nil)?.contains("--slot") == true)
    #expect(obstacle(cuff, several, "a", 1)?.contains("slot of their own") == true)
    #expect(obstacle(cuff, several, "a", 2) == nil)
    #expect(obstacle(UUID(), several, "a", nil) == nil)
  }

  @Test func `changes by enrolling a device once more`() {
    var facts = HubFacts()
    facts.learn(singleModel, of: cuff)
    let owners = ["a": "1", "b": "2"]
    func enrolment(_ patient: String, slot: Int) -> HubEnrolment {
      HubEnrolment(
        device: cuff, model: cuffModel, patient: patient, owner: owners[patient], slot: slot)
    }
    for (patient, slot) in [("a", 1), ("b", 2), ("a", 3)] {
      facts.enroll(enrolment(patient, slot: slot), among: owners)
    }
    facts.learn(singleModel, of: cuff)
    #expect(facts.enrolments == [enrolment("b", slot: 2), enrolment("a", slot: 3)])
    // Another patient has the bed since.
    facts.enroll(enrolment("a", slot: 4), among: ["a": "1", "b": "3"])
    #expect(facts.enrolments == [enrolment("a", slot: 4)])
  }

  @Test func `is what the file says, and what was enrolled before counts no more`() {
    var facts = HubFacts()
    facts.enroll(
      HubEnrolment(device: cuff, model: cuffModel, patient: "a", owner: "1"), among: ["a": "1"])
    facts.enroll(
      HubEnrolment(device: scale, model: singleModel, patient: "a", owner: "1"),
      among: ["a": "1"])
    facts.leaveToFile([cuff, UUID()])
    #expect(
      facts.enrolments == [
        HubEnrolment(device: scale, model: singleModel, patient: "a", owner: "1"),
        HubEnrolment(device: cuff, model: cuffModel, patient: nil),
      ])
  }

  // Between one who has all of it and one who has a slot.
  @Test(arguments: [[1, nil, 1], [nil, 1, nil], [1, nil, 2], [nil, 2, 1]] as [[Int?]])
  func `is the owner's from then on only who gets back what another had`(slots: [Int?]) throws {
    let files = zip(["a", "b", "a"], slots).map { [($0, [(cuff, Optional(cuffModel), $1)])] }
    let since = try since(
      after: files, owners: Array(repeating: ["a": "1", "b": "2"], count: 3))
    // The other one had another slot.
    let isChange = !(slots[0] == nil && slots[1] == 2 && slots[2] == 1)
    #expect(
      since == [
        "a": OwnershipStart(
          Date(timeIntervalSince1970: 121), isChange: isChange,
          after: isChange ? Self.first.date : nil)
      ])
  }
}
