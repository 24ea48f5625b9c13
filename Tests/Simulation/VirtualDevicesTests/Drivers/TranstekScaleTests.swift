// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Scales by Transtek` {
  @Test func `a scale sends its password when paired, and authenticates with it later`()
    throws
  {
    var bench = DriverBench(.transtekScale, .trisaScale, purpose: .pair)
    bench.press(.pairingMode)
    let paired = bench.run()
    let read = bench.run()

    #expect(paired.isPaired)
    #expect(paired.secrets[.password] == [0x5A, 0x11, 0x7E, 0x03])
    #expect(paired.writes.map(\.bytes.first) == [0x21])
    #expect(paired.end == .finish)
    #expect(read.writes.first?.bytes == [0x20, 0x5B, 0x11, 0xC6, 0x9A])
    #expect(read.readings.map { $0[.bodyWeight] } == [75.2, 74.8])
    #expect(read.readings.map(\.userSlot) == [1, 1])
    #expect(
      read.readings.first?.clock
        == .local(LocalDateTime(year: 2026, month: 2, day: 28, hour: 18, minute: 40, second: 0)))
    #expect(read.events.contains(.clockSet))
    #expect(read.end == .finish)
  }

  @Test func `a scale that was not paired is not read`() {
    var bench = DriverBench(.transtekScale, .trisaScale)
    let result = bench.run()

    #expect(result.readings.isEmpty)
    #expect(result.end?.failure == .notPaired)
  }

  @Test func `a scale erases only what is on disk`() {
    var bench = DriverBench(
      .transtekScale, VirtualDeviceModel.trisaScale.make(VirtualClock()),
      secrets: [.password: [0x5A, 0x11, 0x7E, 0x03]])
    bench.canStore = false
    let unstored = bench.run()
    bench.canStore = true
    let stored = bench.run()
    let empty = bench.run()

    #expect(unstored.readings.count == 2)
    #expect(unstored.confirmations == 1)
    #expect(!unstored.writes.contains { $0.bytes == [0x22] })
    #expect(stored.readings.count == 2)
    #expect(stored.writes.last?.bytes == [0x22])
    #expect(empty.readings.isEmpty)
  }

  @Test func `data lost with a connection is sent again`() {
    var bench = DriverBench(
      .transtekScale, VirtualDeviceModel.trisaScale.make(VirtualClock()),
      secrets: [.password: [0x5A, 0x11, 0x7E, 0x03]])
    bench.fault = .cut(afterValues: 3)
    let cut = bench.run()
    bench.fault = nil
    let whole = bench.run()

    #expect(cut.readings.isEmpty)
    #expect(whole.readings.map { $0[.bodyWeight] } == [75.2, 74.8])
  }

  @Test func `an ADE scale's password is zero`() {
    var bench = DriverBench(.adeScale, .adeBA1600)
    let result = bench.run()

    #expect(result.writes.first?.bytes == [0x20, 0x01, 0x00, 0xB8, 0x99])
    #expect(
      result.readings.map(\.values) == [[.init(.bodyWeight, 80.4), .init(.bodyImpedance, 548.2)]])
  }

  @Test func `a Medisana's body composition belongs to the weight of the same time`() throws {
    var bench = DriverBench(.medisanaScale, .medisanaBS444)
    let result = bench.run()

    #expect(
      result.readings.map(\.values) == [
        [
          .init(.bodyWeight, 96), .init(.bodyImpedance, 599.4), .init(.bodyFat, 34.3),
          .init(.bodyWater, 48.3), .init(.bodyMuscle, 34.7), .init(.bodyBoneMass, 3.5),
        ]
      ])
    #expect(result.readings.first?.userSlot == 1)
    #expect(result.end == .finish)
  }

  /// A Medisana whose subscriptions are done.
  private func medisana() -> DriverDialogue {
    let attributes = ["8A21", "8A22", "8A81"].map { GATTAttribute("78B2", $0) }
    var dialogue = DriverDialogue(.medisanaScale, having: attributes)
    _ = dialogue.report(.begun)
    _ = dialogue.report(.subscribed(attributes[1]))
    _ = dialogue.report(.subscribed(attributes[0]))
    return dialogue
  }

  private let captured = "1D 802500FE 800FF40D 6A1700FF 01 0900000000"

  @Test func `a weight without its body composition is delivered after two seconds`() throws {
    var dialogue = medisana()
    let weight = GATTAttribute("78B2", "8A21")

    #expect(dialogue.report(.value(weight, try bytes(captured))).isEmpty)
    guard case .deliver(let reading)? = dialogue.wait()?.first else {
      Issue.record("no reading")
      return
    }
    #expect(reading[.bodyWeight] == 96)
  }

  @Test func `a weight that waits for its body composition survives a lost connection`()
    throws
  {
    var dialogue = medisana()
    _ = dialogue.report(.value(GATTAttribute("78B2", "8A21"), try bytes(captured)))

    guard case .deliver(let reading)? = dialogue.report(.ended).first else {
      Issue.record("no reading")
      return
    }
    #expect(reading[.bodyWeight] == 96)
  }

  @Test func `an undecodable weight is reported`() throws {
    var dialogue = medisana()
    let actions = dialogue.report(.value(GATTAttribute("78B2", "8A21"), [0x1D, 0x80]))

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("no reading")
      return
    }
    #expect(reading.rejection?.reason == .malformed)
  }

  @Test func `a body composition without its weight is ignored`() throws {
    var dialogue = medisana()
    let body = "6F 800FF40D 01 210C 57F1 E3F1 5BF1 23F0 000000"

    #expect(dialogue.report(.value(GATTAttribute("78B2", "8A22"), try bytes(body))).isEmpty)
  }

  @Test func `a weight that comes while others are stored is not erased before it is, too`() throws
  {
    var dialogue = try ade()
    #expect(dialogue.report(try adeWeight()).count == 1)
    #expect(dialogue.wait()?.last == .confirmStorage)

    #expect(dialogue.report(try adeWeight()).count == 1)

    #expect(dialogue.report(.stored) == [.confirmStorage])
    #expect(dialogue.report(.stored) == [.write(GATTAttribute("7802", "8A81"), [0x22])])
  }

  @Test func `a scale set to pounds is not told to erase what it sent`() throws {
    var early = try ade()
    #expect(early.report(try adeWeight(flags: "3F")).count == 1)
    #expect(early.wait() == [.finish])

    var late = try ade()
    _ = late.report(try adeWeight())
    #expect(late.wait() == [.confirmStorage])
    #expect(late.report(try adeWeight(flags: "3F")).count == 1)
    #expect(late.report(.stored) == [.finish])
  }

  /// An ADE scale that has taken its receiver's answer.
  private func ade() throws -> DriverDialogue {
    var dialogue = DriverDialogue(.adeScale)
    _ = dialogue.report(.begun)
    _ = dialogue.report(.subscribed(GATTAttribute("7802", "8A24")))
    _ = dialogue.report(.subscribed(GATTAttribute("7802", "8A82")))
    _ = dialogue.report(.value(GATTAttribute("7802", "8A82"), try bytes("A1 0100B899")))
    return dialogue
  }

  private func adeWeight(flags: String = "1F") throws -> DriverEvent {
    .value(
      GATTAttribute("7802", "8A24"),
      try bytes("\(flags) 681F00FE 652AB21E 00000000 6A1500FF 01 1900"))
  }

  @Test func `a scale that does not authenticate ends with a timeout`() {
    let service = "7802"
    var dialogue = DriverDialogue(.transtekScale)
    _ = dialogue.report(.begun)
    _ = dialogue.report(.subscribed(GATTAttribute(service, "8A21")))
    #expect(dialogue.report(.subscribed(GATTAttribute(service, "8A82"))).isEmpty)
    #expect(dialogue.driver.deadline == .seconds(20))

    #expect(dialogue.wait()?.first?.failure == .timeout)
  }

  @Test func `a scale set to pounds is reported, not guessed`() throws {
    var bench = DriverBench(.medisanaScale, VirtualDeviceModel.medisanaBS444.make(VirtualClock()))
    bench.press(.remember([try bytes("3D 802500FE 800FF40D 6A1700FF 01 0900000000")]))
    let result = bench.run()

    #expect(result.readings.count == 2)
    #expect(result.accepted.count == 1)
    #expect(result.readings.last?.rejection?.message.contains("Set its unit to kg") == true)
  }
}

