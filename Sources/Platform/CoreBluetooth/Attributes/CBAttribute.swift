// SPDX-License-Identifier: Apache-2.0

/// What services, characteristics and descriptors have in common.
open class CBAttribute: NSObject {
  private let type: CBUUID

  init(uuid type: CBUUID) {
    self.type = type
  }

  /// Attributes come from discovery, or are made as mutable ones.
  @available(*, unavailable)
  public override init() {
    type = CBUUID()
  }

  /// What kind of attribute this is.
  open var uuid: CBUUID { type }
}
