// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// What the managers of both roles have in common.
open class CBManager: NSObject {
  let queue: DispatchQueue
  let radio: any Radio
  private let current = Locked(CBManagerState.unknown)

  /// Create a central or a peripheral manager instead.
  @available(*, unavailable)
  public override init() {
    queue = .main
    radio = AbsentRadio()
  }

  init(queue: DispatchQueue?, options: [String: Any]?) {
    self.queue = queue ?? .main
    radio = DefaultRadio.radio(for: options)
  }

  /// The state; `.unknown` until another one has been reported to the delegate.
  open var state: CBManagerState { current.withLock { $0 } }

  /// Whether the process may use Bluetooth.
  @available(iOS, introduced: 13.0, deprecated: 13.1)
  open var authorization: CBManagerAuthorization { radio.authorization }

  /// Whether the process may use the default radio; Linux itself does not prompt the user.
  open class var authorization: CBManagerAuthorization {
    DefaultRadio.current?.authorization ?? .allowedAlways
  }

  /// Whether the process may use the radio that options name, the default one if they name none.
  package static func authorization(with options: [String: Any]) -> CBManagerAuthorization {
    options[CBManagerOptionRadioKey] == nil
      ? authorization : DefaultRadio.radio(for: options).authorization
  }

  func setState(_ state: CBManagerState) {
    current.withLock { $0 = state }
  }

  /// Whether commands are allowed; logs a line when they are not.
  func isReady() -> Bool {
    if state == .poweredOn { return true }
    reportMisuse("can only accept this command while in the powered on state")
    return false
  }

  func reportMisuse(_ complaint: String) {
    radio.reportMisuse("[CoreBluetooth] API MISUSE: \(self) \(complaint)")
  }

  /// The class and the address.
  open override var description: String { "<\(type(of: self)): \(address(self))>" }
}
