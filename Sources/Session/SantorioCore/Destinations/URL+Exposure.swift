// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension URL {
  /// Whether requests to this address cross a network unencrypted.
  package var isExposed: Bool { scheme?.lowercased() != "https" && !isOnThisMachine }

  /// Whether the host is this machine: 127.0.0.0/8, `::1`, `localhost` or a name below that.
  private var isOnThisMachine: Bool {
    guard let host = host?.lowercased() else { return false }
    if ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost") { return true }
    // All four numbers are required: the C library accepts shorter forms; they are not needed here.
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
  }
}
