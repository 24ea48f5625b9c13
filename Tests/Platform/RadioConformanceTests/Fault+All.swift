// SPDX-License-Identifier: Apache-2.0

import RadioConformance

extension Fault {
  static let all = [
    sessionFaults, scanFaults, connectionFaults, requestFaults, servingFaults, channelFaults,
    restorationFaults,
  ].flatMap(\.self)

  private static let sessionFaults = [
    Fault("forgets the first state", breaks: "the first event") {
      $0.centralEvents = { event, memory in
        memory.events += 1
        return memory.events == 1 ? [] : [event]
      }
    },
    Fault("reports on a queue of its own", breaks: "the first event") {
      $0.deliversElsewhere = true
    },
    Fault("denies", breaks: "the process may use") { $0.authorization = .denied },
    Fault("goes on after the close", breaks: "a session that is closed") { $0.deafTo = [.close] },
    Fault("keeps the link of a closed device", breaks: "a device that goes") {
      $0.deafTo = [.close]
    },
  ]

  private static let scanFaults = [
    Fault("leaves out the name", breaks: "a scan reports name") {
      $0.advertisement = { advertisement in
        var result = advertisement
        result.localName = nil
        return result
      }
    },
    Fault("ignores the filter", breaks: "a scan for other") {
      $0.scan = { ScanRequest(allowsDuplicates: $0.allowsDuplicates) }
    },
    Fault("always reports duplicates", breaks: "a scan without duplicates") {
      $0.scan = { ScanRequest(services: $0.services, allowsDuplicates: true) }
    },
    Fault("never reports duplicates", breaks: "a scan with duplicates") {
      $0.scan = { ScanRequest(services: $0.services) }
    },
    Fault("reports a peer once for good", breaks: "an advertisement that changes") {
      $0.centralEvents = { event, memory in
        guard case .discovered = event else { return [event] }
        memory.events += 1
        return memory.events == 1 ? [event] : []
      }
    },
    Fault("does not stop to scan", breaks: "a scan that is stopped") { $0.deafTo = [.stopScan] },
    Fault("does not stop to advertise", breaks: "an advertiser that stops") {
      $0.deafTo = [.stopAdvertising]
    },
    Fault("advertises twice", breaks: "advertising twice") {
      $0.peripheralEvents = { event, _ in
        if case .advertisingStarted = event { [.advertisingStarted(nil)] } else { [event] }
      }
    },
  ]

  private static let connectionFaults = [
    Fault("reports an end twice", breaks: "a connection that is given up") {
      $0.centralEvents = { event, _ in
        if case .disconnected = event { [event, event] } else { [event] }
      }
    },
    Fault("does not hang up", breaks: "a connection that is given up") {
      $0.deafTo = [.disconnect]
    },
    Fault("gives up after a while", breaks: "a connection is waited for") {
      $0.centralEvents = { event, _ in
        if case .connected(let peer, _) = event {
          [.connectFailed(peer.identifier, .system(.connectionFailed))]
        } else {
          [event]
        }
      }
    },
    Fault("does not give up a pending connection", breaks: "a pending connection") {
      $0.deafTo = [.disconnect]
    },
    Fault("does not confirm connections", breaks: "a connection is confirmed") {
      $0.deafTo = [.confirmation]
    },
    Fault("is silent about strangers", breaks: "a peer that the host does not know") {
      $0.swallow { if case .connectFailed = $0 { true } else { false } }
    },
    Fault("takes a good-bye for a loss", breaks: "a device that goes") {
      $0.centralEvents = Fault.ends(.system(.connectionTimeout))
    },
    Fault("takes a loss for a good-bye", breaks: "a link without a signal") {
      $0.centralEvents = Fault.ends(.system(.peripheralDisconnected))
    },
    Fault("answers after the end", breaks: "after the end") {
      $0.centralEvents = { event, _ in
        guard case .disconnected(let peer, _) = event else { return [event] }
        return [event, .answered(9, peer, .success(.done))]
      }
    },
    Fault("reports ends when the power goes", breaks: "without power") {
      $0.centralEvents = { event, memory in
        if case .connected = event { memory.held = event }
        guard case .stateChanged(.poweredOff) = event,
          case .connected(let peer, _) = memory.held
        else { return [event] }
        return [.disconnected(peer.identifier, nil), event]
      }
    },
    Fault("ends the link of everybody", breaks: "two sessions share") { $0.hangsUpForAll = true },
    Fault("does not end a watch", breaks: "connections of others") { $0.deafTo = [.endOfWatch] },
    Fault("does not report links", breaks: "connections of others") {
      $0.swallow { if case .connectionWatched = $0 { true } else { false } }
    },
    Fault("reports one's own link late", breaks: "one's own connection") {
      $0.centralEvents = { event, memory in
        if case .connectionWatched(_, .peerConnected) = event {
          memory.held = event
          return []
        }
        defer { memory.held = nil }
        return [event, memory.held].compactMap(\.self)
      }
    },
    Fault("knows each peer once", breaks: "known peers") { $0.known = { Array($0.prefix(1)) } },
    Fault("knows no connected peers", breaks: "connected peers") {
      $0.deafTo = [.connectedPeers]
    },
  ]

