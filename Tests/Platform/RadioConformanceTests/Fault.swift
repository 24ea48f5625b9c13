// SPDX-License-Identifier: Apache-2.0

import RadioConformance

/// What is wrong with a ``BrokenRadio``, and the beginning of the rule that must show it.
struct Fault: Sendable, CustomStringConvertible {
  /// Commands that get lost.
  enum Command: Sendable {
    case stopScan, disconnect, close, endOfWatch, connectedPeers, remove, stopAdvertising
    case choiceOfCentrals, unpublishChannel, confirmation
  }

  let name: String
  let rule: String
  var authorization: CBManagerAuthorization?
  var deliversElsewhere = false
  var hangsUpForAll = false
  var deafTo: Set<Command> = []
  var scan: @Sendable (ScanRequest) -> ScanRequest = { $0 }
  var request: @Sendable (PeerRequest) -> PeerRequest = { $0 }
  var identifier: @Sendable (String?) -> String? = { $0 }
  var known: @Sendable ([RadioPeer]) -> [RadioPeer] = { $0 }
  var service: @Sendable (LocalService) -> LocalService = { $0 }
  var advertisement: @Sendable (RadioAdvertisement) -> RadioAdvertisement = { $0 }
  var centralEvents: @Sendable (CentralEvent, inout Memory) -> [CentralEvent] = { event, _ in
    [event]
  }
  var peripheralEvents: @Sendable (PeripheralEvent, inout Memory) -> [PeripheralEvent] = {
    event, _ in [event]
  }

  init(_ name: String, breaks rule: String, _ change: (inout Fault) -> Void) {
    self.name = name
    self.rule = rule
    change(&self)
  }

  var description: String { name }

  /// Leaves out the events for which the closure is true.
  mutating func swallow(_ condition: @escaping @Sendable (CentralEvent) -> Bool) {
    centralEvents = { event, _ in condition(event) ? [] : [event] }
  }

  /// Leaves out the events for which the closure is true.
  mutating func swallowOfDevice(_ condition: @escaping @Sendable (PeripheralEvent) -> Bool) {
    peripheralEvents = { event, _ in condition(event) ? [] : [event] }
  }

  /// Breaks the channels of both sides.
  mutating func breakChannels(_ change: (inout ChannelFault) -> Void) {
    var fault = ChannelFault()
    change(&fault)
    let broken: @Sendable (any RadioChannel) -> any RadioChannel = { [fault] in
      BrokenChannel($0, fault)
    }
    answer { if case .channel(let channel) = $0 { .channel(broken(channel)) } else { $0 } }
    peripheralEvents = { event, _ in
      guard case .channelOpened(let central, let channel) = event else { return [event] }
      return [.channelOpened(central, broken(channel))]
    }
  }

  /// Changes the successful answers.
  mutating func answer(_ change: @escaping @Sendable (PeerAnswer) -> PeerAnswer) {
    centralEvents = { event, _ in
      guard case .answered(let number, let peer, let result) = event else { return [event] }
      return [.answered(number, peer, result.map(change))]
    }
  }

  /// Changes the answers that are errors.
  mutating func refuse(
    _ change: @escaping @Sendable (RadioError) -> Result<PeerAnswer, RadioError>
  ) {
    centralEvents = { event, _ in
      guard case .answered(let number, let peer, .failure(let error)) = event else {
        return [event]
      }
      return [.answered(number, peer, change(error))]
    }
  }
}
