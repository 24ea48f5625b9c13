// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What is asked of an oximeter ring.
///
/// Viatom's rings of two generations are read in the same steps, with other frames and commands:
/// each generation is a dialect.
package enum RingRequest: Hashable, Sendable {
  /// To be let in; the ring does not answer.
  case authenticate
  /// What must be sent before files are given, whatever it does.
  case setUp, settings
  /// What the ring reports about itself.
  case information
  /// To take over the receiver's local time.
  case setClock
  /// The names of its recordings.
  case list
  /// To open a recording.
  case open(String)
  /// The next bytes of the open recording.
  case read(block: Int, offset: Int)
  /// To close what is open.
  case close
  /// The values of the moment, by the first or by an older command.
  case live, liveAsBefore
}

/// What a ring answers.
package enum RingAnswer: Hashable, Sendable {
  /// It was done.
  case done
  /// It was not done.
  case refused
  case information(RingInformation)
  /// The names of its recordings.
  case names([String])
  /// A recording is open and has this many bytes.
  case opened(count: Int)
  /// Bytes of the open recording.
  case bytes([UInt8])
  case moment(OximetryMoment)
}

/// What a ring reports about itself.
package struct RingInformation: Hashable, Sendable {
  /// Model, serial number and so on, as far as it reports them.
  package var facts: [DeviceInformation] = []
  /// What its clock shows.
  package var clock: LocalDateTime?
  /// The names of its recordings, when it reports them here.
  package var names: [String]?

  package init() {}
}

/// A recording as a reading.
package enum RingRecording: Hashable, Sendable {
  case reading(DeviceReading)
  /// The ring has not finished it; it is complete another time.
  case unfinished
}

/// How one generation of rings is spoken to.
package protocol RingDialect: Sendable {
  associatedtype Frame: StreamedFrame

  /// Where requests are written.
  var requests: GATTAttribute { get }
  /// Where answers come from.
  var answers: GATTAttribute { get }
  /// What is asked before the recordings.
  var opening: [RingRequest] { get }
  /// The commands for the values of the moment, the first to be tried first.
  var live: [RingRequest] { get }
  /// How many bytes one write holds; nil for a whole frame.
  var writeLength: Int? { get }
  /// Whether an answer names its request, so that a late one is not taken for that to the next.
  var namesRequests: Bool { get }

  /// The bytes of a request.
  func bytes(of request: RingRequest, at time: DriverTime) -> [UInt8]
  /// What a frame answers to a request; nil when it is no answer to it.
  func answer(_ frame: Frame, to request: RingRequest) -> RingAnswer?
  /// What a recording is.
  func recording(_ name: String, _ bytes: [UInt8]) -> RingRecording
}
