// SPDX-License-Identifier: Apache-2.0

/// Glucose frames (2A18, and 2A34 beside them) to be played by virtual meters, oldest first.
///
/// No public capture of a meter's whole transfer was found; all are composed. Those of `profile` up
/// to number 13 are vectors that two public decoders read alike (Nordic's Android library and
/// hnu-digihealth's sensorframework).
package struct GlucoseFrames: Hashable, Sendable {
  package let measurements: [[UInt8]]
  package let contexts: [[UInt8]]

  /// None.
  package static let empty = GlucoseFrames([])

  private init(_ measurements: [String], contexts: [String] = []) {
    self.measurements = measurements.map([UInt8].init(frame:))
    self.contexts = contexts.map([UInt8].init(frame:))
  }

  /// 88 mg/dL with an offset onto a leap day, HI at 600 while fasting, control solution, HI without
  /// a number, an error, and 5.5 mmol/L before a meal.
  package static let profile = GlucoseFrames(
    [
      // FL SEQN  YEAR MO DA HH MM SS [OFFS] CONC TL [STAT]
      "03 0300 E807 02 1C 17 32 00  0F00 58B0 11",
      "1B 0700 EA07 03 01 00 0A 00  0000 58B2 11 2000",
      "0A 0900 EA07 03 01 00 0A 00       FF07 1A 0008",
      "02 0B00 EA07 03 01 00 0A 00       FE07 11",
      "08 0D00 EA07 03 01 00 0A 00               0300",
      "16 0E00 EA07 03 02 07 1E 00       37C0 11",
    ],
    contexts: ["02 0700 03", "06 0E00 01 51"])

  /// Like an Accu-Chek: high sequence numbers, a result of type 4, HI and LO as 601 and 9 mg/dL,
  /// contexts after the measurements.
  package static let accuChek = GlucoseFrames(
    [
      "13 2811 EA07 03 0A 06 1E 00  3C00 6EB0 12",
      "03 2911 EA07 03 0A 0B 0F 00  3C00 82B0 14",
      "03 2A11 EA07 03 0A 0C 00 00  3C00 59B2 12",
      "03 2B11 EA07 03 0B 07 00 00  3C00 09B0 12",
      "13 2C11 EA07 03 0B 12 2D 00  3C00 94B0 12",
    ],
    contexts: ["02 2811 03", "03 2C11 03 2DD0 02"])

  /// Like a Contour Next One: base time in UTC, separate offset.
  package static let contour = GlucoseFrames(
    [
      "03 0100 EA07 03 0C 05 3A 00  3C00 5BB0 12",
      "13 0200 EA07 03 0C 0B 0A 00  3C00 A1B0 12",
      "0B 0300 EA07 03 0C 15 05 00  3C00 3EB0 1A 0000",
      "03 0400 EA07 03 0D 05 37 00  3C00 68B0 12",
    ],
    contexts: ["02 0200 02"])

  /// Like a CareSens N Premier: ketone tests have the meal 6 and ten times the value in mmol/L.
  package static let careSens = GlucoseFrames(
    [
      "12 1000 EA07 03 0E 07 00 00  69B0 11",
      "12 1100 EA07 03 0E 07 05 00  0CB0 11",
      "12 1200 EA07 03 0E 14 00 00  51B0 11",
      "02 1300 EA07 03 0F 07 00 00  67B0 1A",
      "02 1400 EA07 03 0F 07 02 00  7BB0 11",
    ],
    contexts: ["02 1000 03", "02 1100 06", "02 1200 06"])

  /// Like a meter without contexts.
  package static let plain = GlucoseFrames([
    "02 0100 EA07 03 0F 06 32 00  60B0 11",
    "02 0200 EA07 03 0F 0C 14 00  8FB0 11",
    "0A 0300 EA07 03 0F 12 00 00  FF07 11 0400",
    "02 0400 EA07 03 10 06 37 00  5DB0 11",
  ])

  /// Like a European meter that measures in mmol/L.
  package static let european = GlucoseFrames([
    "06 0500 EA07 03 11 06 28 00  36C0 11",
    "06 0600 EA07 03 11 14 0A 00  52C0 11",
  ])
}
