// SPDX-License-Identifier: Apache-2.0

public import DigitReader
public import Foundation
public import PeripheralTypes

/// A kind of device whose display can be read by a camera.
///
/// Displays are read by what they show, not by their maker: an entry stands for all devices that show the
/// same values in the same places.
public struct OCRPeripheral: Hashable, Sendable, Identifiable {
  /// The number of the entry.
  ///
  /// Numbers of Validic's catalogue are not public but for 3 and 9, which its documents use; here they are
  /// the entries that those examples need, glucose meters.
  public let id: Int
  /// The name for a user, in English.
  public let name: String
  /// What the device measures.
  public let type: PeripheralType
  /// What its display shows, in any unit.
  public let layout: DisplayLayout
  /// The shape of its display, to be laid over the picture of a camera.
  public let overlay: DisplayOverlay
  /// The unit that is taken if none is chosen and none is read on the display.
  public let usualUnit: DisplayUnit?

  /// A picture of such a device; nil where there is none.
  public var imageURL: URL? { type.pictureURL }

  /// All entries.
  ///
  /// - Returns: The entries, by number.
  public static func supportedPeripherals() -> [OCRPeripheral] { catalogue }

  /// The entry of a number.
  ///
  /// - Parameter id: The number.
  /// - Returns: The entry; nil if there is none.
  public static func peripheral(forID id: Int) -> OCRPeripheral? {
    catalogue.first { $0.id == id }
  }

  /// The entries of a type.
  ///
  /// - Parameter type: What the devices measure.
  /// - Returns: The entries, by number.
  public static func peripherals(of type: PeripheralType) -> [OCRPeripheral] {
    catalogue.filter { $0.type == type }
  }

  /// The first entry whose display shows a layout.
  ///
  /// - Parameter layout: What the display shows, in any unit or in one.
  /// - Returns: The entry; nil if there is none.
  public static func peripheral(showing layout: DisplayLayout) -> OCRPeripheral? {
    catalogue.first { $0.layout == layout || $0.layout(in: layout.unit) == layout }
  }

  /// The units that can be chosen; empty if the values have only one.
  public var units: [DisplayUnit] { layout.units }

  /// What the display shows in one unit.
  ///
  /// - Parameter unit: The unit that is set on the device; nil if it is to be read.
  /// - Returns: The layout; nil if the device has not this unit.
  public func layout(in unit: DisplayUnit?) -> DisplayLayout? {
    guard let unit else { return layout }
    return DisplayLayout.all.first { $0.unit == unit && layout.units.contains(unit) }
  }

  private static let catalogue = [
    OCRPeripheral(
      id: 1, name: "Blood pressure monitor", type: .bloodPressure, layout: .bloodPressure,
      overlay: DisplayOverlay(aspectRatio: 0.85, rows: [3, 3, 3]), usualUnit: nil),
    OCRPeripheral(
      id: 2, name: "Pulse oximeter, values side by side", type: .pulseOximeter, layout: .oximeter,
      overlay: DisplayOverlay(aspectRatio: 1.8, columns: [2, 3]), usualUnit: nil),
    OCRPeripheral(
      id: 3, name: "Blood glucose meter, upright display", type: .glucoseMeter, layout: .glucose,
      overlay: DisplayOverlay(aspectRatio: 0.8, rows: [3]), usualUnit: .milligramsPerDecilitre),
    OCRPeripheral(
      id: 4, name: "Thermometer", type: .thermometer, layout: .thermometer,
      overlay: DisplayOverlay(aspectRatio: 2.2, rows: [4]), usualUnit: .fahrenheit),
    OCRPeripheral(
      id: 5, name: "Weight scale", type: .weightScale, layout: .scale,
      overlay: DisplayOverlay(aspectRatio: 2.2, rows: [4]), usualUnit: nil),
    OCRPeripheral(
      id: 6, name: "Pulse oximeter, values one above the other", type: .pulseOximeter,
      layout: .oximeter, overlay: DisplayOverlay(aspectRatio: 0.85, rows: [2, 3]), usualUnit: nil),
    OCRPeripheral(
      id: 9, name: "Blood glucose meter, wide display", type: .glucoseMeter, layout: .glucose,
      overlay: DisplayOverlay(aspectRatio: 1.5, rows: [3]), usualUnit: .milligramsPerDecilitre),
  ]
}
