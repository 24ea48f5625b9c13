// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioFiles
import SantorioSockets

/// The system calls of both ends of a control socket.
enum ControlSocket {
  /// A socket that programs of other users can connect to, as far as the file's group allows it.
  ///
  /// - Throws: ``HubControlError``.
  static func listen(on path: String) throws(HubControlError) -> Int32 {
    try checkFolder(of: path)
    let descriptor = try stream(isBlocking: false)
    do throws(HubControlError) {
      try bind(descriptor, path)
      guard Glibc.listen(descriptor, 16) == 0 else { throw cannotListen(path, errno) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func bind(_ descriptor: Int32, _ path: String) throws(HubControlError) {
    do throws(SocketFile.Failure) {
      if try SocketFile.bind(descriptor, to: path, mode: 0o660) { return }
    } catch {
      throw HubControlError(.cannotListen, message(error))
    }
    guard errno == EADDRINUSE else { throw cannotListen(path, errno) }
    throw HubControlError(
      .inUse,
      "\(path) is in use: another hub runs, or it is another file; stop that hub, or name another "
        + "socket in \"control\"")
  }

  /// A folder in which others can write lets them put a socket of their own in this one's place.
  private static func checkFolder(of path: String) throws(HubControlError) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    var facts = stat()
    guard unsafe stat(folder, &facts) == 0 else {
      throw HubControlError(
        .cannotListen,
        "the folder \(folder) of the control socket cannot be used: \(reason(errno)); in a unit of "
          + "systemd, RuntimeDirectory=santorio makes /run/santorio")
    }
    guard !FolderPermissions.letOthersWrite(in: folder) else {
      throw HubControlError(
        .unsafeFolder,
        "others may write in the folder \(folder) of the control socket; run: chmod go-w \(folder)")
    }
    guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
      throw HubControlError(
        .unsafeFolder,
        "the folder \(folder) of the control socket belongs to another user; it must be root's or "
          + "the hub's own")
    }
  }

  private static func stream(isBlocking: Bool) throws(HubControlError) -> Int32 {
    let flags = SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0)
    guard descriptor >= 0 else {
      throw HubControlError(.unreachable, "no socket can be opened: \(reason(errno))")
    }
    return descriptor
  }

  /// Connects to a hub.
  ///
  /// - Throws: ``HubControlError`` that says why there is none.
  static func connect(to path: String) throws(HubControlError) -> Int32 {
    let descriptor = try stream(isBlocking: true)
    let number: Int32
    do throws(SocketFile.Failure) {
      if try SocketFile.connect(descriptor, to: path) { return descriptor }
      number = errno
    } catch {
      close(descriptor)
      if case .folder(_, ENOENT) = error { throw noHub(path, ENOENT) }
      throw HubControlError(.unreachable, message(error))
    }
    close(descriptor)
    throw noHub(path, number)
  }

  private static func noHub(_ path: String, _ number: Int32) -> HubControlError {
    switch number {
    case ENOENT, ENOTDIR:
      HubControlError(
        .noHub,
        "no hub runs here: \(path) does not exist; start one, or name the socket that is in its "
          + "configuration")
    case ECONNREFUSED:
      HubControlError(
        .noHub, "no hub runs here: the one that made \(path) has ended; start it again")
    case EACCES, EPERM:
      HubControlError(
        .notAllowed,
        "this user may not use \(path); run as root, or join the file's group and add the user's "
          + "number (id -u) to \"control\": {\"uids\": []} in the hub's configuration")
    default: HubControlError(.unreachable, "\(path) cannot be used: \(reason(number))")
    }
  }

  /// Sends bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - descriptor: The socket.
  ///   - milliseconds: How long the other end may take to make room for all of them.
  /// - Returns: Whether all were sent.
  static func send(_ bytes: [UInt8], on descriptor: Int32, milliseconds: Int) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(milliseconds)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      if errno == EINTR { continue }
      let left = (deadline - clock.now) / .milliseconds(1)
      guard errno == EAGAIN, left > 0 else { return false }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&waiting, 1, Int32(left.rounded(.up))) > 0 || errno == EINTR else {
        return false
      }
    }
    return true
  }

  static func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

  private static func cannotListen(_ path: String, _ number: Int32) -> HubControlError {
    HubControlError(
      .cannotListen, "the control socket \(path) cannot be opened: \(reason(number))")
  }

  private static func message(_ failure: SocketFile.Failure) -> String {
    switch failure {
    case .folder(let folder, let number): "the folder \(folder) cannot be opened: \(reason(number))"
    case .nameTooLong(let path): "the name of the socket \(path) is too long; choose a shorter one"
    }
  }
}
