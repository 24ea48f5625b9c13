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
    let values = reading.values.map { value in
      "\(value.label) \(value.text)\(value.unit.map { " \($0.rawValue)" } ?? "")"
    }.joined(separator: ", ")
    guard let doubt = reading.doubt else { return "\(path.printable): \(values)" }
    return "\(path.printable): unsure: \(doubt.explanation)"
  }

  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("file")
      json.string(path)
      json.key("values")
      json.array { json in for value in reading.values { json.string(value.text) } }
      json.key("labels")
      json.array { json in for value in reading.values { json.string(value.label) } }
      if let unit = reading.values.first?.unit {
        json.key("unit")
        json.string(unit.rawValue)
      }
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
    case .cut: "a value may be longer than what was read of it; take the photo straight"
    case .outOfRange: "a value is out of the range that it can have"
    case .contradiction: "the values contradict each other"
    case .otherUnit: "the display shows another unit than the layout has"
    case .noValue: "the device shows no value"
    }
  }
}
