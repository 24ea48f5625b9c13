// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import CivilCalendar

extension HealthRecord {
  /// A valid record of any kind, in which every member is sometimes there and sometimes not.
  static func random(using random: inout some RandomNumberGenerator) -> HealthRecord {
    let kinds: [RecordKind] = [
      .measurement, .summary, .workout, .sleep, .nutrition, .intraday, .cgm,
      RecordKind(rawValue: "other"),
    ]
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
    let series = random.list(0...2) { MetricSeries.random(using: &$0) }
    let source = RecordSource(
      type: SourceType(rawValue: random.text()),
      device: random.maybe { SourceDevice.random(using: &$0) },
      devices: Dictionary(
        random.list(0...2) { (random: inout _) in (random.text(), .random(using: &random)) },
        uniquingKeysWith: { first, _ in first }))
    var record = HealthRecord(
      logID: "id-\(Int.random(in: 0...Int.max, using: &random))", kind: kind,
      time: .random(using: &random), source: source,
      metrics: random.list((series.isEmpty ? 1 : 0)...4) { Metric.random(using: &$0) },
      series: series,
      tags: random.list(0...2) { RecordTag(name: $0.text(), value: $0.text()) },
      userNotes: random.list(0...2) { UserNote(type: $0.text(), value: $0.text()) })
    record.addDetails(using: &random)
    return record
  }

  private mutating func addDetails(using random: inout some RandomNumberGenerator) {
    category = random.maybe { $0.text() }
    name = random.maybe { $0.text() }
    intensity = random.maybe { $0.text() }
    granularity = random.maybe {
      Granularity(interval: Int.random(in: 1...100, using: &$0), unit: "x" + $0.text())
    }
    if kind == .nutrition {
      segments = random.list(0...2) { NutritionSegment.random(using: &$0) }
    }
    extras = Dictionary(
      random.list(0...4) { (random: inout _) in (random.text(), .random(using: &random)) },
      uniquingKeysWith: { first, _ in first })
    media = random.list(0...2) {
      RecordMedia(
        sha256: String(repeating: "0a", count: 32), contentType: "image/" + $0.text(),
        byteCount: Int.random(in: 0...1_000_000, using: &$0), id: $0.maybe { $0.text() },
        url: $0.maybe { $0.text() })
    }
    isValidated = random.maybe { Bool.random(using: &$0) }
    serverID = random.maybe { $0.text() }
    lastUpdated = random.maybe { $0.instant() }
  }
}

extension RecordTime {
  static func random(using random: inout some RandomNumberGenerator) -> RecordTime {
    let origins: [Origin] = [.device, .deviceCorrected, .received, .user, .unknown]
    let offsetOrigins: [OffsetOrigin] = [.source, .profile, .userDefined]
    let start = random.instant()
    return RecordTime(
      start: start, end: random.maybe { start + Double(Int.random(in: 0...9999, using: &$0)) },
      utcOffsetSeconds: random.maybe { Int.random(in: -86_340...86_340, using: &$0) },
      offsetOrigin: random.maybe { offsetOrigins[Int.random(in: 0..<3, using: &$0)] },
      origin: origins[Int.random(in: 0..<5, using: &random)],
      deviceTime: random.maybe { $0.localTime() }, received: random.instant(),
      clockDriftSeconds: random.maybe { $0.double() })
  }
}

extension HealthRecord {
  /// Whether a class of the Legacy API takes all metrics that the table knows.
  var hasLegacyForm: Bool {
    (metrics.map(\.type) + series.map(\.type)).compactMap(\.definition)
      .allSatisfy { $0.legacyRecord != nil }
  }
}

extension SourceDevice {
  static func random(using random: inout some RandomNumberGenerator) -> SourceDevice {
    SourceDevice(
      id: random.maybe { $0.text() }, manufacturer: random.maybe { $0.text() },
      model: random.maybe { $0.text() }, serialNumber: random.maybe { $0.text() },
      systemID: random.maybe { $0.text() },
      firmwareRevision: random.maybe { $0.text() },
      batteryPercent: random.maybe { Int.random(in: 0...100, using: &$0) },
      peripheralID: random.maybe { Int.random(in: 0...9999, using: &$0) },
      userSlot: random.maybe { Int.random(in: 0...9, using: &$0) })
  }
}

extension Metric {
  static func random(using random: inout some RandomNumberGenerator) -> Metric {
    let rows = MetricTable.rows
    let type = random.maybe { rows[Int.random(in: 0..<rows.count, using: &$0)].type }
    var metric = Metric(
      type ?? MetricType(rawValue: "x" + random.text()), random.double(),
      unit: random.maybe { "x" + $0.text() }, origin: .random(using: &random))
    // In a unit that no other can be compared with, anything may have been shown.
    guard metric.unit.hasPrefix("x") else { return metric }
    metric.shown =
      random.maybe {
        ShownValue(
          mantissa: Int.random(in: -99_999...99_999, using: &$0),
          exponent: Int.random(in: -9...9, using: &$0), unit: "y" + $0.text())
      } ?? nil
    return metric
  }
}

