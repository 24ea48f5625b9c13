// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation

/// A photo whose values are known: a line of a manifest.
struct LabelledPhoto: Decodable {
  let file: String
  let category: String
  let truth: [String]
  let labels: [String]
  let displayQuad: [[Double]]?
  let split: String?

  private enum CodingKeys: String, CodingKey {
    case file, category, truth, labels, split
    case displayQuad = "display_quad"
  }

  /// The corners of the display, clockwise from its upper left; nil if they are not known.
  var display: Quad? {
    guard let corners = displayQuad, corners.count == 4,
      corners.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isFinite) })
    else { return nil }
    let points = corners.map { Point($0[0], $0[1]) }
    return Quad(points[0], points[1], points[2], points[3])
  }

  /// The layout whose values have these names, and can be these; that of any number where there is none.
  ///
  /// A layout with more values than are known is not it: what is not known cannot be compared.
  var layout: DisplayLayout {
    let names = labels.map { Self.names[$0] ?? $0 }
    return DisplayLayout.all.first { layout in
      layout.fields.count == truth.count && layout.fields.map(\.label) == names
        && zip(layout.fields, truth).allSatisfy { field, text in
          Double(text).map(field.range.contains) ?? field.hasBeyond
        }
    } ?? .number
  }

  private static let names = ["temp": "temperature"]

  /// Reads a manifest: one object of JSON a line.
  static func manifest(_ path: String) throws -> [LabelledPhoto] {
    guard let content = FileManager.default.contents(atPath: path) else {
      throw CommandError("\"\(path.printable)\" cannot be read.")
    }
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return try lines.enumerated().filter { !$0.element.isEmpty }.map { number, line in
      do {
        return try JSONDecoder().decode(LabelledPhoto.self, from: Data(line))
      } catch {
        throw CommandError(
          "\"\(path.printable)\", line \(number + 1): it is no object with file, category, truth and "
            + "labels.")
      }
    }
  }
}
