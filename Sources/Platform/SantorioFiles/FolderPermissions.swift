// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The permissions of a folder that holds a program's files.
package enum FolderPermissions {
  /// Returns whether others than the owner may put files into a folder, and take them out.
  ///
  /// - Parameter path: The folder.
  /// - Returns: False also for one that cannot be looked at.
  package static func letOthersWrite(in path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & 0o022 != 0
  }
}
