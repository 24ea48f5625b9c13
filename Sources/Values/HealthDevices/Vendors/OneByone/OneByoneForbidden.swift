// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let oneByone = [
    ForbiddenCommand(.oneByoneCommand, "deletes stored weighings") { $0 == [0xF2, 0x01] }
  ]
}
