// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import HealthRecords
package import PeripheralTypes

/// What a peripheral measures; the numbers are Validic's up to ``pulseOximeter``.
#if canImport(ObjectiveC)
  @objc(VLDPeripheralType)
#endif
public enum VLDPeripheralType: UInt, Sendable {
  /// No known type.
  case none = 0
  /// Body temperature.
  case thermometer = 1
  /// Blood pressure and pulse rate.
  case bloodPressure = 2
  /// Heart rate.
  case heartRate = 3
  /// Blood glucose.
  case glucoseMeter = 4
  /// Body weight.
  case weightScale = 5
  /// Oxygen saturation and pulse rate.
  case pulseOximeter = 6
  /// Coagulation (INR); Validic's number is not public.
  case coagulationMeter = 1007
  /// Glucose in the tissue, measured all day.
  case continuousGlucoseMonitor = 1008

  package init(_ type: PeripheralType) {
    self = Self.pairs.first { $0.1 == type }?.0 ?? .none
  }

  package var type: PeripheralType? { Self.pairs.first { $0.0 == self }?.1 }

  private static let pairs: [(VLDPeripheralType, PeripheralType)] = [
    (.thermometer, .thermometer), (.bloodPressure, .bloodPressure), (.heartRate, .heartRate),
    (.glucoseMeter, .glucoseMeter), (.weightScale, .weightScale),
    (.pulseOximeter, .pulseOximeter), (.coagulationMeter, .coagulationMeter),
    (.continuousGlucoseMonitor, .continuousGlucoseMonitor),
  ]
}

/// A model of device: one that is read by Bluetooth, or one whose display is read.
#if canImport(ObjectiveC)
  @objc(VLDPeripheral) @objcMembers
#endif
open class VLDPeripheral: VLDModel {
  /// The number of the model; keep it rather than the object.
  public let peripheralID: UInt
  /// What it measures.
  public let type: VLDPeripheralType
  /// The name of the model, without the manufacturer's.
  public var model: String
  /// The manufacturer's name.
  public var manufacturer: String
  /// A picture of the model.
  public var imageURL: URL?
  /// Whether it is not supported, or not any more: do not offer it.
  public let disabled: Bool

  package init(
    peripheralID: UInt, type: VLDPeripheralType, manufacturer: String, model: String,
    imageURL: URL?, disabled: Bool
  ) {
    self.peripheralID = peripheralID
    self.type = type
    self.manufacturer = manufacturer
    self.model = model
    self.imageURL = imageURL
    self.disabled = disabled
    super.init()
  }

  /// The manufacturer's name and that of the model.
  ///
  /// - Returns: The name.
  open func name() -> String {
    [manufacturer, model].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// How peripherals of this class are reached.
  ///
  /// - Returns: The word, for instance `bluetooth`; empty for the common class.
  open class func connectionType() -> String { "" }

  /// The name of a type for a reader.
  ///
  /// - Parameter type: The type.
  /// - Returns: The name; empty for ``VLDPeripheralType/none``.
  #if canImport(ObjectiveC)
    @objc(nameForType:)
  #endif
  open class func name(for type: VLDPeripheralType) -> String { type.type?.displayName ?? "" }

  /// The peripherals that are supported; none for the common class.
  ///
  /// - Returns: The peripherals, of the class that is asked.
  open class func supportedPeripherals() -> [Any]! { [] }

  /// The peripherals of a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The peripherals, of the class that is asked.
  #if canImport(ObjectiveC)
    @objc(peripheralsOfType:)
  #endif
  open class func peripherals(of type: VLDPeripheralType) -> [Any]! {
    (supportedPeripherals() ?? []).filter { ($0 as? VLDPeripheral)?.type == type }
  }

  /// An empty record of the class that belongs to what the peripheral measures.
  ///
  /// - Returns: The record.
  open func record() -> VLDRecord { VLDRecord.newRecord(from: self) }

  /// The source of records that this peripheral makes.
  package var recordSource: RecordSource {
    let device = SourceDevice(
      manufacturer: manufacturer.isEmpty ? nil : manufacturer, model: model.isEmpty ? nil : model,
      peripheralID: Int(exactly: peripheralID))
    return RecordSource(type: SourceType(rawValue: Self.connectionType()), device: device)
  }

  // MARK: - Archives and comparison

  /// True: an archive is read with the class that it names only.
  open override class var supportsSecureCoding: Bool { true }

  /// Reads a peripheral from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard
      let type = VLDPeripheralType(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "type")))
    else { return nil }
    peripheralID = UInt(bitPattern: coder.decodeInteger(forKey: "peripheralID"))
    self.type = type
    manufacturer = coder.text(forKey: "manufacturer") ?? ""
    model = coder.text(forKey: "model") ?? ""
    imageURL = coder.decodeObject(of: NSURL.self, forKey: "imageURL") as URL?
    disabled = coder.decodeBool(forKey: "disabled")
    super.init(coder: coder)
  }

  /// Writes the peripheral to an archive.
  ///
  /// - Parameter coder: The archive.
  open override func encode(with coder: NSCoder) {
    coder.encode(Int(bitPattern: peripheralID), forKey: "peripheralID")
    coder.encode(Int(bitPattern: type.rawValue), forKey: "type")
    coder.encode(manufacturer as NSString, forKey: "manufacturer")
    coder.encode(model as NSString, forKey: "model")
    coder.encode(imageURL as NSURL?, forKey: "imageURL")
    coder.encode(disabled, forKey: "disabled")
  }

  /// Whether another object is the same model.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether it is equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? VLDPeripheral else { return false }
    return Swift.type(of: self) == Swift.type(of: other) && peripheralID == other.peripheralID
  }

  /// A hash of the number.
  open override var hash: Int { peripheralID.hashValue }

  /// The name.
  open override var description: String { name() }
}
