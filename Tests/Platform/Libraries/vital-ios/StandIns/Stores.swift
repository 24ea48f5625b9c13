// SPDX-License-Identifier: Apache-2.0

// In place of a store of the tests that calls handlers which queries keep to themselves, by key-value coding: the store
// of a phone on which the app may read all that the library asks for.
import HealthKit
import HealthKitSimulation
import VitalCore

@testable import VitalHealthKit

private let phone: Result<SimulatedPhone, any Error> = Result {
  // Beside the tests, which the trial's folder is removed with.
  let folder = Bundle.main.bundleURL.appendingPathComponent("phone-of-tests")
  try? FileManager.default.removeItem(at: folder)
  let phone = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
  for type in Set(VitalResource.all.map(toHealthKitTypes(resource:)).flatMap(\.allObjectTypes)) {
    try phone.setPermission(for: type, read: true)
  }
  var person = SimulatedPhone.Person()
  person.dateOfBirth = DateComponents(year: 1999, month: 1, day: 1)
  person.biologicalSex = .female
  try phone.enter(person)
  return phone
}

func MockHealthStore() throws -> HKHealthStore { try phone.get().makeHealthStore() }
