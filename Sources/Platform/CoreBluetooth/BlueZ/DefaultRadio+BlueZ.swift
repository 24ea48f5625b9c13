// SPDX-License-Identifier: Apache-2.0

extension DefaultRadio {
  /// The first adapter of this machine.
  static func ofMachine() -> any Radio { BlueZRadio() }
}
