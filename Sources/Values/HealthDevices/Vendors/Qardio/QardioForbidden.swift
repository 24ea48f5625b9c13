// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let qardio = [
    ForbiddenCommand(.qardioControl, "inflates the cuff") { $0.starts(with: [0xF1, 0x01]) }
  ]
}
