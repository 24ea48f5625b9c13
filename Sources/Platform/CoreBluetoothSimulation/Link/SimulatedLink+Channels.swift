// SPDX-License-Identifier: Apache-2.0

/// L2CAP channels over a link.
extension SimulatedLink {
  /// The dynamic channel identifiers of a link, 0x40 through 0x7F (Core Specification, Vol 3, A,
  /// 2.1).
  private static let maximumChannels = 64

  /// The time of one packet when many are sent in an interval.
  var slot: Int64 { interval / Int64(max(1, peripheral.link.packetsPerInterval)) }

  func traffic(of half: ChannelHalf) -> ChannelTraffic { half.isCentral ? uplink : downstream }

  // MARK: - Opening

  /// Requests a channel from the peripheral.
  func openChannel(
    _ psm: CBL2CAPPSM, by session: CentralRole?, _ completion: @escaping Completion
  ) {
    // The time that a signal may take is between 1 s and 60 s (Core Specification, Vol 3, A,
    // 6.2.1).
    let timeOut = environment.after(30_000_000_000) { [weak self] in
      if self?.isUp == true { completion(.failure(.system(.connectionTimeout))) }
    }
    transmit(interval) { [weak self, weak session] in
      guard let self else { return }
      switch peripheral.faults.next() {
      case .serve: break
      case .ignore: return
      case .drop(let reason): return end(reason)
      }
      let result = acceptChannel(psm, by: session)
      transmitBack(peripheral.link.answerTime.nanoseconds + interval) {
        timeOut.cancel()
        completion(result)
      }
    }
  }

  private func acceptChannel(
    _ psm: CBL2CAPPSM, by session: CentralRole?
  ) -> Result<PeerAnswer, RadioError> {
    guard let session, has(session), let centralAir = session.air,
      let service = peripheral.channelServices[psm], let peripheralAir = service.role.air
    else {
      return .failure(.system(.connectionFailed))
    }
    if service.isEncrypted && !isEncrypted { return .failure(untrustedClientError) }
    guard channels.count < Self.maximumChannels else { return .failure(.system(.outOfSpace)) }
    let channel = Channel(psm, on: self, from: session, to: service.role)
    channels.append(channel)
    service.role.send(
      .channelOpened(
        remoteCentral, SimulatedChannel(channel, channel.atPeripheral, air: peripheralAir)))
    return .success(
      .channel(SimulatedChannel(channel, channel.atCentral, air: centralAir)))
  }

  // MARK: - Closing

  func remove(_ channel: Channel) {
    channels.removeAll { $0 === channel }
  }

  /// A manager of the central leaves the link.
  func closeChannels(of session: CentralRole) {
    for channel in channels where channel.session === session { channel.close(channel.atCentral) }
  }

  /// The services of a role, or one of them, are no longer published.
  func closeChannels(of role: PeripheralRole, psm: CBL2CAPPSM? = nil) {
    for channel in channels
    where channel.role === role && (psm == nil || channel.psm == psm) {
      channel.close(channel.atPeripheral)
    }
  }

  /// A host has lost its radio; the other end may notice later.
  func failChannels(at host: HostCore) {
    for channel in channels {
      let half = host === central ? channel.atCentral : channel.atPeripheral
      half.finish(.failed(.system(.notConnected)))
    }
  }

  /// The link has ended; without a reason, the central has ended it.
  func endChannels(_ reason: RadioError?) {
    let ended = channels
    channels = []
    uplink.removeAll()
    downstream.removeAll()
    for channel in ended {
      channel.abort(
        atCentral: reason.map { .failed($0) } ?? .closed,
        atPeripheral: .failed(reason ?? .system(.peripheralDisconnected)))
    }
  }
}

extension PeripheralRole {
  func publishChannel(encrypted: Bool) {
    locked {
      guard host.state == .poweredOn else { return }
      let psm = host.channelServices.publish(for: self, isEncrypted: encrypted)
      environment.after(0) { [weak self] in
        self?.send(.channelPublished(psm ?? 0, psm == nil ? .system(.outOfSpace) : nil))
      }
    }
  }

  func unpublishChannel(_ psm: CBL2CAPPSM) {
    locked {
      let isKnown = host.channelServices.remove(psm, of: self)
      if isKnown {
        for link in host.incoming { link.closeChannels(of: self, psm: psm) }
      }
      environment.after(0) { [weak self] in
        self?.send(.channelUnpublished(psm, isKnown ? nil : .system(.invalidParameters)))
      }
    }
  }

  /// The program has ended, or the state is below powered off.
  func withdrawChannels() {
    host.channelServices.removeAll(of: self)
    for link in host.incoming { link.closeChannels(of: self) }
  }
}
