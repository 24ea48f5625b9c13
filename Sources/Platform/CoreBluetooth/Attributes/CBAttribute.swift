// SPDX-License-Identifier: Apache-2.0

/// What services, characteristics and descriptors have in common.
open class CBAttribute: NSObject {
  private let type: CBUUID
  /// Where the attribute was found on a peer; nil for local ones.
  let handle: AttributeHandle?

  init(uuid type: CBUUID, handle: AttributeHandle? = nil) {
    self.type = type
    self.handle = handle
  }

  /// Attributes come from discovery, or are made as mutable ones.
  @available(*, unavailable)
  public override init() {
    type = CBUUID()
    handle = nil
  }

  /// What kind of attribute this is.
  open var uuid: CBUUID { type }
}
