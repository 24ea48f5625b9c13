// SPDX-License-Identifier: Apache-2.0

public import DigitReader

/// A rendered photo of a display, and what can be read there.
public struct Scene: Sendable {
  /// The kinds of displays.
  public enum Layout: String, CaseIterable, Sendable {
    case glucose
    case bloodPressure = "blood-pressure"
    case thermometer
    case oximeter
    case scale
    /// Any instrument: one or two values.
    case other
  }

  /// What a row of characters is.
  public enum Kind: String, Sendable {
    /// A measured value, or what stands in its place, such as `Err`.
    case value
    case date
    case time
    /// The number of a stored reading.
    case memory
    case unit
    /// What is printed or shown beside a value.
    case label
    /// Texts that have nothing to do with the display.
    case other
  }

  /// A character and where it is; blank cells of a display have none.
  public struct Glyph: Sendable {
    /// Which one.
    public let character: Character
    /// Its box in the image.
    public let quad: Quad
  }

  /// Characters in a row.
  public struct Row: Sendable {
    /// Its characters.
    public let text: String
    /// What it is.
    public let kind: Kind
    /// Which value it is: `sys`, `dia`, `pulse`, `spo2`, `glucose`, `temperature`, `weight`; otherwise empty.
    public let label: String
    /// The row's box in the image.
    public let quad: Quad
    /// Each of them.
    public let glyphs: [Glyph]
    /// Whether there is enough contrast and sharpness to tell the characters apart.
    public let isLegible: Bool
  }

  /// What the camera saw.
  public let image: GrayImage
  /// The kind of display.
  public let layout: Layout
  /// The display in the image.
  public let display: Quad
  /// The front of the device in the image; all around it is something else.
  public let device: Quad
  /// All texts of the device.
  public let rows: [Row]
  /// Where light is reflected so that nothing can be seen.
  public let glare: [Quad]
}

/// How hard a scene is to read.
public enum SceneDifficulty: String, CaseIterable, Sendable {
  /// As product photos: sharp, straight, even light.
  case easy
  /// As people take photos with some care.
  case medium
  /// Blurred, dim, reflecting, crooked.
  case hard
}
