// SPDX-License-Identifier: Apache-2.0

/// What was read on a display.
public struct DisplayReading: Hashable, Sendable {
  /// A value as it is shown.
  public struct Value: Hashable, Sendable {
    /// The name of the value, such as `sys`.
    public let label: String
    /// Digits and a point, or `HI`, `LO`.
    public let text: String
    /// Its unit: as it is shown, or as the layout or the form of the value has it; nil if it is not known,
    /// and of values that have only one.
    public let unit: DisplayUnit?
    /// From 0 to 1.
    public let confidence: Double
    /// Around its characters, in pixels of the image.
    public let quad: Quad
    /// How sure each of its characters is.
    public let characters: [Double]

    /// The same in a unit.
    ///
    /// - Parameter unit: The unit that the value has.
    /// - Returns: The value.
    public func with(unit: DisplayUnit?) -> Value {
      Value(
        label: label, text: text, unit: unit, confidence: confidence, quad: quad,
        characters: characters)
    }
  }

  /// Why a reading is not sure.
  public enum Doubt: String, Hashable, Sendable, CaseIterable {
    /// No row of digits was found.
    case nothingFound = "nothing-found"
    /// There are rows, but not those that the layout has.
    case otherLayout = "other-layout"
    /// A character could be another.
    case unclear
    /// A row beside a value may be a part of it.
    case cut
    /// A value is out of the range that it can have.
    case outOfRange = "out-of-range"
    /// The values contradict each other, such as a diastolic pressure above the systolic one.
    case contradiction
    /// The display shows another unit than the layout has.
    case otherUnit = "other-unit"
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

  /// The same in a larger image, of which that of the reading was a part, in another size.
  func moved(by shift: Point, scaledBy scale: Double = 1) -> DisplayReading {
    placed { $0.scaled(by: Point(scale, scale)).moved(by: shift) }
  }

  /// The same where each place is another one.
  func placed(_ place: (Quad) -> Quad) -> DisplayReading {
    DisplayReading(
      values: values.map {
        Value(
          label: $0.label, text: $0.text, unit: $0.unit, confidence: $0.confidence,
          quad: place($0.quad), characters: $0.characters)
      }, doubt: doubt,
      rows: rows.map {
        Row(text: $0.text, confidence: $0.confidence, quad: place($0.quad))
      })
  }

  /// The part of an image in which the values are, with some room around them; nil without values.
  ///
  /// - Parameter image: The image that was read.
  /// - Returns: The part.
  public func area(in image: GrayImage) -> PixelRegion? {
    guard let display else { return nil }
    let height = values.map(\.quad.height).max() ?? 0
    return image.region(around: display, margin: 0.5 * height)
  }

  /// Whether the reading must not be used.
  public var isUnsure: Bool { doubt != nil }

  /// The confidence of the least sure value; 0 without values.
  public var confidence: Double { values.map(\.confidence).min() ?? 0 }
}
