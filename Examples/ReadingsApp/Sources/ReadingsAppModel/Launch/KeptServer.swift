// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The address of the server of the last sign-in, in a file.
///
/// The system may launch the app before the phone was unlocked for the first time. `UserDefaults` are
/// empty then, and the app would take a person who is signed in for one who is not. This file can
/// always be read.
struct KeptServer {
  let folder: URL

  private var file: URL { folder.appendingPathComponent("server") }

  /// The address; nil before the first sign-in.
  var text: String? { try? String(contentsOf: file, encoding: .utf8) }

  /// Keeps an address.
  func keep(_ text: String) {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(text.utf8).write(to: file, options: [.atomic, .noFileProtection])
  }
}
