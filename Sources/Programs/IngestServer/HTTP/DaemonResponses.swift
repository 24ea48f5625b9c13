// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc

// Handing responses to the library.

/// Hands a response to the library.
@unsafe func queue(
  _ response: HTTPResponse, of exchange: HTTPExchange, on connection: OpaquePointer,
  _ owner: DaemonContext
) -> MHD_Result {
  // It counts until the library reports the end of the request, even if queueing fails here.
  owner.owesAnswer(to: exchange)
  guard let client = unsafe httpConnection(of: connection),
    let prepared = unsafe prepare(response.body, on: connection, client, owner)
  else { return .NO }
  defer { unsafe MHD_destroy_response(prepared) }
  for header in response.headers {
    unsafe MHD_add_response_header(prepared, header.name, header.value)
  }
  if client.listener.isSecure {
    unsafe MHD_add_response_header(prepared, "Strict-Transport-Security", "max-age=31536000")
  }
  return unsafe MHD_queue_response(connection, UInt32(response.status), prepared)
}

/// The size above which a response is copied block by block as the client reads it.
private let largestCopy = 16 << 10

@unsafe private func prepare(
  _ body: HTTPResponse.Body, on connection: OpaquePointer, _ client: HTTPConnection,
  _ owner: DaemonContext
) -> OpaquePointer? {
  switch body {
  case .bytes(var bytes) where bytes.count <= largestCopy:
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe MHD_create_response_from_buffer(
        bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
    }
  case .bytes(let bytes):
    let opaque = unsafe Unmanaged.passRetained(BytesBox(bytes)).toOpaque()
    return unsafe MHD_create_response_from_callback(
      UInt64(bytes.count), 64 << 10, bytesRead, opaque, bytesReleased)
  case .image(let image):
    guard let descriptor = image.take() else { return nil }
    let response = unsafe MHD_create_response_from_fd64(UInt64(image.size), descriptor)
    if unsafe response == nil { close(descriptor) }
    return unsafe response
  case .stream(let make):
    let stream = make(unsafe SuspendableConnection(connection, owner.gate))
    let opaque = unsafe Unmanaged.passRetained(StreamBox(stream, client)).toOpaque()
    let unknownSize = UInt64.max
    return unsafe MHD_create_response_from_callback(
      unknownSize, 16 << 10, streamRead, opaque, streamReleased)
  }
}

// MARK: - Bytes

private final class BytesBox {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Called for more bytes of a large response.
private let bytesRead: MHD_ContentReaderCallback = { context, position, buffer, size in
  guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
  let bytes = unsafe Unmanaged<BytesBox>.fromOpaque(context).takeUnretainedValue().bytes
  let start = Int(position)
  guard start < bytes.count else { return -1 }
  let count = min(size, bytes.count - start)
  unsafe bytes.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress else { return }
    unsafe UnsafeMutableRawPointer(buffer).copyMemory(
      from: base + start, byteCount: count)
  }
  return count
}

/// Called when a large response is no longer needed.
private let bytesReleased: MHD_ContentReaderFreeCallback = { context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<BytesBox>.fromOpaque(context).release()
}

// MARK: - Streams

private final class StreamBox {
  let stream: any ResponseStream
  let client: HTTPConnection

  init(_ stream: any ResponseStream, _ client: HTTPConnection) {
    self.stream = stream
    self.client = client
  }
}

/// Called for more bytes of a streamed response.
private let streamRead: MHD_ContentReaderCallback = { context, _, buffer, size in
  guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
  let box = unsafe Unmanaged<StreamBox>.fromOpaque(context).takeUnretainedValue()
  let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
  switch unsafe box.stream.read(into: room) {
  case .bytes(let count):
    box.client.streamSends(count)
    return count
  case .suspended:
    box.client.streamIsIdle()
    return 0
  case .end: return -1
  case .failure: return -2
  }
}

/// Called when a streamed response is no longer needed.
private let streamReleased: MHD_ContentReaderFreeCallback = { context in
  guard let context = unsafe context else { return }
  unsafe Unmanaged<StreamBox>.fromOpaque(context).takeRetainedValue().stream.ended()
}
