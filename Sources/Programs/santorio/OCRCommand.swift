// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioImages
import SantorioJSON
import SantorioOCR

extension Command {
  static let ocr = Command(
    name: "ocr",
    summary: "Read the values on photos of displays.",
    forms: ["--layout LAYOUT [--region X,Y,W,H] [--threshold T] [--json] IMAGE..."],
    options: [
      CommandOption("layout", "LAYOUT", help: "What the display shows."),
      CommandOption(
        "region", "X,Y,W,H",
        help: "Where the display is in the photo, in pixels; it is looked for if not given."),
      CommandOption(
        "threshold", "T",
        help:
          "From which confidence on a value is used, from 0 to 1; \(DigitReader.usualThreshold) if not given."
      ),
      CommandOption("json", help: "Print one JSON object for each photo, one a line."),
    ],
    details: """
      LAYOUT is \(DisplayLayout.all.map(\.name).joined(separator: ", ")).

      IMAGE is a PNG or a JPEG. A reading that is not sure is named so, with the reason, and must not be
      used: another photo, nearer, without reflections, may be. The exit status is 1 when a file could
      not be read or a reading is unsure.

      example: santorio ocr --layout blood-pressure photo.jpg
      """
  ) { arguments in
    try OCRCommand(arguments).run()
  }
}

/// Reads photos of displays.
struct OCRCommand {
  private let layout: DisplayLayout
  private let region: [Int]?
  private let threshold: Double
  private let isJSON: Bool
  private let paths: [String]

  init(_ arguments: Arguments) throws(UsageError) {
    func wrong(_ message: String) -> UsageError { UsageError(message, command: "ocr") }
    guard let name = arguments["layout"] else {
      throw wrong("--layout is missing; it takes one of the layouts, such as blood-pressure.")
    }
    let names = DisplayLayout.all.map(\.name)
    guard let layout = DisplayLayout(named: name) else {
      throw wrong(Suggestion.text(unknown: "layout", name, among: names))
    }
    guard !arguments.operands.isEmpty else { throw wrong("\"ocr\" takes at least one image.") }
    region = try arguments["region"].map { text throws(UsageError) in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap {
        Int($0)
      }
      guard numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }) else {
        throw wrong("--region takes four whole numbers, not \"\(text.printable)\".")
      }
      return numbers
    }
    threshold =
      try arguments["threshold"].map { text throws(UsageError) in
        guard let number = Double(text), (0...1).contains(number) else {
          throw wrong("--threshold takes a number from 0 to 1, not \"\(text.printable)\".")
        }
        return number
      } ?? DigitReader.usualThreshold
    (self.layout, isJSON, paths) = (layout, arguments.has("json"), arguments.operands)
  }

  func run() throws -> Int32 {
    let reader = try DigitReader()
    var status: Int32 = 0
    for path in paths {
      do {
        let (reading, time) = try read(path, reader)
        if reading.isUnsure { status = 1 }
        print(isJSON ? json(path, reading, time) : text(path, reading))
      } catch {
        printError("santorio: \(path.printable): \(error)")
        status = 1
      }
    }
    return status
  }

  private struct OutOfImage: Error, CustomStringConvertible {
    let image: GrayImage

    var description: String {
      "The region does not lie in the image, which is \(image.width) × \(image.height) pixels large."
    }
  }

  private func read(
    _ path: String, _ reader: DigitReader
  ) throws -> (DisplayReading, Duration) {
    let image = try GrayImage(contentsOf: path)
    let part = try region.map { numbers in
      guard
        let part = PixelRegion(
          x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], in: image)
      else { throw OutOfImage(image: image) }
      return part
    }
    let start = ContinuousClock.now
    let reading = reader.read(image, as: layout, in: part, threshold: threshold)
    return (reading, start.duration(to: .now))
  }

  private func text(_ path: String, _ reading: DisplayReading) -> String {
    let values = reading.values.map { "\($0.label) \($0.text)" }.joined(separator: ", ")
    guard let doubt = reading.doubt else { return "\(path.printable): \(values)" }
    return "\(path.printable): unsure: \(doubt.explanation)"
  }

  private func json(_ path: String, _ reading: DisplayReading, _ time: Duration) -> String {
    var json = JSONWriter()
    json.object { json in
      json.key("file")
      json.string(path)
      json.key("values")
      json.array { json in for value in reading.values { json.string(value.text) } }
      json.key("labels")
      json.array { json in for value in reading.values { json.string(value.label) } }
      json.key("confidence")
      json.number((reading.confidence * 1000).rounded() / 1000)
      json.key("unsure")
      json.bool(reading.isUnsure)
      if let doubt = reading.doubt {
        json.key("doubt")
        json.string(doubt.rawValue)
      }
      json.key("ms")
      json.number((time / .milliseconds(1) * 10).rounded() / 10)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension DisplayReading.Doubt {
  /// What is wrong, and what to do.
  fileprivate var explanation: String {
    switch self {
    case .nothingFound:
      "no row of digits was found; take the photo nearer, with the display upright"
    case .otherLayout: "the rows that were found are not those of the layout"
    case .unclear: "a character could be another; take the photo nearer, and without reflections"
    case .outOfRange: "a value is out of the range that it can have"
    case .contradiction: "the values contradict each other"
    case .otherUnit: "the display shows another unit than the layout has"
    case .noValue: "the device shows no value"
    }
  }
}
