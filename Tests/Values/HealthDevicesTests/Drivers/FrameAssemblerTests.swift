// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

@Suite struct `Frames in a stream of bytes` {
  private let frame = ViatomFrame(replyWithStatus: 0, data: Array(0..<30))

  @Test(arguments: 1...38)
  func `are found however the stream is cut`(size: Int) {
    let stream = frame.payload + frame.payload
    var assembler = FrameAssembler<ViatomFrame>()
    var frames: [ViatomFrame] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      frames += assembler.received(stream[start..<min(start + size, stream.count)])
    }

    #expect(frames == [frame, frame])
    #expect(assembler.skippedCount == 0)
  }

  @Test func `are found behind noise`() {
    var assembler = FrameAssembler<ViatomFrame>()

    #expect(assembler.received([0x00, 0x55, 0xAA, 0x01, 0x02] + frame.payload) == [frame])
    #expect(assembler.skippedCount == 5)
  }

  @Test func `are found behind one that lost a byte`() throws {
    var broken = frame.payload
    broken.remove(at: 20)
    var assembler = FrameAssembler<ViatomFrame>()

    #expect(assembler.received(broken + frame.payload + frame.payload) == [frame, frame])
    #expect(assembler.skippedCount == 37)
  }

  @Test func `are found behind one that was damaged`() {
    var broken = frame.payload
    broken[10] ^= 0x01
    var assembler = FrameAssembler<ViatomFrame>()

    #expect(assembler.received(broken + frame.payload) == [frame])
  }

  @Test func `wait for the rest of the last one`() {
    var assembler = FrameAssembler<ViatomFrame>()

    #expect(assembler.received(frame.payload.dropLast()) == [])
    #expect(assembler.received([]) == [])
    #expect(assembler.received(frame.payload.suffix(1)) == [frame])
  }

  @Test func `of Berry's protocol start again at the next byte with bit 7`() throws {
    let packet = BerryPacket(saturation: 97, pulseRate: 173)
    var assembler = FrameAssembler<BerryPacket>()

    // Two bytes of a packet that began before the notification, then a packet cut by the next one.
    var stream: [UInt8] = [0x2D, 0x61]
    stream += packet.payload
    stream += packet.payload.prefix(3)
    stream += packet.payload

    #expect(assembler.received(stream) == [packet, packet])
    #expect(assembler.skippedCount == 5)
  }
}
