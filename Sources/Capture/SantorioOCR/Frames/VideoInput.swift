// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import DigitReader
  import Foundation
  import SantorioImages
  import SantorioVideo

  /// Frames of a camera of the machine, of a stream, or of a folder of images.
  ///
  /// A path is a video device (V4L2) such as `/dev/video0`, a folder of PNGs and JPEGs, which are taken in
  /// the order of their names, or a file, a pipe or `-` for standard input with a stream: YUV4MPEG2, or JPEGs
  /// one after the other (Motion JPEG).
  public struct VideoInput: FrameSource {
    /// How many frames were damaged and skipped.
    public private(set) var damagedFrames = 0
    private var source: any FrameSource

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - path: Where the frames come from.
    ///   - framesPerSecond: How many frames a second a stream of JPEGs and a folder have, which do not say it.
    /// - Throws: An error that says what is wrong and what to do.
    public init(path: String, framesPerSecond: Int = 30) throws {
      switch Kind(path) {
      case .folder: source = try ImageFolder(path, framesPerSecond)
      case .device: source = VideoFrames(source: try VideoDevice(path: path))
      case .stream:
        let rate = FrameRate(frames: framesPerSecond) ?? .unstated
        source = VideoFrames(source: try VideoStream(path: path, rate: rate))
      }
    }

    private static func concernsOneFrame(_ error: any Error) -> Bool {
      (error as? VideoError)?.concernsOneFrame == true || error is ImageFileError
    }

    private var damagedInARow = 0

    /// So many damaged frames one after the other are no accident.
    private static let mostDamaged = 100

    /// The next frame; damaged ones are skipped.
    ///
    /// - Throws: What is wrong with the source, or with its frames if many one after the other are damaged.
    public mutating func nextFrame() throws -> OCRFrame? {
      while true {
        do {
          let frame = try source.nextFrame()
          damagedInARow = 0
          return frame
        } catch  where Self.concernsOneFrame(error) {
          damagedFrames += 1
          damagedInARow += 1
          guard damagedInARow < Self.mostDamaged else { throw error }
        }
      }
    }

    private enum Kind {
      case folder
      case device
      case stream

      init(_ path: String) {
        var status = stat()
        let isKnown = unsafe stat(path, &status) == 0
        switch isKnown ? status.st_mode & S_IFMT : 0 {
        case S_IFDIR: self = .folder
        case S_IFCHR where path != "-": self = .device
        default: self = .stream
        }
      }
    }
  }

  /// The frames of a video as images.
  private struct VideoFrames: FrameSource {
    var source: any VideoSource

    mutating func nextFrame() throws -> OCRFrame? {
      guard let frame = try source.next() else { return nil }
      let image = try GrayImage(width: frame.width, height: frame.height, pixels: frame.pixels)
      return OCRFrame(image: image, time: frame.time)
    }
  }

  /// The images of a folder, by name.
  private struct ImageFolder: FrameSource {
    private let paths: [String]
    private let framesPerSecond: Int
    private var index = 0

    init(_ path: String, _ framesPerSecond: Int) throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      paths = names.sorted().filter { name in
        ["png", "jpg", "jpeg"].contains { name.lowercased().hasSuffix(".\($0)") }
      }.map { "\(path)/\($0)" }
      self.framesPerSecond = max(1, framesPerSecond)
    }

    mutating func nextFrame() throws -> OCRFrame? {
      guard index < paths.count else { return nil }
      defer { index += 1 }
      return OCRFrame(
        image: try ImageFile(paths[index]).image,
        time: .seconds(Double(index) / Double(framesPerSecond)))
    }
  }
#endif
