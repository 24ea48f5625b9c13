// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import SantorioConcurrency

/// Accepts connections and hands them to the threads that serve them.
///
/// The library itself would stop accepting at its connection limit. The acceptor instead closes the
/// lowest-priority connection and serves the new one.
final class Acceptor: Sendable {
  /// A socket and the daemon that serves its connections.
  struct Place: Sendable {
    let socket: ListeningSocket
    let listener: HTTPConnection.Listener
    let daemon: HTTPDaemon
  }

  /// The most connections accepted before the other sockets have their turn.
  private static let atOnce = 64

  private let registry: ConnectionRegistry
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.accept")
  private let sources = Locked<[any DispatchSourceRead]>([])
  private let closed = DispatchGroup()
  private let isOutOfDescriptors = Locked(false)

  init(_ registry: ConnectionRegistry, log: @escaping @Sendable (String) -> Void) {
    self.registry = registry
    self.log = log
  }

  /// Accepts connections from now on.
  func start(_ places: [Place]) {
    let made = places.map { place in
      let source = DispatchSource.makeReadSource(
        fileDescriptor: place.socket.descriptor, queue: queue)
      source.setEventHandler { [weak self] in self?.accept(place) }
      closed.enter()
      // Not before Dispatch has released the descriptor.
      source.setCancelHandler { [closed] in
        place.socket.close()
        closed.leave()
      }
      return source
    }
    sources.withLock { $0 = made }
    for source in made { source.activate() }
  }

  /// Stops accepting, and returns when no more connections are accepted.
  func stop() {
    let made = sources.withLock { sources in
      defer { sources = [] }
      return sources
    }
    for source in made { source.cancel() }
    closed.wait()
  }

  private func accept(_ place: Place) {
    for _ in 0..<Self.atOnce {
      guard registry.hasRoom else { return registry.waitForEnd(atMost: .milliseconds(20)) }
      guard let (descriptor, address, size) = place.socket.accept() else { return failed() }
      isOutOfDescriptors.withLock { $0 = false }
      _ = registry.accepted(
        descriptor, from: ClientAddress(address), on: place.listener)
      if !place.daemon.add(descriptor, from: address, size: size) { registry.refused(descriptor) }
    }
  }

  private func failed() {
    guard errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM else { return }
    let isNew = isOutOfDescriptors.withLock { isOutOfDescriptors in
      defer { isOutOfDescriptors = true }
      return !isOutOfDescriptors
    }
    if isNew {
      log(
        "a connection cannot be accepted: the process has too many files open; raise the limit "
          + "(LimitNOFILE, ulimit -n)")
    }
    registry.makeRoom()
    registry.waitForEnd(atMost: .milliseconds(50))
  }
}
