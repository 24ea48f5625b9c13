// SPDX-License-Identifier: Apache-2.0

import HealthKit
import Testing

struct `Type identifiers` {
  /// The name in Swift, but for letters that Swift has in lower case.
  private func capitalized(_ name: String) -> String {
    switch name {
    case "vo2Max": "VO2Max"
    case "uvExposure": "UVExposure"
    default: name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  @Test(arguments: KnownIdentifiers.quantities)
  func `of quantities have the name of the C constant`(
    identifier: HKQuantityTypeIdentifier, name: String
  ) {
    #expect(identifier.rawValue == "HKQuantityTypeIdentifier\(capitalized(name))")
  }

  @Test(arguments: KnownIdentifiers.categories)
  func `of categories have the name of the C constant, but for one`(
    identifier: HKCategoryTypeIdentifier, name: String
  ) {
    let expected =
      name == "environmentalAudioExposureEvent"
      ? "HKCategoryTypeIdentifierAudioExposureEvent"
      : "HKCategoryTypeIdentifier\(capitalized(name))"

    #expect(identifier.rawValue == expected)
  }

  @Test func `are unique`() {
    let names =
      KnownIdentifiers.quantities.map(\.0.rawValue) + KnownIdentifiers.categories.map(\.0.rawValue)

    #expect(Set(names).count == names.count)
    #expect(KnownIdentifiers.quantities.count == 103 + 17)
    #expect(KnownIdentifiers.categories.count == 65 + 3)
  }

  @Test(arguments: KnownIdentifiers.quantities.map(\.0))
  func `of quantities all have a type`(identifier: HKQuantityTypeIdentifier) throws {
    let type = try #require(HKObjectType.quantityType(forIdentifier: identifier))

    #expect(type == HKQuantityType(identifier))
    #expect(type.identifier == identifier.rawValue)
    #expect(type.is(compatibleWith: type.canonicalUnit))
    #expect(!type.canonicalUnit.isNull())
  }

  @Test(arguments: KnownIdentifiers.categories.map(\.0))
  func `of categories all have a type`(identifier: HKCategoryTypeIdentifier) throws {
    let type = try #require(HKObjectType.categoryType(forIdentifier: identifier))

    #expect(type == HKCategoryType(identifier))
  }

  @Test func `that do not exist have no type`() async {
    #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: "x")) == nil)
    #expect(HKObjectType.categoryType(forIdentifier: .init(rawValue: "x")) == nil)
    #expect(HKObjectType.correlationType(forIdentifier: .init(rawValue: "x")) == nil)
    #expect(HKObjectType.characteristicType(forIdentifier: .init(rawValue: "x")) == nil)
    #expect(HKObjectType.documentType(forIdentifier: .init(rawValue: "x")) == nil)
    #expect(HKObjectType.clinicalType(forIdentifier: .init(rawValue: "x")) == nil)
    #expect(HKObjectType.seriesType(forIdentifier: "x") == nil)

    await #expect(processExitsWith: .failure) {
      _ = HKQuantityType(HKQuantityTypeIdentifier(rawValue: "x"))
    }
  }
}
