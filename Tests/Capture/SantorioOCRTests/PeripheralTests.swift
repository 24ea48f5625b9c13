// SPDX-License-Identifier: Apache-2.0

@testable import DigitReader
import Foundation
import PeripheralTypes
import HealthRecords
import Testing

@testable import SantorioOCR

@Suite struct `A device with a display` {
  @Test func `is found by its number and its type`() {
    let all = OCRPeripheral.supportedPeripherals()
    #expect(Set(all.map(\.id)).count == all.count)
    for peripheral in all {
      #expect(OCRPeripheral.peripheral(forID: peripheral.id) == peripheral)
      #expect(OCRPeripheral.peripherals(of: peripheral.type).contains(peripheral))
      #expect(peripheral.imageURL != nil)
    }
    #expect(OCRPeripheral.peripheral(forID: 0) == nil)
    #expect(OCRPeripheral.peripherals(of: .heartRate).isEmpty)
    #expect(OCRPeripheral.peripheral(forID: 9)?.type == .glucoseMeter)
  }

  @Test func `has a layout for each unit that can be set`() {
    for peripheral in OCRPeripheral.supportedPeripherals() {
      #expect(peripheral.layout(in: nil) == peripheral.layout)
      for unit in DisplayUnit.allCases {
        let layout = peripheral.layout(in: unit)
        #expect((layout != nil) == peripheral.units.contains(unit))
        if let layout {
          #expect(layout.unit == unit)
          #expect(OCRPeripheral.peripheral(showing: layout)?.type == peripheral.type)
        }
      }
    }
    #expect(OCRPeripheral.peripheral(showing: .number) == nil)
  }

  @Test func `shows values within the plausible ranges of the table of metrics`() throws {
    for layout in DisplayLayout.all where layout != .number && layout.units.count <= 1 {
      for field in layout.fields {
        for bound in [field.range.lowerBound, field.range.upperBound] {
          let text = field.decimals.upperBound > 0 ? "\(bound)" : "\(Int(bound))"
          let reading = DisplayReading.Value.shown(text, field.label, layout.unit(of: text))
          guard let metric = Metric(reading) else { continue }
          #expect(metric.isPlausible, "\(layout.name) \(text)")
        }
      }
    }
  }

  @Test func `has an overlay whose digits lie in the display`() {
    for peripheral in OCRPeripheral.supportedPeripherals() {
      let overlay = peripheral.overlay
      #expect(overlay.segments.count % 7 == 0 && !overlay.segments.isEmpty)
      for point in overlay.segments.joined() {
        #expect((0...overlay.aspectRatio).contains(point.x) && (0...1).contains(point.y))
      }
      #expect(overlay.svg().hasPrefix("<svg "))
    }
  }

  @Test(arguments: [(390.0, 844.0), (844, 390), (100, 100)])
  func `has its overlay in the middle of a view`(_ width: Double, _ height: Double) throws {
    let overlay = try #require(OCRPeripheral.peripheral(forID: 4)).overlay
    let frame = overlay.frame(inWidth: width, height: height)
    #expect(abs(frame.center.x - width / 2) < 1e-9 && abs(frame.center.y - height / 2) < 1e-9)
    #expect(abs(frame.width / frame.height - overlay.aspectRatio) < 1e-9)
    #expect(frame.width <= 0.8 * width + 1e-9 && frame.height <= 0.8 * height + 1e-9)
    #expect(overlay.frame(inWidth: 0, height: 0).width == 0)
  }
}

@Suite struct `A record of a display` {
  private func record(
    _ values: [DisplayReading.Value], of id: Int = 1
  ) throws -> HealthRecord? {
    HealthRecord(
      values, of: try #require(OCRPeripheral.peripheral(forID: id)),
      at: Date(timeIntervalSince1970: 1_800_000_000),
      timeZone: try #require(TimeZone(secondsFromGMT: 7200)))
  }

  @Test func `has the values, the time and the source`() throws {
    let record = try #require(
      try record([
        .shown("118", "sys", nil), .shown("78", "dia", nil), .shown("70", "pulse", nil),
      ]))
    #expect(record.value(.systolic) == 118 && record.value(.diastolic) == 78)
    #expect(record.value(.pulse) == 70)
    #expect(record.source.type == .ocr && record.time.origin == .received)
    #expect(record.time.utcOffsetSeconds == 7200)
    #expect(record.metrics.allSatisfy { $0.origin == .device && $0.isPlausible })
  }

  @Test func `keeps what the display shows in its unit`() throws {
    let molar = try #require(try record([.shown("5.8", "glucose", .millimolesPerLitre)], of: 3))
    #expect(abs(try #require(molar.value(.bloodGlucose)) - 104.49) < 0.01)
    #expect(molar.metrics[0].shown == ShownValue("5.8", unit: "mmol/L"))
    let fever = try #require(try record([.shown("98.6", "temperature", .fahrenheit)], of: 4))
    #expect(abs(try #require(fever.value(.bodyTemperature)) - 37) < 0.01)
    let pounds = try #require(try record([.shown("154.3", "weight", .pounds)], of: 5))
    #expect(abs(try #require(pounds.value(.bodyWeight)) - 69.99) < 0.01)
  }

  @Test func `is not made without a unit that is needed`() throws {
    #expect(try record([.shown("71.4", "weight", nil)], of: 5) == nil)
  }

  @Test func `says that a value is beyond what the device measures`() throws {
    let high = try #require(try record([.shown("HI", "glucose", .milligramsPerDecilitre)], of: 3))
    #expect(high.metrics[0].value == nil && high.metrics[0].absence == .aboveRange)
    let low = try #require(try record([.shown("LO", "glucose", nil)], of: 3))
    #expect(low.metrics[0].absence == .belowRange)
  }

  @Test func `marks what a person has corrected`() throws {
    let record = try #require(
      try record([.shown("118", "sys", nil), .shown("78", "dia", nil), .shown("70", "pulse", nil)])
    )
    let reading = OCRReading(values: [], confidence: 0.9, record: record, region: nil)
    let corrected = reading.record(correcting: [.systolic: 113, .diastolic: 78])
    #expect(corrected.value(.systolic) == 113 && corrected.logID == record.logID)
    #expect(corrected.metrics.map(\.origin) == [.manual, .device, .device])
  }
}

extension DisplayReading.Value {
  /// A value that is sure.
  static func shown(_ text: String, _ label: String, _ unit: DisplayUnit?) -> Self {
    Self(
      label: label, text: text, unit: unit, confidence: 0.95,
      quad: Quad(x: 0, y: 0, width: 100, height: 50), characters: text.map { _ in 0.95 })
  }
}