  private static func ends(
    _ reason: RadioError
  ) -> @Sendable (CentralEvent, inout Memory) -> [CentralEvent] {
    { event, _ in
      guard case .disconnected(let peer, .some) = event else { return [event] }
      return [.disconnected(peer, reason)]
    }
  }

  private static let requestFaults = [
    Fault("discovers in reverse", breaks: "discovery finds what is published") {
      $0.answer {
        if case .characteristics(let all) = $0 { .characteristics(all.reversed()) } else { $0 }
      }
    },
    Fault("discovers everything", breaks: "discovery finds only") {
      $0.request = {
        switch $0 {
        case .discoverServices: .discoverServices(nil)
        case .discoverCharacteristics(_, let handle): .discoverCharacteristics(nil, of: handle)
        default: $0
        }
      }
    },
    Fault("has no descriptors", breaks: "descriptors are") {
      $0.answer { if case .descriptors = $0 { .descriptors([]) } else { $0 } }
    },
    Fault("does not measure", breaks: "the signal of a link") {
      $0.answer { if case .rssi = $0 { .rssi(127) } else { $0 } }
    },
    Fault("asks for fixed values", breaks: "a fixed value") {
      $0.service = { service in
        var result = service
        result.characteristics[0].value = nil
        return result
      }
    },
    Fault("reads one packet", breaks: "a long value") {
      $0.answer { if case .value(let value) = $0 { .value(value.prefix(182)) } else { $0 } }
    },
    Fault("has one error for all", breaks: "an error of the device") {
      $0.refuse { _ in .failure(.attribute(.unlikelyError)) }
    },
    Fault("has one error for writes, too", breaks: "the error of a write") {
      $0.refuse { _ in .failure(.attribute(.unlikelyError)) }
    },
    Fault("permits everything", breaks: "the radio enforces") {
      $0.refuse { _ in .success(.done) }
    },
    Fault("does not protect", breaks: "a protected value") {
      $0.request = { if case .read = $0 { .readRSSI } else { $0 } }
    },
    Fault("cuts short writes", breaks: "a short write") {
      $0.request = {
        if case .write(let data, let handle) = $0 { .write(data.prefix(2), handle) } else { $0 }
      }
    },
    Fault("hands parts over one by one", breaks: "a long write") {
      $0.peripheralEvents = { event, _ in
        guard case .write(let number, let central, let parts) = event else { return [event] }
        return parts.map { .write(number, central, [$0]) }
      }
    },
    Fault("loses a write without response", breaks: "writes without response") {
      $0.peripheralEvents = { event, memory in
        guard case .write = event else { return [event] }
        memory.events += 1
        return memory.events == 4 ? [] : [event]
      }
    },
  ]

  private static let servingFaults = [
    Fault("swaps notifications", breaks: "notifications arrive") { $0.centralEvents = swapped },
    Fault("swaps indications", breaks: "indications arrive") { $0.centralEvents = swapped },
    Fault("notifies for ever", breaks: "notifications arrive") {
      $0.request = {
        if case .subscribe(.none, let handle) = $0 {
          .subscribe(.notifications, handle)
        } else {
          $0
        }
      }
    },
    Fault("says twice that an update has left", breaks: "each update") {
      $0.peripheralEvents = { event, _ in
        if case .updateSent = event { [event, event] } else { [event] }
      }
    },
    Fault("is silent about updates for nobody", breaks: "an update that nobody") {
      $0.swallowOfDevice { if case .updateSent = $0 { true } else { false } }
    },
    Fault("notifies everybody", breaks: "an update goes") { $0.deafTo = [.choiceOfCentrals] },
    Fault("forgets that a subscription has ended", breaks: "subscriptions end") {
      $0.swallowOfDevice { if case .unsubscribed = $0 { true } else { false } }
    },
    Fault("is silent about withdrawn services", breaks: "the client hears") {
      $0.swallow { if case .servicesChanged = $0 { true } else { false } }
    },
    Fault("keeps withdrawn services", breaks: "the client hears") { $0.deafTo = [.remove] },
    Fault("does not add a second service", breaks: "a service can be added") {
      $0.swallowOfDevice {
        if case .serviceAdded(let service, _) = $0 { service != 1 } else { false }
      }
    },
  ]

  /// Holds each first value back until the second has been reported.
  private static let swapped: @Sendable (CentralEvent, inout Memory) -> [CentralEvent] = {
    event, memory in
    guard case .valueChanged = event else { return [event] }
    guard let held = memory.held else {
      memory.held = event
      return []
    }
    memory.held = nil
    return [event, held]
  }
}
