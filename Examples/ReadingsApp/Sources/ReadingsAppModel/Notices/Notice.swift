// SPDX-License-Identifier: Apache-2.0

import Santorio
import SantorioUI

/// What a person hears of automatic reading while the app is in the background.
///
/// It lies on the lock screen, which others can read: it names the device and no values.
public struct Notice: Hashable, Sendable {
  /// Whose place it takes: each device has one notice.
  public let id: String
  /// Its first line.
  public let title: AppText
  /// What there is to do.
  public let body: AppText
  /// The screens to which it leads.
  public let tab: AppTab

  /// The notice of an event; nil for one of which nobody needs to hear.
  ///
  /// - Parameter event: What has happened.
  public init?(_ event: PassiveEvent) {
    switch event {
    case .readyToRead(let device, let identifier):
      // The sound of it says: the device was found, now measure.
      self.init(identifier, AppText(.readyToRead, device.name), AppText(.takeMeasurement), .devices)
    case .read(let records, let device, let identifier):
      let count = records.filter(\.kind.isReading).count
      guard count > 0 else { return nil }
      self.init(
        identifier, AppText(.wasRead, device.name), AppText(.newReadings, "\(count)"), .queue)
    case .failed(let error, let device, let identifier):
      // The rest is tried again without the person.
      guard Problem(error).remedy == .pair else { return nil }
      self.init(
        identifier, AppText(.couldNotRead, device.name), AppText(.pairItAgain), .devices)
    case .undecided(_, let device, let identifier):
      self.init(
        identifier, AppText(.wasRead, device.name), AppText(.isItYours), .review)
    default: return nil
    }
  }

  /// The notice that the server has ended the sign-in: nothing is read by itself until the next one.
  static let signedOut = Notice(
    "signed-out", AppText(.signIn), AppText(.signedOutByServer), .devices)

  private init(_ id: some CustomStringConvertible, _ title: AppText, _ body: AppText, _ tab: AppTab)
  {
    (self.id, self.title, self.body, self.tab) = (id.description, title, body, tab)
  }
}
