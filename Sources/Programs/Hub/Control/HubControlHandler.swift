// SPDX-License-Identifier: Apache-2.0

package import SantorioSockets

/// What carries out the requests that arrive on a hub's control socket.
package protocol HubControlHandler: Sendable {
  /// Carries out a request.
  ///
  /// Requests of several connections may be carried out at once. The task is cancelled when the
  /// program that asked has gone, or the server stops. ``HubRequest/stop`` is answered by
  /// ``HubAnswer/stopping`` before the server is stopped.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - peer: Who asks, as the kernel knows it.
  ///   - progress: Sends what a person may want to know meanwhile.
  /// - Returns: The answer.
  func answer(
    _ request: HubRequest, from peer: PeerCredentials,
    progress: @escaping @Sendable (HubProgress) -> Void
  ) async -> HubAnswer
}
