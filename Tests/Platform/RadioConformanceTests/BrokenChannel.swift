// SPDX-License-Identifier: Apache-2.0

import RadioConformance

/// What is wrong with a ``BrokenChannel``.
struct ChannelFault: Sendable {
  var status: @Sendable (RadioChannelStatus) -> RadioChannelStatus = { $0 }
  /// What becomes of bytes that are read at once.
  var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }
  /// Whether nobody hears of changes.
  var isSilent = false
  /// Whether it says that it takes everything, given whether it has ended.
  var takesAll: @Sendable (Bool) -> Bool = { _ in false }
  var isDeafToClose = false
}

/// A channel that keeps its contract but for a fault.
final class BrokenChannel: RadioChannel {
  private let channel: any RadioChannel
  private let fault: ChannelFault

  init(_ channel: any RadioChannel, _ fault: ChannelFault) {
    self.channel = channel
    self.fault = fault
  }

  var psm: CBL2CAPPSM { channel.psm }

  var status: RadioChannelStatus { fault.status(channel.status) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = channel.read(into: buffer)
    let bytes = fault.bytes(Array(buffer.prefix(count)))
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = channel.write(bytes)
    return fault.takesAll(channel.status.end != nil) ? bytes.count : count
  }

  func setListener(_ listener: (any RadioChannelListener)?) {
    if !fault.isSilent { channel.setListener(listener) }
  }

  func close() {
    if !fault.isDeafToClose { channel.close() }
  }
}