@Suite struct `Beurer BF700 family, driven` {
  @Test func `delivers stored results of its users, and a weighing`() throws {
    var bench = DriverBench(.beurerScale, .beurerBF710)
    let result = bench.run()

    #expect(result.facts.contains(.batteryPercent(80)))
    #expect(result.readings.map { $0[.bodyWeight] } == [65.1, 64.9, 83.55])
    #expect(result.readings.map(\.userSlot) == [1, 1, 2])
    #expect(result.readings.first?.clock == .universal(0x6A20_0000))
    let last = try #require(result.readings.last)
    #expect(last[.bodyFat] == 22.3)
    #expect(last[.bodyWater] == 52.1)
    #expect(last[.bodyMuscle] == 39.7)
    #expect(last[.bodyImpedance] == 437)
    #expect(last[.basalMetabolicRate] == 1815)
    #expect(last[.bmi] == 26.4)
    #expect(result.isReady)
    #expect(result.end == .finish)
  }

  @Test func `starts, sets the clock and deletes nothing`() {
    var bench = DriverBench(.beurerScale, .beurerBF710)
    let commands = bench.run().writes.map(\.bytes)

    #expect(commands.first == [0xE6, 0x01])
    #expect(commands.dropFirst().first == [0xE9, 0x69, 0xC9, 0x14, 0x40])
    #expect(commands.dropFirst(2).first == [0xE7, 0x4F, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(!commands.contains { [0x32, 0x43, 0x49].contains($0.count > 1 ? $0[1] : 0) })
  }

