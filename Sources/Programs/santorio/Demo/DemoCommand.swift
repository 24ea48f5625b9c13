// SPDX-License-Identifier: Apache-2.0
extension Command {
  static let demo = Command(name: "demo", summary: "", forms: [], options: [], details: "") { _ in 0
  }
}
