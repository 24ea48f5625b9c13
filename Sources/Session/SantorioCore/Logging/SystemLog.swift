// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(os) && canImport(Darwin)
  import os
#endif

/// The destination of messages when there is no handler.
enum SystemLog {
  static func write(_ tag: String, _ message: String) {
    #if canImport(os) && canImport(Darwin)
      os_log(
        "%{public}@", log: OSLog(subsystem: "org.santorio", category: tag), type: .debug,
        message as NSString)
    #else
      FileHandle.standardError.write(
        Data("\(Date().formatted(.iso8601)) \(tag): \(message)\n".utf8))
    #endif
  }
}
