// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation

/// One request being sent, and the part of its answer received so far.
final class CurlTransfer: @unchecked Sendable {
  // Handed to the loop's thread under the loop's lock; from then on only that thread accesses it.
  // Before that, the loop's thread may only set `isCancelled`, which belongs to it.
  let request: CurlRequest
  var continuation: CheckedContinuation<Result<CurlResponse, CurlError>, Never>?
  var isCancelled = false

  private var headers: [CurlHeader] = []
  private var headerBytes = 0
  private var body: [UInt8] = []
  private var bodyBytes = 0
  private let receiver: (@Sendable ([UInt8]) throws -> Void)?
  private var status = 0
  private var isTooLarge = false
  private var hasReceiverFailed = false
  // libcurl reports success even if the connection ended inside the header.
  private var isHeaderComplete = false

  /// The largest accepted header, in bytes.
  private static let maximumHeaderBytes = 65_536

  /// Makes a transfer; `receive` gets the body of a successful answer.
  init(
    _ request: CurlRequest, receive: (@Sendable ([UInt8]) throws -> Void)? = nil
  ) {
    self.request = request
    receiver = receive
  }

  /// Resumes the waiting task; the first call counts.
  func finish(_ result: Result<CurlResponse, CurlError>) {
    continuation?.resume(returning: result)
    continuation = nil
  }

  /// Combines libcurl's result and the received bytes into the transfer's result.
  func finish(_ code: CURLcode, status: Int) {
    guard !isTooLarge else {
      return finish(.failure(CurlError(.tooLarge, "the answer is larger than allowed")))
    }
    guard !hasReceiverFailed else {
      return finish(.failure(CurlError(.receiverFailed, "the answer could not be stored")))
    }
    guard code == CURLE_OK else { return finish(.failure(Self.error(code))) }
    guard isHeaderComplete, (200...599).contains(status) else {
      return finish(.failure(CurlError(.incomplete, "the answer's header is incomplete")))
    }
    finish(.success(CurlResponse(status: status, headers: headers, body: body)))
  }

  func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    bodyBytes += bytes.count
    isTooLarge = bodyBytes > request.maximumResponseBytes
    guard !isTooLarge else { return false }
    guard let receiver, (200...299).contains(status) else {
      unsafe body.append(contentsOf: bytes)
      return true
    }
    do {
      try unsafe receiver(Array(bytes))
    } catch {
      hasReceiverFailed = true
    }
    return !hasReceiverFailed
  }

  /// Reads one line of the header, with its line end; an interim answer (1xx) starts over.
  func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    isTooLarge = headerBytes > Self.maximumHeaderBytes
    guard !isTooLarge else { return false }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if line.isEmpty {
      isHeaderComplete = true
    } else if line.hasPrefix("HTTP/") {
      headers = []
      isHeaderComplete = false
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers.append(CurlHeader(String(line[..<colon]), value))
    }
    return true
  }

  private static func error(_ code: CURLcode) -> CurlError {
    let kind: CurlError.Code =
      switch code {
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
        .unreachable
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
        .tlsFailed
      case CURLE_URL_MALFORMAT, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT: .invalidRequest
      default: .incomplete
      }
    let reason = unsafe String(cString: curl_easy_strerror(code))
    return CurlError(kind, reason, curlCode: Int(code.rawValue))
  }
}

/// CURLOPT_WRITEFUNCTION: returning another count than the one given ends the transfer.
func curlDidReceiveBody(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
  return unsafe curlTransfer(context)?.receive(body: bytes) == true ? bytes.count : 0
}

/// CURLOPT_HEADERFUNCTION: called with one whole line.
func curlDidReceiveHeaderLine(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
  return unsafe curlTransfer(context)?.receive(headerLine: bytes) == true ? bytes.count : 0
}

func curlTransfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
  unsafe context.map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}
