// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The process at the other end of a Unix socket, as the kernel saw it when it connected.
package struct PeerCredentials: Hashable, Sendable {
  /// The process.
  package let process: pid_t
  /// The user.
  package let user: uid_t
  /// The user's group.
  package let group: gid_t

  /// Asks the kernel (`SO_PEERCRED`, unix(7)); nil for another kind of socket.
  ///
  /// - Parameter descriptor: The connected socket.
  package init?(of descriptor: Int32) {
    // glibc declares `struct ucred` under _GNU_SOURCE only: these are its three members.
    var members: (pid_t, uid_t, gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: members))
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &members, &size) == 0,
      size == socklen_t(MemoryLayout.size(ofValue: members)), members.0 > 0
    else { return nil }
    (process, user, group) = members
  }

  /// The name of the user; the number where the system has none.
  package var userName: String {
    // getpwuid's answer is overwritten by the next call, of any thread.
    var (entry, found) = unsafe (passwd(), UnsafeMutablePointer<passwd>?.none)
    var text = [CChar](repeating: 0, count: 4096)
    let status = unsafe getpwuid_r(user, &entry, &text, text.count, &found)
    guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else {
      return "\(user)"
    }
    return unsafe String(cString: name)
  }
}
