// SPDX-License-Identifier: Apache-2.0

import DigitReader

extension Scene {
  /// What can be read in the scene, as one line of JSON.
  public var json: String {
    let rows = rows.map { row in
      let glyphs = row.glyphs.map { "[\"\($0.character)\",\($0.quad.json)]" }
      return """
        {"text":"\(row.text)","kind":"\(row.kind.rawValue)","label":"\(row.label)",\
        "legible":\(row.isLegible),"quad":\(row.quad.json),\
        "glyphs":[\(glyphs.joined(separator: ","))]}
        """
    }
    return """
      {"layout":"\(layout.rawValue)","display":\(display.json),"device":\(device.json),\
      "glare":[\(glare.map(\.json).joined(separator: ","))],"rows":[\(rows.joined(separator: ","))]}
      """
  }
}

extension Quad {
  /// The corners, to a tenth of a pixel.
  fileprivate var json: String {
    let points = corners.map { "[\(($0.x * 10).rounded() / 10),\(($0.y * 10).rounded() / 10)]" }
    return "[\(points.joined(separator: ","))]"
  }
}
