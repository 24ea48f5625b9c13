// SPDX-License-Identifier: Apache-2.0

/// The application behind the HTTP server; called on the server's threads and must not block.
protocol HTTPApplication: Sendable {
  /// Decides by the header alone whether the request is served; its body is not yet read.
  func admit(_ head: RequestHead) -> Admission
  /// Called when a request has been answered.
  func answered(_ label: String, status: Int, milliseconds: Int)
}

/// The decision on a request whose header has arrived.
struct Admission: Sendable {
  /// The request's name in the log: its method and the template of its path, without values.
  var label: String
  var decision: Decision

  enum Decision: Sendable {
    /// The response is sent and the body, if any, is dropped.
    case refuse(HTTPResponse)
    case accept(Acceptance)
  }
}

/// How an admitted request is served.
struct Acceptance: Sendable {
  /// The largest size of the body as sent, in bytes.
  let maximumBody: Int
  /// The resources that the request holds until its response is sent.
  let lease: RequestLease
  /// Takes the body while it arrives; nil for a body that is kept in memory.
  var sink: (any BodySink)?
  /// Answers the request; gets the body, or the part of it that the sink has not received.
  let answer: @Sendable ([UInt8]) -> Answer
}

/// Takes the body of a request while it arrives.
protocol BodySink: Sendable {
  /// Takes a part of the body, and calls `completion`, once and on any thread, when the next may
  /// come.
  func write(_ bytes: [UInt8], completion: @escaping @Sendable () -> Void)
  /// Discards what was taken because the body is refused.
  func discard()
}

/// The response to a request whose body has arrived.
enum Answer: Sendable {
  case now(HTTPResponse)
  /// The connection is suspended; the function hands the work to another thread, which answers by
  /// `SuspendedReply.send` exactly once.
  case later(@Sendable (SuspendedReply) -> Void)
}

/// The bytes of a response that become available over time.
protocol ResponseStream: AnyObject, Sendable {
  /// Copies the available bytes; called on the server's thread of this connection.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ResponseStreamResult
  /// The connection has ended.
  func ended()
}

/// The result of reading a stream.
enum ResponseStreamResult {
  case bytes(Int)
  /// Nothing available; the stream has suspended the connection.
  case suspended
  case end
  /// The rest cannot be read: the connection is closed so that the response looks incomplete.
  case failure
}
