// SPDX-License-Identifier: Apache-2.0

/// What a device offers: a pixel format with sizes, and how fast it is with them.
struct VideoOffer: Hashable {
  /// From the least to the most, in steps.
  struct Sides: Hashable {
    let least: Int
    let most: Int
    let step: Int

    init(_ least: Int, _ most: Int, step: Int = 1) {
      (self.least, self.most, self.step) = (least, max(least, most), max(step, 1))
    }

    init(_ only: Int) { self.init(only, only) }

    /// The smallest that is not less than what is wanted, or else the largest.
    func nearest(to wanted: Int) -> Int {
      guard wanted > least else { return least }
      guard wanted < most else { return least + (most - least) / step * step }
      let steps = (wanted - least + step - 1) / step
      let value = least + steps * step
      return value <= most ? value : value - step
    }
  }

  let format: PixelFormat
  let width: Sides
  let height: Sides
}

/// How a device gives frames.
struct VideoMode: Hashable {
  let format: PixelFormat
  let width: Int
  let height: Int
  /// Nil where the driver does not say its rates.
  let rate: FrameRate?

  /// The sizes that are as near to the wanted one as any, each with all formats that have it.
  ///
  /// One that shows at least as much comes before all that show less.
  static func nearest(of offers: [VideoOffer], width: Int, height: Int) -> [VideoMode] {
    let modes = offers.map { offer in
      VideoMode(
        format: offer.format, width: offer.width.nearest(to: width),
        height: offer.height.nearest(to: height), rate: nil)
    }.filter { $0.width > 0 && $0.height > 0 }
    guard
      let best = modes.min(by: { isNearer($0, $1, (width, height)) })
    else { return [] }
    return modes.filter { !isNearer(best, $0, (width, height)) }
  }

  private static func isNearer(
    _ first: VideoMode, _ second: VideoMode, _ wanted: (width: Int, height: Int)
  ) -> Bool {
    func rank(_ mode: VideoMode) -> (Int, Double) {
      let isCovered = mode.width >= wanted.width && mode.height >= wanted.height
      let area = Double(mode.width) * Double(mode.height)
      return (isCovered ? 0 : 1, abs(area - Double(wanted.width) * Double(wanted.height)))
    }
    return rank(first) < rank(second)
  }

  /// The mode of several of one size: fast enough, then of the best format.
  ///
  /// Where none is fast enough, the fastest is taken. Of a rate that is not known it is assumed
  /// that it is fast enough.
  static func best(of modes: [VideoMode], rate wanted: FrameRate) -> VideoMode? {
    modes.min { first, second in
      let (slow, slower) = (first.isSlower(than: wanted), second.isSlower(than: wanted))
      if slow != slower { return slower }
      if slow, let one = first.rate, let other = second.rate, one != other {
        return other.isSlower(than: one)
      }
      return first.format.order < second.format.order
    }
  }

  private func isSlower(than wanted: FrameRate) -> Bool { rate?.isSlower(than: wanted) ?? false }

  /// The lowest rate that is not slower than the wanted one, or else the highest; nil of none.
  static func nearest(of rates: [FrameRate], to wanted: FrameRate) -> FrameRate? {
    rates.filter { !$0.isSlower(than: wanted) }.min { $0.isSlower(than: $1) }
      ?? rates.max { $0.isSlower(than: $1) }
  }
}

extension PixelFormat {
  /// 0 is the best.
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
