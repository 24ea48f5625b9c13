// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// The peripheral role of a host for one manager.
final class PeripheralRole: PeripheralSession, @unchecked Sendable {
  let host: HostCore
  private let air: SimulatedAir
  private let mailbox: Mailbox
  private let receiver: Receiver<PeripheralEvent>
  private(set) var advertiser: Advertiser?
  private var open: [RequestNumber: (Result<Data, RadioError>) -> Void] = [:]

  init(
    air: SimulatedAir, host: HostCore, mailbox: Mailbox,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) {
    self.air = air
    self.host = host
    self.mailbox = mailbox
    receiver = Receiver(handler)
  }

  private var ether: Ether { host.ether }

  private func locked(_ body: () -> Void) {
    ether.locked { if receiver.isOpen { body() } }
  }

  /// Calls the manager's handler on its queue.
  func send(_ event: PeripheralEvent) {
    ether.deliver(to: mailbox) { [receiver] in receiver(event) }
  }

  // MARK: - Services

  func add(_ service: LocalService) {
    locked {
      host.server.add(service, for: self)
      for link in host.incoming { link.servicesChanged([]) }
      ether.after(0) { [weak self] in self?.send(.serviceAdded(service.id, nil)) }
    }
  }

  func remove(_ service: LocalAttribute) {
    locked { withdraw { $0.id == service } }
  }

  func removeAll() {
    locked { withdraw { _ in true } }
  }

  private func withdraw(_ condition: (LocalService) -> Bool) {
    let handles = host.server.remove(of: self, where: condition)
    guard !handles.isEmpty else { return }
    for link in host.incoming { link.servicesChanged(handles) }
  }

  // MARK: - Advertising

  func startAdvertising(_ advertisement: Advertisement) {
    locked {
      let error: RadioError? = advertiser == nil ? nil : .system(.alreadyAdvertising)
      if error == nil { advertiser = Advertiser(advertisement.fitted, of: host) }
      advertiser?.wake()
      ether.after(0) { [weak self] in self?.send(.advertisingStarted(error)) }
    }
  }

  func stopAdvertising() {
    locked {
      advertiser?.stop()
      advertiser = nil
    }
  }

  // MARK: - Requests

  /// Asks the manager for a value; without an answer the completion is never called.
  func read(
    _ id: LocalAttribute, offset: Int, by central: RemoteCentral,
    _ completion: @escaping (Result<Data, RadioError>) -> Void
  ) {
    let number = ether.nextNumber()
    open[number] = completion
    send(.read(number, central, id, offset: offset))
  }

  func write(
    _ parts: [WritePart], by central: RemoteCentral,
    _ completion: @escaping (Result<Data, RadioError>) -> Void
  ) {
    let number = ether.nextNumber()
    open[number] = completion
    send(.write(number, central, parts))
  }

  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {
    locked { open.removeValue(forKey: request)?(answer) }
  }

  // MARK: - Updates

  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {
    locked {
      guard let handle = host.server.handle(of: characteristic, in: self) else {
        return send(.updateSent(number))
      }
      let receivers = host.incoming.filter { link in
        link.isSubscribed(to: handle)
          && centrals?.contains(link.centralIdentifier) ?? true
      }
      let countdown = Countdown(receivers.count) { [weak self] in
        self?.send(.updateSent(number))
      }
      for link in receivers { link.push(value, of: handle, countdown.countDown) }
    }
  }

  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {
    locked {
      host.incoming.first { $0.centralIdentifier == central }?.setLatency(latency)
    }
  }

  // MARK: - The end

  /// The state is below powered off: advertising has ended, the database is cleared.
  func forgetEverything() {
    advertiser?.stop()
    advertiser = nil
    open = [:]
    withdraw { _ in true }
  }

  func close() {
    locked {
      forgetEverything()
      receiver.close()
      host.peripherals.removeAll { $0 === self }
      // A device whose program has ended is gone.
      guard host.peripherals.isEmpty else { return }
      for link in host.incoming { link.end(.system(.peripheralDisconnected)) }
    }
  }
}

/// Calls a closure when everybody is through.
final class Countdown {
  private var count: Int
  private let action: () -> Void

  init(_ count: Int, _ action: @escaping () -> Void) {
    self.count = count
    self.action = action
    if count == 0 { action() }
  }

  func countDown() {
    count -= 1
    if count == 0 { action() }
  }
}

extension Advertisement {
  /// What fits: 28 bytes, and 10 more for the name; other services go to the overflow area.
  var fitted: Self {
    var result = self
    var room = 28
    result.services = []
    for service in services {
      let size = service.bytes.count
      if size <= room {
        result.services.append(service)
        room -= size
      } else {
        result.overflowServices.append(service)
      }
    }
    return result
  }
}
