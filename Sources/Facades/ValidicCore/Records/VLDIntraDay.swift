// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords

/// The steps of a day, or another value over time.
#if canImport(ObjectiveC)
  @objc(VLDIntraDay) @objcMembers
#endif
public final class VLDIntraDay: VLDRecord {
  override class var kind: RecordKind { .intraday }

  /// The class of the record.
  ///
  /// - Returns: ``VLDRecordType/intraDaySteps``.
  public override func recordType() -> VLDRecordType { .intraDaySteps }

  /// When the first value begins.
  public var start: Date {
    get { content.time.start }
    set { timestamp = newValue }
  }

  /// When the last value ends.
  public var end: Date {
    get { content.time.end }
    set { content.time.end = newValue }
  }

  /// The way that the values came, for instance `Apple Health`.
  public var deviceSource: String { content.source.type.readable }
  /// The name of what was measured; `steps` unless it was set before the first value.
  public var type: String {
    get { content.series.first?.type.rawValue ?? newType.rawValue }
    set { newType = MetricType(rawValue: newValue) }
  }
  private var newType = MetricType.steps

  /// The unit of the values.
  public var unit: String { content.series.first?.unit ?? newType.definition?.unit ?? "1" }
  /// The model of the device, if known.
  public var model: String? {
    get { content.source.device?.model }
    set {
      var device = content.source.device ?? SourceDevice()
      device.model = newValue
      content.source.device = device
    }
  }
  /// The manufacturer of the device, if known.
  public var manufacturer: String? {
    get { content.source.device?.manufacturer }
    set {
      var device = content.source.device ?? SourceDevice()
      device.manufacturer = newValue
      content.source.device = device
    }
  }

  /// The values: dictionaries with `value`, a number, and `startDate` and `endDate`.
  public var entries: [Any] {
    content.series.flatMap(\.dataPoints).map { point in
      [
        "value": NSNumber(value: point.value), "startDate": point.time,
        "endDate": point.end ?? point.time,
      ] as [String: Any]
    }
  }

  /// Adds a value; the record begins with the first and ends with the last one.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - startDate: When it begins.
  ///   - endDate: When it ends.
  public func addValue(_ value: Double, withStartDate startDate: Date, withEndDate endDate: Date) {
    let point = DataPoint(time: startDate, end: endDate, value: value)
    if content.series.isEmpty {
      content.series = [MetricSeries(newType, [point])]
      (content.time.start, content.time.end) = (startDate, endDate)
    } else {
      content.series[0].dataPoints.append(point)
      content.time.start = min(content.time.start, startDate)
      content.time.end = max(content.time.end, endDate)
    }
  }
}
