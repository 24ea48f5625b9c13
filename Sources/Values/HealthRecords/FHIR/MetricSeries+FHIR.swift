// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MetricSeries {
  /// The Observations of the series, see ``FHIRForm``.
  func observations(in record: HealthRecord) -> [FHIRObservation] {
    let measure = FHIRMeasure(type, unit: unit, in: record.kind)
    let interval = measure.profile == nil ? record.granularity?.seconds : nil
    return readingLog.map { reading in
      var observation = single(
        at: reading.time, reading.value, lasting: nil, measure, in: record)
      if let device = reading.deviceID.flatMap({ record.source.devices[$0] }) {
        observation.device = device
      }
      return observation
    } + points(every: interval, measure, in: record)
  }

  private func points(
    every interval: Int?, _ measure: FHIRMeasure, in record: HealthRecord
  ) -> [FHIRObservation] {
    let points = dataPoints.sorted { $0.time < $1.time }
    guard let interval, let values = Self.values(of: points, every: interval) else {
      return points.map {
        single(at: $0.time, $0.value, lasting: interval, measure, in: record)
      }
    }
    let samples = FHIRSamples(
      unit: measure.quantity(0), periodMilliseconds: interval * 1000,
      values: values.map { $0.map { measure.quantity($0).value } })
    var observation = FHIRObservation(
      of: record, part: "\(type.part)/series", measure, .samples(samples), origin: origin)
    observation.start = points[0].time
    observation.end = points[0].time.addingTimeInterval(Double(interval * values.count))
    return [observation]
  }

  private func single(
    at time: Date, _ value: Double, lasting seconds: Int?, _ measure: FHIRMeasure,
    in record: HealthRecord
  ) -> FHIRObservation {
    let text = FHIRTime(utcOffsetSeconds: nil).text(time)
    var observation = FHIRObservation(
      of: record, part: "\(type.part)/\(text)", measure, .quantity(measure.quantity(value)),
      origin: origin)
    observation.start = time
    observation.end = time.addingTimeInterval(Double(seconds ?? 0))
    return observation
  }

  /// The values at equal distances, nil where there is none; nil when a point lies between them.
  private static func values(of points: [DataPoint], every interval: Int) -> [Double?]? {
    guard let first = points.first, let last = points.last else { return nil }
    let count = last.time.timeIntervalSince(first.time) / Double(interval)
    guard (0..<mostSamples).contains(count) else { return nil }
    var values = [Double?](repeating: nil, count: Int(count) + 1)
    for point in points {
      let place = point.time.timeIntervalSince(first.time) / Double(interval)
      guard let index = Int(exactly: place), values.indices.contains(index), values[index] == nil
      else { return nil }
      values[index] = point.value
    }
    return values
  }

  /// A value a second of a day; with more the series is not one of a day.
  private static let mostSamples = 86_400.0
}

extension Granularity {
  /// The distance in seconds; nil for a unit that is not known and for more than a day.
  fileprivate var seconds: Int? {
    let unit: Int? =
      switch unit.lowercased() {
      case "s", "sec", "second", "seconds": 1
      case "m", "min", "minute", "minutes": 60
      case "h", "hr", "hour", "hours": 3600
      default: nil
      }
    guard let unit, (1...86_400 / unit).contains(interval) else { return nil }
    return interval * unit
  }
}
