// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import ValidicCore
import ValidicHealthKit

#if canImport(UIKit)
  import UIKit
#endif

// The code of Validic's guide "iOS Native SDK" on HealthKit.

/// "Subscribe to changes".
@MainActor
final class HealthKitScreen {
  func toggleHealthKit(_ sender: UISwitch) {
    if sender.isOn {
      var sampleTypes = VLDHealthKitSubscription.sampleTypes(
        for: VLDHealthKitSubscriptionSet.routine)
      sampleTypes?.append(
        contentsOf: VLDHealthKitSubscription.sampleTypes(
          for: VLDHealthKitSubscriptionSet.biometrics))
      sampleTypes?.append(
        contentsOf: VLDHealthKitSubscription.sampleTypes(for: VLDHealthKitSubscriptionSet.diabetes))
      sampleTypes?.append(
        contentsOf: VLDHealthKitSubscription.sampleTypes(for: VLDHealthKitSubscriptionSet.sleep))
      sampleTypes?.append(
        contentsOf: VLDHealthKitSubscription.sampleTypes(
          for: VLDHealthKitSubscriptionSet.basicNutrition))
      // Changed: the set of this line is cut off in the guide.
      sampleTypes?.append(
        contentsOf: VLDHealthKitSubscription.sampleTypes(for: VLDHealthKitSubscriptionSet.fitness))
      sampleTypes?.append(
        contentsOf: VLDHealthKitSubscription.sampleTypes(for: VLDHealthKitSubscriptionSet.weight))

      VLDHealthKitManager.sharedInstance().setSubscriptions(sampleTypes, completion: nil)
    } else {
      VLDHealthKitManager.sharedInstance().setSubscriptions([], completion: nil)
    }
  }
}

/// "Retrieve data continuously" and "Subscribe to Intraday steps".
final class HealthKitDelegate {
  // Changed: the comma after the first parameter is missing in the guide,
  // `UIApplicationLaunchOptionsKey` is the name of Swift 4, and the call is cut off.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    VLDHealthKitManager.sharedInstance().processIntraday = true
    VLDHealthKitManager.sharedInstance().observeCurrentSubscriptions()
    return true
  }
}

/// "Fetch historical data".
enum HistorySnippets {
  static func fetch(_ completion: @escaping @Sendable ([AnyHashable: Any]?, Error?) -> Void) {
    let toDate = Calendar.current.startOfDay(for: Date())
    let toDateComponents = Calendar.current.dateComponents([.year, .month, .day], from: toDate)
    // Changed: the name of the method is cut off in the guide.
    // swift-format-ignore: NeverForceUnwrap
    let fromDate = Calendar.current.date(
      byAdding: .day, value: -30, to: toDate, wrappingComponents: false)!
    let fromDateComponents = Calendar.current.dateComponents([.year, .month, .day], from: fromDate)

    // Changed: the call and the sets are cut off in the guide.
    VLDHealthKitManager.sharedInstance().fetchHistoricalSets(
      [
        NSNumber(value: VLDHealthKitHistoricalSet.routine.rawValue),
        NSNumber(value: VLDHealthKitHistoricalSet.fitness.rawValue),
      ],
      from: fromDateComponents,
      to: toDateComponents
    ) { (results: [AnyHashable: Any]?, error: Error?) in
      completion(results, error)
    }
  }
}
