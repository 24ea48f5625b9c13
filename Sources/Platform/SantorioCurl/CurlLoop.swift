// SPDX-License-Identifier: Apache-2.0

import CCurl
import Foundation
import SantorioConcurrency
import SantorioCryptography

/// The thread that drives libcurl's multi handle, and the interface to it for other threads.
@safe final class CurlLoop: @unchecked Sendable {
  private struct Mailbox {
    var started: [CurlTransfer] = []
    var cancelled: [CurlTransfer] = []
    var isStopped = false
  }

  // `mailbox` is shared. `multi` is used by the loop's thread, and by others for a wake-up while
  // they hold the mailbox and it is not stopped. The rest belongs to the loop's thread.
  private let mailbox = Locked(Mailbox())
  private let multi: UnsafeMutableRawPointer?
  private var active: [UnsafeMutableRawPointer: (transfer: CurlTransfer, headers: HeaderList)] =
    unsafe [:]
  private var idle: [UnsafeMutableRawPointer] = unsafe []

  private let route: CurlRoute

  private static let unusable = CurlError(
    .invalidRequest, "libcurl accepts no transfers: it is out of memory, or could not start")
  private static let cancelled = CurlError(.cancelled, "the task was cancelled")

  private static let isReady =
    OpenSSL.outlivesThreads && curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  convenience init(_ route: CurlRoute) {
    unsafe self.init(route, multi: Self.isReady ? curl_multi_init() : nil)
  }

  /// Drives a multi handle; without one every transfer fails.
  init(_ route: CurlRoute, multi: UnsafeMutableRawPointer?) {
    self.route = route
    unsafe self.multi = multi
    unsafe ccurl_multi_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 6)
  }

  // MARK: - From any thread

  func start(_ transfer: CurlTransfer) {
    guard unsafe multi != nil else { return transfer.finish(.failure(Self.unusable)) }
    post { $0.started.append(transfer) }
  }

  /// Requests a transfer's end, which may come before its start or after it, or be over already.
  func cancel(_ transfer: CurlTransfer) {
    post { $0.cancelled.append(transfer) }
  }

  func stop() {
    post { $0.isStopped = true }
  }

  private func post(_ message: (inout Mailbox) -> Void) {
    mailbox.withLock { mailbox in
      guard unsafe multi != nil, !mailbox.isStopped else { return }
      message(&mailbox)
      unsafe curl_multi_wakeup(multi)
    }
  }

  // MARK: - On the loop's thread

  func run() {
    guard unsafe multi != nil else { return }
    ignoreBrokenPipes()
    while readMailbox() {
      var running: Int32 = 0
      unsafe curl_multi_perform(multi, &running)
      finishTransfers()
      unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
    cleanUp()
  }

  // A write to a closed connection signals the writing thread. Blocked here, the signal has no
  // effect, and its handling in the rest of the process is left to the program.
  private func ignoreBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Starts and ends transfers as requested; false when the loop must stop.
  func readMailbox() -> Bool {
    let mail = mailbox.withLock { mailbox in
      defer {
        mailbox.started = []
        mailbox.cancelled = []
      }
      return mailbox
    }
    for transfer in mail.cancelled { transfer.isCancelled = true }
    for transfer in mail.started { begin(transfer) }
    for transfer in mail.cancelled { abort(transfer) }
    return !mail.isStopped
  }

  private func begin(_ transfer: CurlTransfer) {
    guard !transfer.isCancelled else { return transfer.finish(.failure(Self.cancelled)) }
    guard let handle = unsafe idle.popLast() ?? curl_easy_init() else {
      return transfer.finish(.failure(Self.unusable))
    }
    unsafe curl_easy_reset(handle)
    let headers = HeaderList(transfer.request)
    unsafe CurlOptions.apply(transfer, headers, to: handle)
    if let error = unsafe route.apply(to: handle, for: transfer.request.url) {
      unsafe idle.append(handle)
      return transfer.finish(.failure(error))
    }
    guard unsafe curl_multi_add_handle(multi, handle) == CURLM_OK else {
      unsafe curl_easy_cleanup(handle)
      return transfer.finish(.failure(Self.unusable))
    }
    unsafe active[handle] = (transfer, headers)
  }

  /// Ends an active transfer; one that has yet to start still belongs to its sender.
  private func abort(_ transfer: CurlTransfer) {
    guard let handle = unsafe active.first(where: { unsafe $0.value.transfer === transfer })?.key
    else { return }
    unsafe release(handle)
    transfer.finish(.failure(Self.cancelled))
  }

  private func finishTransfers() {
    var remaining: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &remaining) {
      guard unsafe message.pointee.msg == CURLMSG_DONE,
        let handle = unsafe message.pointee.easy_handle
      else { continue }
      let code = unsafe message.pointee.data.result
      var status = 0
      unsafe ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
      unsafe release(handle)?.finish(code, status: status)
    }
  }

  @discardableResult
  private func release(_ handle: UnsafeMutableRawPointer) -> CurlTransfer? {
    unsafe curl_multi_remove_handle(multi, handle)
    unsafe idle.append(handle)
    return unsafe active.removeValue(forKey: handle)?.transfer
  }

  private func cleanUp() {
    for transfer in unsafe active.values.map(\.transfer) { abort(transfer) }
    while let handle = unsafe idle.popLast() { unsafe curl_easy_cleanup(handle) }
    unsafe curl_multi_cleanup(multi)
  }
}
