// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import HealthKit

// MARK: - Quantities

extension SampleRecords {
  func record(of sample: HKQuantitySample, received: Date) -> HealthRecord? {
    guard let type = SampleRole.metric(of: sample.quantityType) else { return nil }
    let isManual = sample.isUserEntered
    let metrics = metrics(of: sample, type, isManual ? .manual : .device)
    let kind: RecordKind = SampleRole.nutrients.contains(type) ? .nutrition : .measurement
    guard
      var record = record(of: sample, kind, metrics, isManual: isManual, received: received)
    else { return nil }
    if kind == .nutrition { record.name = sample.text(HKMetadataKeyFoodType) }
    addRemarks(on: sample, type, to: &record)
    return record
  }

  private func metrics(
    of sample: HKQuantitySample, _ type: MetricType, _ origin: Metric.Origin
  ) -> [Metric] {
    let figures: [(MetricType, HKQuantity)]
    if type == .pulse, sample.count > 1, let series = sample as? HKDiscreteQuantitySample {
      figures = [
        (.averageHeartRate, series.averageQuantity), (.minimumHeartRate, series.minimumQuantity),
        (.maximumHeartRate, series.maximumQuantity),
      ]
    } else {
      figures = [(type, sample.quantity)]
    }
    return figures.compactMap { type, quantity in
      quantity.value(as: type).map { Metric(type, $0, origin: origin) }
    }
  }

  private func addRemarks(
    on sample: HKQuantitySample, _ type: MetricType, to record: inout HealthRecord
  ) {
    switch type {
    case .bloodGlucose:
      record.mealRelationship = sample.number(HKMetadataKeyBloodGlucoseMealTime)
        .flatMap(HKBloodGlucoseMealTime.init(rawValue:)).flatMap(\.relationship)
    case .bodyTemperature, .basalBodyTemperature:
      let place = sample.number(HKMetadataKeyBodyTemperatureSensorLocation)
      record.add(tag: "measurement_location", place.flatMap { Self.temperaturePlaces[$0] })
    case .pulse:
      let place = sample.number(HKMetadataKeyHeartRateSensorLocation)
      record.add(tag: "sensor_location", place.flatMap { Self.heartRatePlaces[$0] })
      let motion = sample.number(HKMetadataKeyHeartRateMotionContext)
      record.add(tag: "motion_context", motion.flatMap { [1: "sedentary", 2: "active"][$0] })
    default: break
    }
  }

  /// The names of the Bluetooth profile, by the raw value of `HKBodyTemperatureSensorLocation`.
  static let temperaturePlaces = [
    1: "armpit", 2: "body", 3: "ear", 4: "finger", 5: "gastrointestinal_tract", 6: "mouth",
    7: "rectum", 8: "toe", 9: "tympanum", 10: "temporal_artery", 11: "forehead",
  ]

  /// The names of the Bluetooth profile, by the raw value of `HKHeartRateSensorLocation`.
  private static let heartRatePlaces = [
    1: "chest", 2: "wrist", 3: "finger", 4: "hand", 5: "ear_lobe", 6: "foot",
  ]
}

extension HKBloodGlucoseMealTime {
  fileprivate var relationship: MealRelationship? {
    switch self {
    case .preprandial: .before
    case .postprandial: .after
    @unknown default: nil
    }
  }
}

// MARK: - Correlations

extension SampleRecords {
  func record(of correlation: HKCorrelation, received: Date) -> HealthRecord? {
    let isFood = correlation.correlationType.identifier == HKCorrelationTypeIdentifier.food.rawValue
    let types: [MetricType] = isFood ? SampleRole.nutrients : [.systolic, .diastolic]
    let parts = correlation.objects.compactMap { $0 as? HKQuantitySample }
    let isManual = correlation.isUserEntered || parts.contains(where: \.isUserEntered)
    let metrics = types.compactMap { type in
      sum(of: parts.filter { SampleRole.metric(of: $0.quantityType) == type }, type)
        .map { Metric(type, $0, origin: isManual ? .manual : .device) }
    }
    var record = record(
      of: correlation, isFood ? .nutrition : .measurement, metrics, isManual: isManual,
      received: received)
    if isFood { record?.name = correlation.text(HKMetadataKeyFoodType) }
    // The app may have named the device with the parts only.
    if record?.source.device == nil {
      record?.source =
        parts.sorted { $0.quantityType.identifier < $1.quantityType.identifier }
        .first?.recordSource ?? correlation.recordSource
    }
    return record
  }

  /// What a meal has of a nutrient in all of its parts; of a pressure there is one.
  private func sum(of parts: [HKQuantitySample], _ type: MetricType) -> Double? {
    let values = parts.compactMap { $0.quantity.value(as: type) }
    guard SampleRole.nutrients.contains(type) else { return values.first }
    return values.isEmpty ? nil : (values.reduce(0, +) * 10_000).rounded() / 10_000
  }
}

// MARK: - Categories

extension SampleRecords {
  func record(of sample: HKCategorySample, received: Date) -> HealthRecord? {
    guard let type = SampleRole.metric(of: sample.categoryType),
      let names = type.definition?.valueNames, !names.isEmpty
    else { return nil }
    // What has no value but "not applicable" was there.
    let code = names.count > 1 ? sample.value : 1
    let isManual = sample.isUserEntered
    let metric = Metric(type, Double(code), origin: isManual ? .manual : .device)
    var record = record(of: sample, .measurement, [metric], isManual: isManual, received: received)
    record?.add(tag: type.rawValue, names[code])
    record?.add(
      tag: "cycle_start", sample.flag(HKMetadataKeyMenstrualCycleStart).map { "\($0)" })
    record?.add(
      tag: "protection_used",
      sample.flag(HKMetadataKeySexualActivityProtectionUsed).map { "\($0)" })
    return record
  }
}
