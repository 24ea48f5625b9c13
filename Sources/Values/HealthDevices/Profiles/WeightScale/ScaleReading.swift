// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
package import HealthRecords

extension DeviceReading {
  /// A weighing, whose weight may have other steps than the specification's.
  package init(
    weight: Mass?, shown: ShownValue? = nil, _ measurement: WeightMeasurement, payload: [UInt8]
  ) {
    if let weight, weight.kilograms > 0 {
      self.init(
        [Metric(.bodyWeight, weight.kilograms.roundedToThousandths).showing(shown)]
          + measurement.heightAndIndex, payload: payload)
    } else {
      self.init(
        rejected: .failedMeasurement,
        "The scale reports that the weighing failed. Stand still and weigh again.",
        payload: payload)
    }
    clock = measurement.timestamp?.localDateTime.map { .local($0) }
    note(measurement.userID)
  }

  /// A weighing, a body composition, or both.
  ///
  /// - Parameters:
  ///   - joined: What belongs together.
  ///   - massFactor: The scale's step of the weight as a multiple of the specification's.
  package init(_ joined: BodyCompositionJoin.Joined, massFactor: Double = 1) {
    let composition = joined.composition
    let weight =
      joined.weight?.weight.map { Mass($0.value * massFactor, $0.unit) } ?? composition?.weight
    var values = composition.map { $0.hasComposition ? $0.values : [] } ?? []
    values.insert(
      contentsOf: joined.weight?.heightAndIndex ?? composition?.heightValue ?? [], at: 0)
    if let kilograms = weight?.kilograms, kilograms > 0 {
      let weight = Metric(.bodyWeight, kilograms.roundedToThousandths)
      values.insert(weight.showing(joined.shownWeight(massFactor: massFactor)), at: 0)
    }
    if values.contains(where: { $0.type == .bodyWeight || $0.type == .bodyFat }) {
      self.init(values, payload: joined.payload)
    } else {
      self.init(
        rejected: .failedMeasurement,
        "The scale reports that the measurement failed. Stand still, barefoot, and weigh again.",
        payload: joined.payload)
    }
    let timestamp = joined.weight?.timestamp ?? composition?.timestamp
    clock = timestamp?.localDateTime.map { .local($0) }
    note(joined.weight?.userID ?? composition?.userID)
    if rejection == nil, composition?.isUnsuccessful == true {
      findings = [.init("body_composition_failed")]
    }
  }
}

extension BodyCompositionJoin.Joined {
  /// What the scale shows of the weight; a composition has no steps of its own.
  fileprivate func shownWeight(massFactor: Double) -> ShownValue? {
    if let weight, weight.weight != nil {
      return weight.units.shownMass(steps: weight.rawWeight, massFactor: massFactor)
    }
    return composition?.units.shownMass(steps: composition?.components.rawWeight)
  }
}

extension WeightMeasurement {
  /// Height and body mass index; a scale that does not know them sends zeros.
  fileprivate var heightAndIndex: [Metric] {
    var values: [Metric] = []
    if let meters = height?.meters, meters > 0 {
      values.append(Metric(.bodyHeight, (meters * 100).roundedToHundredths))
    }
    if let bodyMassIndex, bodyMassIndex > 0 {
      values.append(Metric(.bmi, bodyMassIndex))
    }
    return values
  }
}

extension BodyCompositionMeasurement {
  fileprivate var heightValue: [Metric] {
    guard let meters = height?.meters, meters > 0 else { return [] }
    return [Metric(.bodyHeight, (meters * 100).roundedToHundredths)]
  }

  /// What the scale computed; a field that it fills with 0 was not computed.
  fileprivate var values: [Metric] {
    let all: [(MetricType, Double?, UInt16?)] = [
      (.bodyFat, bodyFatPercentage, nil),
      (.bodyMuscle, musclePercentage, nil),
      (.bodyMuscleMass, muscleMass?.kilograms, components.rawMuscleMass),
      (.bodyLeanMass, fatFreeMass?.kilograms, components.rawFatFreeMass),
      (.softLeanMass, softLeanMass?.kilograms, components.rawSoftLeanMass),
      (.bodyWaterMass, bodyWaterMass?.kilograms, components.rawBodyWaterMass),
      (.bodyImpedance, impedanceOhms, nil),
      (.basalMetabolicRate, basalMetabolismKilocalories?.roundedToHundredths, nil),
    ]
    return all.compactMap { type, value, steps in
      guard let value, value > 0 else { return nil }
      guard let steps else { return Metric(type, value) }
      return Metric(type, value.roundedToThousandths).showing(units.shownMass(steps: steps))
    }
  }
}

extension Double {
  /// A gram is finer than any scale for persons, and keeps conversions free of noise.
  fileprivate var roundedToThousandths: Double { (self * 1000).rounded() / 1000 }
}
