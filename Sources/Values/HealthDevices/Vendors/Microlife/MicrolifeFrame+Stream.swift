// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension MicrolifeFrame: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    let bytes = Array(start.prefix(4))
    guard bytes.first == self.start else { return .noFrame }
    if bytes.count > 1, Sender(rawValue: bytes[1]) == nil { return .noFrame }
    guard bytes.count == 4 else { return .unknown }
    return .bytes((Int(bytes[2]) << 8 | Int(bytes[3])) + 4)
  }
}
