// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let beurer = [
    ForbiddenCommand(.beurerScale, "deletes users or their measurements") {
      $0.count > 1 && [0xE7, 0xF7].contains($0[0]) && [0x32, 0x43, 0x49].contains($0[1])
    },
    // Contec's protocol, which the PO60 speaks; whether 99 7F erases is not known.
    ForbiddenCommand(.po60Requests, "erases measurements") {
      $0.first == 0xA1
        || $0.count > 1 && $0[1] == 0x7F && [0x9D, 0x91, 0x92, 0x94, 0x96, 0x99].contains($0[0])
    },
  ]
}
