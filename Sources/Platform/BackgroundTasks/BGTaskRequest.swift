// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an app asks the system to launch it for; one of its two subclasses.
open class BGTaskRequest: NSObject, NSCopying {
  /// The name of the task, as `BGTaskSchedulerPermittedIdentifiers` of the Info.plist has it.
  public let identifier: String
  /// Before this the task does not begin; nil for any time.
  open var earliestBeginDate: Date?

  fileprivate init(named identifier: String) { self.identifier = identifier }

  /// A request of the same content.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = emptyCopy()
    copy.earliestBeginDate = earliestBeginDate
    return copy
  }

  fileprivate func emptyCopy() -> BGTaskRequest { BGTaskRequest(named: identifier) }
}

/// Asks for half a minute in which the app brings itself up to date.
open class BGAppRefreshTaskRequest: BGTaskRequest {
  /// A request for a task.
  public init(identifier: String) { super.init(named: identifier) }

  fileprivate override func emptyCopy() -> BGTaskRequest {
    BGAppRefreshTaskRequest(identifier: identifier)
  }
}

/// Asks for some minutes of work that can wait until the device is idle.
open class BGProcessingTaskRequest: BGTaskRequest {
  /// Whether the task needs the network; not by default.
  open var requiresNetworkConnectivity = false
  /// Whether the task runs only while the device charges; not by default.
  open var requiresExternalPower = false

  /// A request for a task.
  public init(identifier: String) { super.init(named: identifier) }

  fileprivate override func emptyCopy() -> BGTaskRequest {
    let copy = BGProcessingTaskRequest(identifier: identifier)
    copy.requiresNetworkConnectivity = requiresNetworkConnectivity
    copy.requiresExternalPower = requiresExternalPower
    return copy
  }
}
