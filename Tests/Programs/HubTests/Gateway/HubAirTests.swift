// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Hub

@Suite struct `What a hub has heard` {
  private let start = Date(timeIntervalSince1970: 1_790_000_000)

  @Test func `is bounded, forgets the oldest, and seldom takes time for it`() {
    var air = HubAir()
    let own = UUID()
    air.own = [own]
    air.note(own, singleCuff, at: start)
    let strangers = (0..<20_000).map { _ in UUID() }
    var sweeps = 0
    for (number, stranger) in strangers.enumerated() {
      if air.note(stranger, singleCuff, at: start + Double(number)) { sweeps += 1 }
      #expect(air.count <= HubAir.capacity + 1)
    }
    // One for as many new devices as it makes room for.
    #expect(sweeps <= strangers.count / (HubAir.capacity - HubAir.rest))
    #expect(strangers.suffix(HubAir.rest).allSatisfy { air.lastHeard($0) != nil })
    #expect(strangers.prefix(10_000).allSatisfy { air.lastHeard($0) == nil })
    #expect(air.lastHeard(own) == start)
    #expect(air.model(of: own) == singleCuff)
  }

  @Test func `takes no time for devices that are heard again`() {
    var air = HubAir()
    let devices = (0..<HubAir.capacity).map { _ in UUID() }
    for round in 0..<3 {
      for device in devices {
        let hasSwept = air.note(device, singleCuff, at: start + Double(round))
        #expect(!hasSwept)
      }
    }
    #expect(devices.allSatisfy { air.lastHeard($0) == start + 2 })
  }
}
