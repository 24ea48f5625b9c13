// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import SantorioConcurrency
import Testing

@Suite(.timeLimit(.minutes(15))) struct `The person` {
  private static let characteristics: Set<HKObjectType> = [
    HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.biologicalSex),
    HKCharacteristicType(.bloodType), HKCharacteristicType(.fitzpatrickSkinType),
    HKCharacteristicType(.wheelchairUse), HKCharacteristicType(.activityMoveMode),
  ]

  private func fixture(
    reading types: Set<HKObjectType> = Self.characteristics
  ) async throws -> PhoneFixture {
    let fixture = try await PhoneFixture(allowing: [])
    try await fixture.store.requestAuthorization(toShare: [], read: types)
    return fixture
  }

  private static let sam: SimulatedPhone.Person = {
    var person = SimulatedPhone.Person()
    person.dateOfBirth = DateComponents(year: 1980, month: 2, day: 29)
    person.biologicalSex = .female
    person.bloodType = .abNegative
    person.skinType = .IV
    person.wheelchairUse = .no
    person.activityMoveMode = .appleMoveTime
    return person
  }()

  // Apple's objects have the initializer of NSObject, which stores of tests return.
  @Test func `is unknown in objects that a test makes`() {
    #expect(HKBiologicalSexObject().biologicalSex == .notSet)
    #expect(HKBloodTypeObject().bloodType == .notSet)
    #expect(HKFitzpatrickSkinTypeObject().skinType == .notSet)
    #expect(HKWheelchairUseObject().wheelchairUse == .notSet)
    #expect(HKActivityMoveModeObject().activityMoveMode == .activeEnergy)
  }

  @Test func `is known as the Health app has it`() async throws {
    let fixture = try await fixture()
    try fixture.phone.enter(Self.sam)
    let born = try fixture.store.dateOfBirthComponents()
    #expect([born.year, born.month, born.day] == [1980, 2, 29])
    #expect(born.calendar?.identifier == .gregorian)
    #expect(try fixture.store.biologicalSex().biologicalSex == .female)
    #expect(try fixture.store.bloodType().bloodType == .abNegative)
    #expect(try fixture.store.fitzpatrickSkinType().skinType == .IV)
    #expect(try fixture.store.wheelchairUse().wheelchairUse == .no)
    #expect(try fixture.store.activityMoveMode().activityMoveMode == .appleMoveTime)
  }

  @Test func `of whom nothing was entered is not set`() async throws {
    let fixture = try await fixture()
    #expect(throws: HKError.self) { try fixture.store.dateOfBirthComponents() }
    #expect(try fixture.store.biologicalSex().biologicalSex == .notSet)
    #expect(try fixture.store.bloodType().bloodType == .notSet)
    #expect(try fixture.store.fitzpatrickSkinType().skinType == .notSet)
    #expect(try fixture.store.wheelchairUse().wheelchairUse == .notSet)
    #expect(try fixture.store.activityMoveMode().activityMoveMode == .activeEnergy)
  }

  @Test func `looks unknown to an app that may not read`() async throws {
    let fixture = try await fixture()
    try fixture.phone.enter(Self.sam)
    try fixture.phone.setPermission(for: HKCharacteristicType(.biologicalSex), read: false)
    #expect(try fixture.store.biologicalSex().biologicalSex == .notSet)
    #expect(try fixture.store.bloodType().bloodType == .abNegative)
  }

  @Test func `is an error to an app that has not asked`() async throws {
    let fixture = try await fixture(reading: [HKCharacteristicType(.bloodType)])
    try fixture.phone.enter(Self.sam)
    do {
      _ = try fixture.store.biologicalSex()
      Issue.record("An app that has not asked must not read.")
    } catch {
      #expect((error as? HKError)?.code == .errorAuthorizationNotDetermined)
    }
  }

  @Test func `divides energy into rest and activity`() async throws {
    let fixture = try await fixture()
    var person = SimulatedPhone.Person()
    person.dateOfBirth = DateComponents(year: 1980, month: 2, day: 29)
    person.biologicalSex = .male
    try fixture.phone.enter(person)
    let start = try #require(
      DateComponents(calendar: Calendar(identifier: .gregorian), year: 2020, month: 6, day: 1).date)
    let (stream, continuation) = AsyncStream.makeStream(of: [Double].self)
    fixture.store.splitTotalEnergy(
      HKQuantity(unit: .kilocalorie(), doubleValue: 1000), start: start, end: start + 43_200
    ) { resting, active, _ in
      continuation.yield(
        [resting, active].map { $0?.doubleValue(for: .kilocalorie()) ?? .nan })
    }
    for await parts in stream {
      // (10 * 70 kg + 6.25 * 170 cm - 5 * 40 years + 5) kcal a day
      #expect(parts == [783.75, 216.25])
      break
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Activity summaries` {
  @Test func `are asked for asynchronously`() async throws {
    let fixture = try await PhoneFixture(allowing: [])
    try await fixture.store.requestAuthorization(toShare: [], read: [.activitySummaryType()])
    let descriptor = HKActivitySummaryQueryDescriptor(predicate: nil)
    #expect(try await descriptor.result(for: fixture.store).isEmpty)
    for try await summaries in descriptor.results(for: fixture.store) {
      #expect(summaries.isEmpty)
      break
    }
  }
}
