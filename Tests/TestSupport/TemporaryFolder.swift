// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A folder that is removed with its owner.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("santorio-\(UUID().uuidString)")
    // Programs refuse a folder that others may write in.
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.path + "/" + name }
}
