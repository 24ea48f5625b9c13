// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

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
    [UInt8](frame: "16 FF07 FF07 FF07 E107 01 10 0B 14 2B FF07 0000"),
    [UInt8](frame: "16 FF07 FF07 FF07 E107 01 10 0B 1D 02 FF07 0000"),
    [UInt8](frame: "16 7D00 5000 6600 E107 01 10 0C 27 36 4000 0000"),
    [UInt8](frame: "16 8600 4D00 6400 E107 01 10 0D 00 18 3D00 0000"),
  ]

  /// Frames in the layout of a Beurer BM54.
  ///
  /// Flags 1E, a user in each frame, mean pressure 0 for "not measured". Composed after
  /// descriptions of that layout; no public capture of a BM54 was found.
  public static let composedBM54: [[UInt8]] = [
    // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS US STAT
    [UInt8](frame: "1E 7F00 5300 0000 E807 03 09 07 1E 00 4600 00 0000"),
    [UInt8](frame: "1E 8400 5800 0000 E807 03 09 13 2D 00 4800 00 0400"),
    [UInt8](frame: "1E 7200 4900 0000 E807 03 0A 07 20 00 3E00 01 4000"),
  ]

  /// Frames that a real Beurer BM85 sent in 2020, some from before its clock was set.
  ///
  /// Source: smurfix/ble-stuff at 86457cbc, `Logs/Beurer 1.pcapng`.
  package static let capturedBM85: [[UInt8]] = [
    // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS US STAT
    [UInt8](frame: "56 9200 6700 0000 DE07 01 01 01 19 00 003F 01 0000"),
    [UInt8](frame: "56 8800 6600 0000 DE07 01 01 01 1F 00 0041 01 0000"),
    [UInt8](frame: "56 8100 6200 0000 DE07 02 02 0D 0F 00 0046 01 0040"),
    [UInt8](frame: "56 8300 6300 0000 E407 03 03 15 19 00 003D 00 0000"),
    [UInt8](frame: "56 9300 5E00 0000 E407 03 1E 11 18 00 003D 00 0000"),
    [UInt8](frame: "56 8800 5900 0000 E407 04 08 15 00 00 003D 00 0000"),
    [UInt8](frame: "56 7400 5A00 0000 E407 04 17 10 10 00 004A 01 0000"),
  ]

  /// Frames in the layout of Omron's monitors: flags 1E, users from 1.
  static let composedOmron: [[UInt8]] = [
    [UInt8](frame: "1E 7C00 4F00 FF07 EA07 03 1C 07 0A 00 4000 01 0000"),
    [UInt8](frame: "1E 8100 5300 FF07 EA07 03 1C 14 1E 05 4300 02 0400"),
  ]

  /// Frames in the layout of Medisana's BU 540 connect: flags 1E, users from 1.
  static let composedMedisana: [[UInt8]] = [
    [UInt8](frame: "1E 7A00 5000 FF07 EA07 03 1B 07 0A 00 4200 01 0000"),
    [UInt8](frame: "1E 7800 4E00 FF07 EA07 03 1C 07 0C 00 4100 01 0100"),
  ]

  /// How many of some frames are readings; the others are failed measurements.
  static func readingCount(_ frames: [[UInt8]]) -> Int {
    frames.filter { (try? BloodPressureMeasurement(payload: $0))?.hasResult ?? false }.count
  }
}
