// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSockets
import TestSupport
import Testing

@Suite struct `Socket files` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sock")
  }

  private func streamSocket() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }

  private func listening(on path: String) throws -> Int32 {
    let descriptor = streamSocket()
    try #require(try SocketFile.bind(descriptor, to: path, mode: 0o660))
    try #require(listen(descriptor, 4) == 0)
    return descriptor
  }

  @Test func `have their permissions from the start`() throws {
    let listener = try listening(on: path)
    defer { close(listener) }

    var facts = stat()
    #expect(unsafe lstat(path, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o660)
  }

  @Test func `of a program that has ended are replaced`() throws {
    close(try listening(on: path))

    let listener = try listening(on: path)
    defer { close(listener) }
    let client = streamSocket()
    defer { close(client) }
    #expect(try SocketFile.connect(client, to: path))
  }

  @Test func `of a program that runs are left alone, as are other files`() throws {
    let listener = try listening(on: path)
    defer { close(listener) }
    let other = streamSocket()
    defer { close(other) }

    let isBound = try SocketFile.bind(other, to: path, mode: 0o660)
    #expect(!isBound && errno == EADDRINUSE)

    let file = folder.path("file")
    try Data([1]).write(to: URL(fileURLWithPath: file))
    #expect(try !SocketFile.bind(other, to: file, mode: 0o660))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([1]))
  }

  @Test func `are removed only while they are the same`() throws {
    let first = try listening(on: path)
    let identity = SocketFile.Identity(path)
    close(first)
    unsafe rename(path, path + ".old")
    let second = try listening(on: path)
    defer { close(second) }

    SocketFile.remove(path, if: identity)
    #expect(SocketFile.Identity(path) != nil)
    SocketFile.remove(path, if: SocketFile.Identity(path))
    #expect(SocketFile.Identity(path) == nil)
  }

  @Test func `say which user has connected`() throws {
    let listener = try listening(on: path)
    defer { close(listener) }
    let client = streamSocket()
    defer { close(client) }
    try #require(try SocketFile.connect(client, to: path))
    let connection = accept(listener, nil, nil)
    defer { close(connection) }

    let peer = try #require(PeerCredentials(of: connection))
    #expect(peer.user == geteuid() && peer.group == getegid() && peer.process == getpid())
    #expect(PeerCredentials(of: -1) == nil)
  }

  @Test func `may have a name outside of the file system`() throws {
    let name = "@santorio-\(UUID().uuidString)"
    let listener = streamSocket()
    defer { close(listener) }
    let isBound = unsafe SocketFile.withAddress(name) { unsafe bind(listener, $0, $1) == 0 }
    try #require(isBound && listen(listener, 4) == 0)
    let client = streamSocket()
    defer { close(client) }

    #expect(try SocketFile.connect(client, to: name))
    #expect(SocketFile.Identity(name) == nil)
  }
}
