// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import PayloadInspection
package import Testing

/// The error that decoding a payload must end with.
package func refusal(
  of payload: [UInt8], as characteristic: String, parameters: [String: String] = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> PayloadError {
  try #require(
    throws: PayloadError.self, sourceLocation: sourceLocation
  ) {
    _ = try CharacteristicCodec.decode(
      characteristic: characteristic, payload: payload, parameters: parameters)
  }
}
