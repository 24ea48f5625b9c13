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
    case accept(Acceptance)
  }
}

/// How a request is served that was admitted.
struct Acceptance: Sendable {
  /// The most bytes of the body, as it is sent.
  let maximumBody: Int
  /// What the request uses up, until its answer was sent.
  let lease: RequestLease
  /// Takes the body while it arrives; nil for one that is kept in memory.
  var sink: (any BodySink)?
  /// Answers the request; gets the body, or what the sink has not been given of it.
  let answer: @Sendable ([UInt8]) -> Answer
}

/// Takes the body of a request while it arrives.
protocol BodySink: Sendable {
  /// Takes a part of the body, and calls `completion`, once and on any thread, when the next may
  /// come.
  func write(_ bytes: [UInt8], completion: @escaping @Sendable () -> Void)
  /// The body is refused: forgets what was taken, where it is not needed any more.
  func discard()
}

/// The answer to a request whose body has arrived.
enum Answer: Sendable {
  case now(HTTPResponse)
  /// The connection is suspended; the function hands the work to another thread, which answers by
  /// `SuspendedReply.send` exactly once.
  case later(@Sendable (SuspendedReply) -> Void)
}

/// The bytes of a response that come bit by bit.
protocol ResponseStream: AnyObject, Sendable {
  /// Copies what there is; called on the server's thread of this connection.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ResponseStreamResult
  /// The connection has ended.
  func ended()
}

/// What a stream has for the connection.
enum ResponseStreamResult {
  case bytes(Int)
  /// Nothing now; the stream has suspended the connection.
  case suspended
  case end
  /// There is more, which cannot be had: the connection ends, so that nobody takes it for the end.
  case failure
}
