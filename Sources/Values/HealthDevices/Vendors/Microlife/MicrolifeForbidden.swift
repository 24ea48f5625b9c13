// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let microlife = [
    ForbiddenCommand(.microlifeCommands, "writes the patient's identity") {
      $0.count > 4 && $0.starts(with: [0x4D, 0xFF]) && $0[4] == 0x06
    }
  ]
}
