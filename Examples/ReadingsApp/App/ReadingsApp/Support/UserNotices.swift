// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import Foundation
  import ReadingsAppModel
  import UserNotifications

  /// Shows notices as the system's local notifications.
  @MainActor final class UserNotices: NSObject, NoticePosting {
    /// Called with the screens to which a notice leads that the person has tapped.
    var open: (AppTab) -> Void = { _ in }
    private let center = UNUserNotificationCenter.current()

    override init() {
      super.init()
      // Before the launch is over: the tap may have launched the app.
      center.delegate = self
    }

    func askForPermission() async {
      await withCheckedContinuation { continuation in
        // The system answers on a queue of its own.
        center.requestAuthorization(options: [.alert, .sound]) { @Sendable _, _ in
          continuation.resume()
        }
      }
    }

    func post(_ notice: Notice) {
      let content = UNMutableNotificationContent()
      content.title = notice.title.inNotice
      content.body = notice.body.inNotice
      content.sound = .default
      content.userInfo = [Self.tabKey: notice.tab.rawValue]
      center.add(UNNotificationRequest(identifier: notice.id, content: content, trigger: nil))
    }

    func removeAll() { center.removeAllDeliveredNotifications() }

    nonisolated private static let tabKey = "tab"
  }

  extension UserNotices: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping () -> Void
    ) {
      let name = response.notification.request.content.userInfo[Self.tabKey] as? String
      let tab = name.flatMap(AppTab.init)
      Task { @MainActor in if let tab { open(tab) } }
      completionHandler()
    }
  }

  extension AppText {
    /// The text for a notification, in the language that the phone has when it is shown.
    fileprivate var inNotice: String {
      NSString.localizedUserNotificationString(forKey: key.rawValue, arguments: arguments)
    }
  }
#endif
