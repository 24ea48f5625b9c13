// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc

// The library calls these functions on its own threads. They are at file scope, because a closure
// created on the main actor would trap there.

/// Called when a connection begins, and when it is about to be closed.
let connectionNotified: MHD_NotifyConnectionCallback = { context, connection, slot, code in
  guard let context = unsafe context, let connection = unsafe connection, let slot = unsafe slot
  else { return }
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  // MHD_CONNECTION_NOTIFY_STARTED, whose name Swift does not import.
  if code.rawValue == 0 {
    let known = owner.connections.opened(unsafe cmicrohttpd_socket(connection))
    unsafe slot.pointee = known.map { unsafe Unmanaged.passRetained($0).toOpaque() }
  } else if let known = unsafe slot.pointee {
    unsafe slot.pointee = nil
    unsafe Unmanaged<HTTPConnection>.fromOpaque(known).takeRetainedValue().closed()
  }
}

/// Called for the header of a request, each part of its body, its end, and after a resumption.
let accessRequested: MHD_AccessHandlerCallback = {
  context, connection, url, method, _, data, size, slot in
  guard let context = unsafe context, let connection = unsafe connection, let url = unsafe url,
    let method = unsafe method, let size = unsafe size, let slot = unsafe slot
  else { return .NO }
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  guard let known = unsafe slot.pointee else {
    guard let client = unsafe httpConnection(of: connection) else { return .NO }
    let head = unsafe RequestHead(connection, client, owner, url: url, method: method)
    let exchange = HTTPExchange(
      owner.admit(head), to: head, on: client, discarded: owner.limits.discarded)
    unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
    guard let response = exchange.earlyResponse(to: head) else { return .YES }
    return unsafe queue(response, of: exchange, on: connection, owner)
  }
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
  let suspendable = unsafe SuspendableConnection(connection, owner.gate)
  guard unsafe size.pointee == 0 else {
    let part = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
    switch unsafe exchange.receive(part, on: suspendable) {
    case .taken: unsafe size.pointee = 0
    case .later: break
    case .cut: return .NO
    }
    return .YES
  }
  switch exchange.proceed(on: suspendable) {
  case .respond(let response):
    return unsafe queue(response, of: exchange, on: connection, owner)
  case .wait: return .YES
  case .work(let reply, let handOver):
    // From now on: the library takes the response up some time after it was given.
    owner.owesAnswer(to: exchange)
    handOver(reply)
    return .YES
  }
}

/// Called when a request has been answered or its connection has ended.
let requestCompleted: MHD_RequestCompletedCallback = { context, connection, slot, _ in
  guard let context = unsafe context, let known = unsafe slot?.pointee else { return }
  unsafe slot?.pointee = nil
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeRetainedValue()
  owner.ended(exchange)
  if let connection = unsafe connection {
    unsafe httpConnection(of: connection)?.requestEnded()
  }
  owner.application.answered(
    exchange.label, status: exchange.status ?? 0,
    milliseconds: Int(exchange.elapsed / .milliseconds(1)))
}

/// The server's object for a connection of the library.
@unsafe func httpConnection(of connection: OpaquePointer) -> HTTPConnection? {
  guard let known = unsafe cmicrohttpd_context(connection) else { return nil }
  return unsafe Unmanaged<HTTPConnection>.fromOpaque(known).takeUnretainedValue()
}

/// Keeps the escapes in paths and queries, so that an escaped slash does not split a path.
let keepEscapes:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
  ) -> Int = { _, _, text in
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
  }

/// Receives the library's own messages.
///
/// It sets options of TCP for each response, and complains three times where the socket is a `unix:` one, which has none.
let logMessage: MHD_LogCallback = { context, format, arguments in
  guard let context = unsafe context, let format = unsafe format,
    let arguments = unsafe arguments
  else { return }
  let owner = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  var text = [CChar](repeating: 0, count: 512)
  unsafe vsnprintf(&text, text.count, format, arguments)
  let line = text.prefix { $0 != 0 && $0 != CChar(bitPattern: 0x0a) }
  let message = String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self)
  let isOfTCP = message.hasPrefix("Setting TCP_") || message.hasPrefix("Failed to push the data")
  if !isOfTCP { owner.log("http: " + message) }
}

extension RequestHead {
  fileprivate init(
    _ connection: OpaquePointer, _ client: HTTPConnection, _ owner: DaemonContext,
    url: UnsafePointer<CChar>, method: UnsafePointer<CChar>
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
    var lengths = 0
    unsafe withUnsafeMutablePointer(to: &lengths) { lengths in
      unsafe cmicrohttpd_headers(connection, countLengths, lengths)
    }
    isAmbiguous = lengths > 1
    unsafe withUnsafeMutablePointer(to: &query) { query in
      unsafe cmicrohttpd_query(connection, collectArgument, query)
    }
    var forwarded: String?
    if owner.isBehindProxy {
      unsafe withUnsafeMutablePointer(to: &forwarded) { forwarded in
        unsafe cmicrohttpd_headers(connection, keepLastForwardedFor, forwarded)
      }
    }
    isOperator = client.listener.isAdministration
    clientAddress = owner.address(of: client, forwardedFor: forwarded)
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

/// Called for each header: counts those that state the length of the body.
private let countLengths: MHD_KeyValueIterator = { context, _, name, _ in
  guard let context = unsafe context, let name = unsafe name else { return .YES }
  if unsafe strcasecmp(name, "Content-Length") == 0 || strcasecmp(name, "Transfer-Encoding") == 0 {
    unsafe context.assumingMemoryBound(to: Int.self).pointee += 1
  }
  return .YES
}

/// Called for each header: keeps the last one, which the proxy added after any of the client's.
private let keepLastForwardedFor: MHD_KeyValueIterator = { context, _, name, value in
  guard let context = unsafe context, let name = unsafe name, let value = unsafe value else {
    return .YES
  }
  guard unsafe strcasecmp(name, "X-Forwarded-For") == 0 else { return .YES }
  let last = unsafe context.assumingMemoryBound(to: String?.self)
  unsafe last.pointee = String(cString: value)
  return .YES
}
