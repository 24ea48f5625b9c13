// SPDX-License-Identifier: Apache-2.0

extension MicrolifeFrame: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    let octets = Array(start.prefix(4))
    guard octets.first == self.start else { return .noFrame }
    if octets.count > 1, Sender(rawValue: octets[1]) == nil { return .noFrame }
    guard octets.count == 4 else { return .unknown }
    return .octets((Int(octets[2]) << 8 | Int(octets[3])) + 4)
  }
}
