// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The app that this process belongs to, as its main program or as an extension.
struct AppBundle: Sendable {
  /// Where the process's bundle is.
  let url: URL
  /// The root of the process's own files.
  let home: URL

  static let main = AppBundle(
    url: Bundle.main.bundleURL, home: URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true))

  private var isExtension: Bool { url.pathExtension == "appex" }

  /// The identifier of the app, also in its extensions, which lie in `PlugIns` or `Extensions` of it.
  var identifier: String? {
    var app = url
    if isExtension {
      app = app.deletingLastPathComponent().deletingLastPathComponent()
      // On macOS they lie one level deeper.
      if app.lastPathComponent == "Contents" { app.deleteLastPathComponent() }
    }
    return Bundle(url: app)?.bundleIdentifier
  }

  /// The path of a folder within the container, whose own path changes with each installation; the
  /// whole path of a folder elsewhere.
  func place(of folder: URL) -> String {
    let (place, root) = (
      folder.resolvingSymlinksInPath().path, home.resolvingSymlinksInPath().path
    )
    return place.hasPrefix(root + "/") ? String(place.dropFirst(root.count + 1)) : place
  }

  /// Whether no other program has to do with a folder: this is an app, and the folder is its own.
  func isAlone(with folder: URL) -> Bool { !isExtension && !place(of: folder).hasPrefix("/") }
}
