// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A service of a peripheral, remote or local.
open class CBService: CBAttribute {
  struct State {
    weak var peripheral: CBPeripheral?
    var includedServices: [CBService]?
    var characteristics: [CBCharacteristic]?
  }

  let state = Locked(State())
  private let primary: Bool

  /// Services come from discovery.
  @available(*, unavailable)
  public override convenience init() {
    self.init(uuid: CBUUID(), primary: true)
  }

  init(uuid type: CBUUID, primary: Bool, handle: AttributeHandle? = nil) {
    self.primary = primary
    super.init(uuid: type, handle: handle)
  }

  /// A service found on a peer.
  convenience init(_ service: RemoteService, of peripheral: CBPeripheral) {
    self.init(
      uuid: CBUUID(service.uuid), primary: service.isPrimary, handle: service.handle)
    state.withLock { $0.peripheral = peripheral }
  }

  /// The peripheral that has the service; nil for local services.
  open var peripheral: CBPeripheral? { state.withLock { $0.peripheral } }

  /// Whether the service is primary, and not only included by other services.
  open var isPrimary: Bool { primary }

  /// The included services found so far; nil before the first discovery.
  open var includedServices: [CBService]? { state.withLock { $0.includedServices } }

  /// The characteristics found so far; nil before the first discovery.
  open var characteristics: [CBCharacteristic]? { state.withLock { $0.characteristics } }

  /// The class, the address, the primary flag and the UUID.
  open override var description: String {
    "<\(Swift.type(of: self)): \(address(self)), isPrimary = \(described(isPrimary)), "
      + "UUID = \(uuid)>"
  }
}

/// A service to publish with a ``CBPeripheralManager``.
open class CBMutableService: CBService {
  /// A service needs a type.
  @available(*, unavailable)
  public convenience init() {
    self.init(type: CBUUID(), primary: true)
  }

  /// A service without characteristics.
  public init(type UUID: CBUUID, primary isPrimary: Bool) {
    super.init(uuid: UUID, primary: isPrimary)
  }

  /// The services that this one includes; each must have been published before.
  open override var includedServices: [CBService]? {
    get { super.includedServices }
    set { state.withLock { $0.includedServices = newValue } }
  }

  /// The characteristics of the service.
  open override var characteristics: [CBCharacteristic]? {
    get { super.characteristics }
    set {
      state.withLock { $0.characteristics = newValue }
      for characteristic in newValue ?? [] {
        characteristic.state.withLock { $0.service = self }
      }
    }
  }

  /// The class, the address, the primary flag, the UUID and the contents.
  open override var description: String {
    "<\(Swift.type(of: self)): \(address(self)) Primary = \(described(isPrimary)), "
      + "UUID = \(uuid), Included Services = \(described(includedServices)), "
      + "Characteristics = \(described(characteristics))>"
  }
}
