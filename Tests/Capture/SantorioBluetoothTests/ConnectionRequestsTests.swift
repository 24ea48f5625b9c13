// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import Testing

@testable import SantorioBluetooth

@Suite struct `Connection requests` {
  private let first = UUID()
  private let second = UUID()
  private let meter = UUID()
  private let scale = UUID()
  private let broken = RequestFailure(.other, "broken")
  private let full = RequestFailure(.noRoom, "full")

  @Test func `give a device to the operation that asked first, then to the next`() {
    var requests = ConnectionRequests()
    #expect(requests.connect(meter, for: first) == [.connect(meter)])
    #expect(requests.connect(meter, for: second) == [])
    #expect(requests.connect(meter, for: second) == [])
    #expect(
      requests.connected(meter) == [
        .report(.connected(meter), to: first),
        .report(.waiting(meter, .otherOperation), to: second),
      ])
    #expect(requests.isTaken(meter, from: second))
    #expect(requests.leave(meter, for: first) == [.cancel(meter)])
    #expect(requests.leave(meter, for: first) == [])
    #expect(
      requests.disconnected(meter, nil) == [
        .report(.disconnected(meter, nil), to: first), .connect(meter),
      ])
    #expect(requests.connected(meter) == [.report(.connected(meter), to: second)])
    #expect(!requests.isTaken(meter, from: second))
  }

  @Test func `tell an operation that comes later that the device is in use`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connected(meter)
    #expect(
      requests.connect(meter, for: second) == [
        .report(.waiting(meter, .otherOperation), to: second)
      ])
  }

  @Test func `go on for others when one gives up`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connect(meter, for: second)
    #expect(
      requests.leave(meter, for: first) == [.report(.disconnected(meter, nil), to: first)])
    #expect(requests.connected(meter) == [.report(.connected(meter), to: second)])
  }

  @Test func `are cancelled when the last one gives up`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    #expect(requests.leave(meter, for: first) == [.cancel(meter)])
    // A connection that stands all the same is not wanted.
    #expect(requests.connected(meter) == [])
    #expect(
      requests.disconnected(meter, nil) == [.report(.disconnected(meter, nil), to: first)])
    #expect(!requests.isWanted(meter))
  }

  @Test func `begin anew for an operation that asks while the last one gives up`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.leave(meter, for: first)
    _ = requests.connect(meter, for: second)
    #expect(
      requests.disconnected(meter, nil) == [
        .report(.disconnected(meter, nil), to: first), .connect(meter),
      ])
  }

  @Test func `tell all who wait of a failure`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connect(meter, for: second)
    #expect(
      requests.failed(meter, broken) == [
        .report(.connectionFailed(meter, broken), to: first),
        .report(.connectionFailed(meter, broken), to: second),
      ])
    #expect(!requests.isWanted(meter))
  }

  @Test func `end with their operation, which is told nothing more`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connect(scale, for: first)
    _ = requests.connect(scale, for: second)
    #expect(requests.end(first) == [.cancel(meter)])
    #expect(requests.connected(scale) == [.report(.connected(scale), to: second)])
    #expect(requests.end(second) == [.cancel(scale)])
  }

  @Test func `go on when the end of a connection is never reported`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connected(meter)
    _ = requests.connect(meter, for: second)
    #expect(requests.leave(meter, for: first) == [.cancel(meter)])
    #expect(requests.end(first) == [.connect(meter)])
    #expect(requests.connected(meter) == [.report(.connected(meter), to: second)])
  }

  @Test func `are made anew after the radio's state was not known`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connect(scale, for: first)
    _ = requests.connected(scale)
    requests.forgetWaiting()
    #expect(requests.connect(meter, for: first) == [.connect(meter)])
    #expect(
      requests.disconnected(scale, nil) == [.report(.disconnected(scale, nil), to: first)])
  }

  @Test func `keep to the slots, and go on when one is free`() {
    var requests = ConnectionRequests(slots: 1)
    #expect(requests.connect(meter, for: first) == [.connect(meter)])
    #expect(requests.connect(scale, for: second) == [.connect(scale)])
    #expect(
      requests.connected(meter) == [
        .report(.connected(meter), to: first), .cancel(scale),
        .report(.waiting(scale, .linkSlot), to: second),
      ])
    #expect(requests.disconnected(scale, nil) == [])
    let third = UUID()
    #expect(
      requests.connect(scale, for: third) == [.report(.waiting(scale, .linkSlot), to: third)])
    #expect(
      requests.disconnected(meter, broken) == [
        .report(.disconnected(meter, broken), to: first), .connect(scale),
      ])
  }

  @Test func `find the number of slots when the radio refuses a connection`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connected(meter)
    _ = requests.connect(scale, for: second)
    #expect(
      requests.failed(scale, full) == [.report(.waiting(scale, .linkSlot), to: second)])
    #expect(requests.slots == 1)
    _ = requests.leave(meter, for: first)
    #expect(
      requests.disconnected(meter, nil) == [
        .report(.disconnected(meter, nil), to: first), .connect(scale),
      ])
  }

  @Test func `look for more slots once a connection has ended`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    _ = requests.connected(meter)
    _ = requests.connect(scale, for: second)
    _ = requests.failed(scale, full)
    _ = requests.disconnected(meter, nil)
    #expect(requests.slots == nil)
  }

  @Test func `do not wait for the end of what was cancelled for want of a slot`() {
    var requests = ConnectionRequests(slots: 1)
    _ = requests.connect(meter, for: first)
    _ = requests.connect(scale, for: second)
    _ = requests.connected(meter)
    #expect(
      requests.disconnected(meter, nil) == [
        .report(.disconnected(meter, nil), to: first), .connect(scale),
      ])
    #expect(requests.disconnected(scale, nil) == [.connect(scale)])
    #expect(requests.connected(scale) == [.report(.connected(scale), to: second)])
    #expect(
      requests.disconnected(scale, nil) == [.report(.disconnected(scale, nil), to: second)])
  }

  @Test func `fail when the radio refuses the only one`() {
    var requests = ConnectionRequests()
    _ = requests.connect(meter, for: first)
    #expect(
      requests.failed(meter, full) == [.report(.connectionFailed(meter, full), to: first)])
    #expect(requests.slots == nil)
  }
}
