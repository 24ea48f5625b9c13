// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioJSON
import SantorioOCR

/// Reads photos whose values are known, and says how well that went.
struct OCREvaluation {
  private let manifest: String
  private let folder: String
  private let split: String?
  private let category: String?
  private let threshold: Double
  private let isJSON: Bool
  private let peers: [OCRPeer]

  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.count == 3 else {
      throw UsageError(
        "\"ocr evaluate\" takes a manifest and the folder of its photos.", command: "ocr")
    }
    let known = ["split", "category", "threshold", "json", "no-peers"]
    for option in arguments.options.keys.sorted() where !known.contains(option) {
      throw UsageError("--\(option) is no option of \"ocr evaluate\".", command: "ocr")
    }
    (manifest, folder) = (arguments.operands[1], arguments.operands[2])
    (split, category) = (arguments["split"], arguments["category"])
    (threshold, isJSON) = (try OCRCommand.threshold(arguments), arguments.has("json"))
    peers = arguments.has("no-peers") ? [] : OCRPeer.installed()
  }

  func run() async throws -> Int32 {
    let photos = try LabelledPhoto.manifest(manifest).filter { photo in
      (split == nil || photo.split == split) && (category == nil || photo.category == category)
    }
    guard !photos.isEmpty else {
      throw CommandError("\"\(manifest.printable)\" lists no photo of this split and category.")
    }
    let reader = try DigitReader()
    let bar = ProgressBar()
    var (results, unreadable): ([EvaluatedPhoto], Int) = ([], 0)
    for (index, photo) in photos.enumerated() {
      bar.show(index, of: photos.count, photo.category.printable)
      do {
        results += try evaluate(photo, reader)
      } catch {
        bar.finish()
        printError("santorio: \(photo.file.printable): \(error)")
        unreadable += 1
      }
    }
    bar.finish()
    if isJSON {
      for result in results { print(result.json) }
    } else {
      print(EvaluationTable(results, threshold, peers.map(\.name)).text)
    }
    return unreadable == 0 ? 0 : 1
  }

  /// Reads a photo whole, and cropped to its display where that is known.
  private func evaluate(
    _ photo: LabelledPhoto, _ reader: DigitReader
  ) throws -> [EvaluatedPhoto] {
    let image = try ImageFile(
      URL(fileURLWithPath: folder).appendingPathComponent(photo.file).path
    ).image
    var results = [result(photo, image, isCropped: false, reader)]
    if let display = photo.display, let cropped = image.rectified(display) {
      results.append(result(photo, cropped, isCropped: true, reader))
    }
    return results
  }

  private func result(
    _ photo: LabelledPhoto, _ image: GrayImage, isCropped: Bool, _ reader: DigitReader
  ) -> EvaluatedPhoto {
    let start = ProcessTime.now
    let reading = reader.read(image, as: photo.layout, threshold: 0)
    let time = ProcessTime.now - start
    return EvaluatedPhoto(
      photo: photo, isCropped: isCropped, reading: reading, milliseconds: time,
      peers: Dictionary(
        uniqueKeysWithValues: peers.map { ($0.name, $0.read(image, isCropped) == photo.truth) }))
  }
}

/// The CPU time of this process.
private enum ProcessTime {
  /// In milliseconds.
  static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}

/// What was read on a photo whose values are known.
struct EvaluatedPhoto {
  let photo: LabelledPhoto
  let isCropped: Bool
  /// Read with a threshold of 0, so that each threshold can be tried afterwards.
  let reading: DisplayReading
  let milliseconds: Double
  /// Whether other programs read it exactly.
  let peers: [String: Bool]

  enum Outcome {
    case exact
    case wrong
    case unsure
  }

  func outcome(_ threshold: Double) -> Outcome {
    guard !reading.isUnsure, reading.confidence >= threshold else { return .unsure }
    return reading.values.map(\.text) == photo.truth ? .exact : .wrong
  }

  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("file")
      json.string(photo.file)
      json.key("category")
      json.string(photo.category)
      json.key("cropped")
      json.bool(isCropped)
      json.key("truth")
      json.array { json in for text in photo.truth { json.string(text) } }
      json.key("values")
      json.array { json in for value in reading.values { json.string(value.text) } }
      json.key("confidence")
      json.number((reading.confidence * 1000).rounded() / 1000)
      if let doubt = reading.doubt {
        json.key("doubt")
        json.string(doubt.rawValue)
      }
      json.key("ms")
      json.number((milliseconds * 10).rounded() / 10)
      for name in peers.keys.sorted() {
        json.key(text: name)
        json.bool(peers[name] == true)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// The results as tables of text.
struct EvaluationTable {
  private let results: [EvaluatedPhoto]
  private let threshold: Double
  private let peers: [String]

  init(_ results: [EvaluatedPhoto], _ threshold: Double, _ peers: [String]) {
    (self.results, self.threshold, self.peers) = (results, threshold, peers)
  }

  var text: String {
    [false, true].map { isCropped in
      let part = results.filter { $0.isCropped == isCropped }
      guard !part.isEmpty else { return "" }
      let title = isCropped ? "Cropped to the display" : "Whole photo"
      return "\(title), threshold \(threshold)\n\(categories(part))\n\n"
        + "Whatever the threshold is\n\(curve(part))\n"
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func categories(_ results: [EvaluatedPhoto]) -> String {
    let names = Set(results.map(\.photo.category)).sorted()
    let head = ["category", "photos", "exact", "wrong", "unsure", "ms"] + peers
    let rows = names.map { name in row(name, results.filter { $0.photo.category == name }) }
    return table([head] + rows + [row("all", results)])
  }

  private func row(_ name: String, _ results: [EvaluatedPhoto]) -> [String] {
    func count(_ outcome: EvaluatedPhoto.Outcome) -> Int {
      results.count { $0.outcome(threshold) == outcome }
    }
    let time = results.reduce(0) { $0 + $1.milliseconds } / Double(results.count)
    return [
      name.printable, "\(results.count)", share(count(.exact), results.count),
      share(count(.wrong), results.count), share(count(.unsure), results.count),
      "\(Int(time.rounded()))",
    ] + peers.map { peer in share(results.count { $0.peers[peer] == true }, results.count) }
  }

  /// How exact, wrong and unsure ones change with the threshold.
  private func curve(_ results: [EvaluatedPhoto]) -> String {
    let thresholds = [0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
    let rows = thresholds.map { threshold in
      ["\(threshold)"]
        + [EvaluatedPhoto.Outcome.exact, .wrong, .unsure].map { outcome in
          share(results.count { $0.outcome(threshold) == outcome }, results.count)
        }
    }
    return table([["threshold", "exact", "wrong", "unsure"]] + rows)
  }

  private func share(_ count: Int, _ all: Int) -> String {
    let permille = (1000 * count + all / 2) / max(all, 1)
    return "\(count) (\(permille / 10).\(permille % 10) %)"
  }

  private func table(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { index, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
