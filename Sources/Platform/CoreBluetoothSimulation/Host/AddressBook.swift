// SPDX-License-Identifier: Apache-2.0

/// The identifiers that a host has given to addresses, and the names of their hosts.
struct AddressBook {
  private struct Address: Hashable {
    let host: Int
    /// Counts the changes of the host's address.
    let number: Int
  }

  private let seed: UInt64
  private let owner: Int
  private var identifiers: [Address: PeerIdentifier] = [:]
  private var hosts: [PeerIdentifier: Int] = [:]
  private var names: [PeerIdentifier: String] = [:]

  init(seed: UInt64, owner: Int) {
    self.seed = seed
    self.owner = owner
  }

  /// The identifier of an address, a new one for a new address.
  mutating func identifier(of host: Int, at number: Int) -> PeerIdentifier {
    let address = Address(host: host, number: number)
    if let known = identifiers[address] { return known }
    let identifier = RandomSource.identifier(seed, UInt64(owner), UInt64(host), UInt64(number))
    identifiers[address] = identifier
    hosts[identifier] = host
    return identifier
  }

  /// The index of the host that had the address.
  func host(of identifier: PeerIdentifier) -> Int? { hosts[identifier] }

  /// The Generic Access name last read.
  subscript(name identifier: PeerIdentifier) -> String? {
    get { names[identifier] }
    set { names[identifier] = newValue }
  }
}

/// The data that a host keeps from pairing with another one.
struct Bond {
  let key: UInt64
  /// The identifier, which stays: the bond lets the host resolve the other one's addresses.
  let identity: PeerIdentifier
}
