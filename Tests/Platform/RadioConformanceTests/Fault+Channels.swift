// SPDX-License-Identifier: Apache-2.0

import RadioConformance

extension Fault {
  static let channelFaults = [
    Fault("has one number for all channels", breaks: "each channel that is published") {
      $0.peripheralEvents = { event, _ in
        guard case .channelPublished(_, let error) = event else { return [event] }
        return [.channelPublished(0x80, error)]
      }
    },
    Fault("does not hand channels over", breaks: "opening a channel") {
      $0.swallowOfDevice { if case .channelOpened = $0 { true } else { false } }
    },
    Fault("turns bytes round", breaks: "bytes go both ways") {
      $0.breakChannels { $0.bytes = { $0.reversed() } }
    },
    Fault("does not say when there are bytes, or room", breaks: "bytes go both ways") {
      $0.breakChannels { $0.isSilent = true }
    },
    Fault("always has room", breaks: "a reader that does not read") {
      $0.breakChannels { $0.takesAll = { _ in true } }
    },
    Fault("does not close channels", breaks: "a channel that is closed") {
      $0.breakChannels { $0.isDeafToClose = true }
    },
    Fault("takes bytes after the end", breaks: "a channel that is closed") {
      $0.breakChannels { $0.takesAll = { hasEnded in hasEnded } }
    },
    Fault("forgets unread bytes at the end", breaks: "what came before the end") {
      $0.breakChannels {
        $0.status = {
          RadioChannelStatus(
            bytesAvailable: $0.end == nil ? $0.bytesAvailable : 0, room: $0.room, end: $0.end)
        }
      }
    },
    Fault("keeps channels without a link", breaks: "hanging up") {
      $0.breakChannels {
        $0.status = {
          RadioChannelStatus(bytesAvailable: $0.bytesAvailable, room: $0.room, end: nil)
        }
      }
    },
    Fault("takes a lost link for a close", breaks: "a lost link") {
      $0.breakChannels {
        $0.status = {
          RadioChannelStatus(
            bytesAvailable: $0.bytesAvailable, room: $0.room,
            end: $0.end.map { _ in .closed })
        }
      }
    },
    Fault("opens what nobody has published", breaks: "a number that nobody") {
      $0.refuse { _ in .success(.done) }
    },
    Fault("does not withdraw numbers", breaks: "a number that is withdrawn") {
      $0.deafTo = [.unpublishChannel]
    },
    Fault("does not pair for a channel", breaks: "a protected channel") {
      $0.centralEvents = { event, _ in
        guard case .answered(let number, let peer, .success(.channel)) = event else {
          return [event]
        }
        return [.answered(number, peer, .failure(.attribute(.insufficientAuthentication)))]
      }
    },
  ]
}
