// SPDX-License-Identifier: Apache-2.0

/// Shows notices: those of the system in the app, a list in tests.
@MainActor public protocol NoticePosting: AnyObject {
  /// Asks the person, unless that was done before.
  func askForPermission() async
  /// Shows a notice in the place of an earlier one with its identity.
  func post(_ notice: Notice)
  /// Takes back what is shown.
  func removeAll()
}
