// SPDX-License-Identifier: Apache-2.0

/// The attributes that a session has discovered on one connection to a peer.
package struct KnownAttributes: Codable, Hashable, Sendable {
  /// The services discovered; nil before the first discovery.
  package private(set) var services: [RemoteService]?
  /// The included services found, by the handle of the service.
  package private(set) var includedServices: [AttributeHandle: [RemoteService]] = [:]
  /// The characteristics found, by the handle of the service.
  package private(set) var characteristics: [AttributeHandle: [RemoteCharacteristic]] = [:]
  /// The descriptors found, by the handle of the characteristic.
  package private(set) var descriptors: [AttributeHandle: [RemoteDescriptor]] = [:]
  /// The characteristics to which the session is subscribed.
  package private(set) var notifying: Set<AttributeHandle> = []

  /// No attributes.
  package init() {}

  /// Adds the attributes in the answer to a request.
  package mutating func record(_ answer: PeerAnswer, to request: PeerRequest) {
    switch (request, answer) {
    case (.discoverServices, .services(let found)):
      services = (services ?? []).adding(found, by: \.handle)
    case (.discoverIncludedServices(_, let service), .services(let found)):
      includedServices[service, default: []].add(found, by: \.handle)
    case (.discoverCharacteristics(_, let service), .characteristics(let found)):
      characteristics[service, default: []].add(found, by: \.handle)
    case (.discoverDescriptors(let characteristic), .descriptors(let found)):
      descriptors[characteristic, default: []].add(found, by: \.handle)
    case (.subscribe(.none, let characteristic), .done):
      notifying.remove(characteristic)
    case (.subscribe(_, let characteristic), .done):
      notifying.insert(characteristic)
    default:
      break
    }
  }

  /// Removes invalid services with their contents.
  package mutating func remove(_ dead: [AttributeHandle]) {
    services?.removeAll { dead.contains($0.handle) }
    for service in dead {
      includedServices[service] = nil
      for characteristic in characteristics.removeValue(forKey: service) ?? [] {
        descriptors[characteristic.handle] = nil
        notifying.remove(characteristic.handle)
      }
    }
    includedServices = includedServices.mapValues { list in
      list.filter { !dead.contains($0.handle) }
    }
  }
}

extension Array {
  /// Appends those whose key differs from all elements.
  fileprivate mutating func add<Key: Hashable>(_ others: [Element], by key: KeyPath<Element, Key>) {
    let known = Set(map { $0[keyPath: key] })
    append(contentsOf: others.filter { !known.contains($0[keyPath: key]) })
  }

  fileprivate func adding<Key: Hashable>(
    _ others: [Element], by key: KeyPath<Element, Key>
  ) -> Self {
    var result = self
    result.add(others, by: key)
    return result
  }
}
