// SPDX-License-Identifier: Apache-2.0

/// Which signals to get (D-Bus Specification, "Match Rules").
struct MatchRule: Hashable {
  var sender: String?
  var path: String?
  var interface: String?
  var member: String?
  var firstArgument: String?

  /// The rule as the bus reads it; nil when a value is not a valid name.
  var text: String? {
    var text = "type='signal'"
    let parts = [
      ("sender", sender), ("path", path), ("interface", interface), ("member", member),
      ("arg0", firstArgument),
    ]
    for case (let key, let value?) in parts {
      guard !value.contains(where: { "'\\\0".contains($0) }) else { return nil }
      text += ",\(key)='\(value)'"
    }
    return text
  }
}
