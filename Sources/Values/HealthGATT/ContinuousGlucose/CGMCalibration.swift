// SPDX-License-Identifier: Apache-2.0

/// A calibration of a continuous glucose monitor: the glucose that another meter measured.
///
/// ```
/// // 0120  0A00  32  1400  0100  04
/// // GLUC  TIME  TL  NEXT  NUMB  ST
/// ```
///
/// Source: GATT Specification Supplement, CGM Specific Ops Control Point, Calibration Data Record.
public struct CGMCalibration: Hashable, Sendable {
  /// Calibration Status: what became of it; no bit is set for one that was taken.
  public struct Status: OptionSet, Hashable, Sendable {
    /// The byte, reserved bits included.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: the calibration was rejected.
    public static let dataRejected = Status(rawValue: 1 << 0)
    /// Bit 1: the glucose was out of range.
    public static let dataOutOfRange = Status(rawValue: 1 << 1)
    /// Bit 2: it is still at work.
    public static let processPending = Status(rawValue: 1 << 2)
  }

  /// The number that asks for the last calibration.
  public static let last: UInt16 = 0xFFFF

  /// Glucose Concentration of Calibration as sent, in mg/dL.
  public var concentration: MedicalFloat16
  /// Calibration Time: minutes since the session began.
  public var time: UInt16
  /// The fluid that was measured.
  public var fluid: GlucoseSample.Fluid
  /// Where it was taken.
  public var location: GlucoseSample.Location
  /// Next Calibration Time: minutes since the session began, 0 for at once.
  public var nextTime: UInt16
  /// Calibration Data Record Number; a sensor ignores it in a request.
  public var recordNumber: UInt16
  /// Calibration Status; a sensor ignores it in a request.
  public var status: Status

  /// Creates a calibration.
  public init(
    concentration: MedicalFloat16, time: UInt16, fluid: GlucoseSample.Fluid = .capillaryPlasma,
    location: GlucoseSample.Location = .finger, nextTime: UInt16 = 0, recordNumber: UInt16 = 0,
    status: Status = []
  ) {
    self.concentration = concentration
    self.time = time
    self.fluid = fluid
    self.location = location
    self.nextTime = nextTime
    self.recordNumber = recordNumber
    self.status = status
  }

  init(from reader: inout PayloadReader) throws(PayloadError) {
    concentration = try reader.medicalFloat16(field: "Glucose Concentration of Calibration")
    time = try reader.uint16(field: "Calibration Time")
    let byte = try reader.uint8(field: "Calibration Type-Sample Location")
    fluid = GlucoseSample.Fluid(nibble: byte)
    location = GlucoseSample.Location(nibble: byte >> 4)
    nextTime = try reader.uint16(field: "Next Calibration Time")
    recordNumber = try reader.uint16(field: "Calibration Data Record Number")
    status = Status(rawValue: try reader.uint8(field: "Calibration Status"))
  }

  func encode(to writer: inout PayloadWriter) {
    writer.medicalFloat16(concentration)
    writer.uint16(time)
    writer.uint8(location.rawValue << 4 | fluid.rawValue)
    writer.uint16(nextTime)
    writer.uint16(recordNumber)
    writer.uint8(status.rawValue)
  }
}
