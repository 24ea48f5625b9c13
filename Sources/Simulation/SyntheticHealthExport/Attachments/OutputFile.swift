// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that is written from its beginning; its folder is created where it does not exist.
struct OutputFile {
  private let path: String
  private let handle: FileHandle

  init(_ path: String) throws(SyntheticHealthExportError) {
    self.path = path
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
      handle = try FileHandle(forWritingTo: url)
    } catch { throw .file(path, error) }
  }

  func write(_ data: Data) throws(SyntheticHealthExportError) {
    do { try handle.write(contentsOf: data) } catch { throw .file(path, error) }
  }

  func close() throws(SyntheticHealthExportError) {
    do { try handle.close() } catch { throw .file(path, error) }
  }

  static func write(_ data: Data, to path: String) throws(SyntheticHealthExportError) {
    let file = try Self(path)
    try file.write(data)
    try file.close()
  }
}
