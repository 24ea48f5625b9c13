// SPDX-License-Identifier: Apache-2.0

import RadioConformance

extension Fault {
  static let restorationFaults = [
    Fault("keeps nothing", breaks: "a central gets its scan") { $0.identifier = { _ in nil } },
    Fault("forgets the scan", breaks: "a central gets its scan") {
      $0.centralEvents = { event, _ in
        guard case .restored(var kept) = event else { return [event] }
        kept.scan = nil
        return [.restored(kept)]
      }
    },
    Fault("tells the state first", breaks: "a central gets its scan") {
      $0.centralEvents = { event, memory in
        if case .restored = event {
          memory.held = event
          return []
        }
        defer { memory.held = nil }
        return [event, memory.held].compactMap(\.self)
      }
    },
    Fault("ends what it restores", breaks: "a restored connection") {
      $0.centralEvents = { event, memory in
        if case .restored = event { memory.held = event }
        guard case .stateChanged = event, case .restored(let kept) = memory.held else {
          return [event]
        }
        return [event] + kept.peers.map { .disconnected($0.peer.identifier, nil) }
      }
    },
    Fault("drops what happens without a process", breaks: "what happened between") {
      $0.swallow { if case .valueChanged = $0 { true } else { false } }
    },
    Fault("tells of the state late", breaks: "what happened between") {
      $0.centralEvents = { event, memory in
        if case .restored = event { memory.events = 1 }
        if memory.events == 1, case .stateChanged = event {
          memory.held = event
          memory.events = 2
          return []
        }
        defer { memory.held = nil }
        return [event, memory.held].compactMap(\.self)
      }
    },
    Fault("forgets services", breaks: "a device gets") {
      $0.peripheralEvents = { event, _ in
        guard case .restored(var kept) = event else { return [event] }
        kept.services = []
        return [.restored(kept)]
      }
    },
    Fault("drops writes without a process", breaks: "a restored device") {
      $0.swallowOfDevice { if case .write = $0 { true } else { false } }
    },
    Fault("knows no identifiers apart", breaks: "another identifier") {
      $0.identifier = { _ in "the same" }
    },
    Fault("restores an empty state", breaks: "sessions that had nothing") {
      $0.centralEvents = { event, _ in
        if case .stateChanged = event { [.restored(CentralRestoration()), event] } else { [event] }
      }
    },
    Fault("keeps what was closed", breaks: "a session that was closed") { $0.deafTo = [.close] },
    Fault("keeps what has no identifier", breaks: "without an identifier") {
      $0.identifier = { $0 ?? "none" }
    },
  ]
}
