// SPDX-License-Identifier: Apache-2.0

/// One end of an L2CAP connection-oriented channel: a stream of bytes each way.
///
/// Methods may be called on any thread and return immediately. A channel ends when either side
/// closes it, when its link ends, and when this end is released. Bytes written before `close` are
/// still sent.
package protocol RadioChannel: AnyObject, Sendable {
  /// The number of the channel's service.
  var psm: CBL2CAPPSM { get }

  /// The bytes and the room available now.
  var status: RadioChannelStatus { get }

  /// Reads the bytes that have arrived, as many as fit; returns their number.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int

  /// Writes the bytes that there is room for; returns their number, 0 after the end.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int

  /// Sets the object that is notified of changes; held weakly.
  func setListener(_ listener: (any RadioChannelListener)?)

  /// Ends the channel; the other side is notified when everything written has arrived.
  func close()
}

/// The state of a ``RadioChannel``.
package struct RadioChannelStatus: Hashable, Sendable {
  /// The number of bytes to be read, also after the end.
  package var bytesAvailable: Int
  /// The number of bytes that can be written; 0 after the end.
  package var room: Int
  /// How the channel ended; nil while it is open.
  package var end: RadioChannelEnd?

  /// A status.
  package init(bytesAvailable: Int, room: Int, end: RadioChannelEnd?) {
    self.bytesAvailable = bytesAvailable
    self.room = room
    self.end = end
  }
}

/// How a ``RadioChannel`` ended.
package enum RadioChannelEnd: Hashable, Sendable {
  /// One of the sides closed it.
  case closed
  /// The link is gone.
  case failed(RadioError)
}

/// The user of a ``RadioChannel``.
package protocol RadioChannelListener: AnyObject, Sendable {
  /// Bytes or room became available after there were none, or the channel has ended.
  ///
  /// Called on any thread; the radio holds no lock meanwhile.
  func channelChanged()

  /// Whether a change is about to be delivered to the app; a simulation waits for that.
  var isBusy: Bool { get }
}
