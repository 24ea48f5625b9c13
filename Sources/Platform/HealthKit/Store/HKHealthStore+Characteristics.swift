// SPDX-License-Identifier: Apache-2.0

import Foundation

extension HKHealthStore {
  /// The text of a characteristic; nil if it is not known, or the user does not let the app read it.
  func characteristic(_ identifier: HKCharacteristicTypeIdentifier) throws -> String? {
    try system.queue.sync { try system.characteristic(identifier) }
  }

  /// What an app that may ask knows of the body at a time; on the system's queue.
  func body(on date: Date) -> PersonsBody {
    var body = PersonsBody()
    if let text = try? system.characteristic(.dateOfBirth), let year = Int(text.prefix(4)) {
      let now = Calendar(identifier: .gregorian).component(.year, from: date)
      body.years = Double(max(0, now - year))
    }
    body.sex = (try? system.characteristic(.biologicalSex)).flatMap(ExportNames.biologicalSex)
    body.kilograms =
      last(.bodyMass, before: date)?.doubleValue(for: .gramUnit(with: .kilo)) ?? body.kilograms
    body.centimeters =
      last(.height, before: date)?.doubleValue(for: .meterUnit(with: .centi)) ?? body.centimeters
    return body
  }

  private func last(_ identifier: HKQuantityTypeIdentifier, before date: Date) -> HKQuantity? {
    let earlier = HKQuery.predicateForSamples(withStart: nil, end: date)
    let request = SampleRequest(HKQuantityType(identifier), earlier)
    let samples = try? system.read { database in
      try database.samples(
        system.requests([request], database),
        SampleOrder([SortDescriptor(\HKSample.startDate, order: .reverse)]), 1)
    }
    return (samples?.first as? HKQuantitySample)?.quantity
  }
}

/// What the energy of a person at rest follows from; at first that of an average person.
struct PersonsBody {
  var years = 40.0
  var sex: HKBiologicalSex?
  var kilograms = 70.0
  var centimeters = 170.0

  /// The energy of a day at rest, by the equation of Mifflin and St Jeor (1990).
  var kilocaloriesAtRest: Double {
    let offset =
      switch sex {
      case .male?: 5.0
      case .female?: -161.0
      default: -78.0
      }
    return max(0, 10 * kilograms + 6.25 * centimeters - 5 * years + offset)
  }
}

extension HealthSystem {
  /// The text of a characteristic, if the app may read it; on the queue only.
  func characteristic(_ identifier: HKCharacteristicTypeIdentifier) throws -> String? {
    try read { database in
      guard let mayRead = try permissions(database).read[identifier.rawValue] else {
        throw HKError.error(
          .errorAuthorizationNotDetermined,
          "The app has not asked for permission to read \(identifier.rawValue).")
      }
      return mayRead ? try database.characteristic(identifier) : nil
    }
  }

  /// Sets what is known of the person; on no queue.
  package func save(characteristics: [HKCharacteristicTypeIdentifier: String]) throws {
    try queue.sync {
      try write {
        try $0.save(
          characteristics: Dictionary(
            uniqueKeysWithValues: characteristics.map { ($0.rawValue, $1) }))
      }
    }
  }
}
