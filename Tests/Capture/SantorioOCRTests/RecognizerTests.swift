// SPDX-License-Identifier: Apache-2.0

@testable import DigitReader
import Foundation
import HealthRecords
import SyntheticDisplays
import Testing

@testable import SantorioOCR

@Suite struct `Recognizing of a display` {
  /// Frames that are made up.
  private struct Frames: FrameSource {
    var images: [GrayImage]
    let step: Int
    var index = 0

    mutating func nextFrame() -> OCRFrame? {
      guard index < images.count else { return nil }
      defer { index += 1 }
      return OCRFrame(image: images[index], time: .milliseconds(7000 + index * step))
    }
  }

  private let thermometer = OCRPeripheral.peripheral(forID: 4)

  @Test func `ends with a record when frames agree`() throws {
    let peripheral = try #require(thermometer)
    var generator = SceneGenerator(seed: 9)
    let scene = try generator.next(
      width: 160, height: 120, difficulty: .easy, layout: .thermometer)
    let truth = try #require(scene.rows.first { $0.kind == .value }).text
    let recognizer = try OCRRecognizer(peripheral) { Date(timeIntervalSince1970: 1_800_000_000) }
    var frames = Frames(images: [GrayImage](repeating: scene.image, count: 6), step: 400)
    var results: [OCROutcome] = []
    let complete = try recognizer.read(from: &frames) { results.append($1) }
    let reading = try #require(complete?.reading)
    #expect(reading.values.map(\.text) == [truth])
    #expect(reading.record.time.start == Date(timeIntervalSince1970: 1_800_000_000))
    #expect(reading.record.metrics.count == 1 && reading.record.metrics[0].isPlausible)
    #expect(results.count == 4)
    let region = try #require(reading.region)
    #expect(region.width < 160 && region.height < 120)
    guard case .partial(let first) = results[0] else {
      Issue.record("\(results[0])")
      return
    }
    // Nothing is sure after a single frame.
    #expect(first.string == String(repeating: "·", count: truth.count))
  }

  @Test func `ends after some time, and says why`() throws {
    var options = OCROptions()
    options.timeout = .seconds(2)
    let recognizer = try OCRRecognizer(try #require(thermometer), options: options)
    let blank = try GrayImage(width: 96, height: 64, filledWith: 120)
    var frames = Frames(images: [GrayImage](repeating: blank, count: 20), step: 500)
    var last: OCROutcome?
    #expect(try recognizer.read(from: &frames) { last = $1 } == nil)
    guard case .timedOut(let advice, _)? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(advice.contains(.pointAtDisplay))
    #expect(frames.index == 5)
    for advice in CaptureAdvice.allCases { #expect(advice.text.hasSuffix(".")) }
  }

  @Test func `ends when there are no more frames`() throws {
    let recognizer = try OCRRecognizer(try #require(thermometer))
    var frames = Frames(images: [], step: 1)
    #expect(try recognizer.read(from: &frames) == nil)
  }

  @Test func `refuses a unit that the device has not`() throws {
    let peripheral = try #require(thermometer)
    #expect(throws: OCRError.otherUnit(.pounds, peripheral)) {
      try OCRRecognizer(peripheral, options: OCROptions(unit: .pounds))
    }
    #expect(
      "\(OCRError.otherUnit(.pounds, peripheral))"
        == "A thermometer has no values in lb; it has °C or °F.")
  }
}
