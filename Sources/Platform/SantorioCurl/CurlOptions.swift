// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The header fields in libcurl's format, alive as long as their transfer.
@safe final class HeaderList {
  private(set) var list: UnsafeMutablePointer<curl_slist>?

  init(_ request: CurlRequest) {
    append("Expect:")  // no 100-continue: it costs a round trip
    if request.body != nil, !request.headers.contains(where: Self.isContentType) {
      append("Content-Type:")
    }
    for header in request.headers { append("\(header.name): \(header.value)") }
  }

  deinit { unsafe curl_slist_free_all(list) }

  private static func isContentType(_ header: CurlHeader) -> Bool {
    header.name.lowercased() == "content-type"
  }

  private func append(_ line: String) {
    guard let longer = unsafe curl_slist_append(list, line) else { return }
    unsafe list = longer
  }
}

/// The libcurl options of every transfer.
enum CurlOptions {
  static func apply(
    _ transfer: CurlTransfer, _ headers: HeaderList, to handle: UnsafeMutableRawPointer
  ) {
    let request = transfer.request
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    unsafe ccurl_easy_string(handle, CURLOPT_URL, request.url)
    unsafe ccurl_easy_http_only(handle)
    unsafe ccurl_easy_long(handle, CURLOPT_PATH_AS_IS, 1)
    unsafe ccurl_easy_long(handle, CURLOPT_NOSIGNAL, 1)
    unsafe ccurl_easy_long(handle, CURLOPT_TCP_NODELAY, 1)
    unsafe ccurl_easy_long(handle, CURLOPT_PIPEWAIT, 1)
    unsafe apply(limitsOf: request, to: handle)
    // On a new connection libcurl sends nothing twice.
    if !request.isRepeatable { unsafe ccurl_easy_long(handle, CURLOPT_FRESH_CONNECT, 1) }
    unsafe ccurl_easy_long(handle, CURLOPT_CONNECTTIMEOUT_MS, 10_000)
    unsafe ccurl_easy_pointer(handle, CURLOPT_HTTPHEADER, headers.list)
    unsafe ccurl_easy_sink(handle, CURLOPT_WRITEFUNCTION, curlDidReceiveBody)
    unsafe ccurl_easy_pointer(handle, CURLOPT_WRITEDATA, context)
    unsafe ccurl_easy_sink(handle, CURLOPT_HEADERFUNCTION, curlDidReceiveHeaderLine)
    unsafe ccurl_easy_pointer(handle, CURLOPT_HEADERDATA, context)
    if let body = request.body { unsafe apply(body: body, to: handle) }
    unsafe ccurl_easy_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
  }

  /// Less than a byte a second counts as silence; libcurl measures over about five seconds.
  private static func apply(
    limitsOf request: CurlRequest, to handle: UnsafeMutableRawPointer
  ) {
    unsafe ccurl_easy_long(handle, CURLOPT_TIMEOUT_MS, max(1, request.longestMilliseconds))
    unsafe ccurl_easy_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
    unsafe ccurl_easy_long(handle, CURLOPT_LOW_SPEED_TIME, request.longestSilentSeconds)
  }

  /// Sets the size before the bytes: libcurl copies as many as it knows of.
  private static func apply(body: [UInt8], to handle: UnsafeMutableRawPointer) {
    unsafe ccurl_easy_long(handle, CURLOPT_POST, 1)
    unsafe ccurl_easy_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
    unsafe body.withUnsafeBytes { bytes in
      _ = unsafe ccurl_easy_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
    }
  }
}
