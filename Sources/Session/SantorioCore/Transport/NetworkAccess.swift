// SPDX-License-Identifier: Apache-2.0

/// Over which networks an app's uploads may go.
public struct NetworkAccess: Hashable, Sendable {
  /// Whether uploads may use a cellular network.
  public var allowsCellular: Bool
  /// Whether uploads may use a network that the system considers expensive, such as a hotspot.
  public var allowsExpensive: Bool
  /// Whether uploads go on in Low Data Mode.
  public var allowsLowDataMode: Bool

  /// Makes the choice; all networks may be used unless said otherwise.
  ///
  /// - Parameters:
  ///   - allowsCellular: Whether uploads may use a cellular network.
  ///   - allowsExpensive: Whether uploads may use an expensive network.
  ///   - allowsLowDataMode: Whether uploads go on in Low Data Mode.
  public init(
    allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsLowDataMode: Bool = true
  ) {
    self.allowsCellular = allowsCellular
    self.allowsExpensive = allowsExpensive
    self.allowsLowDataMode = allowsLowDataMode
  }
}

#if canImport(Darwin)
  import Foundation

  extension URLSessionConfiguration {
    /// Applies the choice, and what is true of all of the session's requests.
    func apply(_ access: NetworkAccess) {
      requestCachePolicy = .reloadIgnoringLocalCacheData
      httpShouldSetCookies = false
      allowsCellularAccess = access.allowsCellular
      allowsExpensiveNetworkAccess = access.allowsExpensive
      allowsConstrainedNetworkAccess = access.allowsLowDataMode
    }
  }
#endif
