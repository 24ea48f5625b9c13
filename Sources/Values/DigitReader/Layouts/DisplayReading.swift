// SPDX-License-Identifier: Apache-2.0

/// What was read on a display.
public struct DisplayReading: Hashable, Sendable {
  /// A value as it is shown.
  public struct Value: Hashable, Sendable {
    /// The name of the value, such as `sys`.
    public let label: String
    /// Digits and a point, or `HI`, `LO`.
    public let text: String
    /// From 0 to 1.
    public let confidence: Double
    /// Around its characters, in pixels of the image.
    public let quad: Quad
    /// How sure each of its characters is.
    public let characters: [Double]
  }

  /// Why a reading is not sure.
  public enum Doubt: String, Hashable, Sendable, CaseIterable {
    /// No row of digits was found.
    case nothingFound = "nothing-found"
    /// There are rows, but not those that the layout has.
    case otherLayout = "other-layout"
    /// A character could be another.
    case unclear
    /// A value is out of the range that it can have.
    case outOfRange = "out-of-range"
    /// The values contradict each other, such as a diastolic pressure above the systolic one.
    case contradiction
    /// The device shows no value, but such as `Err`.
    case noValue = "no-value"
  }

  /// The values in the layout's order; those that could be read of an unsure reading.
  public let values: [Value]
  /// Why it must not be used; nil of one that can.
  public let doubt: Doubt?
  /// The rows that were found, and what stands in them.
  public let rows: [Row]

  /// A row of large characters.
  public struct Row: Hashable, Sendable {
    /// Its characters.
    public let text: String
    /// From 0 to 1.
    public let confidence: Double
    /// Around its characters, in pixels of the image.
    public let quad: Quad
  }

  /// Whether the reading must not be used.
  public var isUnsure: Bool { doubt != nil }

  /// The confidence of the least sure value; 0 without values.
  public var confidence: Double { values.map(\.confidence).min() ?? 0 }
}
