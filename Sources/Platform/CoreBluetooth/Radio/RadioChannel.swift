// SPDX-License-Identifier: Apache-2.0

/// One end of an L2CAP connection-oriented channel: a stream of bytes each way.
///
/// Calls may come from any thread and return at once. A channel ends when either side closes it,
/// when its link ends, and when nobody keeps this end any more. What was written before `close`
/// still goes out.
@_spi(Radio)
public protocol RadioChannel: AnyObject, Sendable {
  /// The number of the channel's service.
  var psm: CBL2CAPPSM { get }

  /// What can be done now.
  var status: RadioChannelStatus { get }

  /// Takes out what has arrived, as far as the buffer goes; returns the number of bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int

  /// Takes what there is room for; returns the number of bytes, none after the end.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int

  /// Says who hears of changes; kept weakly.
  func setListener(_ listener: (any RadioChannelListener)?)

  /// Ends the channel; the other side hears of it when everything written has arrived.
  func close()
}

/// What can be done with a ``RadioChannel``.
@_spi(Radio)
public struct RadioChannelStatus: Hashable, Sendable {
  /// Bytes to be read, also after the end.
  public var bytesAvailable: Int
  /// Bytes that can be written; none after the end.
  public var room: Int
  /// Why nothing comes any more; nil while the channel is open.
  public var end: RadioChannelEnd?

  /// A status.
  public init(bytesAvailable: Int, room: Int, end: RadioChannelEnd?) {
    self.bytesAvailable = bytesAvailable
    self.room = room
    self.end = end
  }
}

/// How a ``RadioChannel`` came to its end.
@_spi(Radio)
public enum RadioChannelEnd: Hashable, Sendable {
  /// One of the sides closed it.
  case closed
  /// The link is gone.
  case failed(RadioError)
}

/// Who uses a ``RadioChannel``.
@_spi(Radio)
public protocol RadioChannelListener: AnyObject, Sendable {
  /// There are bytes where there were none, or room where there was none, or the channel has ended.
  ///
  /// Called on any thread; the radio holds no lock meanwhile.
  func channelChanged()

  /// Whether the app is about to hear of a change; a simulation waits for that.
  var isBusy: Bool { get }
}
