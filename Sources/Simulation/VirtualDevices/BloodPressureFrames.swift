// SPDX-License-Identifier: Apache-2.0

/// Blood Pressure Measurement frames (2A35) to be played by virtual monitors.
public enum BloodPressureFrames {
  /// Frames that a real A&D UA-651BLE sent on 16 January 2017.
  ///
  /// Two failed measurements (all values NaN), then 125/80 mmHg with pulse 64 and 134/77 mmHg with
  /// pulse 61.
  ///
  /// Source: HEADS-project/ThingML-BLE at a7aa1580, `Documentation/AND_Medical_UA651BLE.md`.
  public static let capturedUA651BLE: [[UInt8]] = [
    // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS  STAT
    octets("16 FF07 FF07 FF07 E107 01 10 0B 14 2B FF07 0000"),
    octets("16 FF07 FF07 FF07 E107 01 10 0B 1D 02 FF07 0000"),
    octets("16 7D00 5000 6600 E107 01 10 0C 27 36 4000 0000"),
    octets("16 8600 4D00 6400 E107 01 10 0D 00 18 3D00 0000"),
  ]

  /// Frames in the layout of a Beurer BM54.
  ///
  /// Flags 1E, a user in each frame, mean pressure 0 for "not measured". Composed after descriptions of that layout; no public capture of a BM54 was found.
  public static let composedBM54: [[UInt8]] = [
    // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS US STAT
    octets("1E 7F00 5300 0000 E807 03 09 07 1E 00 4600 00 0000"),
    octets("1E 8400 5800 0000 E807 03 09 13 2D 00 4800 00 0400"),
    octets("1E 7200 4900 0000 E807 03 0A 07 20 00 3E00 01 4000"),
  ]

  private static func octets(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
