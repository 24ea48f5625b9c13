// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MetricSeries {
  /// The Observations of the series, see ``FHIREncoder``.
  func observations(in record: HealthRecord) -> [FHIRObservation] {
    let measure = FHIRMeasure(type, unit: unit, in: record)
    return readingLog.map { reading in
      let metric = metric(of: reading)
      var observation = single(
        at: reading.time, to: reading.time, measure.value(of: metric), measure, in: record)
      observation.interpretation = record.interpretation(of: metric)
      if let device = reading.deviceID.flatMap({ record.source.devices[$0] }) {
        observation.device = device
      }
      return observation
    } + points(measure, in: record)
  }

  private func points(_ measure: FHIRMeasure, in record: HealthRecord) -> [FHIRObservation] {
    let points = dataPoints.sorted { $0.time < $1.time }
    let interval = record.granularity?.seconds
    let isSampled = measure.profile == nil || interval.map { $0 < Self.sparse } ?? false
    guard let interval, isSampled, let last = points.last,
      let samples = Self.samples(of: points, every: interval, in: measure)
    else {
      return points.map { point in
        var observation = single(
          at: point.time, to: point.end(every: measure.profile == nil ? interval : nil),
          .quantity(measure.quantity(point.value)), measure, in: record)
        observation.interpretation = record.interpretation(
          of: Metric(type, point.value, unit: unit, origin: origin))
        return observation
      }
    }
    var observation = FHIRObservation(
      of: record, part: "\(type.part)/series", measure.sampled, .samples(samples),
      origin: origin)
    observation.start = points[0].time
    observation.end = last.time.addingTimeInterval(Double(interval))
    observation.interpretation = record.findings(about: type)
    observation.components += [record.time.fhirOffset(of: observation.start)].compactMap(\.self)
    return [observation]
  }

  private func single(
    at time: Date, to end: Date, _ value: FHIRValue, _ measure: FHIRMeasure,
    in record: HealthRecord
  ) -> FHIRObservation {
    var observation = FHIRObservation(
      of: record, part: "\(type.part)/\(record.pointName(at: time))", measure, value,
      origin: origin)
    observation.start = time
    observation.end = end
    observation.components += [record.time.fhirOffset(of: time)].compactMap(\.self)
    return observation
  }

  /// The values at equal distances: the largest part of the interval that all points lie on.
  ///
  /// So the series of a day stays one Observation when a point comes that lies between the others;
  /// as Observations of their own its points would be on the server twice.
  private static func samples(
    of points: [DataPoint], every interval: Int, in measure: FHIRMeasure
  ) -> FHIRSamples? {
    guard points.allSatisfy({ $0.lasts(interval) }) else { return nil }
    let milliseconds = points.compactMap { point in
      Int(exactly: (point.time.timeIntervalSince(points[0].time) * 1000).rounded())
    }
    let period = milliseconds.reduce(interval * 1000, greatestCommonDivisor)
    let places = milliseconds.map { $0 / period }
    guard places.count == points.count, let last = places.last, last < mostSamples else {
      return nil
    }
    var values = [Double?](repeating: nil, count: last + 1)
    for (place, point) in zip(places, points) {
      guard values[place] == nil else { return nil }
      values[place] = measure.quantity(point.value).value
    }
    return FHIRSamples(unit: measure.quantity(0), periodMilliseconds: period, values: values)
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }

  /// From this distance on, in seconds, points of a vital sign are Observations of their own: by the
  /// granularity and not by their number, so that a series that grows keeps its identifiers.
  private static let sparse = 60

  /// A value a second of a day; with more the series is not one of a day.
  private static let mostSamples = 86_400
}

extension DataPoint {
  fileprivate func end(every interval: Int?) -> Date {
    end ?? time.addingTimeInterval(Double(interval ?? 0))
  }

  /// Whether the point ends after so many seconds, to a millisecond.
  fileprivate func lasts(_ seconds: Int) -> Bool {
    abs(end(every: seconds).timeIntervalSince(time) - Double(seconds)) < 0.0005
  }
}

extension Granularity {
  /// The distance in seconds; nil for a unit that is not known and for more than a day.
  fileprivate var seconds: Int? {
    guard let unitSeconds, (1...86_400 / unitSeconds).contains(interval) else { return nil }
    return interval * unitSeconds
  }
}
