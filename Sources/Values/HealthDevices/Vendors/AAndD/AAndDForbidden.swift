// SPDX-License-Identifier: Apache-2.0

extension ForbiddenCommand {
  static let aAndD = [
    // Not needed for reading, and one of its commands erases.
    ForbiddenCommand(
      GATTAttribute("*", "233BF001-5A34-1B6D-975C-000D5690ABE4"), "may erase measurements"
    ) { _ in true }
  ]
}
