// SPDX-License-Identifier: Apache-2.0

import Foundation
import ValidicBluetooth
import ValidicCore

#if canImport(UIKit)
  import UIKit
#endif
#if canImport(UserNotifications)
  import UserNotifications
#endif

// The code of Validic's pages "Bluetooth", and of the guide "iOS Native SDK", on passive reading.

/// "Passive Readings".
final class PassiveDelegate {
  func enableByNumber() {
    VLDBluetoothPassiveManager.sharedInstance().peripheralIDs = [1, 2]
  }

  func enableByPeripheral() {
    if let peripheral = VLDBluetoothPeripheral(forID: 1) {
      VLDBluetoothPassiveManager.sharedInstance().setPeripherals([peripheral])
    }
  }

  func disable() {
    VLDBluetoothPassiveManager.sharedInstance().peripheralIDs = nil
  }

  // Changed: `UIApplicationLaunchOptionsKey` is the name of Swift 4.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    VLDBluetoothPassiveManager.sharedInstance().restoreState()
    return true
  }
}

/// "Passive Readings Notifications".
final class ReadinessNotifier {
  private var observer: (any NSObjectProtocol)?

  func observe() {
    // Changed: the observer is kept, so that it can be removed.
    observer = NotificationCenter.default.addObserver(
      forName: NSNotification.Name.vldBluetoothPassiveIsReadyToRead, object: nil, queue: nil
    ) { (notification) in
      if UIApplication.shared.applicationState == .background {
        if let peripheralID = notification.userInfo?["peripheralID"] as? UInt,
          let peripheralName = VLDBluetoothPeripheral.init(forID: peripheralID)?.name()
        {
          notify("Ready to read \(peripheralName)")
        }
      }
    }
  }

  func stop() {
    observer.map(NotificationCenter.default.removeObserver)
    observer = nil
  }
}

// Changed: `UILocalNotification` is deprecated since iOS 10.
private func notify(_ body: String) {
  #if canImport(UserNotifications)
    let content = UNMutableNotificationContent()
    content.body = body
    content.sound = .default
    UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil))
  #else
    print(body)
  #endif
}
