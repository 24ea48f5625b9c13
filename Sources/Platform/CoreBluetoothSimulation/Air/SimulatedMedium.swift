// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A position in metres.
public struct SimulatedPosition: Hashable, Sendable {
  /// Metres to the east.
  public var x: Double
  /// Metres to the north.
  public var y: Double

  /// The position with these coordinates, in metres.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }

  /// The distance in metres.
  public func distance(to other: Self) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

/// How radio waves behave on a ``SimulatedRadioEnvironment``.
///
/// The signal weakens with the logarithm of the distance. With the default numbers the range is
/// 100 metres.
public struct SimulatedMedium: Hashable, Sendable {
  /// The signal strength at a distance of one metre, in dBm.
  public var rssiAtOneMeter = -55.0
  /// How fast the signal weakens: 2 in the open, 3 to 4 inside a building.
  public var pathLossExponent = 2.0
  /// The most by which one packet's signal strength differs from the average, in dB.
  public var rssiNoise = 2.0
  /// The weakest signal that is received, in dBm.
  public var sensitivity = -95.0
  /// The share of advertisements in range that get lost, 0 through 1.
  public var advertisementLoss = 0.0
  /// The share of a link's packets that get lost, 0 through 1; each is sent again an interval
  /// later.
  ///
  /// A packet that is lost again and again for the supervision timeout ends the link. A link on
  /// which nothing is sent is not affected.
  public var packetLoss = 0.0

  /// A medium with the default numbers.
  public init() {}

  /// The average signal strength at a distance in metres, in dBm.
  public func rssi(at distance: Double) -> Double {
    rssiAtOneMeter - 10 * pathLossExponent * log10(max(distance, 0.1))
  }
}

/// How fast the links of a ``SimulatedHost`` are; the peripheral's settings apply to a link.
public struct SimulatedLinkSettings: Hashable, Sendable {
  /// The time from the advertisement that is answered until the link is up.
  public var setupTime = Duration.milliseconds(60)
  /// The average time that a packet takes: one connection interval.
  public var connectionInterval = Duration.milliseconds(30)
  /// How many notifications or commands are sent in one interval.
  public var packetsPerInterval = 4
  /// The time that the server needs to answer a request.
  public var answerTime = Duration.zero
  /// The time without a signal after which a link is lost.
  public var supervisionTimeout = Duration.seconds(4)
  /// The longest attribute packet, in bytes, 23 through 517; the smaller of both sides applies.
  public var mtu = 185

  /// Settings with the default numbers.
  public init() {}
}

/// How a host reacts when it is asked to pair.
public enum SimulatedPairing: Hashable, Sendable {
  /// Pairs.
  case accept
  /// Pairs after the time that a user needs to agree.
  case acceptAfter(Duration)
  /// Refuses.
  case reject
  /// Performs the pairing, which fails as with a wrong passkey.
  case fail
  /// Never answers; pairing fails after 30 seconds.
  case ignore
}
