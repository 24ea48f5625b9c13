// SPDX-License-Identifier: Apache-2.0

/// All samples of one name, in the text format 0.0.4 of Prometheus.
struct MetricFamily {
  enum Kind: String {
    case counter, gauge
  }

  /// The full name, with the unit last.
  let name: String
  let kind: Kind
  let help: String
  let samples: [MetricSample]

  init(_ name: String, _ kind: Kind, _ help: String, _ samples: [MetricSample]) {
    self.name = "santorio_hub_\(name)"
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  var text: String {
    let lines = samples.map { "\(name)\($0.labels) \($0.number)\n" }.sorted()
    return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + lines.joined()
  }
}

/// One value with its labels.
struct MetricSample {
  private let value: Double
  private let pairs: [(name: String, value: String)]

  init(_ value: Double, _ labels: (String, String)...) {
    self.value = value
    pairs = labels.map { (name: $0, value: $1) }
  }

  /// The labels in braces; empty without any.
  var labels: String {
    guard !pairs.isEmpty else { return "" }
    return "{\(pairs.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ","))}"
  }

  /// The number as Go's ParseFloat reads it.
  var number: String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
  }

  /// In a label, a backslash, a quote and the end of a line are escaped.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
