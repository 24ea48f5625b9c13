// SPDX-License-Identifier: Apache-2.0

import SantorioMQTT

/// Other hubs at the broker that have this one's name, and what was found there that one has left.
///
/// Each hub says from time to time which installation it is, and writes that into its states. What
/// another installation has published is its own while it says that it is there; else it is taken for
/// this hub's, which may have been installed anew.
struct Namesakes {
  /// How often each hub says that it is there.
  static let period = Duration.seconds(60)
  /// After how many periods of silence another one has gone.
  private static let longestSilence = 3
  /// How much of others is looked at again once they have gone; of more, the rest is found at the
  /// next connection.
  static let capacity = 1024
  /// Of how many others is known that they are there.
  private static let most = 16

  /// What tells this hub from others of its name; nil where nothing does.
  let installation: String?
  /// The others that are there, and how many periods they may go on being silent.
  private var others: [String: Int] = [:]
  /// The states of others that the broker has kept, by their topics.
  private var states: [String: MQTTMessage] = [:]
  private var folders: Set<Substring> = []
  /// How many periods have ended since the last connection.
  private var periods = 0

  init(_ installation: String?) { self.installation = installation }

  /// Whether another one is there.
  var areThere: Bool { !others.isEmpty }

  /// What a hub says of itself; nil where it has nothing to say.
  var claim: [UInt8]? { installation.map { Array($0.utf8) } }

  /// Notes what a hub says of itself.
  ///
  /// - Returns: Whether it is another one that was not known: it has to be told of this one.
  mutating func hear(_ claim: [UInt8]) -> Bool {
    guard (1...64).contains(claim.count) else { return false }
    return hear(String(decoding: claim, as: UTF8.self))
  }

  private mutating func hear(_ other: String) -> Bool {
    guard let installation, other != installation else { return false }
    guard others[other] != nil || others.count < Self.most else { return false }
    return others.updateValue(Self.longestSilence, forKey: other) == nil
  }

  /// Whether a state is another hub's.
  ///
  /// - Parameter message: The state. One that was not kept by the broker shows that the other is there.
  /// - Returns: Whether it is to be left alone.
  mutating func own(_ message: MQTTMessage) -> Bool {
    guard let installation, let hub = SensorState.hub(of: message.payload), hub != installation
    else { return false }
    if !message.isRetained {
      _ = hear(hub)
    } else if states.count < Self.capacity {
      states[message.topic] = message
      folders.insert(HomeAssistantTopics.folder(ofState: message.topic))
    }
    return true
  }

  /// Whether another hub may say whether a device is there.
  func mayOwn(_ folder: Substring) -> Bool {
    states.count >= Self.capacity || folders.contains(folder)
  }

  /// Gives others the time to say that they are there.
  mutating func connected() { periods = 0 }

  /// Begins anew with what the broker has kept.
  mutating func disconnected() { (states, folders) = ([:], []) }

  /// Ends a period.
  ///
  /// - Returns: The states of those who are not there any more.
  mutating func endPeriod() -> [MQTTMessage] {
    others = others.compactMapValues { $0 > 1 ? $0 - 1 : nil }
    periods += 1
    // Another one has had the time to say that it is there.
    guard periods > 1, others.isEmpty else { return [] }
    defer { (states, folders) = ([:], []) }
    return states.sorted { $0.key < $1.key }.map(\.value)
  }
}