  @Test func `delivers its stored measurements again the next time`() {
    var bench = DriverBench(.beurerScale, .beurerBF710)
    _ = bench.run()
    #expect(bench.run().readings.map { $0[.bodyWeight] } == [65.1, 64.9])
  }

  /// Above 100 the byte is no percentage.
  @Test(arguments: [(0, 0), (80, 80), (100, 100), (101, nil), (255, nil)] as [(UInt8, Int?)])
  func `reports its battery in percent`(byte: UInt8, percent: Int?) {
    var dialogue = greeted()
    let actions = dialogue.report(.value(.beurerScale, [0xE7, 0xF0, 0x4F, 0x00, byte]))

    let facts: [DeviceInformation] = actions.compactMap {
      if case .fact(let fact) = $0 { fact } else { nil }
    }

    #expect(actions.contains(.write(.beurerScale, [0xE7, 0x33])))
    #expect(facts == percent.map { [.batteryPercent($0)] } ?? [])
  }

  @Test func `may take ten seconds for each user that it lists`() throws {
    var dialogue = greeted()
    _ = dialogue.report(.value(.beurerScale, try bytes("E7 F0 4F 00 50")))
    _ = dialogue.report(.value(.beurerScale, try bytes("E7 F0 33 00 02")))
    dialogue.pass(.seconds(9))
    _ = dialogue.report(.value(.beurerScale, try bytes("E7 34 02 01 0000000000000065")))
    dialogue.pass(.seconds(9))

    #expect(dialogue.report(.timeReached).isEmpty)
    #expect(
      dialogue.report(.value(.beurerScale, try bytes("E7 34 02 02 0000000000000066"))).last
        == .write(.beurerScale, try bytes("E7 41 0000000000000065")))
    #expect(dialogue.wait()?.first?.failure == .timeout)
    #expect(dialogue.driver.deadline == nil)
  }

  @Test func `without users are ready at once`() throws {
    var dialogue = greeted()
    _ = dialogue.report(.value(.beurerScale, try bytes("E7 F0 4F 00 50")))
    #expect(dialogue.report(.value(.beurerScale, try bytes("E7 F0 33 00"))) == [.ready])
  }

  @Test func `may take ten seconds for each part of what they keep`() throws {
    var dialogue = greeted()
    for frame in [
      "E7 F0 4F 00 50", "E7 F0 33 00 01", "E7 34 01 01 0000000000000064", "E7 F0 41 02",
    ] { _ = dialogue.report(.value(.beurerScale, try bytes(frame))) }
    dialogue.pass(.seconds(9))
    _ = dialogue.report(.value(.beurerScale, try bytes("E7 42 02 01 6A200000 0516 0000000000")))
    dialogue.pass(.seconds(9))

    #expect(dialogue.report(.timeReached).isEmpty)
    let actions = dialogue.report(
      .value(.beurerScale, try bytes("E7 42 02 02 0000000000000000000000")))
    #expect(actions.contains { if case .deliver = $0 { true } else { false } })
  }

  @Test func `deliver a stored measurement that is too short as damaged`() throws {
    var dialogue = greeted()
    for frame in [
      "E7 F0 4F 00 50", "E7 F0 33 00 01", "E7 34 01 01 0000000000000064", "E7 F0 41 02",
      "E7 42 02 01",
    ] { _ = dialogue.report(.value(.beurerScale, try bytes(frame))) }
    let actions = dialogue.report(.value(.beurerScale, try bytes("E7 42 02 02")))
    let reasons = actions.compactMap { action in
      if case .deliver(let reading) = action { reading.rejection?.reason } else { nil }
    }
    #expect(reasons == [.malformed])
  }

  @Test func `a scale that does not answer ends with a timeout`() {
    var dialogue = DriverDialogue(.beurerScale, name: "BF-700")
    _ = dialogue.report(.begun)
    #expect(dialogue.report(.subscribed(.beurerScale)) == [.write(.beurerScale, [0xF6, 0x01])])
    #expect(dialogue.wait()?.first?.failure == .timeout)
  }

  @Test func `ignores frames of the other family and broken ones`() throws {
    var dialogue = DriverDialogue(.beurerScale)
    _ = dialogue.report(.begun)
    _ = dialogue.report(.subscribed(.beurerScale))
    for frame in ["", "E7", "E7 F0", "F6 00", "E7 42 01", "E7 34 00 00", "E7 59 03 03"] {
      #expect(
        !dialogue.report(.value(.beurerScale, try bytes(frame))).contains {
          if case .deliver = $0 { true } else { false }
        })
    }
    #expect(dialogue.report(.value(.beurerScale, [0xE6, 0x00])).count == 2)
  }

  private func greeted() -> DriverDialogue {
    var dialogue = DriverDialogue(.beurerScale)
    _ = dialogue.begin(.beurerScale)
    _ = dialogue.report(.value(.beurerScale, [0xE6, 0x00]))
    return dialogue
  }
}
