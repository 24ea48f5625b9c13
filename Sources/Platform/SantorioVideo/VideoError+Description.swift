// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioImages

extension VideoError: CustomStringConvertible {
  /// What is wrong and what to do, in English; frames are counted from 1.
  package var description: String {
    switch self {
    case .cannotOpen(let path, let code): Self.cannotOpen(path, code)
    case .cannotRead(let path, let code): "\(path) cannot be read: \(Self.system(code))."
    case .cut(let frame):
      "The video ends in the middle of frame \(frame + 1): whatever writes it has stopped early. "
        + "Record or copy it again; the frames before can be used."
    case .wrongSize(let width, let height):
      "Its pictures are \(width) × \(height) pixels large; they need at least 1 and can have at "
        + "most \(DecodedImage.mostPixels) pixels. Make them smaller."
    case .wrongHeader(let reason):
      "It is no YUV4MPEG2 that can be read: \(reason). Make one with: "
        + "ffmpeg -i VIDEO -pix_fmt yuv420p VIDEO.y4m"
    case .wrongFrameHeader(let frame, let reason):
      "Frame \(frame + 1) does not begin as it must: \(reason). The video is damaged, or the size "
        + "in its first line is wrong: make it again."
    case .otherPixels(let name):
      "Its pixels are of the kind \(name); kinds with 8 bits are read: C420, C422, C444 and Cmono. "
        + "Convert it with: ffmpeg -i VIDEO -pix_fmt yuv420p VIDEO.y4m"
    case .interlaced:
      "Its pictures are interlaced: rows of two moments take turns. "
        + "Convert files with: ffmpeg -i VIDEO -vf yadif VIDEO.y4m; set a device to another mode."
    case .notMotionJPEG:
      "It does not begin with a JPEG (FF D8). Take the pictures out of a video with: "
        + "ffmpeg -i VIDEO -c:v mjpeg -f mjpeg VIDEO.mjpeg"
    case .frameTooLarge(let frame):
      "The JPEG of frame \(frame + 1) has more than \(MJPEGStream.mostBytes) bytes. It is damaged, "
        + "or has to be made smaller."
    case .damagedFrame(let frame, let reason):
      "Frame \(frame + 1) is damaged and was skipped: \(reason)"
    case .strayBytes(let count, let offset):
      "\(count) bytes at offset \(offset) belong to no frame and were skipped. If there are more, "
        + "look at what writes the video."
    default: deviceDescription
    }
  }

  private var deviceDescription: String {
    switch self {
    case .notVideoDevice(let path):
      "\(path) gives no pictures. Cameras are /dev/video0 and so on, some with several of these: "
        + "try the others."
    case .otherDevice(let path):
      "\(path) gives pictures in a way that is not supported (it needs V4L2 streaming with one "
        + "plane). Read it with ffmpeg and pass on its frames as YUV4MPEG2 through standard input."
    case .noFormat(let path, let offered):
      "\(path) offers none of the formats YUYV, NV12, GREY and MJPG, but "
        + "\(offered.isEmpty ? "none at all" : offered.joined(separator: ", ")). "
        + "Read it with ffmpeg and pass on its frames as YUV4MPEG2 through standard input."
    case .busy(let path):
      "Another program uses \(path): end it. `fuser \(path)` names it."
    case .deviceFailed(let path, let what, let code):
      "\(path) does not \(what): \(Self.system(code)). Disconnect and connect the camera; if that "
        + "does not help, see the kernel's messages with dmesg."
    case .timedOut(let path, let time):
      "\(path) has given no frame for \(time). Check its cable and whether it is covered by a "
        + "switch; disconnect and connect it."
    case .disconnected(let path):
      "\(path) was disconnected. Connect the camera again and start anew."
    default: ""
    }
  }

  private static func cannotOpen(_ path: String, _ code: Int32) -> String {
    let advice =
      switch code {
      case ENOENT, ENODEV, ENXIO: " Check the name, and that a camera is connected."
      case EACCES, EPERM:
        path.hasPrefix("/dev/")
          ? " Add the user to the group video, and log in again." : " Allow the user to read it."
      case EMFILE, ENFILE: " Close other files or raise the limit."
      default: ""
      }
    return "\(path) cannot be opened: \(system(code)).\(advice)"
  }

  private static func system(_ code: Int32) -> String {
    unsafe String(cString: strerror(code))
  }
}
