// SPDX-License-Identifier: Apache-2.0

import DigitReader
import SantorioJSON
import SantorioOCR

/// A photo, and what was read on it.
struct ReadPhoto {
  let path: String
  let file: ImageFile
  let reading: DisplayReading
  let time: Duration

  var image: GrayImage { file.image }

  var text: String {
    guard let doubt = reading.doubt else { return "\(path.printable): \(reading.values.text)" }
    return "\(path.printable): unsure: \(doubt.explanation)"
  }

  var json: String {
    reading.values.json(of: path, confidence: reading.confidence, doubt: reading.doubt) { json in
      json.key("ms")
      json.number((time / .milliseconds(1) * 10).rounded() / 10)
    }
  }
}

extension [DisplayReading.Value] {
  /// The values with their names and units.
  var text: String {
    map { value in
      "\(value.label) \(value.text)\(value.unit.map { " \($0.rawValue)" } ?? "")"
    }.joined(separator: ", ")
  }

  /// One object of JSON: where the values were read, and what they are.
  func json(
    of path: String, confidence: Double, doubt: DisplayReading.Doubt?,
    _ more: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter()
    json.object { json in
      json.key("file")
      json.string(path)
      json.key("values")
      json.array { json in for value in self { json.string(value.text) } }
      json.key("labels")
      json.array { json in for value in self { json.string(value.label) } }
      if let unit = first?.unit {
        json.key("unit")
        json.string(unit.rawValue)
      }
      json.key("confidence")
      json.number((confidence * 1000).rounded() / 1000)
      json.key("unsure")
      json.bool(doubt != nil)
      if let doubt {
        json.key("doubt")
        json.string(doubt.rawValue)
      }
      more(&json)
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
    case .cut: "a value may be longer than what was read of it; take the photo straight"
    case .outOfRange: "a value is out of the range that it can have"
    case .contradiction: "the values contradict each other"
    case .otherUnit: "the display shows another unit than the layout has"
    case .noValue: "the device shows no value"
    }
  }
}
