// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Dispatch
import Glibc

/// What the library's callbacks work on.
final class DaemonContext: Sendable {
  let application: any HTTPApplication
  let limits: HTTPDaemon.Limits
  let log: @Sendable (String) -> Void
  let memory: BodyMemory
  // Requests that were handed to another thread and whose answers are not yet sent.
  private let owed = DispatchGroup()

  init(
    application: any HTTPApplication, limits: HTTPDaemon.Limits,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.application = application
    self.limits = limits
    self.log = log
    memory = BodyMemory(octets: limits.bodies)
  }

  func answerOwed() { owed.enter() }
  func answerDone() { owed.leave() }

  func waitForAnswers(atMost time: Duration) {
    let milliseconds = Int(time / .milliseconds(1))
    _ = owed.wait(timeout: .now() + .milliseconds(milliseconds))
  }
}

// The library calls these functions on its own threads. They stand at file scope: a closure made
// on the main actor would trap there.

/// Called for the head of a request, for each part of its body, at its end, and after a resumption.
let accessRequested: MHD_AccessHandlerCallback = {
  context, connection, url, method, _, data, size, slot in
  guard let context = unsafe context, let connection = unsafe connection, let url = unsafe url,
    let method = unsafe method, let size = unsafe size, let slot = unsafe slot
  else { return .NO }
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  guard let known = unsafe slot.pointee else {
    let head = unsafe RequestHead(connection, url: url, method: method)
    let exchange = HTTPExchange(
      owner.application.admit(head), limits: owner.limits, memory: owner.memory)
    unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    guard let response = exchange.earlyResponse(to: head) else { return .YES }
    return unsafe queue(response, on: connection)
  }
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
  guard unsafe size.pointee == 0 else {
    let octets = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
    unsafe size.pointee = 0
    return unsafe exchange.receive(octets) ? .YES : .NO
  }
  return unsafe proceed(exchange, on: connection, owner)
}

private func proceed(
  _ exchange: HTTPExchange, on connection: OpaquePointer, _ owner: DaemonContext
) -> MHD_Result {
  let suspendable = unsafe SuspendableConnection(connection)
  switch exchange.proceed(on: suspendable) {
  case .respond(let response): return unsafe queue(response, on: connection)
  case .wait: return .YES
  case .suspend(let reply, let handOver):
    owner.answerOwed()
    suspendable.suspend()
    handOver(reply)
    return .YES
  }
}

/// Called when a request has been answered or its connection has ended.
let requestCompleted: MHD_RequestCompletedCallback = { context, _, slot, _ in
  guard let context = unsafe context, let known = unsafe slot?.pointee else { return }
  unsafe slot?.pointee = nil
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
  if exchange.wasSuspended { owner.answerDone() }
  owner.application.answered(
    exchange.label, status: exchange.status ?? 0,
    milliseconds: Int(exchange.elapsed / .milliseconds(1)))
}

/// Leaves the escapes in paths and queries, so that an escaped slash does not split a path.
let keepEscapes:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
  ) -> Int = { _, _, text in
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
  }

/// Receives the library's own messages.
let logMessage: MHD_LogCallback = { context, format, arguments in
  guard let context = unsafe context, let format = unsafe format,
    let arguments = unsafe arguments
  else { return }
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  var text = [CChar](repeating: 0, count: 512)
  unsafe vsnprintf(&text, text.count, format, arguments)
  let line = text.prefix { $0 != 0 && $0 != CChar(bitPattern: 0x0a) }
  owner.log("http: " + String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self))
}

/// Called for more octets of a streamed response.
private let streamRead: MHD_ContentReaderCallback = { context, _, buffer, size in
  guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
  let box = unsafe Unmanaged<StreamBox>.fromOpaque(context).takeUnretainedValue()
  let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
  return switch unsafe box.stream.read(into: room) {
  case .octets(let count): count
  case .suspended: 0
  case .end: -1
  }
}

/// Called when a streamed response is no longer needed.
private let streamReleased: MHD_ContentReaderFreeCallback = { context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<StreamBox>.fromOpaque(context).takeRetainedValue().stream.ended()
}

private final class StreamBox {
  let stream: any ResponseStream
  init(_ stream: any ResponseStream) { self.stream = stream }
}

private func queue(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
  guard let prepared = unsafe prepare(response.body, on: connection) else { return .NO }
  defer { unsafe MHD_destroy_response(prepared) }
  for header in response.headers {
    unsafe MHD_add_response_header(prepared, header.name, header.value)
  }
  return unsafe MHD_queue_response(connection, UInt32(response.status), prepared)
}

private func prepare(_ body: HTTPResponse.Body, on connection: OpaquePointer) -> OpaquePointer? {
  switch body {
  case .octets(var octets):
    return unsafe octets.withUnsafeMutableBytes { octets in
      unsafe MHD_create_response_from_buffer(
        octets.count, octets.baseAddress, .RESPMEM_MUST_COPY)
    }
  case .stream(let make):
    let box = unsafe StreamBox(make(SuspendableConnection(connection)))
    let opaque = unsafe Unmanaged.passRetained(box).toOpaque()
    let unknownSize = UInt64.max
    return unsafe MHD_create_response_from_callback(
      unknownSize, 16 << 10, streamRead, opaque, streamReleased)
  }
}

extension RequestHead {
  fileprivate init(
    _ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>
  ) {
    func header(_ name: String) -> String? {
      let value = unsafe cmicrohttpd_header(connection, name)
      return unsafe value.map { unsafe String(cString: $0) }
    }
    unsafe self.init(method: String(cString: method), path: String(cString: url))
    authorization = header("Authorization")
    contentType = header("Content-Type")
    contentEncoding = header("Content-Encoding")
    contentLength = header("Content-Length").flatMap(Int.init)
    lastEventID = header("Last-Event-ID")
    ifMatch = header("If-Match")
    expectsContinue = header("Expect")?.lowercased() == "100-continue"
    unsafe withUnsafeMutablePointer(to: &query) { query in
      unsafe cmicrohttpd_query(connection, collectArgument, query)
    }
  }
}

/// Called for each argument of a query.
private let collectArgument: MHD_KeyValueIterator = { context, _, name, value in
  guard let context = unsafe context, let name = unsafe name else { return .NO }
  let list = unsafe context.assumingMemoryBound(to: [(name: String, value: String)].self)
  let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
  if let name = unsafe RequestHead.unescape(String(cString: name)),
    let value = RequestHead.unescape(text)
  {
    unsafe list.pointee.append((name: name, value: value))
  }
  return .YES
}
