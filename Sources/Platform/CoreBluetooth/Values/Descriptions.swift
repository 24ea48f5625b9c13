// SPDX-License-Identifier: Apache-2.0

// Parts of descriptions, in the form that Apple's have in public logs. The bytes of values are left
// out: they may be somebody's readings.

/// A flag.
func described(_ flag: Bool) -> String { flag ? "YES" : "NO" }

/// The bits of a set.
func described(_ bits: UInt) -> String { "0x" + String(bits, radix: 16, uppercase: true) }

/// The length of a value.
func described(_ value: Data?) -> String { value.map { "{length = \($0.count)}" } ?? "(null)" }

/// A list, as Foundation's arrays describe themselves.
func described(_ objects: [NSObject]?) -> String {
  guard let objects else { return "(null)" }
  let lines = objects.map { object in
    let text = object.description
      .replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
      .replacingOccurrences(of: "\n", with: "\\n")
    return "\n    \"\(text)\""
  }
  return "(" + lines.joined(separator: ",") + "\n)"
}
