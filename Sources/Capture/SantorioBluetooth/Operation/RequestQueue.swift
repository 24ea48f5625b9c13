// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// A driver's requests to the device: the first is under way, the others wait for its answer.
struct RequestQueue: Sendable {
  enum Request: Hashable, Sendable {
    case read(GATTAttribute)
    case write(GATTAttribute, [UInt8])
    case writeWithoutResponse(GATTAttribute, [UInt8])
    case subscribe(GATTAttribute)
    case unsubscribe(GATTAttribute)
  }

  private var requests: [Request] = []

  var isEmpty: Bool { requests.isEmpty }

  /// Adds a request; returns it when nothing is under way, so that it is to be carried out now.
  mutating func add(_ request: Request) -> Request? {
    requests.append(request)
    return requests.count == 1 ? request : nil
  }

  /// Takes an answer; false when it is not one to the request under way.
  mutating func answered(_ attribute: GATTAttribute, _ kind: Kind) -> Bool {
    guard let current = requests.first, current.kind == kind, current.attribute == attribute else {
      return false
    }
    requests.removeFirst()
    return true
  }

  /// The request to be carried out now.
  var current: Request? { requests.first }

  mutating func removeAll() { requests = [] }

  enum Kind: Hashable, Sendable {
    case read, write, subscription
  }
}

extension RequestQueue.Request {
  fileprivate var attribute: GATTAttribute {
    switch self {
    case .read(let attribute), .write(let attribute, _), .writeWithoutResponse(let attribute, _),
      .subscribe(let attribute), .unsubscribe(let attribute):
      attribute
    }
  }

  fileprivate var kind: RequestQueue.Kind {
    switch self {
    case .read: .read
    case .write, .writeWithoutResponse: .write
    case .subscribe, .unsubscribe: .subscription
    }
  }
}
