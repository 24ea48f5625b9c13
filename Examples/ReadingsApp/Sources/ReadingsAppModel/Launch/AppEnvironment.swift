// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import Santorio
import SantorioHealthKit

#if os(iOS) || os(Linux)
  import BackgroundTasks
#endif

/// What the app works with: of the phone by default, simulated in tests.
@MainActor public struct AppEnvironment {
  /// Where the app keeps its readings: in its own container, not in that of an App Group.
  public var folder: URL
  /// Where it keeps the units.
  public var defaults = UserDefaults.standard
  /// Whether http may be used to other machines than this one; for tests with a server at hand.
  public var allowsPlainHTTP = false
  /// Changes how a session is made; also given the name that its background uploads have.
  public var configure: (inout SantorioSession.Configuration, String) -> Void = { _, _ in }
  /// The radio.
  public var central = BluetoothCentral.shared
  /// How devices are read.
  public var bluetooth = BluetoothSettings()
  /// The store of Apple Health.
  public var healthStore = HKHealthStore()
  /// How Apple Health is read.
  public var health = HealthKitSettings()
  #if os(iOS) || os(Linux)
    /// The system's background tasks.
    public var scheduler = BGTaskScheduler.shared
  #endif
  /// Shows notices while the app is in the background.
  public var notices: any NoticePosting
  /// The person's region.
  public var locale = Locale.autoupdatingCurrent

  /// An environment with the phone's radio, store and background tasks.
  ///
  /// - Parameters:
  ///   - folder: Where the app keeps its readings.
  ///   - notices: Shows notices.
  public init(folder: URL, notices: any NoticePosting) {
    (self.folder, self.notices) = (folder, notices)
  }

  /// Whether an Info.plist makes room for http to machines in the local network.
  ///
  /// One exception decides for the system and for the app. The example's Info.plist does not have it.
  ///
  /// - Parameter information: The Info.plist.
  /// - Returns: Whether it does.
  nonisolated public static func allowsPlainHTTP(_ information: [String: Any]) -> Bool {
    let security = information["NSAppTransportSecurity"] as? [String: Any]
    return security?["NSAllowsLocalNetworking"] as? Bool ?? false
  }
}
