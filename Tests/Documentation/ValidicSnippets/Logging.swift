// SPDX-License-Identifier: Apache-2.0

import ValidicCore

/// Validic's guide "iOS Native SDK" on logging.
enum LoggingSnippets {
  static func enable() {
    // Changed: the guide has this in Objective-C, see ObjectiveC/Snippets.m; here it is in Swift.
    VLDLogging.sharedInstance().isEnabled = true
    VLDLogging.sharedInstance().log =
      VLDLog.bluetooth.rawValue | VLDLog.core.rawValue | VLDLog.OCR.rawValue
      | VLDLog.healthKit.rawValue
    VLDLogging.sharedInstance().setLogger { sdkTag, message in
      print("\(sdkTag): \(message)")
    }
  }
}
