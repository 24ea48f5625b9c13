// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  /// Writing to an Omron's memory (01 C0) can destroy its calibration.
  static let omron = [
    "DB5B55E0-AEE7-11E1-965E-0002A5D5C51B", "E0B8A060-AEE7-11E1-92F4-0002A5D5C51B",
    "0AE12B00-AEE8-11E1-A192-0002A5D5C51B", "10E1BA60-AEE8-11E1-89E5-0002A5D5C51B",
  ].map { characteristic in
    ForbiddenCommand(
      GATTAttribute("*", characteristic), "writes to the memory that holds the calibration"
    ) { $0.count > 2 && $0[1] == 0x01 && $0[2] == 0xC0 }
  }
}
