// SPDX-License-Identifier: Apache-2.0

/// What the HTTP server serves; called on the server's threads, which it must not block.
protocol HTTPApplication: Sendable {
  /// Decides by the head alone whether the request is served; its body is not yet read.
  func admit(_ head: RequestHead) -> Admission
  /// Told when a request has been answered.
  func answered(_ label: String, status: Int, milliseconds: Int)
}

/// The decision on a request whose head has arrived.
struct Admission: Sendable {
  /// The request's name in the log: its method and the template of its path, without values.
  var label: String
  var decision: Decision

  enum Decision: Sendable {
    /// The answer is sent and the body, if there is one, dropped.
    case refuse(HTTPResponse)
    /// The body is read, up to a number of octets, and given to the function.
    case accept(maximumBody: Int, @Sendable ([UInt8]) -> Answer)
  }
}

/// The answer to a request whose body has arrived.
enum Answer: Sendable {
  case now(HTTPResponse)
  /// The connection is suspended; the function hands the work to another thread, which answers by
  /// `SuspendedReply.send` exactly once.
  case later(@Sendable (SuspendedReply) -> Void)
}

/// The octets of a response that come bit by bit.
protocol ResponseStream: AnyObject, Sendable {
  /// Copies what there is; called on the server's thread of this connection.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ResponseStreamResult
  /// The connection has ended.
  func ended()
}

/// What a stream has for the connection.
enum ResponseStreamResult {
  case octets(Int)
  /// Nothing now; the stream has suspended the connection.
  case suspended
  case end
}
