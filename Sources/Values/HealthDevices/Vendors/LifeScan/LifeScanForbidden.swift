// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let lifeScan = [
    ForbiddenCommand(.oneTouchRequest, "erases all records") {
      // The first block of a frame with the request 1A.
      $0.count > 5 && $0[0] < 0x40 && $0[5] == 0x1A
    }
  ]
}
