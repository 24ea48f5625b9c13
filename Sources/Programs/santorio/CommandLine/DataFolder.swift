// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles

/// The folder that a command keeps its files in.
enum DataFolder {
  /// Creates the folder, readable by its owner only, unless it exists.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - command: The command, for the error text.
  /// - Returns: The folder.
  /// - Throws: ``UsageError`` when it cannot be created, and when others may write in it: they could
  ///   put a file or a socket of their own in the place of this program's.
  static func make(_ path: String, for command: String) throws(UsageError) -> URL {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
      let number = ((underlying ?? error) as NSError).code
      let reason = unsafe String(cString: strerror(Int32(truncatingIfNeeded: number)))
      throw UsageError(
        "the folder \"\(path)\" cannot be created: \(reason). Choose another one with --data.",
        command: command)
    }
    guard !FolderPermissions.letOthersWrite(in: path) else {
      throw UsageError(
        "others may write in the folder \"\(path)\"; choose one of your own, or run: chmod go-w "
          + path, command: command)
    }
    return folder
  }
}
