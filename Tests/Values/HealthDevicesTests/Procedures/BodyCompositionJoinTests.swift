// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

@Suite struct `Body composition over several packets` {
  private var join = BodyCompositionJoin(expectsWeight: true, expectsComposition: true)

  private func weight(_ hexadecimal: String) throws -> WeightMeasurement {
    try WeightMeasurement(payload: try bytes(hexadecimal))
  }

  private func composition(_ hexadecimal: String) throws -> BodyCompositionMeasurement {
    try BodyCompositionMeasurement(payload: try bytes(hexadecimal))
  }

  /// A BF720 sends the composition without user and time (flags 0x0398).
  @Test mutating func `is joined with the weight before it`() throws {
    #expect(join.add(try weight("06 783E EA070504071E00 01"), at: .zero) == [])
    #expect(join.deadline == .seconds(2))

    let joined = join.add(
      try composition("9803 C500 A01B 7C01 3C2F 7420 5212"), at: .milliseconds(80))

    #expect(joined.count == 1)
    #expect(joined.first?.weight?.weight == .kilograms(79.96))
    #expect(joined.first?.composition?.bodyFatPercentage == 19.7)
    #expect(
      joined.first?.payload
        == (try bytes("06783EEA070504071E0001 9803C500A01B7C013C2F74205212")))
    #expect(join.deadline == nil)
    #expect(join.takeHeld() == nil)
  }

  @Test mutating func `is joined with the weight after it`() throws {
    #expect(join.add(try composition("0000 C500"), at: .zero) == [])

    let joined = join.add(try weight("04 783E 01"), at: .seconds(1))

    #expect(joined.first?.weight?.userID?.rawValue == 1)
    #expect(joined.first?.composition?.bodyFatPercentage == 19.7)
  }

  @Test(arguments: ["06 783E EA070504071E00 02", "06 783E EA070504071F00 01"])
  mutating func `is not joined with the weight of another user or time`(other: String) throws {
    #expect(join.add(try composition("0600 C500 EA070504071E00 01"), at: .zero) == [])

    let alone = join.add(try weight(other), at: .seconds(1))

    #expect(alone.map(\.weight) == [nil])
    #expect(alone.first?.composition?.bodyFatPercentage == 19.7)
    #expect(join.takeHeld()?.weight?.weight == .kilograms(79.96))
  }

  @Test mutating func `is not joined with the weight of another user before it`() throws {
    #expect(join.add(try weight("06 783E EA070504071E00 02"), at: .zero) == [])

    let alone = join.add(try composition("0600 C500 EA070504071E00 01"), at: .seconds(1))

    #expect(alone.map(\.composition) == [nil])
    #expect(join.takeHeld()?.composition?.bodyFatPercentage == 19.7)
  }

  @Test mutating func `is delivered alone after two seconds`() throws {
    #expect(join.add(try weight("00 783E"), at: .seconds(1)) == [])
    #expect(join.timeReached(.milliseconds(2999)) == [])

    let alone = join.timeReached(.seconds(3))

    #expect(alone.map(\.composition) == [nil])
    #expect(alone.first?.weight?.weight == .kilograms(79.96))
    #expect(join.timeReached(.seconds(9)) == [])
  }

  /// The history of a scale: each weight with its own composition, at once.
  @Test mutating func `keeps the weighings of a history apart`() throws {
    var weights: [Double?] = []
    for (mass, fat) in [("783E", "C500"), ("B036", "C800"), ("C832", "CA00")] {
      weights += join.add(try weight("00 \(mass)"), at: .zero).map(\.weight?.weight?.value)
      weights += join.add(try composition("0000 \(fat)"), at: .zero).map(\.weight?.weight?.value)
    }

    #expect(weights == [79.96, 70, 65])
    #expect(join.takeHeld() == nil)
  }

  @Test mutating func `merges two packets of the same user and time`() throws {
    join = BodyCompositionJoin(expectsWeight: false, expectsComposition: true)
    #expect(join.add(try composition("0E10 C500 EA070504071E00 01 A01B"), at: .zero) == [])

    let joined = join.add(
      try composition("0616 C500 EA070504071E00 01 5212 B036"), at: .seconds(1))

    let merged = try #require(joined.first?.composition)
    #expect(merged.basalMetabolismKilojoules == 7072)
    #expect(merged.impedanceOhms == 469)
    #expect(merged.weight == .kilograms(70))
    #expect(merged.bodyFatPercentage == 19.7)
  }

  /// 0xFFFF is a failed measurement, and 0 what a scale sends that computed nothing.
  @Test(
    arguments: [
      ("C500", "C800", 19.7), ("C500", "FFFF", 19.7), ("C500", "0000", 19.7),
      ("FFFF", "C800", 20), ("0000", "C800", 20), ("FFFF", "FFFF", nil),
    ] as [(String, String, Double?)])
  mutating func `takes the body fat of the first packet that has one`(
    first: String, second: String, expected: Double?
  ) throws {
    #expect(join.add(try weight("00 783E"), at: .zero) == [])
    #expect(join.add(try composition("0010 \(first)"), at: .zero) == [])

    let joined = join.add(try composition("0010 \(second)"), at: .zero)

    #expect(joined.count == 1)
    #expect(joined.first?.composition?.bodyFatPercentage == expected)
  }

  @Test(arguments: [false, true])
  mutating func `keeps every field, whichever packet has it`(isReversed: Bool) throws {
    join = BodyCompositionJoin(expectsWeight: false, expectsComposition: true)
    let packets = [
      "1E10 C500 EA070504071E00 01 0100 0200", "E01F C500 0300 0400 0500 0600 0700 0800 0900",
    ]
    var joined: [BodyCompositionJoin.Joined] = []
    for packet in isReversed ? packets.reversed() : packets {
      joined += join.add(try composition(packet), at: .zero)
    }

    let merged = try #require(joined.first?.composition)
    #expect(merged.timestamp?.dateTime?.year == 2026)
    #expect(merged.userID?.rawValue == 1)
    #expect(merged.components.basalMetabolism == 1)
    #expect(merged.components.rawMusclePercentage == 2)
    #expect(merged.components.rawMuscleMass == 3)
    #expect(merged.components.rawFatFreeMass == 4)
    #expect(merged.components.rawSoftLeanMass == 5)
    #expect(merged.components.rawBodyWaterMass == 6)
    #expect(merged.components.rawImpedance == 7)
    #expect(merged.components.rawWeight == 8)
    #expect(merged.components.rawHeight == 9)
  }

  /// Of another weighing, and not the second half of this one.
  @Test(arguments: [
    "0610 C500 EA070504071E00 02", "0610 C500 EA070504071F00 01", "0710 C500 EA070504071E00 01",
    "0600 C500 EA070504071E00 01",
  ])
  mutating func `does not merge packets of another user, time, unit or kind`(
    other: String
  ) throws {
    join = BodyCompositionJoin(expectsWeight: false, expectsComposition: true)
    #expect(join.add(try composition("0610 C800 EA070504071E00 01"), at: .zero) == [])

    let joined = join.add(try composition(other), at: .zero)

    #expect(joined.first?.composition?.bodyFatPercentage == 20)
    #expect(joined.first?.payload.count == 12)
  }

  @Test mutating func `waits for the second packet and then for nothing`() throws {
    #expect(join.add(try weight("00 783E"), at: .zero) == [])
    #expect(join.add(try composition("0010 C500"), at: .zero) == [])
    #expect(join.deadline != nil)

    let joined = join.add(try composition("0012 C500 5212"), at: .zero)

    #expect(joined.first?.composition?.impedanceOhms == 469)
    #expect(joined.first?.weight?.weight == .kilograms(79.96))
    #expect(join.takeHeld() == nil)
  }

  @Test mutating func `delivers the first packet alone when the second never comes`() throws {
    #expect(join.add(try composition("0010 C500"), at: .zero) == [])

    #expect(join.timeReached(.seconds(2)).first?.composition?.bodyFatPercentage == 19.7)
  }

  @Test mutating func `waits for nothing where the scale has nothing more`() throws {
    join = BodyCompositionJoin(expectsWeight: true, expectsComposition: false)

    #expect(join.add(try weight("00 783E"), at: .zero).count == 1)
    #expect(join.deadline == nil)
  }
}
