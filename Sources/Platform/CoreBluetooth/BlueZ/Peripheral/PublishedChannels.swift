// SPDX-License-Identifier: Apache-2.0

/// The numbers under which a session accepts channels, and the channels; on the host's queue.
struct PublishedChannels {
  private struct Entry {
    let listener: L2CAPListener
    var channels: [Weak] = []
  }

  private struct Weak {
    weak var channel: SocketChannel?
  }

  private var entries: [CBL2CAPPSM: Entry] = [:]

  mutating func add(_ listener: L2CAPListener) {
    entries[listener.psm] = Entry(listener: listener)
  }

  mutating func add(_ channel: SocketChannel) {
    entries[channel.psm]?.channels.removeAll { $0.channel == nil }
    entries[channel.psm]?.channels.append(Weak(channel: channel))
  }

  /// Closes a number and its channels; false when the number is not published here.
  mutating func remove(_ psm: CBL2CAPPSM) -> Bool {
    guard let entry = entries.removeValue(forKey: psm) else { return false }
    for channel in entry.channels { channel.channel?.close() }
    return true
  }

  mutating func removeAll() {
    for psm in entries.keys { _ = remove(psm) }
  }
}

// Everything here runs on the host's queue.
extension BlueZPeripheralSession {
  func listen(encrypted: Bool) {
    guard let adapter = host.adapterAddress, host.state == .poweredOn else {
      return send(.channelPublished(0, .system(.notConnected)))
    }
    do throws(SocketError) {
      let listener = try L2CAPListener(at: adapter, encrypted: encrypted, queue: host.queue) {
        [weak self] in self?.accept($0, from: $1)
      }
      channels.add(listener)
      send(.channelPublished(listener.psm, nil))
    } catch {
      send(.channelPublished(0, RadioError(error)))
    }
  }

  func stopListening(_ psm: CBL2CAPPSM) {
    let isKnown = channels.remove(psm)
    send(.channelUnpublished(psm, isKnown ? nil : .system(.invalidParameters)))
  }

  /// Accepts a channel; one from a central that is no longer connected closes when released.
  private func accept(_ channel: SocketChannel, from address: BlueZAddress) {
    guard let device = host.devices.first(where: { $0.address == address }),
      let central = central(device.path)
    else { return }
    channels.add(channel)
    send(.channelOpened(central, channel))
  }
}
