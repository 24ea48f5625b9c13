// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Some devices of all that there are.
enum DeviceSelection: Hashable, Sendable {
  case any
  case only(Set<UUID>)
  case except(Set<UUID>)

  func contains(_ device: UUID) -> Bool {
    switch self {
    case .any: true
    case .only(let devices): devices.contains(device)
    case .except(let devices): !devices.contains(device)
    }
  }
}
