// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let taiDoc = [
    ForbiddenCommand(.taiDoc, "erases all records or inflates the cuff") {
      $0.first == 0x51 && $0.count > 1 && [0x52, 0x43].contains($0[1])
    }
  ]
}
