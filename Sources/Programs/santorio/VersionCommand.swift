// SPDX-License-Identifier: Apache-2.0

extension Command {
  /// The version of the package; changed with each release.
  static let packageVersion = "0.1.0"

  static let version = Command(
    name: "version", summary: "Print the version.", forms: [""], options: [], details: ""
  ) { arguments in
    guard arguments.operands.isEmpty else {
      throw UsageError("\"version\" takes no arguments.", command: "version")
    }
    print("santorio \(packageVersion)")
    return 0
  }
}
