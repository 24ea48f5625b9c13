// SPDX-License-Identifier: Apache-2.0

import Foundation
public import HealthRecords
public import HealthKit

/// Makes HealthKit's samples of readings, for an app that writes them to the health store on request.
///
/// Written are blood glucose, blood pressure (as a correlation), weight, body mass index, body fat, lean
/// mass, body temperature, oxygen saturation, and the pulse as a heart rate. Each has the device, the
/// zone, whether it was typed in, and a sync identifier that follows from the record: writing it again
/// changes nothing, and a corrected record (`lastUpdated`) takes the place of the one
/// before. When the app reads them back, ``SampleRecords`` knows them and makes no record.
///
/// Not written is what would pass for a measurement and is none: a value that is a bound or absent, that
/// the device doubts or no living person has, an early estimate, one of a person who is not known, of a
/// control solution, at a time that is not known, or what was entered in error.
public struct RecordSamples: Hashable, Sendable {
  /// Where the person was; gives the offset from UTC of a record the name of a zone.
  public var zones: ZoneHistory

  /// Makes the conversion.
  ///
  /// - Parameter zones: Where the person was.
  public init(zones: ZoneHistory) { self.zones = zones }

  /// The types that samples are made of, which an app needs the permission to share for.
  public static var types: Set<HKSampleType> {
    Set((metrics + [.systolic, .diastolic]).compactMap(quantityType))
  }

  /// The samples of a record.
  ///
  /// - Parameter record: The record; one of another kind than a measurement makes none.
  /// - Returns: The samples, which may be none.
  public func samples(of record: HealthRecord) -> [HKSample] {
    guard record.isWritten else { return [] }
    let singles = Self.metrics.compactMap { type -> HKSample? in
      record.metrics.first { $0.type == type }.flatMap { sample(of: $0, record) }
    }
    return [bloodPressure(of: record)].compactMap(\.self) + singles
  }

  /// The sync identifiers of all samples that a record may have made, by type.
  ///
  /// By them the samples of a record that was entered in error are found and deleted
  /// (`HKQuery.predicateForObjects(withMetadataKey:allowedValues:)`).
  ///
  /// - Parameter logID: The record's `log_id`.
  /// - Returns: The values of `HKMetadataKeySyncIdentifier`.
  public static func syncIdentifiers(of logID: String) -> [HKSampleType: String] {
    var identifiers: [HKSampleType: String] = [
      HKCorrelationType(.bloodPressure): SampleIdentity.syncIdentifier(
        of: logID, part: "blood_pressure")
    ]
    for type in metrics + [.systolic, .diastolic] {
      guard let quantity = quantityType(type) else { continue }
      identifiers[quantity] = SampleIdentity.syncIdentifier(of: logID, part: type.rawValue)
    }
    return identifiers
  }

  private static let metrics: [MetricType] = [
    .bloodGlucose, .bodyWeight, .bmi, .bodyFat, .bodyLeanMass, .bodyTemperature,
    .oxygenSaturation, .pulse,
  ]

  private static func quantityType(_ type: MetricType) -> HKQuantityType? {
    type.definition?.healthKitIdentifiers.first
      .map { HKQuantityType(HKQuantityTypeIdentifier(rawValue: $0)) }
  }

  // MARK: - Samples

  private func bloodPressure(of record: HealthRecord) -> HKCorrelation? {
    let parts = [MetricType.systolic, .diastolic].compactMap { type in
      record.metrics.first { $0.type == type }.flatMap { sample(of: $0, record) }
    }
    guard parts.count == 2 else { return nil }
    let isManual = parts.contains(where: \.isUserEntered)
    return HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: record.time.start, end: record.time.end,
      objects: Set(parts), device: record.healthKitDevice,
      metadata: metadata(of: record, part: "blood_pressure", isManual: isManual))
  }

  private func sample(of metric: Metric, _ record: HealthRecord) -> HKSample? {
    guard let type = Self.quantityType(metric.type), let units = MetricUnits(metric.type),
      let value = metric.standardValue, metric.bound == nil, metric.isPlausible,
      !record.doubts(about: metric.type)
    else { return nil }
    var metadata = metadata(
      of: record, part: metric.type.rawValue, isManual: metric.origin == .manual)
    switch metric.type {
    case .bloodGlucose: metadata[HKMetadataKeyBloodGlucoseMealTime] = record.mealTime
    case .bodyTemperature:
      metadata[HKMetadataKeyBodyTemperatureSensorLocation] = record.temperaturePlace
    default: break
    }
    return HKQuantitySample(
      type: type, quantity: units.quantity(value), start: record.time.start,
      end: record.time.end, device: metric.origin == .manual ? nil : record.healthKitDevice,
      metadata: metadata)
  }

  private func metadata(
    of record: HealthRecord, part: String, isManual: Bool
  ) -> [String: Any] {
    let version = record.lastUpdated.map { ($0.timeIntervalSince1970 * 1000).rounded() } ?? 0
    var metadata: [String: Any] = [
      HKMetadataKeySyncIdentifier: SampleIdentity.syncIdentifier(of: record.logID, part: part),
      HKMetadataKeySyncVersion: NSNumber(value: max(1, version)),
    ]
    metadata[HKMetadataKeyTimeZone] = zoneName(of: record.time)
    if isManual { metadata[HKMetadataKeyWasUserEntered] = true }
    if !isManual {
      metadata[HKMetadataKeyDeviceSerialNumber] = record.source.device?.serialNumber
    }
    return metadata
  }

  /// The name of a zone with the record's offset; nil where that is not known.
  private func zoneName(of time: RecordTime) -> String? {
    guard let offset = time.utcOffsetSeconds else { return nil }
    let zone = zones.zone(at: time.start)
    let isRight = zone.secondsFromGMT(for: time.start) == offset
    return isRight ? zone.identifier : TimeZone(secondsFromGMT: offset)?.identifier
  }
}

extension HealthRecord {
  /// Whether the record is a measurement of the patient at a known time.
  fileprivate var isWritten: Bool {
    kind == .measurement && source.type != .appleHealth && enteredInError == nil
      && !isEarlyEstimate && !isOfUnknownUser && !isOfControlSolution
      && !time.isDeviceTimeDisbelieved
  }

  fileprivate var healthKitDevice: HKDevice? {
    guard let device = source.device, device != SourceDevice() else { return nil }
    return HKDevice(
      name: device.model, manufacturer: device.manufacturer, model: device.model,
      hardwareVersion: nil, firmwareVersion: device.firmwareRevision, softwareVersion: nil,
      localIdentifier: device.id, udiDeviceIdentifier: nil)
  }

  fileprivate var mealTime: NSNumber? {
    switch mealRelationship {
    case .before: NSNumber(value: HKBloodGlucoseMealTime.preprandial.rawValue)
    case .after: NSNumber(value: HKBloodGlucoseMealTime.postprandial.rawValue)
    case .random, .fasting, nil: nil
    }
  }

  fileprivate var temperaturePlace: NSNumber? {
    let names = ["measurement_location", "sample_location"]
    let place = tags.first { names.contains($0.name) }?.value
    return SampleRecords.temperaturePlaces.first { $0.value == place }
      .map { NSNumber(value: $0.key) }
  }
}
