// SPDX-License-Identifier: Apache-2.0

extension FHIRObservation {
  /// The Observations that a record makes, each with another identifier.
  static func parts(of record: HealthRecord) -> [FHIRObservation] {
    var parts = singles(of: record) + record.series.flatMap { $0.observations(in: record) }
    var counts: [String: Int] = [:]
    for index in parts.indices {
      let part = parts[index].part
      let count = counts[part, default: 0] + 1
      counts[part] = count
      if count > 1 { parts[index].part = "\(part)/\(count)" }
    }
    return parts
  }

  private static func singles(of record: HealthRecord) -> [FHIRObservation] {
    guard !record.metrics.isEmpty else { return [] }
    switch record.kind {
    case .workout: return [workout(record)]
    case .sleep: return [sleep(record)]
    case .nutrition: return [nutrition(record)]
    default: return measurements(record)
    }
  }

  // MARK: - One Observation a metric

  private static func measurements(_ record: HealthRecord) -> [FHIRObservation] {
    let (panels, others) = bloodPressures(record)
    return panels
      + others.map { metric in
        let measure = metric.measure(in: record)
        var observation = FHIRObservation(
          of: record, part: metric.type.part, measure, measure.value(of: metric),
          origin: metric.origin)
        observation.interpretation = record.interpretation(of: metric)
        if metric.type == .bmi { observation.sources = record.sourcesOfBodyMassIndex }
        return observation
      }
  }

  /// The panels of blood pressure, and the metrics that belong to none.
  private static func bloodPressures(
    _ record: HealthRecord
  ) -> ([FHIRObservation], [Metric]) {
    func all(_ type: MetricType) -> [Metric] {
      record.metrics.filter { $0.type == type && $0.measure(in: record).isCoded }
    }
    let (systolic, diastolic) = (all(.systolic), all(.diastolic))
    let mean = all(.meanArterialPressure)
    let count = max(systolic.count, diastolic.count)
    let panels = (0..<count).map { index in
      bloodPressure(record, systolic[at: index], diastolic[at: index], mean: mean[at: index])
    }
    var rest = record.metrics
    for metric in systolic + diastolic + mean.prefix(count) {
      rest.firstIndex(of: metric).map { _ = rest.remove(at: $0) }
    }
    return (panels, rest)
  }

  private static func bloodPressure(
    _ record: HealthRecord, _ systolic: Metric?, _ diastolic: Metric?, mean: Metric?
  ) -> FHIRObservation {
    var panel = FHIRObservation(
      of: record, part: "blood_pressure",
      concept: FHIRConcept(
        VitalSignProfile.bloodPressure.codes.map(FHIRCoding.init)
          + [.own("metric", "blood_pressure")], text: MetricTable.bloodPressurePanel.name))
    (panel.profile, panel.category) = (.bloodPressure, .vitalSigns)
    panel.mdc = MetricTable.bloodPressurePanel.codes.first { $0.system == .mdc }
    panel.isManual = [systolic, diastolic].allSatisfy { $0?.origin ?? .manual == .manual }
    panel.components = [
      pressure(.systolic, systolic, in: record), pressure(.diastolic, diastolic, in: record),
    ]
    if mean != nil { panel.components.append(pressure(.meanArterialPressure, mean, in: record)) }
    panel.interpretation =
      [systolic, diastolic, mean].compactMap(\.self)
      .flatMap(record.interpretation).reduce(into: []) { concepts, concept in
        if !concepts.contains(concept) { concepts.append(concept) }
      }
    if record.value(.pulse) == nil { panel.interpretation += record.findings(about: .pulse) }
    return panel
  }

  /// A component of the panel; the profile demands both pressures, or why one is missing.
  private static func pressure(
    _ type: MetricType, _ metric: Metric?, in record: HealthRecord
  ) -> FHIRComponent {
    guard let metric else {
      let unit = type.definition?.unit ?? ""
      let measure = FHIRMeasure(type, unit: unit, in: record)
      return FHIRComponent(measure.concept, .absent("unknown"), mdc: measure.mdc)
    }
    return metric.component(in: record)
  }

  // MARK: - One Observation a record

  private static func workout(_ record: HealthRecord) -> FHIRObservation {
    let exercise = MetricTable.exercise
    return panel(
      record,
      FHIRConcept(
        exercise.codes.map(FHIRCoding.init) + [.own("record", "workout")], text: exercise.name),
      record.metrics)
  }

  private static func nutrition(_ record: HealthRecord) -> FHIRObservation {
    panel(record, FHIRConcept([.own("record", "nutrition")], text: "Nutrition"), record.metrics)
  }

  /// The time asleep, of which the other times are parts.
  private static func sleep(_ record: HealthRecord) -> FHIRObservation {
    let asleep = record.metrics.filter { $0.type == .sleepDuration }
    let unit = asleep.first?.unit ?? MetricType.sleepDuration.definition?.unit ?? ""
    let measure = FHIRMeasure(.sleepDuration, unit: unit, in: record)
    // A component with the code of the whole forbids a value of the whole (obs-7).
    guard asleep.count == 1 else { return panel(record, measure.concept, record.metrics) }
    var observation = panel(
      record, measure.concept, record.metrics.filter { $0.type != .sleepDuration })
    observation.value = measure.value(of: asleep[0])
    return observation
  }

  private static func panel(
    _ record: HealthRecord, _ concept: FHIRConcept, _ metrics: [Metric]
  ) -> FHIRObservation {
    var panel = FHIRObservation(of: record, part: record.kind.rawValue, concept: concept)
    panel.category = FHIRCategory(ofKind: record.kind)
    panel.components = metrics.map { $0.component(in: record) }
    panel.isManual = record.metrics.allSatisfy { $0.origin == .manual }
    return panel
  }
}

extension Metric {
  fileprivate func measure(in record: HealthRecord) -> FHIRMeasure {
    FHIRMeasure(self, in: record)
  }

  fileprivate func component(in record: HealthRecord) -> FHIRComponent {
    let measure = measure(in: record)
    return FHIRComponent(measure.concept, measure.value(of: self), mdc: measure.mdc)
  }
}

extension MetricType {
  /// The metric's name as a part of an identifier.
  var part: String {
    String(rawValue.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}

extension HealthRecord {
  /// What a body mass index of the record was computed from.
  fileprivate var sourcesOfBodyMassIndex: [String] {
    [MetricType.bodyWeight, .bodyHeight].filter { value($0) != nil }.map(\.part)
  }
}
