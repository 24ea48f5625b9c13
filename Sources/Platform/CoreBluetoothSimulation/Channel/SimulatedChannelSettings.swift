// SPDX-License-Identifier: Apache-2.0

/// The settings of a ``SimulatedHost`` for L2CAP channels that are opened afterwards.
///
/// Each host announces what it receives; see the Core Specification, Vol 3, Part A, 4.22 and 10.1.
/// Numbers out of range are set to the nearest in range.
public struct SimulatedChannelSettings: Hashable, Sendable {
  /// The longest data unit that the host reassembles, in bytes, 23 through 65,535.
  public var mtu = 2_048
  /// The longest frame that the host receives, in bytes, 23 through 65,533.
  public var mps = 247
  /// How many frames may be unread, 1 through 65,535; at least those of one data unit.
  public var credits = 32
  /// How many bytes may wait to be sent before a writer has to wait.
  public var sendBuffer = 8_192

  /// Settings with the default numbers.
  public init() {}

  /// The settings with all numbers in range.
  var valid: Self {
    var result = self
    result.mtu = min(max(23, mtu), 65_535)
    result.mps = min(max(23, mps), 65_533)
    let framesOfUnit = (result.mtu + ChannelFlow.lengthField + result.mps - 1) / result.mps
    result.credits = min(max(framesOfUnit, credits), 65_535)
    result.sendBuffer = max(1, sendBuffer)
    return result
  }
}

extension SimulatedHost {
  /// The settings for channels that are opened afterwards.
  public var channel: SimulatedChannelSettings {
    get { with(\.channel) }
    set { with { $0.channel = newValue } }
  }
}
