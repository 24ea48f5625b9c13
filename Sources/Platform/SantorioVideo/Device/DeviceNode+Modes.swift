// SPDX-License-Identifier: Apache-2.0

import CVideo4Linux
import Glibc

extension DeviceNode {
  /// The most entries of a list that a driver is asked for.
  private static let mostEntries: UInt32 = 1_024

  /// Sets the mode that is nearest to the wanted size and rate.
  func setMode(
    width: Int, height: Int, rate: FrameRate
  ) throws(VideoError) -> (layout: PixelLayout, rate: FrameRate?) {
    let codes = formatCodes()
    let offers = codes.compactMap(PixelFormat.init(code:)).flatMap {
      self.offers($0, width, height)
    }
    let modes = VideoMode.nearest(of: offers, width: width, height: height).map { mode in
      VideoMode(
        format: mode.format, width: mode.width, height: mode.height,
        rate: VideoMode.nearest(of: rates(mode, wanted: rate), to: rate))
    }
    guard let mode = VideoMode.best(of: modes, rate: rate) else {
      throw .noFormat(path: path, offered: codes.map(PixelFormat.name))
    }
    let layout = try set(mode)
    // Drivers without rates take none.
    if let rate = mode.rate {
      let interval = v4l2_fract(
        numerator: UInt32(clamping: rate.seconds), denominator: UInt32(clamping: rate.frames))
      _ = cvideo_set_interval(descriptor, interval)
    }
    return (layout, mode.rate)
  }

  private func formatCodes() -> [UInt32] {
    var codes: [UInt32] = []
    for index in 0..<Self.mostEntries {
      var code: UInt32 = 0
      guard unsafe cvideo_pixel_format(descriptor, index, &code) == 0 else { break }
      codes.append(code)
    }
    return codes
  }

  private func offers(_ format: PixelFormat, _ width: Int, _ height: Int) -> [VideoOffer] {
    var offers: [VideoOffer] = []
    for index in 0..<Self.mostEntries {
      var sizes = cvideo_sizes()
      guard unsafe cvideo_frame_sizes(descriptor, format.code, index, &sizes) == 0 else { break }
      offers.append(
        VideoOffer(
          format: format,
          width: VideoOffer.Sides(
            Int(sizes.least_width), Int(sizes.most_width), step: Int(sizes.step_width)),
          height: VideoOffer.Sides(
            Int(sizes.least_height), Int(sizes.most_height), step: Int(sizes.step_height))))
    }
    // A driver that lists no sizes makes the nearest one of what is wanted.
    guard offers.isEmpty else { return offers }
    return [VideoOffer(format: format, width: .init(width), height: .init(height))]
  }

  /// The rates of a mode; of a range its ends, and what is wanted if it is between them.
  private func rates(_ mode: VideoMode, wanted: FrameRate) -> [FrameRate] {
    var rates: [FrameRate] = []
    for index in 0..<Self.mostEntries {
      var intervals = cvideo_intervals()
      let error = unsafe cvideo_frame_intervals(
        descriptor, mode.format.code, UInt32(clamping: mode.width), UInt32(clamping: mode.height),
        index, &intervals)
      guard error == 0 else { break }
      let ends = [intervals.longest, intervals.shortest].compactMap {
        FrameRate(frames: Int($0.denominator), seconds: Int($0.numerator))
      }
      rates += ends
      if intervals.is_discrete == 0, ends.count == 2, !wanted.isSlower(than: ends[0]),
        !ends[1].isSlower(than: wanted)
      {
        rates.append(wanted)
      }
    }
    return rates
  }

  private func set(_ mode: VideoMode) throws(VideoError) -> PixelLayout {
    var format = cvideo_format()
    format.pixel_format = mode.format.code
    format.width = UInt32(clamping: mode.width)
    format.height = UInt32(clamping: mode.height)
    let error = unsafe cvideo_set_format(descriptor, &format)
    guard error == 0 else { throw failure("take its own format", error) }
    return try Self.layout(format, path)
  }

  /// What a driver has made of a mode: another size, or even another format.
  static func layout(_ format: cvideo_format, _ path: String) throws(VideoError) -> PixelLayout {
    guard let pixels = PixelFormat(code: format.pixel_format) else {
      throw .noFormat(path: path, offered: [PixelFormat.name(format.pixel_format)])
    }
    // V4L2_FIELD_ANY and _NONE; all others have rows of two moments, or half of them.
    guard format.field <= 1 else { throw .interlaced }
    return try PixelLayout(
      pixels, width: Int(format.width), height: Int(format.height),
      bytesPerRow: pixels == .mjpeg ? 0 : Int(format.bytes_per_line),
      isFullRange: PixelLayout.isFullRange(
        pixels, colorspace: format.colorspace, quantization: format.quantization))
  }
}
