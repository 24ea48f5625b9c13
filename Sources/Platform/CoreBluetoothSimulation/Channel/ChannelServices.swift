// SPDX-License-Identifier: Apache-2.0

/// The numbers under which a host listens for channels.
struct ChannelServices {
  struct Service {
    let role: PeripheralRole
    let isEncrypted: Bool
  }

  /// The numbers that are not assigned (Core Specification, Vol 3, Part A, 4.22).
  private static let numbers: ClosedRange<CBL2CAPPSM> = 0x80...0xFF

  private var services: [CBL2CAPPSM: Service] = [:]
  private var last = Self.numbers.upperBound

  subscript(psm: CBL2CAPPSM) -> Service? { services[psm] }

  /// Takes the next free number; a released number is reused as late as possible.
  mutating func publish(for role: PeripheralRole, isEncrypted: Bool) -> CBL2CAPPSM? {
    for _ in Self.numbers {
      last = last == Self.numbers.upperBound ? Self.numbers.lowerBound : last + 1
      guard services[last] == nil else { continue }
      services[last] = Service(role: role, isEncrypted: isEncrypted)
      return last
    }
    return nil
  }

  /// Removes a number; false when it is not one of the role's.
  mutating func remove(_ psm: CBL2CAPPSM, of role: PeripheralRole) -> Bool {
    guard services[psm]?.role === role else { return false }
    services[psm] = nil
    return true
  }

  mutating func removeAll(of role: PeripheralRole) {
    services = services.filter { $0.value.role !== role }
  }
}
