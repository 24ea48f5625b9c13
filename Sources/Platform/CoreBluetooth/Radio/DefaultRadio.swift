// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// The radio of managers whose options name none.
package enum DefaultRadio {
  private static let slot = Locked<(any Radio)?>(nil)

  /// The radio that was set; when nil, managers use that of the machine.
  package static var current: (any Radio)? {
    get { slot.withLock { $0 } }
    set { slot.withLock { $0 = newValue } }
  }

  static func radio(for options: [String: Any]?) -> any Radio {
    options?[CBManagerOptionRadioKey] as? any Radio ?? current ?? ofMachine()
  }
}
