// SPDX-License-Identifier: Apache-2.0

/// What recorded a sample: a device or an app.
enum Source: Int, CaseIterable {
  case watch, phone, health, pacer, nightly, cuff, scale, glucose, meals, cycle, calm, runner

  /// The name as it stands in the document.
  ///
  /// The watch's has a typographic apostrophe and a space that does not break, the runner's an
  /// ampersand.
  var name: String {
    switch self {
    case .watch: "Sam’s Apple\u{a0}Watch"
    case .phone: "Sam’s iPhone"
    case .health: "Health"
    case .pacer: "Pacer Log"
    case .nightly: "Nightly"
    case .cuff: "Cuff Connect"
    case .scale: "Scale Connect"
    case .glucose: "Glucose Diary"
    case .meals: "Meal Log"
    case .cycle: "Cycle Diary"
    case .calm: "Calm Minutes"
    case .runner: "Run &amp; Ride"
    }
  }

  /// The name as a reader understands it.
  var plainName: String { self == .runner ? "Run & Ride" : name }

  /// The version in the first, the second and the last third of the history; nil where an app gives
  /// none.
  func version(_ era: Int) -> String? {
    switch self {
    case .watch: ["9.6.3", "10.6.1", "11.2"][era]
    case .phone, .health: ["16.5", "17.6.1", "18.1"][era]
    case .pacer: nil
    case .nightly: "6.4.0"
    case .cuff, .scale: ["202311211629", "202404030815", "202506020900"][era]
    default: ["3.1", "3.2", "4"][era]
    }
  }

  /// The description of the device after the pointer, in the document's form.
  func device(_ era: Int) -> String? {
    switch self {
    case .watch:
      "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, "
        + "software:\(version(era) ?? "")&gt;"
    case .phone:
      "name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, "
        + "software:\(version(era) ?? "")&gt;"
    case .scale: "name:Body Scale, manufacturer:Example, model:S-1, firmware:1.0.4&gt;"
    default: nil
    }
  }

  /// Whether the value stands before the dates, as it may.
  var writesValueFirst: Bool { self == .pacer }
}
