// SPDX-License-Identifier: Apache-2.0

/// The screens between which a person changes while signed in.
public enum AppTab: String, CaseIterable, Hashable, Sendable {
  /// Choosing, pairing and reading devices.
  case devices
  /// Checking what was read.
  case review
  /// What waits for the server.
  case queue
  /// Everything else.
  case settings

  /// Its name.
  public var title: AppText {
    switch self {
    case .devices: AppText(.devices)
    case .review: AppText(.review)
    case .queue: AppText(.queue)
    case .settings: AppText(.settings)
    }
  }

  /// Its symbol, of Apple's SF Symbols.
  public var symbol: String {
    switch self {
    case .devices: "wave.3.right"
    case .review: "checklist"
    case .queue: "tray.and.arrow.up"
    case .settings: "gearshape"
    }
  }
}
