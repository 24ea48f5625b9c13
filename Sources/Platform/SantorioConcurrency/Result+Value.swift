// SPDX-License-Identifier: Apache-2.0

extension Result {
  /// The value of a success; throws the failure.
  ///
  /// `get()` does not say which error it throws in SDKs before Xcode 16's.
  ///
  /// - Returns: The value.
  /// - Throws: The failure.
  package func value() throws(Failure) -> Success {
    switch self {
    case .success(let value): value
    case .failure(let error): throw error
    }
  }
}
