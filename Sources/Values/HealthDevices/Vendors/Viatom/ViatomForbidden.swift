// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let viatom = [
    ForbiddenCommand(viatomWrite, "resets, erases or restarts the device") {
      $0.first == 0xA5 && $0.count > 1
        && [0x04, 0x09, 0x0A, 0x24, 0x25, 0x39, 0xE2, 0xE3].contains($0[1])
    },
    ForbiddenCommand(viatomWrite, "erases all recordings and settings") {
      $0.starts(with: [0xAA, 0x18])
    },
    ForbiddenCommand(.oxyIIRequests, "resets or erases the device") {
      $0.first == 0xA5 && $0.count > 1 && [0xE3, 0xEE].contains($0[1])
    },
  ]

  // Monitors and rings have it in the same service.
  private static let viatomWrite = GATTAttribute(
    "14839AC4-7D7E-415C-9A42-167340CF2339", "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3")
}
