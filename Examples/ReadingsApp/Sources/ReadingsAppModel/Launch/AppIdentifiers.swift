// SPDX-License-Identifier: Apache-2.0

/// The names of the app's background tasks, which stand in the Info.plist, too.
public enum AppIdentifiers {
  /// Sends what waits.
  public static let drain = "org.santorio.readings.drain"
  /// Reads what is new in Apple Health.
  public static let healthRefresh = "org.santorio.readings.health-refresh"
  /// Reads what Apple Health has and the app does not, while the phone is idle.
  public static let healthCatchUp = "org.santorio.readings.health-catch-up"
  /// All of them.
  public static let backgroundTasks = [drain, healthRefresh, healthCatchUp]

  /// How the names of the background uploads begin; each server has its own.
  static let uploads = "org.santorio.readings.uploads"
}
