// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A notification center for closures that run elsewhere.
package struct PostingCenter: @unchecked Sendable {
  // A center may be used from any thread, but SDKs before iOS 17 do not declare it so.
  private let center: NotificationCenter

  package init(_ center: NotificationCenter) { self.center = center }

  /// Posts a notification on the thread of the caller.
  ///
  /// - Parameter notification: The notification.
  package func post(_ notification: Notification) { center.post(notification) }
}
