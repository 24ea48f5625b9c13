// SPDX-License-Identifier: Apache-2.0

/// The answer to a request, as rules compare it.
enum Reply: Hashable, Sendable {
  case services([RemoteService])
  case characteristics([RemoteCharacteristic])
  case descriptors([RemoteDescriptor])
  case value(Data)
  case rssi(Int)
  case channel
  case done

  init(_ answer: PeerAnswer) {
    switch answer {
    case .services(let services): self = .services(services)
    case .characteristics(let characteristics): self = .characteristics(characteristics)
    case .descriptors(let descriptors): self = .descriptors(descriptors)
    case .value(let value): self = .value(value)
    case .rssi(let value): self = .rssi(value)
    case .channel: self = .channel
    case .done: self = .done
    }
  }
}
