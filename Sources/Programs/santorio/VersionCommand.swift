// SPDX-License-Identifier: Apache-2.0

import SantorioCore

extension Command {
  static let version = Command(
    name: "version", summary: "Print the version.", forms: [""], options: [], details: ""
  ) { arguments in
    guard arguments.operands.isEmpty else {
      throw UsageError("\"version\" takes no arguments.", command: "version")
    }
    print("santorio \(SantorioVersion.current)")
    return 0
  }
}
