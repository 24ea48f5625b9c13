// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A central at the other end of a peripheral manager's link.
open class CBCentral: CBPeer {
  private let maximum: Locked<Int>

  /// Centrals come from a peripheral manager.
  @available(*, unavailable)
  public override convenience init() {
    self.init(RemoteCentral(identifier: UUID(), maximumUpdate: 20))
  }

  init(_ central: RemoteCentral) {
    maximum = Locked(central.maximumUpdate)
    super.init(identifier: central.identifier)
  }

  func setMaximum(_ length: Int) {
    maximum.withLock { $0 = length }
  }

  /// The longest value of one notification, in bytes.
  open var maximumUpdateValueLength: Int { maximum.withLock { $0 } }

  /// Objects with the same identifier are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CBCentral)?.identifier == identifier
  }

  /// The identifier's hash.
  open override var hash: Int { identifier.hashValue }

  /// The class, the address, the identifier and the longest value of one notification.
  open override var description: String {
    "<\(type(of: self)): \(address(self)) identifier = \(identifier), "
      + "MTU = \(maximumUpdateValueLength)>"
  }
}