extension Metric.Origin {
  static func random(using random: inout some RandomNumberGenerator) -> Self {
    [.device, .manual, .unknown][Int.random(in: 0..<3, using: &random)]
  }
}

extension MetricSeries {
  static func random(using random: inout some RandomNumberGenerator) -> MetricSeries {
    var series = MetricSeries(
      .steps, random.list(0...5) { DataPoint.random(using: &$0) },
      unit: random.maybe { "x" + $0.text() }, origin: .random(using: &random))
    series.readingLog = random.list((series.dataPoints.isEmpty ? 1 : 0)...5) {
      GlucoseReading.random(using: &$0)
    }
    return series
  }
}

extension DataPoint {
  static func random(using random: inout some RandomNumberGenerator) -> DataPoint {
    let time = random.instant()
    return DataPoint(
      time: time, end: random.maybe { time + Double(Int.random(in: 0...9999, using: &$0)) },
      value: random.double())
  }
}

extension GlucoseReading {
  static func random(using random: inout some RandomNumberGenerator) -> GlucoseReading {
    var reading = GlucoseReading(
      time: random.instant(), value: random.double(), displayTime: random.maybe { $0.localTime() },
      isScheduled: random.maybe { Bool.random(using: &$0) }, deviceID: random.maybe { $0.text() })
    if reading.displayTime != nil {
      reading.displayUTCOffsetMinutes = random.maybe {
        Int.random(in: -1439...1439, using: &$0)
      }
    }
    return reading
  }
}

extension NutritionSegment {
  static func random(using random: inout some RandomNumberGenerator) -> NutritionSegment {
    NutritionSegment(
      name: random.text(), metrics: random.list(0...2) { Metric.random(using: &$0) },
      food: random.list(0...2) {
        Food(
          name: $0.text(), brand: $0.maybe { $0.text() },
          metrics: $0.list(0...2) { Metric.random(using: &$0) },
          serving: $0.maybe { Serving(amount: abs($0.double()), unitName: $0.text()) })
      })
  }
}

extension ExtraValue {
  static func random(
    using random: inout some RandomNumberGenerator, depth: Int = 0
  ) -> ExtraValue {
    switch Int.random(in: 0..<(depth < maximumDepth ? 6 : 4), using: &random) {
    case 0: .text(random.text())
    case 1: .number(random.double())
    case 2: .flag(Bool.random(using: &random))
    case 3: .null
    case 4: .list(random.list(0...2) { Self.random(using: &$0, depth: depth + 1) })
    default:
      .object(
        Dictionary(
          random.list(0...2) { ($0.text(), Self.random(using: &$0, depth: depth + 1)) }
        ) { first, _ in first })
    }
  }
}

extension RandomNumberGenerator {
  /// Any text: plain, with what JSON and CSV escape, with accents and signs beyond 16 bits.
  mutating func text() -> String {
    let scalars = Array("az09 _-=+,;\"\\/\r\n\t\u{0}\u{1f}\u{7f}é\u{301}\u{2028}漢😀".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...8, using: &self) {
      text.append(scalars[Int.random(in: 0..<scalars.count, using: &self)])
    }
    return String(text)
  }

  /// Any finite number but −0, which JSON text of a whole number does not distinguish from 0.
  mutating func double() -> Double {
    let bits = Double(bitPattern: UInt64.random(in: .min ... .max, using: &self))
    let value = Bool.random(using: &self) ? bits : Double(Int.random(in: -999...999, using: &self))
    return value.isFinite && value != 0 ? value : 0.1
  }

  /// Any instant of the years 1950 to 2100, to a millisecond or to a second.
  mutating func instant() -> Date {
    let seconds = Double(Int.random(in: -631_152_000...4_102_444_800, using: &self))
    let milliseconds = Bool.random(using: &self) ? Int.random(in: 0...999, using: &self) : 0
    return Date(timeIntervalSince1970: seconds + Double(milliseconds) / 1000)
  }

  mutating func localTime() -> LocalDateTime {
    LocalDateTime(instant(), utcOffsetSeconds: 0)
  }

  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    Bool.random(using: &self) ? make(&self) : nil
  }

  mutating func list<Value>(_ count: ClosedRange<Int>, _ make: (inout Self) -> Value) -> [Value] {
    var values: [Value] = []
    for _ in 0..<Int.random(in: count, using: &self) { values.append(make(&self)) }
    return values
  }
}
