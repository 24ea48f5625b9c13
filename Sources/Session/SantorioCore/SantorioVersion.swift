// SPDX-License-Identifier: Apache-2.0

/// The version of this package, which changes with each release.
public enum SantorioVersion {
  /// The version, as three numbers: `1.4.2`.
  public static let current = "0.1.0"

  /// What a request to a server names as its sender: `Santorio/1.4.2`.
  static let userAgent = "Santorio/\(current)"
}
