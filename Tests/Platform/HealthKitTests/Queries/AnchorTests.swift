// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitSimulation
import Testing

@Suite struct `An anchored query` {
  @Test func `goes through everything in pages, added and deleted together`() async throws {
    let fixture = try await PhoneFixture()
    var samples: [HKQuantitySample] = []
    for number in 0..<25 {
      let sample = PhoneFixture.steps(Double(number), Double(number), Double(number) + 1)
      samples.append(sample)
      try await fixture.store.save(sample)
      if number % 5 == 4 { try await fixture.store.delete(samples[number - 2]) }
    }
    var (added, deleted): ([UUID], [UUID]) = ([], [])
    var anchor: HKQueryAnchor?
    while true {
      let page = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: PhoneFixture.steps)], anchor: anchor, limit: 4
      ).result(for: fixture.store)
      #expect(page.addedSamples.count + page.deletedObjects.count <= 4)
      added += page.addedSamples.map(\.uuid)
      deleted += page.deletedObjects.map(\.uuid)
      if page.newAnchor == anchor { break }
      anchor = page.newAnchor
    }
    #expect(Set(deleted) == Set([2, 7, 12, 17, 22].map { samples[$0].uuid }))
    #expect(added.count == 20)
    #expect(Set(added).isDisjoint(with: deleted))
    #expect(Set(added).union(deleted) == Set(samples.map(\.uuid)))
  }

  @Test func `continues with an archived anchor`() async throws {
    let fixture = try await PhoneFixture()
    try await fixture.store.save(PhoneFixture.steps(1, 0, 1))
    let first = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], anchor: nil
    ).result(for: fixture.store)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: first.newAnchor, requiringSecureCoding: true)
    let anchor = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data))
    #expect(anchor == first.newAnchor)
    try await fixture.store.save(PhoneFixture.steps(2, 0, 1))
    let second = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], anchor: anchor
    ).result(for: fixture.store)
    #expect(second.addedSamples.map { $0.quantity.doubleValue(for: .count()) } == [2])
  }

  @Test func `is told of later changes`() async throws {
    let fixture = try await PhoneFixture()
    try await fixture.store.save(PhoneFixture.steps(1, 0, 1))
    var results = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: PhoneFixture.steps)], anchor: nil
    ).results(for: fixture.store).makeAsyncIterator()
    #expect(try await results.next()?.addedSamples.count == 1)
    try await fixture.store.save(PhoneFixture.rate(70, 0))
    try await fixture.store.save([PhoneFixture.steps(2, 0, 1), PhoneFixture.steps(3, 0, 1)])
    #expect(try await results.next()?.addedSamples.count == 2)
    #expect(try fixture.phone.delete(PhoneFixture.steps) == 3)
    let last = try #require(try await results.next())
    #expect((last.addedSamples.count, last.deletedObjects.count) == (0, 3))
  }
}
