// SPDX-License-Identifier: Apache-2.0

import CVideo4Linux
import Foundation
import TestSupport
import Testing

@testable import SantorioVideo

@Suite struct `A video device` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `has to be there`() {
    let path = folder.path("video0")
    let error = VideoError.cannotOpen(path: path, code: ENOENT)
    #expect(throws: error) { try VideoDevice(path: path) }
    #expect(error.description.hasPrefix("\(path) cannot be opened: No such file or directory."))
    #expect(throws: VideoError.cannotOpen(path: "/dev/null\0", code: ENOENT)) {
      try VideoDevice(path: "/dev/null\0")
    }
  }

  @Test func `is no other device, file, FIFO or folder`() throws {
    let (file, fifo) = (folder.path("file"), folder.path("fifo"))
    try Data("x".utf8).write(to: URL(fileURLWithPath: file))
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    for path in ["/dev/null", "/dev/zero", file, fifo, folder.url.path] {
      #expect(throws: VideoError.notVideoDevice(path: path)) { try VideoDevice(path: path) }
    }
  }

  @Test(arguments: [(0, 480), (640, 0), (-1, -1)])
  func `is not asked for no pixels`(_ width: Int, _ height: Int) {
    #expect(throws: VideoError.wrongSize(width: width, height: height)) {
      try VideoDevice(path: "/dev/null", width: width, height: height)
    }
  }

  // V4L2_CAP_… of linux/videodev2.h: 1 capture, 0x1000 in planes, 0x800000 of metadata.
  @Test func `has to capture pictures through mapped buffers`() throws {
    try DeviceNode.check(0x0400_0001, "v")
    try DeviceNode.check(0x0520_0001, "v")
    #expect(throws: VideoError.notVideoDevice(path: "v")) {
      try DeviceNode.check(0x0480_0000, "v")
    }
    #expect(throws: VideoError.notVideoDevice(path: "v")) { try DeviceNode.check(0, "v") }
    #expect(throws: VideoError.otherDevice(path: "v")) { try DeviceNode.check(0x0400_1000, "v") }
    #expect(throws: VideoError.otherDevice(path: "v")) { try DeviceNode.check(0x0100_0001, "v") }
  }

  private func answer(_ format: String, field: UInt32 = 1) -> cvideo_format {
    var answer = cvideo_format()
    answer.pixel_format = format.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    (answer.width, answer.height) = (640, 480)
    (answer.field, answer.bytes_per_line) = (field, 1_344)
    return answer
  }

  @Test func `may answer with another format that is read`() throws {
    let yuyv = try DeviceNode.layout(answer("YUYV"), "v")
    #expect(yuyv.format == .yuyv && yuyv.bytesPerRow == 1_344 && !yuyv.isFullRange)
    let jpeg = try DeviceNode.layout(answer("MJPG"), "v")
    #expect(jpeg.format == .mjpeg && jpeg.width == 640)
  }

  @Test func `may not answer with what is not read`() {
    #expect(throws: VideoError.noFormat(path: "v", offered: ["H264"])) {
      try DeviceNode.layout(answer("H264"), "v")
    }
    for field: UInt32 in [2, 3, 4, 5, 6, 7, 8, 9] {
      #expect(throws: VideoError.interlaced) {
        try DeviceNode.layout(answer("YUYV", field: field), "v")
      }
    }
    var huge = answer("GREY")
    (huge.width, huge.height) = (.max, .max)
    #expect(throws: VideoError.wrongSize(width: 4_294_967_295, height: 4_294_967_295)) {
      try DeviceNode.layout(huge, "v")
    }
    var empty = answer("GREY")
    empty.width = 0
    #expect(throws: VideoError.wrongSize(width: 0, height: 480)) {
      try DeviceNode.layout(empty, "v")
    }
  }
}
