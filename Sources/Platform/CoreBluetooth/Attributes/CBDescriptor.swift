// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A descriptor of a characteristic, remote or local.
open class CBDescriptor: CBAttribute {
  struct State {
    weak var characteristic: CBCharacteristic?
    var value: Any?
  }

  let state = Locked(State())

  override init(uuid type: CBUUID, handle: AttributeHandle? = nil) {
    super.init(uuid: type, handle: handle)
  }

  /// A descriptor found on a peer.
  convenience init(_ descriptor: RemoteDescriptor, of characteristic: CBCharacteristic) {
    self.init(uuid: CBUUID(descriptor.uuid), handle: descriptor.handle)
    state.withLock { $0.characteristic = characteristic }
  }

  /// Descriptors come from discovery.
  @available(*, unavailable)
  public override convenience init() {
    self.init(uuid: CBUUID())
  }

  /// The characteristic that has the descriptor.
  open var characteristic: CBCharacteristic? { state.withLock { $0.characteristic } }

  /// The value last read; its type follows from the UUID, see the descriptor constants.
  open var value: Any? { state.withLock { $0.value } }

  /// The class, the address, the UUID and the value: a number, or the length of what it is.
  open override var description: String {
    "<\(Swift.type(of: self)): \(address(self)), UUID = \(uuid), "
      + "value = \(describedValue)>"
  }

  private var describedValue: String {
    switch value {
    case let number as NSNumber: "\(number)"
    case let text as String: described(Data(text.utf8))
    default: described(value as? Data)
    }
  }

  /// A value from a peer in the type that belongs to the UUID.
  func decode(_ data: Data) -> Any {
    switch uuid.value.assigned {
    case 0x2900, 0x2902, 0x2903:
      NSNumber(value: data.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) })
    case 0x2901:
      String(decoding: data, as: UTF8.self)
    default:
      data
    }
  }
}

/// A descriptor to publish as part of a ``CBMutableCharacteristic``.
open class CBMutableDescriptor: CBDescriptor {
  /// A descriptor needs a type.
  @available(*, unavailable)
  public convenience init() {
    self.init(type: CBUUID(), value: nil)
  }

  /// A descriptor with a value that never changes.
  ///
  /// - Parameters:
  ///   - UUID: 2901 (user description) or 2904 (format).
  ///   - value: A `String` or `Data`.
  public init(type UUID: CBUUID, value: Any?) {
    super.init(uuid: UUID)
    state.withLock { $0.value = value }
  }

  /// A descriptor that was published before.
  convenience init(_ descriptor: LocalDescriptor) {
    let isText = descriptor.uuid.assigned == 0x2901
    self.init(
      type: CBUUID(descriptor.uuid),
      value: isText ? String(decoding: descriptor.value, as: UTF8.self) : descriptor.value)
  }

  /// The value as it is sent.
  var bytes: Data {
    switch value {
    case let data as Data: data
    case let text as String: Data(text.utf8)
    case let number as NSNumber: withUnsafeBytes(of: number.uint16Value.littleEndian) { Data($0) }
    default: Data()
    }
  }
}
