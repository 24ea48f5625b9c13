// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Codes of metrics` {
  /// All codes that the tables have, each with what it is used for.
  private static var uses: [(code: MetricCode, meaning: String)] {
    let rows = MetricTable.rows.flatMap { row in
      [row.loinc, row.mdc].compactMap(\.self).map { ($0, row.displayName) }
    }
    let rules = MetricTable.rules.flatMap { rule in
      let meaning = rule.codes.meaning ?? rule.type.definition?.displayName ?? ""
      return [rule.codes.loinc, rule.codes.mdc].compactMap(\.self).map { ($0, meaning) }
    }
    let concepts = MetricTable.concepts.flatMap { concept in
      concept.codes.map { ($0, concept.name) }
    }
    return rows + rules + concepts
  }

  private static let codes = Set(uses.map(\.code))

  /// LOINC has one code for these: it knows no capillary plasma, and plasma but not its vessel.
  private static let shared: [String: Set<String>] = {
    let capillary: Set = ["Glucose in capillary blood", "Glucose in capillary plasma"]
    let plasma: Set = [
      "Glucose in venous plasma", "Glucose in arterial plasma", "Glucose in plasma",
      "Random plasma glucose",
    ]
    return ["41653-7": capillary, "14743-9": capillary, "2345-7": plasma, "14749-6": plasma]
  }()

  @Test func `are used for one meaning each`() {
    let uses = Dictionary(grouping: Self.uses) { "\($0.code.system) \($0.code.code)" }
    #expect(uses.count > 130)
    for (_, uses) in uses {
      let meanings = Set(uses.map(\.meaning))
      let expected = Self.shared[uses[0].code.code] ?? [uses[0].meaning]
      #expect(meanings == expected, "\(uses[0].code.code)")
    }
  }

  @Test func `have a source each, at the address of the system's publisher`() throws {
    let hosts: [CodeSystem: Set<String>] = [
      .loinc: ["loinc.org", "hl7.org"], .mdc: ["hl7.org", "rtmms.nist.gov"],
      .snomed: ["snomed.info"],
    ]
    for code in Self.codes {
      let url = try #require(URL(string: code.source.address), "\(code.code)")
      #expect(url.scheme == (code.system == .snomed ? "http" : "https"))
      let host = try #require(url.host())
      #expect(try #require(hosts[code.system]).contains(host), "\(code.code)")
      if host == "loinc.org" || host == "snomed.info" {
        #expect(url.lastPathComponent == code.code)
      }
      #expect(!code.source.name.isEmpty)
    }
  }

  @Test func `have one source each`() {
    let sources = Dictionary(grouping: Self.codes) { "\($0.system) \($0.code)" }
    for (code, entries) in sources { #expect(entries.count == 1, "\(code)") }
  }

  @Test func `of LOINC end in their check digit`() {
    let codes = Self.codes.filter { $0.system == .loinc }.map(\.code)
    #expect(codes.count > 80)
    for code in codes { #expect(CheckDigit.isLOINC(code), "\(code)") }
  }

  @Test func `of SNOMED CT end in their check digit`() {
    let codes = Self.codes.filter { $0.system == .snomed }.map(\.code)
    #expect(codes.count == 6)
    for code in codes { #expect(CheckDigit.isSNOMED(code), "\(code)") }
  }

  @Test(arguments: ["8867-5", "88674", "8876-4", "", "8867-", "-4", "8867-44"])
  func `of LOINC are known by it from misspelt ones`(code: String) {
    #expect(CheckDigit.isLOINC("8867-4"))
    #expect(!CheckDigit.isLOINC(code))
  }

  @Test(arguments: ["7569004", "7596003", "756900", ""])
  func `of SNOMED CT are known by it from misspelt ones`(code: String) {
    #expect(CheckDigit.isSNOMED("7569003"))
    #expect(!CheckDigit.isSNOMED(code))
  }

  /// Objects, physiology, infrastructure (types of devices), disease management, and health and fitness.
  @Test func `of devices have a partition of measurements or of devices`() throws {
    for code in Self.codes where code.system == .mdc {
      let number = try #require(Int(code.code))
      #expect([1, 2, 8, 128, 129].contains(number / 65536), "\(code.code)")
      #expect(number % 65536 > 0)
    }
  }

  @Test func `are not given to a bedtime, on which public documents disagree`() {
    #expect(Set(MetricTable.mealRelations.keys) == ["before", "after", "fasting", "random"])
    #expect(!Self.codes.contains { ["8417908", "8417869"].contains($0.code) })
  }

  @Test(
    arguments: [
      (.averageHeartRate, "103205-1"), (.maximumHeartRate, "101692-2"),
      (.minimumHeartRate, "103222-6"), (.heartRateVariability, nil),
      (.averageOxygenSaturation, "103209-3"), (.bloodKetone, "66441-7"),
      (.energyBurned, "55424-6"), (.activeEnergyBurned, "93819-1"),
      (.awakeDuration, "103210-1"), (.timeToFallAsleep, "103212-7"), (.inBedDuration, nil),
      (.bodyMuscle, "73965-6"), (.bodyBone, "101686-4"), (.bodyWater, "101684-9"),
      (.bodyWaterMass, "101683-1"), (.bodyWaist, nil), (.basalMetabolicRate, nil),
      (.peakExpiratoryFlow, "33452-4"), (.captureRate, "104637-4"), (.daysWornCount, "104636-6"),
    ] as [(MetricType, String?)])
  func `of LOINC say what is measured and no more`(type: MetricType, loinc: String?) throws {
    #expect(try #require(type.definition).loinc?.code == loinc)
  }

  @Test(
    arguments: [
      (.systolic, "150021"), (.oxygenSaturation, "150456"), (.bodyWeight, "188736"),
      (.bodyLeanMass, "188756"), (.inr, "160260"), (.peakExpiratoryFlow, "152584"),
      (.energyBurned, "8454263"), (.pulse, nil), (.bloodKetone, nil), (.steps, nil),
    ] as [(MetricType, String?)])
  func `of devices stand beside those of LOINC`(type: MetricType, mdc: String?) throws {
    #expect(try #require(type.definition).mdc?.code == mdc)
  }
}

/// The last digits of codes, by which misspelt ones are found.
private enum CheckDigit {
  /// Modulo 10: every second digit from the right is doubled.
  static func isLOINC(_ code: String) -> Bool {
    let parts = code.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let digits = digits(parts[0]), !digits.isEmpty else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { sum, item in
      let doubled = item.offset % 2 == 0 ? item.element * 2 : item.element
      return sum + doubled / 10 + doubled % 10
    }
    return "\((10 - sum % 10) % 10)" == parts[1]
  }

  /// Verhoeff's method: products in the dihedral group of ten elements.
  static func isSNOMED(_ code: String) -> Bool {
    guard let digits = digits(code[...]), !digits.isEmpty else { return false }
    return digits.reversed().enumerated().reduce(0) { product, item in
      let permuted = (0..<item.offset % 8).reduce(item.element) { digit, _ in permutation[digit] }
      return times(product, permuted)
    } == 0
  }

  private static let permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

  private static func times(_ first: Int, _ second: Int) -> Int {
    switch (first < 5, second < 5) {
    case (true, true): (first + second) % 5
    case (true, false): 5 + (first + second) % 5
    case (false, true): 5 + (first - second) % 5
    case (false, false): (first - second + 5) % 5
    }
  }

  private static func digits(_ text: Substring) -> [Int]? {
    let digits = text.compactMap(\.wholeNumberValue)
    return digits.count == text.count ? digits : nil
  }
}
