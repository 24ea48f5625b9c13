// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(os) && canImport(Darwin)
  import os
#endif

/// The destination of messages when there is no handler.
enum SystemLog {
  static func write(_ category: SantorioLogging.Category, _ level: LogLevel, _ message: String) {
    #if canImport(os) && canImport(Darwin)
      // Public, since there is nothing of a person in it; else a sysdiagnose shows "<private>".
      os_log(
        "%{public}@", log: OSLog(subsystem: SantorioLogging.subsystem, category: category.rawValue),
        type: level.type, message as NSString)
    #else
      FileHandle.standardError.write(
        Data("\(Date().formatted(.iso8601)) \(category.rawValue): \(message)\n".utf8))
    #endif
  }
}

#if canImport(os) && canImport(Darwin)
  extension LogLevel {
    /// The level in Apple's log: these two are kept on the disk, lower ones in memory at best.
    fileprivate var type: OSLogType {
      switch self {
      case .notice: .default
      case .warning: .error
      }
    }
  }
#endif
